// vm: own
// covers: JNI(synchronized native methods called by compiled code: exclusion, references, exceptions, traces)
import java.util.Arrays;

/** Synchronized native methods, called often enough to be called by compiled code. */
public class J17SynchronizedNatives {
    synchronized native long add(int by);

    static synchronized native long addStatic(int by);

    synchronized native Object pick(Object a, double d, long j, Object b, int n, float f, Object c);

    synchronized native boolean odd(byte b);

    static synchronized native float third(double d);

    synchronized native void notThere();

    static int held;

    void up(int n) {
        if (Thread.holdsLock(this)) held++;
        if (n % 5 == 0) throw new IllegalStateException("up " + n);
        if (n % 500 == 1) System.gc();
    }

    static void exclusion() throws Exception {
        J17SynchronizedNatives one = new J17SynchronizedNatives();
        Thread[] threads = new Thread[3];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 50_000; i++) {
                    one.add(1);
                    addStatic(2);
                    if (i % 100 == 0) {
                        synchronized (one) {
                            one.add(3);
                        }
                    }
                }
            });
            threads[t].start();
        }
        for (Thread t : threads) t.join();
        System.out.println(one.add(0) + " " + addStatic(0) + " " + Thread.holdsLock(one));
    }

    static void results() {
        J17SynchronizedNatives o = new J17SynchronizedNatives();
        int[] which = new int[4];
        String trace = "";
        float thirds = 0;
        int odds = 0;
        for (int i = 0; i < 10_000; i++) {
            byte[] a = new byte[8], b = new byte[16], c = new byte[24];
            try {
                Object r = o.pick(a, i % 3, 1, b, i, i % 2 == 0 ? i + 1f : i - 1f, c);
                which[r == a ? 0 : r == b ? 1 : r == c ? 2 : 3]++;
            } catch (IllegalStateException e) {
                StackTraceElement[] t = e.getStackTrace();
                trace = t[1].getMethodName() + t[1].isNativeMethod() + t[2].getMethodName();
            }
            thirds += third(i);
            if (o.odd((byte) i)) odds++;
        }
        System.out.println(Arrays.toString(which) + " " + held + " " + trace + " " + thirds + " " + odds + " " + Thread.holdsLock(o));
    }

    static void failures() {
        String last = "";
        for (int i = 0; i < 3_000; i++) {
            J17SynchronizedNatives o = new J17SynchronizedNatives();
            try {
                o.notThere();
            } catch (UnsatisfiedLinkError e) {
                last = e.getMessage() + Thread.holdsLock(o);
            }
            try {
                J17SynchronizedNatives none = i < 0 ? o : null;
                none.add(1);
            } catch (NullPointerException e) {
                last += " null";
            }
        }
        System.out.println(last);
    }

    public static void main(String[] args) throws Exception {
        System.loadLibrary("jnitest");
        for (int r = 0; r < 3; r++) {
            exclusion();
            results();
            failures();
        }
    }
}
