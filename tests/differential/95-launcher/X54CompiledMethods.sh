# skip-mode: relayout
# Events of JVM TI about compiled code: methods that come with their map and inlined frames, methods that go with their
# class, what is no method's; told by a thread of the VM, and again for who asks.
cat > Hot.java <<'J'
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

public class Hot {
    static native boolean has(String name, int event);
    static native void ask(int event);
    static native void enable(int event, boolean on);
    static native void print();

    static int[] numbers = new int[8];

    static int inner(int x) {
        return numbers[x & 7] + x * 31;
    }

    static int work(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) s = inner(s) ^ i;
        return s;
    }

    static void await(String what, String method, int event) throws Exception {
        for (int i = 0; i < 600 && !has(method, event); i++) {
            System.gc();
            Thread.sleep(50);
        }
        System.out.println(what + " " + has(method, event));
    }

    static void useAndDrop(String classes) throws Exception {
        URL[] urls = {Path.of(classes).toUri().toURL()};
        Runnable r = (Runnable) new URLClassLoader(urls, null).loadClass("Gone").getConstructor().newInstance();
        for (int i = 0; i < 300; i++) r.run();
        await("loaded", "vanishes", 68);
    }

    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        int s = 0;
        for (int i = 0; i < 2000; i++) s += work(1000);
        System.out.println(s);
        await("compiled", "work", 68);
        useAndDrop(args[1]);
        await("unloaded", "vanishes", 69);
        enable(68, false);
        ask(68);
        System.out.println("asked, not enabled " + has("work", 168));
        enable(68, true);
        ask(68);
        System.out.println("asked " + has("work", 168));
        ask(70);
        System.out.println("stubs " + has("", 170));
        ask(69);
        ask(50);
        print();
    }
}
J
mkdir gone
cat > Gone.java <<'J'
public class Gone implements Runnable {
    static int sum;

    static int vanishes(int x) {
        for (int i = 0; i < 500; i++) x = x * 17 + i;
        return x;
    }

