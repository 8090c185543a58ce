# What tools see of monitors: owners' lists, waiters behind contenders, the states of threads that wait, also while they are
# suspended; and walks of the heap by a reference to nothing.
# timeout: 120
cat > agent.c <<'C'
#include <jvmti.h>
#include <stdio.h>
#include <string.h>
static jvmtiEnv *ti;
static void names(const char *what, jint n, jthread *t) {
    printf(", %s", what);
    for (int i = 0; i < n; i++) { jvmtiThreadInfo f; (*ti)->GetThreadInfo(ti, t[i], &f); printf(" %s", f.name); }
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *o, void *r) {
    (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_1_2);
    jvmtiCapabilities c; memset(&c, 0, sizeof c);
    c.can_get_monitor_info = c.can_get_owned_monitor_info = c.can_get_owned_monitor_stack_depth_info = c.can_tag_objects = 1;
    c.can_suspend = c.can_signal_thread = c.can_get_current_contended_monitor = 1;
    printf("capabilities %d\n", (*ti)->AddCapabilities(ti, &c)); fflush(stdout);
    return 0;
}
JNIEXPORT void JNICALL Java_Main_usage(JNIEnv *e, jclass k, jobject o) {
    jvmtiMonitorUsage u;
    printf("usage %d", (*ti)->GetObjectMonitorUsage(ti, o, &u));
    printf(", entries %d", u.entry_count); names("waiters", u.waiter_count, u.waiters); names("to notify", u.notify_waiter_count, u.notify_waiters);
    puts(""); fflush(stdout);
}
JNIEXPORT void JNICALL Java_Main_owned(JNIEnv *e, jclass k) {
    jint n, m; jobject *all; jvmtiMonitorStackDepthInfo *d;
    (*ti)->GetOwnedMonitorInfo(ti, NULL, &n, &all); (*ti)->GetOwnedMonitorStackDepthInfo(ti, NULL, &m, &d);
    printf("owned %d, with depths", n); for (int i = 0; i < m; i++) printf(" %d", d[i].stack_depth); puts(""); fflush(stdout);
}
JNIEXPORT jint JNICALL Java_Main_state(JNIEnv *e, jclass k, jthread t) { jint s; (*ti)->GetThreadState(ti, t, &s); return s; }
JNIEXPORT jint JNICALL Java_Main_suspend(JNIEnv *e, jclass k, jthread t) { return (*ti)->SuspendThread(ti, t); }
JNIEXPORT jint JNICALL Java_Main_resume(JNIEnv *e, jclass k, jthread t) { return (*ti)->ResumeThread(ti, t); }
JNIEXPORT jobject JNICALL Java_Main_wanted(JNIEnv *e, jclass k, jthread t) { jobject o; (*ti)->GetCurrentContendedMonitor(ti, t, &o); return o; }
JNIEXPORT jint JNICALL Java_Main_frames(JNIEnv *e, jclass k, jthread t) { jint n; return (*ti)->GetFrameCount(ti, t, &n); }
JNIEXPORT void JNICALL Java_Main_traces(JNIEnv *e, jclass k, jobjectArray a) {
    jint n = (*e)->GetArrayLength(e, a), all; jthread list[8]; jvmtiStackInfo *s;
    for (int i = 0; i < n; i++) list[i] = (*e)->GetObjectArrayElement(e, a, i);
    int code = (*ti)->GetThreadListStackTraces(ti, n, list, 4, &s);
    printf("of a list: %d", code);
    for (int i = 0; code == 0 && i < n; i++) printf(", %x with %d frames", s[i].state, s[i].frame_count);
    printf("\nof all: %d", (*ti)->GetAllStackTraces(ti, 4, &s, &all));
    for (int i = 0; code == 0 && i < n; i++)
        for (int j = 0; j < all; j++)
            if ((*e)->IsSameObject(e, s[j].thread, list[i])) printf(", %x with %d frames", s[j].state, s[j].frame_count);
    puts(""); fflush(stdout);
}
JNIEXPORT void JNICALL Java_Main_noThread(JNIEnv *e, jclass k, jthread t, jobject x) {
    printf("stop %d %d %d, ", (*ti)->StopThread(ti, NULL, x), (*ti)->StopThread(ti, t, NULL), (*ti)->StopThread(ti, NULL, NULL));
    printf("interrupt %d\n", (*ti)->InterruptThread(ti, NULL)); fflush(stdout);
}
JNIEXPORT jint JNICALL Java_Main_listed(JNIEnv *e, jclass k, jthread t) {
    jint n, found = 0; jthread *all; jvmtiStackInfo *s;
    (*ti)->GetAllThreads(ti, &n, &all); for (int i = 0; i < n; i++) found |= (*e)->IsSameObject(e, all[i], t);
    (*ti)->GetAllStackTraces(ti, 4, &s, &n); for (int i = 0; i < n; i++) found |= (*e)->IsSameObject(e, s[i].thread, t) << 1;
    return found;
}
JNIEXPORT void JNICALL Java_Main_walk(JNIEnv *e, jclass k) {
    static void *nothing; jobject gone = (jobject) &nothing; jvmtiHeapCallbacks b; memset(&b, 0, sizeof b);
    printf("no class: %d", (*ti)->IterateThroughHeap(ti, 0, gone, &b, NULL)); printf(" %d", (*ti)->FollowReferences(ti, 0, gone, NULL, &b, NULL));
    printf(", no object: %d\n", (*ti)->FollowReferences(ti, 0, NULL, gone, &b, NULL)); fflush(stdout);
}
C
cat > Main.java <<'J'
public class Main {
    static native void usage(Object o);
    static native void owned();
    static native int state(Thread t);
    static native void walk();
    static native int suspend(Thread t);
    static native int resume(Thread t);
    static native Object wanted(Thread t);

