import java.lang.management.ClassLoadingMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * The tasks of the stress program, and threads made by native code, for as long as asked. At the end no thread is left
 * over, and what must have happened is counted. Arguments: seconds, threads, seed, folder of Payload's class, seeded fault.
 */
public final class Soak {
    static final AtomicLong PARKED_OVER_COLLECTION = new AtomicLong(), CALLED = new AtomicLong(), THROWN_INTO_NATIVE = new AtomicLong();

    private Soak() {}

    /** Starts a native thread that attaches, calls `called`, detaches, `rounds` times; how many calls ended in an exception. */
    static native int attach(Object o, boolean daemon, int rounds);

    /** Called by native threads. */
    static void called(Object o, int round) {
        long n = CALLED.incrementAndGet();
        synchronized (o) {
            byte[][] young = new byte[10][];
            for (int i = 0; i < young.length; i++) young[i] = new byte[100 * (i + 1)];
            Stress.check(Thread.currentThread().isAlive() && young[9].length == 1000, "a broken native thread");
        }
        if (n % 3 == 0) throw new IllegalStateException("for native code, round " + round);
    }

    static void attachTask(SplittableRandom r) {
        int rounds = 1 + r.nextInt(3);
        int thrown = attach(new Object(), r.nextBoolean(), rounds);
        Stress.check(thrown >= 0 && thrown <= rounds, "native threads failed: " + thrown);
        THROWN_INTO_NATIVE.addAndGet(thrown);
    }

    static long collections() {
        long n = 0;
        for (GarbageCollectorMXBean b : ManagementFactory.getGarbageCollectorMXBeans()) n += b.getCollectionCount();
        return n;
    }

    static void park(SplittableRandom r) {
        Object kept = new Object();
        int hash = kept.hashCode();
        long before = collections();
        LockSupport.parkNanos(1_000_000L * (1 + r.nextInt(40)));
        if (collections() != before) PARKED_OVER_COLLECTION.incrementAndGet();
        Stress.check(kept.hashCode() == hash, "an identity hash has changed over a park");
    }

    static long nativeThreads() throws Exception {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/task"))) {
            return all.count();
        }
    }

    static void count(String name, long n) {
        System.out.println("counter " + name + " " + n);
    }

    public static void main(String[] args) throws Exception {
        System.loadLibrary("soak");
        Map<String, Stress.Task> tasks = Tasks.all(args[3]);
        tasks.put("attach", Soak::attachTask);
        tasks.put("park", Soak::park);
        if (args.length > 4) tasks.put("fault", Faults.named(args[4]));
        long threadsBefore = nativeThreads();
        Stress.run(tasks, Double.parseDouble(args[0]), Integer.parseInt(args[1]), Long.parseLong(args[2]));
        // Threads that have ended take a moment to leave the kernel's table; the VM's own may have grown by a few.
        long limit = System.nanoTime() + 20_000_000_000L, left = nativeThreads() - threadsBefore;
        while (left > 4 && System.nanoTime() < limit) {
            Thread.sleep(100);
            left = nativeThreads() - threadsBefore;
        }
        Stress.check(left <= 4, "stranded threads: " + left);
        for (int i = 0; i < 3; i++) System.gc();
        ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
        count("collections", collections());
        count("parked over a collection", PARKED_OVER_COLLECTION.get());
        count("calls by native threads", CALLED.get());
        count("exceptions given to native threads", THROWN_INTO_NATIVE.get());
        count("classes loaded", classes.getTotalLoadedClassCount());
        count("classes unloaded", classes.getUnloadedClassCount());
        count("threads started", ManagementFactory.getThreadMXBean().getTotalStartedThreadCount());
        System.out.println("ok");
    }
}
