# An agent's monitors: interrupts before and in a wait, notifications that no one takes who has given up, errors.
cat > agent.c <<'C'
#include <jvmti.h>
#include <stdio.h>
static jvmtiEnv *ti;
static jrawMonitorID lock;
static int waiting;
JNIEXPORT jint JNICALL Java_Main_await(JNIEnv *env, jclass c, jlong millis) {
    (*ti)->RawMonitorEnter(ti, lock);
    (*ti)->RawMonitorEnter(ti, lock);
    waiting++;
    jint r = (*ti)->RawMonitorWait(ti, lock, millis);
    waiting--;
    jint e = (*ti)->RawMonitorExit(ti, lock) * 10000 + (*ti)->RawMonitorExit(ti, lock) * 1000;
    return r + e;
}
JNIEXPORT jint JNICALL Java_Main_notOwned(JNIEnv *env, jclass c) {
    return (*ti)->RawMonitorWait(ti, lock, 1) * 10000 + (*ti)->RawMonitorNotify(ti, lock) * 100 + (*ti)->RawMonitorExit(ti, lock);
}
JNIEXPORT jint JNICALL Java_Main_waiting(JNIEnv *env, jclass c) {
    (*ti)->RawMonitorEnter(ti, lock);
    jint n = waiting;
    (*ti)->RawMonitorExit(ti, lock);
    return n;
}
JNIEXPORT void JNICALL Java_Main_wake(JNIEnv *env, jclass c, jboolean all) {
    (*ti)->RawMonitorEnter(ti, lock);
    if (all) (*ti)->RawMonitorNotifyAll(ti, lock);
    else (*ti)->RawMonitorNotify(ti, lock);
    (*ti)->RawMonitorExit(ti, lock);
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *o, void *r) {
    (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_11);
    (*ti)->CreateRawMonitor(ti, "lock", &lock);
    return 0;
}
C
cat > Main.java <<'J'
public class Main {
    static native int await(long millis);
    static native int waiting();
    static native int notOwned();
    static native void wake(boolean all);
    static Thread start(String name, long millis) throws Exception {
        int before = waiting();
        Thread t = new Thread(() -> {
            int r = await(millis);
            System.out.println(name + " " + r + " " + Thread.currentThread().isInterrupted());
        });
        t.start();
        while (waiting() == before) Thread.sleep(1);
        return t;
    }
    public static void main(String[] a) throws Exception {
        System.load(a[0]);
        System.out.println("not owned " + notOwned());
        Thread.currentThread().interrupt();
        System.out.println("before " + await(0) + " " + Thread.interrupted());
        System.out.println("in time " + await(20));
        Thread t = start("interrupted", 0);
        t.interrupt();
        t.join();
        // Who has given up takes no notification.
        Thread first = start("gives up", 30);
        Thread second = start("notified", 0);
        first.join();
        wake(false);
        second.join();
        Thread third = start("third", 0);
        third.interrupt();
        third.join();
        Thread fourth = start("fourth", 0);
        wake(false);
        fourth.join();
        Thread[] all = {start("all", 0), start("all", 0), start("all", 100000)};
        wake(true);
        for (Thread x : all) x.join();
        // An interrupt that comes too late is nobody's.
        Thread.currentThread().interrupt();
        System.out.println(Thread.interrupted() + " " + await(1));
    }
}
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
"$JAVAC" Main.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -agentpath:$PWD/libagent.so -cp . Main $PWD/libagent.so 2>&1 | grep -v warning
