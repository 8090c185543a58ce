# A C agent pops frames, and leaves them early, of threads that it has suspended wherever they are: running through calls, at the
# entry of a method, waiting for a monitor.
cat > agent.c <<'C'
#include <jvmti.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static jvmtiEnv *ti;
static const char *top(JNIEnv *env, jthread t) {
    jvmtiFrameInfo f;
    jint n;
    char *s;
    if ((*ti)->GetStackTrace(ti, t, 0, 1, &f, &n) || !n) return "?";
    (*ti)->GetMethodName(ti, f.method, &s, NULL, NULL);
    return s;
}
JNIEXPORT jint JNICALL Java_Main_suspend(JNIEnv *env, jclass c, jthread t) { return (*ti)->SuspendThread(ti, t); }
JNIEXPORT jint JNICALL Java_Main_resume(JNIEnv *env, jclass c, jthread t) { return (*ti)->ResumeThread(ti, t); }
JNIEXPORT jint JNICALL Java_Main_pop(JNIEnv *env, jclass c, jthread t) { return (*ti)->PopFrame(ti, t); }
JNIEXPORT jint JNICALL Java_Main_leave(JNIEnv *env, jclass c, jthread t, jint v) { return (*ti)->ForceEarlyReturnInt(ti, t, v); }
JNIEXPORT jstring JNICALL Java_Main_top(JNIEnv *env, jclass c, jthread t) { return (*env)->NewStringUTF(env, top(env, t)); }
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *o, void *r) {
    (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_11);
    jvmtiCapabilities c;
    memset(&c, 0, sizeof c);
    c.can_pop_frame = c.can_force_early_return = c.can_suspend = 1;
    printf("capabilities %d\n", (*ti)->AddCapabilities(ti, &c));
    fflush(stdout);
    return 0;
}
C
cat > Main.java <<'J'
import java.util.TreeMap;
public class Main {
    static native int suspend(Thread t);
    static native int resume(Thread t);
    static native int pop(Thread t);
    static native int leave(Thread t, int v);
    static native String top(Thread t);
    static volatile boolean run, odd;
    static volatile int calls;
    static int leaf(int x) { return x & 3; }
    static synchronized int locked(int x) { return x & 3; }
    int virtual(int x) { return leaf(x) + locked(x); }
    static int around(Main m, int i) {
        int s = 0;
        for (int k = 0; k < 50; k++) s += m.virtual(i + k);
        return s;
    }
    static void runs() {
        Main m = new Main();
        for (int i = 0; run; i++) {
            around(m, i);
            calls++;
        }
    }
    static int counted;
    static final Object lock = new Object();
    static int inBlock(int x) {
        counted++;
        synchronized (lock) { return x; }
    }
    static int blockCaller() { return inBlock(7) * 10; }
    synchronized int inMethod(int x) { counted++; return x; }
    int methodCaller() { return inMethod(7) * 10; }
    static Thread start(Runnable r) {
        Thread t = new Thread(r);
        t.setDaemon(true);
        t.start();
        return t;
    }
    static void await(Thread t, Thread.State s) throws Exception { while (t.getState() != s) Thread.sleep(1); }
    static void running(boolean pops) throws Exception {
        run = true;
        calls = 0;
        Thread t = start(Main::runs);
        TreeMap<Integer, Integer> errors = new TreeMap<>();
        while (calls == 0) Thread.sleep(1);
        for (int i = 0; i < 200; i++) {
            int e = suspend(t);
            if (e != 0) System.out.println("suspend " + e);
            String where = top(t);
            // The outermost frames stay.
            if (!where.equals("runs") && !where.equals("run")) errors.merge(pops ? pop(t) : leave(t, 1), 1, Integer::sum);
            e = resume(t);
            if (e != 0) System.out.println("resume " + e);
            int now = calls;
            while (calls == now) Thread.yield();
        }
        run = false;
        t.join();
        errors.remove(0);
        System.out.println((pops ? "pops " : "returns ") + errors);
    }
    static void blocked(boolean inMethod, int what) throws Exception {
        counted = 0;
        Main m = new Main();
        int[] result = {-1};
        Thread t;
        int e;
        synchronized (inMethod ? m : lock) {
            t = start(() -> result[0] = inMethod ? m.methodCaller() : blockCaller());
            await(t, Thread.State.BLOCKED);
            e = suspend(t);
            System.out.print("blocked in " + top(t) + " " + e);
            e = what == 0 ? pop(t) : leave(t, 9);
            System.out.print(" " + e + " again " + (what == 0 ? pop(t) : leave(t, 9)));
        }
        System.out.print(" resume " + resume(t));
        t.join();
        System.out.println(" result " + result[0] + " counted " + counted + " free " + !Thread.holdsLock(lock));
        // Nobody has kept the monitors.
        synchronized (lock) { synchronized (m) { counted = 0; } }
    }
    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        running(true);
        running(false);
        blocked(false, 0);
        blocked(false, 1);
        blocked(true, 0);
        blocked(true, 1);
        Thread sleeps = start(() -> { try { Thread.sleep(100000); } catch (InterruptedException e) { System.out.println("interrupted"); } });
        await(sleeps, Thread.State.TIMED_WAITING);
        System.out.println("sleeping " + suspend(sleeps) + " " + top(sleeps) + " " + pop(sleeps) + " " + leave(sleeps, 1) + " " + resume(sleeps));
        sleeps.interrupt();
        sleeps.join();
        System.out.println("dead " + pop(sleeps) + " running " + pop(Thread.currentThread()));
    }
}
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
"$JAVAC" Main.java
timeout 60 "$JAVA_HOME/bin/java" $VM_OPTIONS -agentpath:$PWD/libagent.so -cp . Main $PWD/libagent.so 2>&1 | grep -v warning
