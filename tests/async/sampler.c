// A profiler as agents are: SIGPROF from a timer and from a thread of its own, traces by
// AsyncGetCallTrace in the handler, and afterwards a judgement of what the traces say.
//
// The handler takes no lock and allocates nothing. Methods are noted when their class is prepared,
// with all that is to be known of them, so no id is asked for anything after its class may be gone.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <jvmti.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define DEPTH 96
#define SAMPLES 40000
#define METHODS (1 << 18)
#define THREADS 64
#define CODES 16

typedef struct { jint bci; jmethodID method; } Frame;
typedef struct { JNIEnv *env; jint n; Frame *frames; } Trace;
typedef struct { int n, registered; Frame frames[DEPTH]; } Sample;
typedef struct { _Atomic(jmethodID) id; jlong length; int native; char name[72]; } Method;

static void (*get_trace)(Trace *, jint, void *);
static JavaVM *vm;
static jvmtiEnv *ti;
static Method *methods;
static Sample *samples;
static atomic_int taken, of_registered, sampling, stopping;
static atomic_int threads[THREADS];
static pthread_t sender;
static pthread_mutex_t noting = PTHREAD_MUTEX_INITIALIZER;
static __thread JNIEnv *own_env __attribute__((tls_model("initial-exec")));
static __thread int own_slot __attribute__((tls_model("initial-exec")));

static Method *slot_of(jmethodID id) {
    size_t i = ((size_t)id >> 3) * 0x9e3779b97f4a7c15u >> 46;
    while (methods[i].id && methods[i].id != id) i = (i + 1) % METHODS;
    return &methods[i];
}

static void note_class(jvmtiEnv *t, jclass c) {
    jint n;
    jmethodID *all;
    char *class_name;
    if ((*t)->GetClassMethods(t, c, &n, &all) != JVMTI_ERROR_NONE) return;
    if ((*t)->GetClassSignature(t, c, &class_name, NULL) != JVMTI_ERROR_NONE) class_name = NULL;
    for (int i = 0; i < n; i++) {
        char *name = NULL;
        jlong start, end = -1;
        jboolean native = JNI_FALSE;
        (*t)->GetMethodName(t, all[i], &name, NULL, NULL);
        (*t)->IsMethodNative(t, all[i], &native);
        if ((*t)->GetMethodLocation(t, all[i], &start, &end) != JVMTI_ERROR_NONE) end = -1;
        pthread_mutex_lock(&noting);
        Method *m = slot_of(all[i]);
        m->length = end + 1;
        m->native = native;
        snprintf(m->name, sizeof m->name, "%s%s", class_name ? class_name : "?", name ? name : "?");
        m->id = all[i];
        pthread_mutex_unlock(&noting);
        if (name) (*t)->Deallocate(t, (unsigned char *)name);
    }
    (*t)->Deallocate(t, (unsigned char *)all);
    if (class_name) (*t)->Deallocate(t, (unsigned char *)class_name);
}

static void JNICALL class_load(jvmtiEnv *t, JNIEnv *e, jthread th, jclass c) { (void)t, (void)e, (void)th, (void)c; }
static void JNICALL class_prepare(jvmtiEnv *t, JNIEnv *e, jthread th, jclass c) { (void)e, (void)th; note_class(t, c); }
static void JNICALL thread_start(jvmtiEnv *t, JNIEnv *e, jthread th) { (void)t, (void)th; own_env = e; }
static void JNICALL thread_end(jvmtiEnv *t, JNIEnv *e, jthread th) {
    (void)t, (void)e, (void)th;
    own_env = NULL;
    if (own_slot) threads[own_slot - 1] = 0;
}
static void JNICALL vm_init(jvmtiEnv *t, JNIEnv *e, jthread th) {
    jint n;
    jclass *all;
    thread_start(t, e, th);
    if ((*t)->GetLoadedClasses(t, &n, &all) != JVMTI_ERROR_NONE) return;
    for (int i = 0; i < n; i++) note_class(t, all[i]);
    (*t)->Deallocate(t, (unsigned char *)all);
}

static void handler(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)info;
    if (!sampling) return;
    int at = atomic_fetch_add(&taken, 1);
    if (at >= SAMPLES) return;
    Sample *s = &samples[at];
    Trace t = {own_env, 99, s->frames};
    get_trace(&t, DEPTH, context);
    s->registered = own_slot != 0;
    s->n = t.n;
    of_registered += s->registered;
}

