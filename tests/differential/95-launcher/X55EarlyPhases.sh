# What agents hear before the VM is up: by phase, with and without the two capabilities for it.
cat > agent.c <<'C'
#include <jvmti.h>
#include <stdio.h>
#include <string.h>
static jvmtiEnv *ti;
static int counts[100][9], base_hooks, named;
static int early, order, vm_started, vm_initialized, dead;
static int phase(void) {
    jvmtiPhase p = 0;
    int e = (*ti)->GetPhase(ti, &p);
    return e ? 0 : (int) p;
}
static void seen(int event) {
    __atomic_fetch_add(&counts[event][phase()], 1, __ATOMIC_SEQ_CST);
}
static void JNICALL start(jvmtiEnv *t, JNIEnv *e) {
    seen(57);
    vm_started = ++order;
    jclass c = (*e)->FindClass(e, "java/lang/String");
    jthread thread = NULL;
    printf("start %d %s, string %d, thread %d\n", phase(), e ? "jni" : "none", c != NULL, (*t)->GetCurrentThread(t, &thread));
    // There may be no object for the thread yet.
    void *kept = NULL;
    int set = (*t)->SetThreadLocalStorage(t, thread, &order), get = (*t)->GetThreadLocalStorage(t, thread, &kept);
    printf("storage %d %d %d\n", set, get, kept == &order);
    jint n = 0;
    jclass *all = NULL;
    int r = (*t)->GetLoadedClasses(t, &n, &all);
    printf("loaded %d %d\n", r, n > 100);
    if (!early) {
        (*e)->FindClass(e, "no/Such");
        printf("missing %d\n", (*e)->ExceptionCheck(e));
        (*e)->ExceptionClear(e);
    }
    char *version = NULL;
    printf("property %d\n", (*t)->GetSystemProperty(t, "java.vm.info", &version));
    fflush(stdout);
}
static void JNICALL init(jvmtiEnv *t, JNIEnv *e, jthread thread) {
    (void) t; (void) e; (void) thread;
    seen(50);
    vm_initialized = ++order;
}
static void JNICALL death(jvmtiEnv *t, JNIEnv *e) {
    (void) t; (void) e;
    seen(51);
    dead = 1;
}
static void JNICALL hook(jvmtiEnv *t, JNIEnv *e, jclass c, jobject l, const char *name, jobject d, jint n, const unsigned char *b, jint *nn, unsigned char **nb) {
    (void) t; (void) e; (void) c; (void) l; (void) d; (void) n; (void) b; (void) nn; (void) nb;
    if (dead) return;
    seen(54);
    if (name && !strcmp(name, "java/util/HashMap")) base_hooks++;
    if (name && !strcmp(name, "Main")) named++;
}
static void JNICALL loaded(jvmtiEnv *t, JNIEnv *e, jthread thread, jclass c) {
    (void) t; (void) e; (void) thread; (void) c;
    if (!dead) seen(55);
}
static void JNICALL prepared(jvmtiEnv *t, JNIEnv *e, jthread thread, jclass c) {
    (void) t; (void) e; (void) thread; (void) c;
    if (!dead) seen(56);
}
static void JNICALL bound(jvmtiEnv *t, JNIEnv *e, jthread thread, jmethodID m, void *f, void **nf) {
    (void) t; (void) e; (void) thread; (void) m; (void) f; (void) nf;
    if (!dead) seen(67);
}
static void JNICALL thrown(jvmtiEnv *t, JNIEnv *e, jthread thread, jmethodID m, jlocation l, jobject x, jmethodID cm, jlocation cl) {
    (void) t; (void) e; (void) thread; (void) m; (void) l; (void) x; (void) cm; (void) cl;
    if (!dead) seen(58);
}
static void JNICALL entered(jvmtiEnv *t, JNIEnv *e, jthread thread, jmethodID m) {
    (void) t; (void) e; (void) thread; (void) m;
    if (!dead) seen(65);
}
static void JNICALL left(jvmtiEnv *t, JNIEnv *e, jthread thread, jmethodID m, jboolean by, jvalue v) {
    (void) t; (void) e; (void) thread; (void) m; (void) by; (void) v;
    if (!dead) seen(66);
}
static void row(const char *what, int event) {
    printf("%s:", what);
    for (int p = 0; p < 9; p++) if (counts[event][p]) printf(" %d", p);
    printf("\n");
}
JNIEXPORT void JNICALL Java_Main_print(JNIEnv *e, jclass c) {
    (void) e; (void) c;
    row("VMStart", 57);
    row("VMInit", 50);
    row("ClassFileLoadHook", 54);
    row("ClassLoad", 55);
    row("ClassPrepare", 56);
    printf("NativeMethodBind: %d\n", counts[67][4] > 0);
    row("Exception", 58);
    row("MethodEntry", 65);
    row("MethodExit", 66);
    printf("order %d %d, HashMap %d, Main %d\n", vm_started, vm_initialized, base_hooks, named);
    fflush(stdout);
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void) reserved;
    (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_11);
    jvmtiCapabilities may, want;
    memset(&want, 0, sizeof want);
    (*ti)->GetPotentialCapabilities(ti, &may);
    printf("offered %d %d, phase %d\n", may.can_generate_early_vmstart, may.can_generate_early_class_hook_events, phase());
    early = want.can_generate_early_vmstart = strstr(options, "start") != NULL;
    want.can_generate_early_class_hook_events = strstr(options, "hook") != NULL;
    want.can_generate_all_class_hook_events = strstr(options, "hook") != NULL;
    want.can_generate_native_method_bind_events = 1;
    want.can_generate_exception_events = 1;
    want.can_generate_method_entry_events = strstr(options, "entry") != NULL;
    want.can_generate_method_exit_events = strstr(options, "entry") != NULL;
    printf("add %d\n", (*ti)->AddCapabilities(ti, &want));
    jvmtiEventCallbacks calls = {.VMStart = start, .VMInit = init, .VMDeath = death, .ClassFileLoadHook = hook, .ClassLoad = loaded,
        .ClassPrepare = prepared, .NativeMethodBind = bound, .Exception = thrown, .MethodEntry = entered, .MethodExit = left};
    (*ti)->SetEventCallbacks(ti, &calls, sizeof calls);
    int events[] = {50, 51, 54, 55, 56, 57, 58, 67, 65, 66};
    for (int i = 0; i < 8 + 2 * want.can_generate_method_entry_events; i++) printf("%d ", (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, events[i], NULL));
    printf("\n");
    fflush(stdout);
    return 0;
}
C
cat > Main.java <<'J'
public class Main {
    static native void print();

    public static void main(String[] args) {
        System.load(args[0]);
        try {
            Integer.parseInt("x");
        } catch (NumberFormatException e) {
            System.out.println("caught");
        }
        print();
    }
}
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
"$JAVAC" Main.java
for how in none start hook start,hook none,entry start,entry; do
    echo "$how"
    "$JAVA_HOME/bin/java" $VM_OPTIONS -Xshare:off "-agentpath:$PWD/libagent.so=$how" -cp . Main "$PWD/libagent.so" 2>&1 | grep -v warning
done
