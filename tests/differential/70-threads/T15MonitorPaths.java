import java.util.concurrent.atomic.AtomicReference;

/** Monitors in hot code: every kind of return, loops entered while locked, nesting, publication, contention. */
public class T15MonitorPaths {
    private boolean z;
    private long n;

    synchronized boolean flag() { z = !z; return z; }
    synchronized byte small(int i) { n++; return (byte) i; }
    synchronized char letter(int i) { n++; return (char) i; }
    synchronized short word(int i) { n++; return (short) i; }
    synchronized int number(int i) { n++; return i * 31; }
    synchronized long wide(int i) { n++; return i * 31L << 20; }
    synchronized float real(int i) { n++; return i / 3f; }
    synchronized double exact(int i) { n++; return i / 3.0; }
    synchronized Object self() { n++; return this; }
    synchronized void nothing() { n++; }
    static synchronized int shared(int i) { return i ^ 5; }
    synchronized int fails(int i) {
        if (i % 1000 == 7) throw new IllegalStateException("at " + i);
        return i;
    }
    int early(int i) {
        synchronized (this) {
            if (i % 3 == 0) return i;
            n++;
        }
        return -i;
    }

    static void returns() {
        T15MonitorPaths o = new T15MonitorPaths();
        long sum = 0;
        double reals = 0;
        int thrown = 0;
        for (int i = 0; i < 60_000; i++) {
            sum += o.flag() ? 1 : 2;
            sum += o.small(i) + o.letter(i) + o.word(i) + o.number(i) + o.wide(i) + shared(i) + o.early(i);
            reals += o.real(i) + o.exact(i);
            if (o.self() != o) throw new Error();
            o.nothing();
            try {
                sum += o.fails(i);
            } catch (IllegalStateException e) {
                thrown++;
            }
        }
        System.out.println(sum + " " + reals + " " + o.n + " " + thrown + " " + Thread.holdsLock(o) + Thread.holdsLock(T15MonitorPaths.class));
    }

    synchronized int deep(int depth) {
        return depth == 0 ? (Thread.holdsLock(this) ? 1 : 0) : 1 + deep(depth - 1);
    }

    // Loops that are entered by on-stack replacement with monitors held.

    synchronized long loopInMethod(int times) {
        long s = 0;
        for (int i = 0; i < times; i++) s += i ^ n;
        return s;
    }
    static long loopInStatements(Object a, Object b, int times) {
        long s = 0;
        synchronized (a) {
            for (int i = 0; i < times; i++) {
                synchronized (b) {
                    for (int j = 0; j < 3; j++) s += i * j;
                }
            }
            synchronized (b) {
                for (int i = 0; i < times; i++) s ^= s << 1 | i;
                if (!Thread.holdsLock(a) || !Thread.holdsLock(b)) throw new Error();
            }
            if (a != b && Thread.holdsLock(b)) throw new Error();
        }
        return s;
    }
    synchronized long loopThatThrows(int[] values, int times) {
        long s = 0;
        for (int i = 0; i < times; i++) s += values[i % values.length == 0 && i > times / 2 ? values.length : i % values.length];
        return s;
    }
    static long loopThatCatches(Object lock, int times) {
        long s = 0;
        synchronized (lock) {
            for (int i = 0; i < times; i++) {
                try {
                    if (i % 1000 == 999) throw new RuntimeException();
                    s += i;
                } catch (RuntimeException e) {
                    s -= Thread.holdsLock(lock) ? 1 : 1_000_000;
                }
            }
        }
        return s;
    }
    static int loopWithWait(Object lock, int times) throws InterruptedException {
        int s = 0;
        synchronized (lock) {
            for (int i = 0; i < times; i++) {
                if (i % 20_000 == 19_999) lock.wait(1);
                s += i;
            }
        }
        return s;
    }

    static void loops() throws Exception {
        T15MonitorPaths o = new T15MonitorPaths();
        Object a = new Object(), b = new Object();
        for (int k = 0; k < 3; k++) {
            System.out.println(o.loopInMethod(200_000) + " " + loopInStatements(a, b, 200_000) + " " + loopInStatements(a, a, 2_000));
            System.out.println(loopThatCatches(a, 200_000) + " " + loopWithWait(b, 200_000));
            try {
                System.out.println(o.loopThatThrows(new int[10], 200_000));
            } catch (ArrayIndexOutOfBoundsException e) {
                System.out.println(e.getMessage());
            }
            System.out.println(Thread.holdsLock(o) + " " + Thread.holdsLock(a) + " " + Thread.holdsLock(b));
        }
    }

    static int lockNull(Object o) {
        synchronized (o) {
            return 1;
        }
    }

    static void nulls() {
        int npe = 0, ok = 0;
        for (int i = 0; i < 30_000; i++) {
            try {
                ok += lockNull(i % 10_000 == 9_999 ? null : "x");
            } catch (NullPointerException e) {
                npe++;
            }
        }
        System.out.println(ok + " " + npe);
    }

    static void hashes() {
        int bad = 0;
        for (int i = 0; i < 50_000; i++) {
            Object o = new Object();
            int before = i % 2 == 0 ? o.hashCode() : 0, inside;
            synchronized (o) {
                inside = o.hashCode();
                synchronized (o) {
                    if (inside != o.hashCode()) bad++;
                }
            }
            if (inside != o.hashCode() || before != 0 && before != inside) bad++;
        }
        System.out.println("hashes that changed: " + bad);
    }

    /** A new object becomes reachable for another thread while it is locked. */
    static void publication() throws Exception {
        AtomicReference<long[]> given = new AtomicReference<>();
        final int rounds = 20_000;
        long[] total = new long[1];
        Thread other = new Thread(() -> {
            for (int i = 0; i < rounds; i++) {
                long[] cell;
                while ((cell = given.getAndSet(null)) == null) Thread.onSpinWait();
                synchronized (cell) {
                    total[0] += cell[0];
                }
            }
        });
        other.start();
        for (int i = 0; i < rounds; i++) {
            long[] cell = new long[1];
            synchronized (cell) {
                while (!given.compareAndSet(null, cell)) Thread.onSpinWait();
                if (i % 500 == 0) Thread.yield();
                cell[0] = 3;
            }
        }
        other.join();
        System.out.println("published " + total[0]);
    }

    static void contention() throws Exception {
        final int objects = 4, threads = 4, times = 50_000;
        long[][] cells = new long[objects][1];
        Thread[] all = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            int seed = t;
            all[t] = new Thread(() -> {
                int x = seed + 1;
                for (int i = 0; i < times; i++) {
                    x = x * 1664525 + 1013904223;
                    long[] c = cells[x >>> 30];
                    synchronized (c) {
                        c[0]++;
                    }
                }
            });
        }
        for (Thread t : all) t.start();
        for (Thread t : all) t.join();
        long sum = 0;
        for (long[] c : cells) sum += c[0];
        System.out.println("counted " + sum);
    }

    public static void main(String[] args) throws Exception {
        returns();
        System.out.println(new T15MonitorPaths().deep(500));
        loops();
        nulls();
        hashes();
        publication();
        contention();
    }
}