// Sends signals to the registered threads in turn.
static void *send(void *unused) {
    (void)unused;
    struct timespec pause = {0, 50 * 1000};
    for (unsigned i = 0; !stopping; i++) {
        int tid = threads[i % THREADS];
        if (tid) {
            syscall(SYS_tgkill, getpid(), tid, SIGPROF);
            nanosleep(&pause, NULL);
        } else if (i % THREADS == 0) {
            nanosleep(&pause, NULL);
        }
    }
    return NULL;
}

JNIEXPORT void JNICALL Java_Sampled_register(JNIEnv *e, jclass c) {
    (void)c;
    own_env = e;
    for (int i = 0; i < THREADS; i++) {
        int none = 0;
        if (atomic_compare_exchange_strong(&threads[i], &none, (int)syscall(SYS_gettid))) {
            own_slot = i + 1;
            return;
        }
    }
}
JNIEXPORT void JNICALL Java_Sampled_unregister(JNIEnv *e, jclass c) {
    (void)e, (void)c;
    if (own_slot) threads[own_slot - 1] = 0;
    own_slot = 0;
}

static void timer(int micros) {
    struct itimerval t = {{0, micros}, {0, micros}};
    setitimer(ITIMER_PROF, &t, NULL);
}
JNIEXPORT void JNICALL Java_Sampled_start(JNIEnv *e, jclass c) {
    (void)e, (void)c;
    taken = of_registered = 0;
    stopping = 0;
    sampling = 1;
    pthread_create(&sender, NULL, send, NULL);
    timer(1000);
}

static const char *name_of(Frame *f) {
    if (!f->method) return "(null)";
    Method *m = slot_of(f->method);
    return m->id ? m->name : "(unknown)";
}
// Whether frames `from` on are the methods that `names` lists, innermost first, divided by spaces.
static int frames_are(Sample *s, int from, const char *names) {
    const char *rest = names;
    for (int i = from; *rest; i++) {
        size_t len = strcspn(rest, " ");
        if (i >= s->n) return 0;
        const char *name = name_of(&s->frames[i]);
        if (strlen(name) != len || strncmp(name, rest, len)) return 0;
        rest += len + (rest[len] == ' ');
    }
    return 1;
}
// What is wrong with a trace; NULL if nothing is.
static const char *fault(Sample *s) {
    for (int i = 0; i < s->n; i++) {
        Frame *f = &s->frames[i];
        if (!f->method) continue;
        Method *m = slot_of(f->method);
        if (!m->id) return "unknown method";
        if (m->native ? f->bci != -3 && f->bci != -1 : f->bci < 0 || f->bci >= m->length) return "bci";
    }
    if (s->n == DEPTH || !s->registered || s->n <= 0) return NULL;
    const char *last = name_of(&s->frames[s->n - 1]);
    if (strcmp(last, "LSampled;main") && strncmp(last, "Ljava/lang/Thread;", 18) && strcmp(last, "(null)")) return "outermost frame";
    return NULL;
}

// Ends sampling and judges. `expected` is what registered threads are to show, or empty.
JNIEXPORT void JNICALL Java_Sampled_stop(JNIEnv *e, jclass c, jstring title, jstring expected) {
    (void)c;
    timer(0);
    stopping = 1;
    pthread_join(sender, NULL);
    sampling = 0;
    struct timespec settle = {0, 20 * 1000 * 1000};
    nanosleep(&settle, NULL);
    const char *what = (*e)->GetStringUTFChars(e, title, NULL), *want = (*e)->GetStringUTFChars(e, expected, NULL);
    int n = taken < SAMPLES ? taken : SAMPLES, of = 0, walked = 0, hits = 0, bad = 0, codes[CODES] = {0};
    for (int i = 0; i < n; i++) {
        Sample *s = &samples[i];
        const char *wrong = fault(s);
        if (wrong && bad++ < 5) {
            printf("bad %s: %s:", what, wrong);
            for (int k = 0; k < s->n; k++) printf(" %s@%d", name_of(&s->frames[k]), s->frames[k].bci);
            printf("\n");
        }
        if (!s->registered) continue;
        of++;
        if (s->n > 0) walked++;
        else if (s->n > -CODES) codes[-s->n]++;
        int hit = *want ? frames_are(s, 0, want) : s->n > 0;
        hits += hit;
        if (!hit && getenv("SAMPLED_MISSES")) {
            printf("miss %s %d:", what, s->n);
            for (int k = 0; k < s->n && k < 6; k++) printf(" %s@%d", name_of(&s->frames[k]), s->frames[k].bci);
            printf("\n");
        }
    }
    printf("%s samples=%d all=%d walked=%.1f expected=%.1f bad=%d", what, of, n, of ? 100.0 * walked / of : 0, of ? 100.0 * hits / of : 0, bad);
    for (int i = 0; i < CODES; i++) if (codes[i]) printf(" %d:%d", -i, codes[i]);
    printf("\n");
    fflush(stdout);
    (*e)->ReleaseStringUTFChars(e, title, what);
    (*e)->ReleaseStringUTFChars(e, expected, want);
}

