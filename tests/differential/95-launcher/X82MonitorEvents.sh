# What an agent sees of a monitor while it is told that a thread waits to enter it, has entered it, or will wait on it; and of monitors
# that native code owns. No event for a monitor that is free.
# timeout: 120
cat > agent.c <<'C'
#include <jvmti.h>
#include <stdio.h>
#include <string.h>
static jvmtiEnv *ti;
static jobject lock;
static void tell(JNIEnv *e, const char *what, jthread t, jobject o) {
    if (!lock || !(*e)->IsSameObject(e, o, lock)) return;
    jint s, n, m; jobject wanted = NULL, *all; jvmtiMonitorStackDepthInfo *d; jvmtiMonitorUsage u;
    (*ti)->GetThreadState(ti, t, &s);
    jint code = (*ti)->GetCurrentContendedMonitor(ti, t, &wanted);
    (*ti)->GetOwnedMonitorInfo(ti, t, &n, &all); (*ti)->GetOwnedMonitorStackDepthInfo(ti, t, &m, &d);
    jint held = 0; for (int i = 0; i < n; i++) held += (*e)->IsSameObject(e, all[i], lock);
    printf("%s: state %x, wants %d %s, owns %d, %d the lock, depths", what, s, code, wanted == NULL ? "nothing" : (*e)->IsSameObject(e, wanted, lock) ? "the lock" : "another", n, held);
    for (int i = 0; i < m; i++) printf(" %d", d[i].stack_depth);
    code = (*ti)->GetObjectMonitorUsage(ti, o, &u);
    printf("; usage %d, owner %d, entries %d, waiters %d, to notify %d\n", code, u.owner && (*e)->IsSameObject(e, u.owner, t), u.entry_count, u.waiter_count, u.notify_waiter_count); fflush(stdout);
}
static void JNICALL enter(jvmtiEnv *j, JNIEnv *e, jthread t, jobject o) { tell(e, "enter", t, o); }
static void JNICALL entered(jvmtiEnv *j, JNIEnv *e, jthread t, jobject o) { tell(e, "entered", t, o); }
static void JNICALL wait_(jvmtiEnv *j, JNIEnv *e, jthread t, jobject o, jlong ms) { tell(e, "wait", t, o); }
JNIEXPORT void JNICALL Java_Main_watch(JNIEnv *e, jclass k, jobject o) { lock = (*e)->NewGlobalRef(e, o); }
JNIEXPORT jint JNICALL Java_Main_state(JNIEnv *e, jclass k, jthread t) { jint s; (*ti)->GetThreadState(ti, t, &s); return s; }
JNIEXPORT void JNICALL Java_Main_hold(JNIEnv *e, jclass k, jobject o, jint n) {
    jthread t; (*ti)->GetCurrentThread(ti, &t);
    for (int i = 0; i < n; i++) (*e)->MonitorEnter(e, o);
    tell(e, "held by native code", t, o);
    (*e)->CallStaticVoidMethod(e, k, (*e)->GetStaticMethodID(e, k, "seen", "()V"));
    for (int i = 0; i < n; i++) (*e)->MonitorExit(e, o);
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *o, void *r) {
    (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_1_2);
    jvmtiCapabilities c; memset(&c, 0, sizeof c);
    c.can_get_monitor_info = c.can_get_owned_monitor_info = c.can_get_owned_monitor_stack_depth_info = 1;
    c.can_get_current_contended_monitor = c.can_generate_monitor_events = 1;
    printf("capabilities %d\n", (*ti)->AddCapabilities(ti, &c)); fflush(stdout);
    jvmtiEventCallbacks b; memset(&b, 0, sizeof b);
    b.MonitorContendedEnter = enter; b.MonitorContendedEntered = entered; b.MonitorWait = wait_;
    (*ti)->SetEventCallbacks(ti, &b, sizeof b);
    for (int i = JVMTI_EVENT_MONITOR_WAIT; i <= JVMTI_EVENT_MONITOR_CONTENDED_ENTERED; i++) if (i != JVMTI_EVENT_MONITOR_WAITED) (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, i, NULL);
    return 0;
}
C
cat > Main.java <<'J'
public class Main {
    static native void watch(Object o);
    static native void hold(Object o, int times);
    static void seen() {
        for (var m : java.lang.management.ManagementFactory.getThreadMXBean().getThreadInfo(new long[] { Thread.currentThread().getId() }, true, false)[0].getLockedMonitors())
            System.out.println("  " + m.getClassName() + " " + m.getLockedStackDepth() + " " + m.getLockedStackFrame());
    }
    static native int state(Thread t);
    static Object lock = new Object(), other = new Object();
    static int held;

    static class Locked {
        synchronized void method() { }
        static synchronized void ofClass() { }
        synchronized void waits(long millis) throws Exception { wait(millis); }
    }
    static void block() { synchronized (other) { synchronized (lock) { Thread.yield(); } } }

    /** Runs what wants the lock that this thread has until it is seen to want it. */
    static void contend(String what, Object o, Runnable r) throws Exception {
        System.out.println(what);
        watch(o);
        Thread t = new Thread(r);
        synchronized (o) {
            t.start();
            while (state(t) != 0x401) Thread.sleep(1);
            Thread.sleep(20);
        }
        t.join();
    }
    public static void main(String[] args) throws Exception {
        Locked l = new Locked();
        Thread t;
        for (int i = 0; i < 2; i++) {
            contend("in a block", lock, Main::block);
            contend("of a method", l, l::method);
            contend("of a class", Locked.class, Locked::ofClass);
        }
        watch(l);
        hold(l, 2);
        synchronized (l) { hold(l, 2); }
        synchronized (l) { synchronized (other) { hold(l, 0); hold(other, 1); } }
        contend("of native code", l, () -> hold(l, 1));
        System.out.println("entered by one new thread after another");
        watch(other);
        for (int i = 0; i < 300; i++) {
            t = new Thread(() -> { synchronized (other) { held++; } });
            t.start();
            while (t.isAlive()) Thread.onSpinWait();
        }
        watch(l);
        System.out.println("wait");
        l.waits(5);
        t = new Thread(() -> { try { l.waits(0); } catch (Exception e) { System.out.println(e); } });
        t.start();
        while (state(t) != 0x191) Thread.sleep(1);
        t.interrupt();
        t.join();
    }
}
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
"$JAVAC" Main.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -agentpath:$PWD/libagent.so -cp . Main
