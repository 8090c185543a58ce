import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import one.profiler.AsyncProfiler;

/** Work of known shape; what a profile of it must show is printed as yes or no. */
public class Profiled {
    static final ReentrantLock LOCK = new ReentrantLock();
    static final Object MONITOR = new Object();
    static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    static volatile long sink;

    /** Of the thread's own time: it may have to wait for collections. */
    static long now() {
        return THREADS.getCurrentThreadCpuTime();
    }

    static long burn(long millis) {
        long end = now() + millis * 1_000_000, s = 0;
        while (now() < end) {
            for (int i = 0; i < 10_000; i++) s = s * 31 + i;
        }
        return s;
    }

    static long hash(long millis) {
        long end = now() + millis * 1_000_000, s = 0;
        while (now() < end) {
            for (int i = 0; i < 1000; i++) s += Integer.toString(i).hashCode();
        }
        return s;
    }

    static Object[] fill() {
        Object[] last = new Object[64];
        for (int i = 0; i < 300_000; i++) last[i % 64] = new long[50];
        return last;
    }

    static void contend() throws InterruptedException {
        Thread[] all = new Thread[4];
        for (int t = 0; t < all.length; t++) {
            all[t] = new Thread(() -> {
                for (int i = 0; i < 100; i++) {
                    LOCK.lock();
                    try {
                        sink += burnBriefly();
                    } finally {
                        LOCK.unlock();
                    }
                    synchronized (MONITOR) {
                        sink += burnBriefly();
                    }
                }
            });
            all[t].start();
        }
        for (Thread t : all) t.join();
    }

    static long burnBriefly() {
        long end = System.nanoTime() + 300_000, s = 0;
        while (System.nanoTime() < end) s++;
        return s;
    }

    interface Work {
        void run() throws Exception;
    }

    /** Samples by stack. */
    static Map<String, Long> profile(AsyncProfiler p, String how, Work work) throws Exception {
        p.execute("start," + how);
        work.run();
        Map<String, Long> all = new TreeMap<>();
        for (String line : p.execute("stop,collapsed").split("\n")) {
            int space = line.lastIndexOf(' ');
            if (space > 0) all.merge(line.substring(0, space), Long.parseLong(line.substring(space + 1)), Long::sum);
        }
        return all;
    }

    static long count(Map<String, Long> profile, String... parts) {
        return profile.entrySet().stream().filter(e -> {
            for (String p : parts) if (!e.getKey().contains(p)) return false;
            return true;
        }).mapToLong(Map.Entry::getValue).sum();
    }

    interface Check {
        /** What is wrong, or null. */
        String wrong() throws Exception;
    }

    /** Samples are chance, so what a profile lacks is looked for in two more. */
    static void check(String what, Check check) throws Exception {
        String wrong = "";
        for (int i = 0; i < 3 && wrong != null; i++) wrong = check.wrong();
        System.out.println(what + ": " + (wrong == null ? "seen" : wrong));
    }

    static String unless(boolean right, Object... values) {
        return right ? null : java.util.Arrays.toString(values);
    }

    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            sink += burn(500);
            System.out.println("worked");
            return;
        }
        AsyncProfiler p = AsyncProfiler.getInstance(args[0]);
        for (String event : new String[] {"itimer", "ctimer", "wall"}) {
            check(event, () -> {
                Map<String, Long> m = profile(p, "event=" + event + ",interval=1ms,threads", () -> sink += burn(400) + hash(400));
                long main = count(m, "Profiled.main"), burn = count(m, "Profiled.burn"), hash = count(m, "Profiled.hash");
                return unless(burn * 10 > main && hash * 10 > main, main, burn, hash);
            });
        }
        check("alloc", () -> {
            long arrays = count(profile(p, "event=alloc", Profiled::fill), "Profiled.fill", "long[]_[i]");
            return unless(arrays > 100, arrays);
        });
        check("lock", () -> {
            Map<String, Long> m = profile(p, "event=lock,lock=1", Profiled::contend);
            long monitor = count(m, "java.lang.Object"), reentrant = count(m, "Unsafe.park", "ReentrantLock");
            return unless(monitor > 0 && reentrant > 0, monitor, reentrant);
        });
    }
}
