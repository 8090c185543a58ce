# What tools see of monitors: owners' lists, waiters behind contenders, the states of threads that wait; and walks of the
# heap by a reference to nothing.
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
        start("waits", () -> await(o, 0), 0x191);
        start("waits with a limit", () -> await(o, 1_000_000), 0x1a1);
        usage(o);
        synchronized (o) {
            synchronized (o) {
                start("wants to enter", () -> await(o, 0), 0x401);
                usage(o);
                owned();
                synchronized (other) { synchronized (o) { ofClass(); } }
            }
        }
        walk();
    }
}
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
"$JAVAC" Main.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -agentpath:$PWD/libagent.so -cp . Main
