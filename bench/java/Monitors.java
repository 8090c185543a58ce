import java.lang.management.ManagementFactory;
import java.util.concurrent.CyclicBarrier;

/**
 * Costs of monitors: `Monitors KERNEL ROUNDS [PERCENT]` prints one line `kernel NAME NANOS` per round, nanoseconds per
 * operation: thread CPU time for one thread, elapsed time for several.
 */
public class Monitors {
    static class Cell {
        int n;

        void empty() {
            n++;
        }

        synchronized void method() {
            n++;
        }

        void statement() {
            synchronized (this) {
                n++;
            }
        }
    }

    static class Fresh {}

    static Object sink;

    /** The generator of java.util.Random as it was with a lock. */
    static class Bash {
        private long seed = 42;

        synchronized int next() {
            seed = (seed * 0x5DEECE66DL + 0xBL) & ((1L << 48) - 1);
            return (int) (seed >>> 16);
        }
    }

    interface Body {
        void run() throws Exception;
    }

    static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    static double single(int n, Body b) throws Exception {
        long t = cpu();
        b.run();
        return (double) (cpu() - t) / n;
    }

    /** Nanoseconds from the common start to the last thread's end, per operation of all threads together. */
    static double all(int threads, int each, Body b) throws Exception {
        long[] begun = new long[1], ended = new long[threads];
        CyclicBarrier start = new CyclicBarrier(threads, () -> begun[0] = System.nanoTime());
        Thread[] ts = new Thread[threads];
        Throwable[] failed = new Throwable[1];
        for (int i = 0; i < threads; i++) {
            int me = i;
            ts[i] = new Thread(() -> {
                try {
                    start.await();
                    b.run();
                } catch (Throwable e) {
                    failed[0] = e;
                }
                ended[me] = System.nanoTime();
            });
            ts[i].start();
        }
        for (Thread x : ts) x.join();
        if (failed[0] != null) throw new Error(failed[0]);
        long end = begun[0];
        for (long e : ended) end = Math.max(end, e);
        return (double) (end - begun[0]) / ((long) threads * each);
    }

    static int work(int x) {
        for (int i = 0; i < 60; i++) x = x * 31 + i;
        return x;
    }

    static class Turn {
        int whose;

        synchronized void mine(int me) throws InterruptedException {
            while (whose != me) wait();
            whose = 1 - me;
            notify();
        }
    }

    static class Buffer {
        final int[] items = new int[64];
        int in, out, n;

        synchronized void put(int v) throws InterruptedException {
            while (n == items.length) wait();
            items[in] = v;
            in = (in + 1) % items.length;
            n++;
            notifyAll();
        }

        synchronized int take() throws InterruptedException {
            while (n == 0) wait();
            int v = items[out];
            out = (out + 1) % items.length;
            n--;
            notifyAll();
            return v;
        }
    }

    static double kernel(String name, int percent) throws Exception {
        int n = 4_000 * percent, few = 10 * percent, some = 1_000 * percent;
        Cell c = new Cell();
        Bash bash = new Bash();
        switch (name) {
            case "empty":
                return single(n, () -> { for (int i = 0; i < n; i++) c.empty(); });
            case "method":
                return single(n, () -> { for (int i = 0; i < n; i++) c.method(); });
            case "statement":
                return single(n, () -> { for (int i = 0; i < n; i++) c.statement(); });
            case "new":
                return single(n, () -> { for (int i = 0; i < n; i++) sink = new Fresh(); });
            case "new-hash-lock":
                return single(n, () -> {
                    int s = 0;
                    for (int i = 0; i < n; i++) {
                        Object o = new Fresh();
                        sink = o;
                        s += o.hashCode();
                        synchronized (o) {
                            s++;
                        }
                    }
                    c.n = s;
                });
            case "randbash-2":
            case "randbash-4":
            case "randbash-24":
                return all(Integer.parseInt(name.substring(9)), some, () -> {
                    int s = 0;
                    for (int i = 0; i < some; i++) s += bash.next();
                    if (s == 1) c.n = s;
                });
            case "contend-24":
                return all(24, few, () -> {
                    int s = 1;
                    for (int i = 0; i < few; i++) {
                        s = work(s);
                        synchronized (c) {
                            c.n = work(c.n + s);
                        }
                    }
                });
            case "ping-pong": {
                Turn t = new Turn();
                int[] next = new int[1];
                return 2 * all(2, few, () -> {
                    int me;
                    synchronized (next) {
                        me = next[0]++;
                    }
                    for (int i = 0; i < few; i++) t.mine(me);
                });
            }
            case "buffer-64": {
                Buffer b = new Buffer();
                int[] next = new int[1];
                return 2 * all(2, some, () -> {
                    boolean producer;
                    synchronized (next) {
                        producer = next[0]++ == 0;
                    }
                    int s = 0;
                    for (int i = 0; i < some; i++) {
                        if (producer) b.put(i);
                        else s += b.take();
                    }
                    if (!producer && s != (int) ((long) some * (some - 1) / 2)) throw new Error("lost");
                });
            }
            default:
                throw new Error("no kernel " + name);
        }
    }

    public static void main(String[] args) throws Exception {
        int percent = args.length > 2 ? Integer.parseInt(args[2]) : 100;
        for (String name : args[0].split(",")) {
            kernel(name, Math.max(1, percent / 5));
            for (int i = 0; i < Integer.parseInt(args[1]); i++) System.out.println("kernel " + name + " " + kernel(name, percent));
        }
    }
}
