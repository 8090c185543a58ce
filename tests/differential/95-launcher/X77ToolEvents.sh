# Events of native methods and of threads that nobody starts; a frame popped to a virtual call of a large class; walks of
# the heap while other threads store; and what can be asked for in callbacks of collections.
# timeout: 120
cat > agent.c <<'C'
#include <jvmti.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static jvmtiEnv *ti;
static JavaVM *the_vm;
static volatile int created = -1, timed = -1, entered = -1;
static int is_main(jmethodID m) {
    jclass c; char *s; (*ti)->GetMethodDeclaringClass(ti, m, &c); (*ti)->GetClassSignature(ti, c, &s, 0);
    return !strcmp(s, "LMain;");
}
static void told(const char *what, jmethodID m, const char *rest) {
    char *s; jmethodID f; jlocation l;
    if (!is_main(m)) return;
    (*ti)->GetMethodName(ti, m, &s, 0, 0); (*ti)->GetFrameLocation(ti, NULL, 0, &f, &l);
    printf("%s %s at %d, %s%s\n", what, s, (int) l, f == m ? "innermost" : "not innermost", rest); fflush(stdout);
}
static void JNICALL on_entry(jvmtiEnv *t, JNIEnv *e, jthread h, jmethodID m) {
    told("entry", m, "");
    char *s; (*ti)->GetMethodName(ti, m, &s, 0, 0);
    if (!is_main(m) || strcmp(s, "skipped")) return;
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_SINGLE_STEP, h);
    printf("early return %d\n", (*ti)->ForceEarlyReturnVoid(ti, h)); fflush(stdout);
}
static void JNICALL on_step(jvmtiEnv *t, JNIEnv *e, jthread h, jmethodID m, jlocation l) {
    (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_SINGLE_STEP, h); told("step", m, "");
}
static void JNICALL on_exit(jvmtiEnv *t, JNIEnv *e, jthread h, jmethodID m, jboolean x, jvalue v) {
    if (!is_main(m)) return;
    char rest[120], *s, *d; (*ti)->GetMethodName(ti, m, &s, &d, 0); char r = d[strlen(d) - 1];
    if (x) sprintf(rest, ", by an exception");
    else if (r == 'V') sprintf(rest, ", nothing");
    else if (r == ';') sprintf(rest, ", %s", v.l ? (*e)->GetStringUTFChars(e, v.l, 0) : "null");
    else if (r == 'D') sprintf(rest, ", %g", v.d);
    else if (r == 'J') sprintf(rest, ", %lld", (long long) v.j);
    else sprintf(rest, ", %d", r == 'B' ? v.b : r == 'Z' ? v.z : r == 'C' ? v.c : r == 'S' ? v.s : v.i);
    told("exit", m, rest);
}
static void thread_told(const char *what, jthread h) {
    jvmtiThreadInfo i;
    if (!(*ti)->GetThreadInfo(ti, h, &i) && (!strcmp(i.name, "main") || !strcmp(i.name, "attached") || !strcmp(i.name, "DestroyJavaVM"))) { printf("%s %s\n", what, i.name); fflush(stdout); }
}
static void JNICALL on_init(jvmtiEnv *t, JNIEnv *e, jthread h) { thread_told("init", h); }
static void JNICALL on_start(jvmtiEnv *t, JNIEnv *e, jthread h) { thread_told("start", h); }
static void JNICALL on_end(jvmtiEnv *t, JNIEnv *e, jthread h) { thread_told("end", h); }
static void JNICALL on_break(jvmtiEnv *t, JNIEnv *e, jthread h, jmethodID m, jlocation l) {
    (*ti)->ClearBreakpoint(ti, m, l); printf("breakpoint, suspended\n"); fflush(stdout); (*ti)->SuspendThread(ti, h);
}
static void JNICALL on_finish(jvmtiEnv *t) {
    jrawMonitorID m; jlong time;
    created = (*ti)->CreateRawMonitor(ti, "of a collection", &m); entered = (*ti)->RawMonitorEnter(ti, m);
    (*ti)->RawMonitorExit(ti, m); created |= (*ti)->DestroyRawMonitor(ti, m);
    timed = (*ti)->GetCurrentThreadCpuTime(ti, &time);
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *o, void *r) {
    the_vm = vm; (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_1_2);
    jvmtiCapabilities c; memset(&c, 0, sizeof c);
    c.can_generate_method_entry_events = c.can_generate_method_exit_events = c.can_generate_breakpoint_events = 1;
    c.can_generate_single_step_events = c.can_force_early_return = c.can_pop_frame = c.can_suspend = c.can_tag_objects = c.can_get_current_thread_cpu_time = 1;
    c.can_generate_garbage_collection_events = c.can_set_native_method_prefix = 1;
    printf("capabilities %d\n", (*ti)->AddCapabilities(ti, &c)); fflush(stdout);
    jvmtiEventCallbacks b; memset(&b, 0, sizeof b);
    b.MethodEntry = on_entry; b.MethodExit = on_exit; b.VMInit = on_init; b.SingleStep = on_step; b.ThreadStart = on_start; b.ThreadEnd = on_end;
    b.Breakpoint = on_break; b.GarbageCollectionFinish = on_finish;
    (*ti)->SetEventCallbacks(ti, &b, sizeof b);
    jvmtiEvent all[] = {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END, JVMTI_EVENT_BREAKPOINT, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH};
    for (int i = 0; i < 5; i++) (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, all[i], NULL);
    return 0;
}
static void tell(JNIEnv *e, int on) {
    jthread me; (*ti)->GetCurrentThread(ti, &me);
    (*ti)->SetEventNotificationMode(ti, on, JVMTI_EVENT_METHOD_ENTRY, me); (*ti)->SetEventNotificationMode(ti, on, JVMTI_EVENT_METHOD_EXIT, me);
}
JNIEXPORT void JNICALL Java_Main_on(JNIEnv *e, jclass k) { tell(e, 1); }
JNIEXPORT void JNICALL Java_Main_off(JNIEnv *e, jclass k) { tell(e, 0); }
JNIEXPORT jbyte JNICALL Java_Main_b(JNIEnv *e, jclass k) { return -2; }
JNIEXPORT jboolean JNICALL Java_Main_z(JNIEnv *e, jclass k) { return 1; }
JNIEXPORT jchar JNICALL Java_Main_c(JNIEnv *e, jclass k) { return 0xfffe; }
JNIEXPORT jint JNICALL Java_Main_i(JNIEnv *e, jobject o, jint x) { return -x; }
JNIEXPORT jlong JNICALL Java_Main_j(JNIEnv *e, jclass k) { return -1LL << 40; }
JNIEXPORT jdouble JNICALL Java_Main_d(JNIEnv *e, jclass k) { return 2.5; }
JNIEXPORT jstring JNICALL Java_Main_text(JNIEnv *e, jclass k, jstring s) { return s; }
JNIEXPORT void JNICALL Java_Main_fails(JNIEnv *e, jobject o) { (*e)->ThrowNew(e, (*e)->FindClass(e, "java/lang/IllegalStateException"), "thrown"); }
static void *attached(void *x) {
    JNIEnv *e; JavaVMAttachArgs a = {JNI_VERSION_1_8, "attached", NULL};
    printf("attach %d\n", (*the_vm)->AttachCurrentThread(the_vm, (void **) &e, &a)); fflush(stdout);
    (*the_vm)->DetachCurrentThread(the_vm); return NULL;
}
JNIEXPORT void JNICALL Java_Main_attach(JNIEnv *e, jclass k) { pthread_t t; pthread_create(&t, NULL, attached, NULL); pthread_join(t, NULL); }
JNIEXPORT void JNICALL Java_Main_stopAt(JNIEnv *e, jclass k, jclass c) { printf("breakpoint %d\n", (*ti)->SetBreakpoint(ti, (*e)->GetMethodID(e, c, "wanted", "(I)I"), 0)); fflush(stdout); }
JNIEXPORT jboolean JNICALL Java_Main_pop(JNIEnv *e, jclass k, jthread t) {
    jint s; (*ti)->GetThreadState(ti, t, &s); if (!(s & JVMTI_THREAD_STATE_SUSPENDED)) return 0;
    printf("pop %d", (*ti)->PopFrame(ti, t)); printf(", resume %d\n", (*ti)->ResumeThread(ti, t)); fflush(stdout); return 1;
}
static volatile int *shared;
static long seen, first; static int moved;
static jint JNICALL each(jlong ct, jlong s, jlong *tag, jint length, void *x) {
    if (seen++ == 0) first = *shared; else moved |= *shared != first;
    if (seen % 1000 == 0) *tag = seen;
    return JVMTI_VISIT_OBJECTS;
}
JNIEXPORT void JNICALL Java_Main_walk(JNIEnv *e, jclass k, jobject buffer) {
    shared = (*e)->GetDirectBufferAddress(e, buffer);
    jvmtiHeapCallbacks b; memset(&b, 0, sizeof b); b.heap_iteration_callback = each;
    int r = (*ti)->IterateThroughHeap(ti, 0, NULL, &b, NULL);
    jlong tag = 1000; jint n; jobject *o; (*ti)->GetObjectsWithTags(ti, 1, &tag, &n, &o, NULL);
    printf("walk %d, %s, tagged %d, %s\n", r, seen > 100000 ? "many" : "few", n, moved ? "the world ran" : "the world stood"); fflush(stdout);
}
JNIEXPORT void JNICALL Java_Main_collections(JNIEnv *e, jclass k) { printf("in a collection: create and destroy %d, enter %d, time %d\n", created, entered, timed); fflush(stdout); }
static void JNICALL body(jvmtiEnv *t, JNIEnv *e, void *x) { }
JNIEXPORT void JNICALL Java_Main_codes(JNIEnv *e, jclass k, jclass abstracts, jobject thread) {
    jint n; printf("locals %d", (*ti)->GetMaxLocals(ti, (*e)->GetMethodID(e, abstracts, "m", "(IJ)V"), &n)); printf(": %d\n", n);
    printf("agent threads: %d", (*ti)->RunAgentThread(ti, NULL, body, NULL, 5)); printf(" %d", (*ti)->RunAgentThread(ti, (jthread) k, body, NULL, 0));
    printf(" %d", (*ti)->RunAgentThread(ti, thread, body, NULL, 0)); printf(" %d", (*ti)->RunAgentThread(ti, thread, body, NULL, 11)); printf(" %d\n", (*ti)->RunAgentThread(ti, thread, body, NULL, 5));
    (*ti)->SetNativeMethodPrefix(ti, "wrapped_");
    JNINativeMethod method = {"only", "()V", body};
    printf("register %d", (*e)->RegisterNatives(e, k, &method, 1));
    jthrowable x = (*e)->ExceptionOccurred(e); (*e)->ExceptionClear(e); printf(" %s\n", x ? "thrown" : "bound"); fflush(stdout);
}
C
{
    echo 'public class Large {'
    for i in $(seq 300); do echo "    int f$i(int x) { return x + $i; }"; done
    echo '    int wanted(int x) { return x * 2; }'
    echo '}'
} > Large.java
cat > Main.java <<'J'
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

