import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Threads that allocate, lock, throw, load classes, intern and use weak references at once, each
 * step checking its own result. Arguments: seconds, threads, seed, folder of Payload's class.
 */
public final class Stress {
    interface Task {
        void run(SplittableRandom random) throws Throwable;
    }

    static final Map<String, AtomicLong> COUNTS = new TreeMap<>();
    static volatile Throwable failure;

    static void check(boolean ok, String what) {
        if (!ok) throw new AssertionError(what);
    }

    public static void main(String[] args) throws Exception {
        run(Tasks.all(args[3]), Double.parseDouble(args[0]), Integer.parseInt(args[1]), Long.parseLong(args[2]));
        System.out.println("ok");
    }

    /** Runs the tasks in that many threads, prints how often each ran, and ends the VM when one failed. */
    static void run(Map<String, Task> tasks, double seconds, int threads, long seed) throws InterruptedException {
        List<String> names = new ArrayList<>(tasks.keySet());
        for (String n : names) COUNTS.put(n, new AtomicLong());
        long end = System.nanoTime() + (long) (seconds * 1e9);
        List<Thread> all = new ArrayList<>();
        SplittableRandom seeds = new SplittableRandom(seed);
        for (int i = 0; i < threads; i++) {
            SplittableRandom random = seeds.split();
            int first = i;
            Thread t = new Thread(() -> work(tasks, names, first, random, end), "stress-" + i);
            all.add(t);
            t.start();
        }
        for (Thread t : all) t.join();
        COUNTS.forEach((n, c) -> System.out.println(n + " " + c));
        if (failure != null) {
            failure.printStackTrace(System.out);
            System.exit(1);
        }
    }

    static void work(Map<String, Task> tasks, List<String> names, int first, SplittableRandom random, long end) {
        // Threads begin with different tasks, so that a short run has them all.
        String name = names.get(first % names.size());
        try {
            do {
                tasks.get(name).run(random);
                COUNTS.get(name).incrementAndGet();
                name = names.get(random.nextInt(names.size()));
            } while (failure == null && System.nanoTime() < end);
        } catch (Throwable e) {
            failure = new AssertionError(name + " failed in " + Thread.currentThread().getName(), e);
        }
    }
}