// What the C heap grows by when a thread that the VM has never seen asks for a trace: nothing, for it
// may have been interrupted in the allocator.
#define STRANGERS 100
static pthread_barrier_t before, after;
static void *stranger(void *unused) {
    Frame frame;
    Trace t = {NULL, 99, &frame};
    (void)unused;
    pthread_barrier_wait(&before);
    get_trace(&t, 1, NULL);
    pthread_barrier_wait(&after);
    pthread_barrier_wait(&before);
    return (void *)(long)t.n;
}
static size_t heap(void) {
    struct mallinfo2 all = mallinfo2();
    return all.uordblks + all.hblkhd;
}
// How many strangers got the answer that they are none of the VM's; the bytes that each cost.
static int strange_round(long *each) {
    pthread_t ids[STRANGERS];
    void *answer;
    int answers = 0;
    pthread_barrier_init(&before, NULL, STRANGERS + 1);
    pthread_barrier_init(&after, NULL, STRANGERS + 1);
    for (int i = 0; i < STRANGERS; i++) pthread_create(&ids[i], NULL, stranger, NULL);
    size_t then = heap();
    pthread_barrier_wait(&before);
    pthread_barrier_wait(&after);
    size_t now = heap();
    pthread_barrier_wait(&before);
    for (int i = 0; i < STRANGERS; i++) {
        pthread_join(ids[i], &answer);
        answers += (long)answer == -8;
    }
    *each = now > then ? (long)(now - then) / STRANGERS : 0;
    return answers;
}
JNIEXPORT void JNICALL Java_Sampled_strangers(JNIEnv *e, jclass c) {
    int answers = STRANGERS;
    long least = 500;
    (void)e, (void)c;
    // The VM's own threads allocate, too: a compilation now and then, but not in every round.
    for (int round = 0; round < 5 && least >= 500; round++) {
        long each;
        int got = strange_round(&each);
        if (got < answers) answers = got;
        if (each < least) least = each;
    }
    printf("strangers exit=%d allocate=%s\n", answers, least < 500 ? "nothing" : "something");
    fflush(stdout);
}

// What the program calls.
JNIEXPORT jint JNICALL Java_Sampled_taken(JNIEnv *e, jclass c) {
    (void)e, (void)c;
    return of_registered;
}
JNIEXPORT jlong JNICALL Java_Sampled_spin(JNIEnv *e, jclass c, jlong n) {
    (void)e, (void)c;
    volatile jlong x = 0;
    for (jlong i = 0; i < n; i++) x += i;
    return x;
}
JNIEXPORT void JNICALL Java_Sampled_upcall(JNIEnv *e, jclass c, jobject runnable) {
    (void)c;
    jmethodID run = (*e)->GetMethodID(e, (*e)->GetObjectClass(e, runnable), "run", "()V");
    (*e)->CallVoidMethod(e, runnable, run);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *v, char *options, void *reserved) {
    (void)options, (void)reserved;
    vm = v;
    *(void **)&get_trace = dlsym(RTLD_DEFAULT, "AsyncGetCallTrace");
    if (!get_trace) {
        void *library = dlopen("libjvm.so", RTLD_NOLOAD | RTLD_NOW);
        if (library) *(void **)&get_trace = dlsym(library, "AsyncGetCallTrace");
    }
    methods = mmap(NULL, METHODS * sizeof(Method), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    samples = mmap(NULL, SAMPLES * sizeof(Sample), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!get_trace || methods == MAP_FAILED || samples == MAP_FAILED || (*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
    jvmtiEventCallbacks callbacks = {0};
    callbacks.ClassLoad = class_load;
    callbacks.ClassPrepare = class_prepare;
    callbacks.ThreadStart = thread_start;
    callbacks.ThreadEnd = thread_end;
    callbacks.VMInit = vm_init;
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    jvmtiEvent events[] = {JVMTI_EVENT_CLASS_LOAD, JVMTI_EVENT_CLASS_PREPARE, JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END, JVMTI_EVENT_VM_INIT};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if ((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, events[i], NULL) != JVMTI_ERROR_NONE) return JNI_ERR;
    struct sigaction action = {0};
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(SIGPROF, &action, NULL);
    return JNI_OK;
}