    static native int frames(Thread t);
    static native void noThread(Thread t, Throwable x);
    static native int listed(Thread t);
    static native void traces(Object... threads);
    static volatile int turns;

    /** The states that a waiting thread shows while it is suspended and resumed, time and again. */
    static void disturb(Thread t, Object lock) {
        var states = new java.util.TreeSet<Integer>();
        int errors = 0, others = 0;
        for (int i = 0; i < 2000; i++) {
            if (suspend(t) != 0) errors++;
            states.add(state(t));
            if (wanted(t) != lock) others++;
            if (resume(t) != 0) errors++;
            states.add(state(t));
        }
        System.out.print(t.getName() + ", disturbed:");
        states.forEach(s -> System.out.print(" " + Integer.toHexString(s)));
        System.out.println(", " + errors + " errors, " + others + " times something else wanted");
    }

    static Thread start(String name, Runnable body, int state) throws Exception {
        Thread t = new Thread(body, name);
        t.setDaemon(true);
        t.start();
        while (state(t) != state) Thread.sleep(1);
        System.out.println(name + ": " + Integer.toHexString(state));
        return t;
    }
    static void await(Object o, long millis) {
        synchronized (o) {
            try { o.wait(millis); } catch (InterruptedException e) { throw new AssertionError(e); }
        }
    }
    static synchronized void ofClass() {
        synchronized (Main.class) { owned(); }
    }
    public static void main(String[] args) throws Exception {
        Object o = new Object(), other = new Object();
        Thread waits = start("waits", () -> await(o, 0), 0x191);
        traces(waits);
        disturb(waits, o);
        start("waits with a limit", () -> await(o, 1_000_000), 0x1a1);
        usage(o);
        synchronized (o) {
            synchronized (o) {
                disturb(start("wants to enter", () -> await(o, 0), 0x401), o);
                usage(o);
                owned();
                synchronized (other) { synchronized (o) { ofClass(); } }
            }
        }
        // Asked about at once, while they come to life.
        for (int i = 0; i < 300; i++) {
            Thread young = new Thread(() -> await(o, 0));
            young.setDaemon(true);
            young.start();
            if (frames(young) != 0) throw new AssertionError("no frames are counted of a thread that has just started");
        }
        for (int i = 0; i < 200; i++) {
            Thread young = new Thread(() -> await(o, 0));
            young.setDaemon(true);
            young.start();
            boolean all = i % 2 == 0 ? listed(young) == 3 : Thread.getAllStackTraces().containsKey(young);
            if (!all) throw new AssertionError("a thread that has just started is not among all threads, " + i);
        }
        // Suspended while they end: whoever has been suspended is there to be resumed.
        for (int i = 0; i < 300; i++) {
            Thread brief = new Thread(() -> { });
            brief.start();
            for (int code; (code = suspend(brief)) != 15; )
                if (code != 0 || resume(brief) != 0) throw new AssertionError("a suspended thread has ended, " + i + " " + code);
        }
        noThread(Thread.currentThread(), new Error());
        Thread spins = new Thread(() -> { while (true) turns++; }), fresh = new Thread(), ended = new Thread();
        spins.setDaemon(true);
        spins.start();
        ended.start();
        ended.join();
        while (turns == 0) Thread.onSpinWait();
        suspend(spins);
        spins.interrupt();
        traces(Thread.currentThread(), spins, fresh, ended);
        traces(spins);
        traces(fresh);
        traces(ended);
        traces(null, spins);
        traces(spins, "no thread");
        walk();
    }
}
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
"$JAVAC" Main.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -agentpath:$PWD/libagent.so -cp . Main