    public void run() {
        for (int i = 0; i < 100; i++) sum += vanishes(i);
    }
}
J
cat > hot.c <<'C'
#include <jvmti.h>
#include <jvmticmlr.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static jvmtiEnv *ti;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Seen, by event: plain as told by the VM, 100 more as told to who asked. */
static struct { char name[64]; int event; } seen[20000];
static int n, badness, threads_named, asking;
static jmethodID vanishing;
static const char *reason = "";
static void bad(const char *why) {
    badness++;
    reason = why;
}
static void note(const char *name, int event) {
    pthread_mutex_lock(&lock);
    if (n < 20000) {
        snprintf(seen[n].name, sizeof seen[n].name, "%s", name);
        seen[n++].event = event;
    }
    pthread_mutex_unlock(&lock);
}
static int inlined_seen;
static void JNICALL loaded(jvmtiEnv *env, jmethodID m, jint size, const void *at, jint maps, const jvmtiAddrLocationMap *map, const void *info) {
    char *name = NULL;
    jclass holder = NULL;
    if ((*env)->GetMethodName(env, m, &name, NULL, NULL) || (*env)->GetMethodDeclaringClass(env, m, &holder)) {
        bad("a method without name or class");
        return;
    }
    jlocation first = 0, last = 0;
    jboolean native = 0;
    (*env)->IsMethodNative(env, m, &native);
    if (!native && (*env)->GetMethodLocation(env, m, &first, &last)) bad("no location");
    if (size <= 0 || !at) bad("no code");
    const char *low = at, *high = low + size;
    if (!strcmp(name, "work") && maps <= 0) bad("no map");
    for (int i = 0; i < maps; i++) {
        const char *p = map[i].start_address;
        if (p < low || p > high) bad("an address outside");
        if (i && p < (const char *) map[i - 1].start_address) bad("addresses out of order");
        if (map[i].location < first || map[i].location > last) bad("a location outside");
    }
    const jvmtiCompiledMethodLoadRecordHeader *h = info;
    for (; h; h = h->next) {
        if (h->kind != JVMTI_CMLR_INLINE_INFO) continue;
        if (h->majorinfoversion != 1 || h->minorinfoversion != 0) bad("another version");
        const jvmtiCompiledMethodLoadInlineRecord *r = (const void *) h;
        for (int i = 0; i < r->numpcs; i++) {
            PCStackInfo *s = &r->pcinfo[i];
            if ((char *) s->pc < low || (char *) s->pc > high) bad("a pc outside");
            if (s->numstackframes < 1 || s->methods[s->numstackframes - 1] != m) bad("another method outside");
            if (s->numstackframes > 1 && !strcmp(name, "work")) {
                char *deep = NULL;
                (*env)->GetMethodName(env, s->methods[0], &deep, NULL, NULL);
                if (deep && !strcmp(deep, "inner")) inlined_seen = 1;
                (*env)->Deallocate(env, (unsigned char *) deep);
            }
        }
    }
    jthread t;
    jvmtiThreadInfo ti_info;
    if (!asking && !(*env)->GetCurrentThread(env, &t) && !(*env)->GetThreadInfo(env, t, &ti_info)) {
        if (!strcmp(ti_info.name, "Service Thread") && ti_info.is_daemon) threads_named = 1;
        else bad("told by another thread");
    }
    if (!strcmp(name, "vanishes")) vanishing = m;
    note(name, asking ? 168 : 68);
    (*env)->Deallocate(env, (unsigned char *) name);
}
static void JNICALL unloaded(jvmtiEnv *env, jmethodID m, const void *at) {
    (void) env;
    if (!at) bad("unloaded from nowhere");
    note(m == vanishing ? "vanishes" : "?", 69);
}
static void JNICALL generated(jvmtiEnv *env, const char *name, const void *at, jint size) {
    (void) env;
    if (!name || !*name || !at || size <= 0) bad("a stub without name or code");
    note("", asking ? 170 : 70);
}
JNIEXPORT jboolean JNICALL Java_Hot_has(JNIEnv *e, jclass c, jstring name, jint event) {
    (void) c;
    const char *s = (*e)->GetStringUTFChars(e, name, NULL);
    int found = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < n && !found; i++) found = seen[i].event == event && !strcmp(seen[i].name, s);
    pthread_mutex_unlock(&lock);
    (*e)->ReleaseStringUTFChars(e, name, s);
    return found;
}
JNIEXPORT void JNICALL Java_Hot_ask(JNIEnv *e, jclass c, jint event) {
    (void) e; (void) c;
    asking = 1;
    printf("ask %d: %d\n", event, (*ti)->GenerateEvents(ti, event));
    asking = 0;
    fflush(stdout);
}
JNIEXPORT void JNICALL Java_Hot_enable(JNIEnv *e, jclass c, jint event, jboolean on) {
    (void) e; (void) c;
    printf("enable %d: %d\n", event, (*ti)->SetEventNotificationMode(ti, on ? JVMTI_ENABLE : JVMTI_DISABLE, event, NULL));
    fflush(stdout);
}
JNIEXPORT void JNICALL Java_Hot_print(JNIEnv *e, jclass c) {
    (void) e; (void) c;
    printf("bad %d %s, thread %d, inlined %d\n", badness, reason, threads_named, inlined_seen);
    fflush(stdout);
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void) options; (void) reserved;
    (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_11);
    jvmtiCapabilities may, want = {.can_generate_compiled_method_load_events = 1};
    (*ti)->GetPotentialCapabilities(ti, &may);
    printf("offered %d\n", may.can_generate_compiled_method_load_events);
    jvmtiEventCallbacks calls = {.CompiledMethodLoad = loaded, .CompiledMethodUnload = unloaded, .DynamicCodeGenerated = generated};
    (*ti)->SetEventCallbacks(ti, &calls, sizeof calls);
    for (int event = 68; event <= 70; event++)
        printf("without %d\n", (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, event, NULL));
    printf("add %d\n", (*ti)->AddCapabilities(ti, &want));
    for (int event = 68; event <= 70; event++)
        printf("with %d\n", (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, event, NULL));
    fflush(stdout);
    return 0;
}
C
gcc -I "$JAVA_HOME/include" -I "$JAVA_HOME/include/linux" -std=c11 -Wall -Wextra -O1 -fPIC -shared -o libhot.so hot.c -lpthread
"$JAVAC" -d gone Gone.java
"$JAVAC" Hot.java
# The method is to be compiled in any mode of the tests.
"$JAVA_HOME/bin/java" $VM_OPTIONS -XX:CompileThresholdScaling=0.1 "-agentpath:$PWD/libhot.so" -Xmx64m -cp . Hot "$PWD/libhot.so" gone/
