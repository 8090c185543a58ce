// vm: own
// covers: JNI(native methods called by compiled code: calls back, collections, safepoints, registering, unloading)
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/** Compiled code in native methods while the world around them moves. */
public class J15HotNatives {
    static native Object back(Object a, int n, Object b);

    native int deeper(int depth);

    native long touch(byte[] a, long n);

    static native double half(double d);

    static native void bind(Class<?> to, int which);

    static native int version();

    static String frames;

    /** What `back` calls. */
    static Object up(Object a, int n) {
        if (n % 3 == 0) throw new IllegalStateException("up " + n);
        if (n % 1000 == 1) {
            System.gc();
            frames = StackWalker.getInstance().walk(s -> s.filter(f -> f.getClassName().startsWith("J15"))
                    .map(f -> f.getMethodName() + (f.isNativeMethod() ? "*" : "")).collect(Collectors.joining(" ")));
        }
        return n % 2 == 0 ? new byte[100] : a;
    }

    static void callsBack() {
        int same = 0, none = 0, thrown = 0;
        for (int i = 0; i < 10_000; i++) {
            byte[] a = new byte[16], b = new byte[16];
            try {
                Object r = back(a, i, b);
                if (r == a) same++;
                if (r == null) none++;
            } catch (IllegalStateException e) {
                StackTraceElement[] t = e.getStackTrace();
                if (t[1].isNativeMethod() && t[2].getMethodName().equals("callsBack")) thrown++;
            }
        }
        System.out.println(same + " " + none + " " + thrown + " " + frames);
    }

    static volatile int floor;

    int deep(int depth) {
        floor = depth;
        return deeper(depth);
    }

    void overflow() {
        for (int i = 0; i < 5; i++) {
            try {
                deep(0);
            } catch (StackOverflowError e) {
                System.out.println("overflow " + (floor > 100) + " " + touch(new byte[3], 4));
            }
        }
    }

    static volatile boolean stop;
    static volatile long turns;

    void work(int n) {
        long sum = 0;
        double halves = 0;
        byte[][] kept = new byte[64][];
        for (int i = 0; i < n; i++) {
            byte[] fresh = new byte[i & 63];
            fresh = kept[i & 63] = fresh;
            sum += touch(fresh, i) + touch(kept[i * 7 & 63] == null ? fresh : kept[i * 7 & 63], 1);
            halves += half(i);
            if (System.identityHashCode(fresh) == System.identityHashCode(this)) sum++;
            if (Thread.currentThread().isAlive() && !fresh.getClass().isInterface()) sum++;
            turns = i;
        }
        for (byte[] k : kept) for (byte x : k) sum += x;
        if (sum != expected(n) || halves != n / 2.0 * (n - 1) / 2) System.out.println("wrong " + sum + " " + halves);
    }

    static long expected(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            int other = i * 7 & 63;
            sum += i + (i & 63) + 1 + 1 + (other > i ? i & 63 : other);
        }
        return sum;
    }

    static void amongCollections() throws Exception {
        Thread[] workers = new Thread[3];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Thread(() -> {
                for (int k = 0; k < 10; k++) new J15HotNatives().work(10_000);
            });
            workers[i].start();
        }
        int dumps = 0;
        boolean busy = true;
        while (busy) {
            System.gc();
            if (!Thread.getAllStackTraces().isEmpty()) dumps++;
            busy = false;
            for (Thread w : workers) busy |= w.isAlive();
        }
        System.out.println("dumped " + (dumps > 0));
    }

    @SuppressWarnings("removal")
    static void suspended() throws Exception {
        AtomicBoolean end = new AtomicBoolean();
        long[] count = new long[1];
        Thread t = new Thread(() -> {
            double d = 0;
            while (!end.get()) {
                d += half(count[0]);
                turns = ++count[0];
            }
            if (d < 0) System.out.println(d);
        });
        t.start();
        int still = 0;
        for (int i = 0; i < 20; i++) {
            long from = turns;
            while (turns < from + 100) Thread.onSpinWait();
            t.suspend();
            // It stops soon, and then for good.
            long here = -1;
            for (int k = 0; k < 500 && here != turns; k++) {
                here = turns;
                Thread.sleep(2);
            }
            if (turns == here) still++;
            t.resume();
        }
        end.set(true);
        t.join();
        System.out.println("still " + still);
    }

    static volatile int seen;

    static int sumOfVersions(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += version();
        return sum;
    }

    static void registered() throws Exception {
        for (int i = 0; i < 4; i++) {
            bind(J15HotNatives.class, 1);
            int first = sumOfVersions(10_000);
            bind(J15HotNatives.class, 2);
            System.out.print(first + " " + sumOfVersions(10_000) + " ");
            bind(J15HotNatives.class, 0);
            try {
                System.out.println(sumOfVersions(1));
            } catch (UnsatisfiedLinkError e) {
                System.out.println(e.getMessage());
            }
        }
        bind(J15HotNatives.class, 1);
        Thread t = new Thread(() -> {
            while (!stop) seen |= 1 << sumOfVersions(1);
        });
        t.start();
        // Until the hot caller has seen both.
        for (int i = 0; i < 2000 || seen != 6; i++) {
            bind(J15HotNatives.class, 1 + i % 2);
            if (i % 101 == 0) Thread.sleep(1);
        }
        stop = true;
        t.join();
        System.out.println("seen " + seen);
    }

    /** Defined by a loader of its own and let go. */
    public static class Goes implements java.util.function.IntSupplier {
        static native int version();

        public int getAsInt() {
            int sum = 0;
            for (int i = 0; i < 3000; i++) sum += version();
            return sum;
        }
    }

    static WeakReference<Class<?>> unloadable(int which) throws Exception {
        byte[] code;
        try (var in = J15HotNatives.class.getResourceAsStream("J15HotNatives$Goes.class")) {
            code = in.readAllBytes();
        }
        class Loader extends ClassLoader {
            Class<?> define() {
                return defineClass(null, code, 0, code.length);
            }
        }
        Class<?> c = new Loader().define();
        bind(c, which);
        var o = (java.util.function.IntSupplier) c.getDeclaredConstructor().newInstance();
        System.out.print(o.getAsInt() + o.getAsInt() + " ");
        return new WeakReference<>(c);
    }

    static void unloaded() throws Exception {
        int gone = 0;
        for (int i = 0; i < 6; i++) {
            WeakReference<Class<?>> c = unloadable(1 + i % 2);
            for (int k = 0; k < 50 && c.get() != null; k++) {
                System.gc();
                Thread.sleep(2);
            }
            if (c.get() == null) gone++;
        }
        System.out.println("gone " + gone);
    }

    public static void main(String[] args) throws Exception {
        System.loadLibrary("jnitest");
        for (int i = 0; i < 3; i++) callsBack();
        new J15HotNatives().overflow();
        amongCollections();
        suspended();
        registered();
        unloaded();
    }
}