public class Main {
    static native void on();
    static native void off();
    static native byte b();
    static native boolean z();
    static native char c();
    native synchronized int i(int x);
    static native long j();
    static native double d();
    static native String text(String s);
    native synchronized void fails();
    static native void attach();
    static native void stopAt(Class<?> c);
    static native boolean pop(Thread t);
    static native void walk(ByteBuffer b);
    static native void collections();
    static native void codes(Class<?> abstracts, Thread t);
    static native void wrapped_only();
    interface Abstracts { void m(int a, long b); }

    static int plain(int x) { for (int i = 0; i < 3; i++) x += i; return x; }
    static int backToItsStart(int x) {
        do { x--; } while (x > 0);
        return x;
    }
    static void skipped() { System.out.println("not skipped"); }
    static volatile boolean done;

    public static void main(String[] args) throws Exception {
        Main m = new Main();
        Object[] results = new Object[9];
        on();
        results[0] = b(); results[1] = z(); results[2] = c(); results[3] = m.i(77); results[4] = j(); results[5] = d();
        results[6] = text("a text"); results[7] = text(null);
        try { m.fails(); } catch (IllegalStateException e) { results[8] = e.getMessage(); }
        plain(1);
        backToItsStart(3);
        skipped();
        off();
        System.out.println(java.util.Arrays.toString(results));
        attach();
        stopAt(Large.class);
        Thread t = new Thread(() -> System.out.println("from the large class: " + new Large().wanted(21)), "popped");
        t.start();
        while (!pop(t)) Thread.sleep(1);
        t.join();
        Object[] many = new Object[200_000];
        for (int i = 0; i < many.length; i++) many[i] = new int[1];
        ByteBuffer shared = ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder());
        Thread writer = new Thread(() -> { for (int i = 0; !done; i++) shared.putInt(0, i); }, "writer");
        writer.start();
        walk(shared);
        done = true;
        writer.join();
        if (many[many.length - 1] == null) throw new AssertionError();
        System.gc();
        collections();
        codes(Abstracts.class, new Thread("agent's"));
    }
}
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux" -lpthread
"$JAVAC" Main.java Large.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -agentpath:$PWD/libagent.so -cp . Main
