// vm: own
/** A loop that is compiled while it runs, entered where the native stack ends: it keeps its lock, and lets go of it. */
public class E23OsrAtTheEnd {
    static long mix(int i) {
        long r = i;
        for (int k = 0; k < 3; k++) r = r * 31 + (r >> 7) + k * i + (r ^ i);
        return r;
    }

    static synchronized long work() {
        long s = 0;
        for (int i = 0; i < 20_000_000; i++) {
            if (i == 0) s += mix(i);
            s += i ^ (s >> 3);
        }
        return s;
    }

    static long down(int d) {
        try {
            return down(d + 1) + 1;
        } catch (StackOverflowError e) {
            return work();
        }
    }

    static int warm(int n) {
        return n == 0 ? 0 : warm(n - 1) + 1;
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 20000; i++) warm(10);
        Runnable r =
                () -> {
                    down(0);
                    System.out.println(Thread.holdsLock(E23OsrAtTheEnd.class));
                };
        Thread t = new Thread(null, r, "small", 1 << 20);
        t.start();
        t.join();
    }
}
