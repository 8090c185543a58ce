package dev.concord.persist.bench;

import dev.concord.persist.Durability;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * The YCSB mixes A to F over every store, the stores taking turns round by round in one process so that all see the same
 * machine. Prints one line per store and mix, and the {@code figure} lines of our ratio to the best rival of the same
 * durability.
 *
 * <p>Arguments: workloads, threads, records, seconds per round, rounds, directory, durability class, stores or "-".
 */
public final class Ycsb {
    private record Result(double throughput, double cpuMicros, double syncsPerUpdate) {
    }

    /** No store: what the device's log alone allows. */
    private static final String BOUND = "log-bound";
    private final int records;
    private final double seconds;
    private final Zipf zipf;

    private Ycsb(int records, double seconds) {
        this.records = records;
        this.seconds = seconds;
        this.zipf = new Zipf(records);
    }

    public static void main(String[] args) throws Exception {
        Ycsb y = new Ycsb(Integer.parseInt(args[2]), Double.parseDouble(args[3]));
        List<String> only = args.length > 7 && !args[7].equals("-") ? List.of(args[7].split(",")) : List.of();
        y.run(args[0], args[1].split(","), Integer.parseInt(args[4]), Path.of(args[5]), Durability.valueOf(args[6]), only);
    }

    private void run(String workloads, String[] threadCounts, int rounds, Path base, Durability level, List<String> only) throws Exception {
        Map<Stores.Contender, Store> open = new LinkedHashMap<>();
        List<Path> dirs = new ArrayList<>();
        byte[] record = new byte[Store.RECORD];
        for (Stores.Contender c : Stores.ALL) {
            if (c.durability() != level || !only.isEmpty() && !only.contains(c.name())) {
                continue;
            }
            Path dir = Files.createTempDirectory(base, "bench-" + c.name());
            dirs.add(dir);
            Store s = c.opener().open(dir, records);
            open.put(c, s);
            // Loaded by several threads, so that a store that syncs each insertion can group them.
            AtomicInteger next = new AtomicInteger();
            List<Thread> loaders = new ArrayList<>();
            for (int t = 0; t < 32; t++) {
                Thread l = new Thread(() -> {
                    for (int k = next.getAndIncrement(); k < records; k = next.getAndIncrement()) {
                        byte[] b = new byte[Store.RECORD];
                        new SplittableRandom(k).nextBytes(b);
                        s.insert(k, b);
                    }
                });
                l.start();
                loaders.add(l);
            }
            for (Thread l : loaders) {
                l.join();
            }
            s.loaded();
            if (!s.read(records / 2, record)) {
                throw new IllegalStateException(c.name() + " lost what was loaded");
            }
        }
        try {
            for (char w : workloads.toCharArray()) {
                for (String t : threadCounts) {
                    compare(w, Integer.parseInt(t), rounds, level, open);
                }
            }
        } finally {
            for (Store s : open.values()) {
                s.close();
            }
            for (Path d : dirs) {
                delete(d);
            }
        }
    }

    private static void delete(Path dir) throws IOException {
        try (Stream<Path> s = Files.walk(dir)) {
            for (Path p : s.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(p);
            }
        }
    }

    private void compare(char workload, int threads, int rounds, Durability level, Map<Stores.Contender, Store> open) throws Exception {
        Map<String, List<Result>> all = new LinkedHashMap<>();
        for (int r = -1; r < rounds; r++) {
            for (Map.Entry<Stores.Contender, Store> e : open.entrySet()) {
                Result x = round(workload, threads, e.getValue(), r < 0 ? seconds / 2 : seconds);
                if (r >= 0) {
                    all.computeIfAbsent(e.getKey().name(), k -> new ArrayList<>()).add(x);
                }
            }
        }
        String best = null;
        for (Map.Entry<String, List<Result>> e : all.entrySet()) {
            double syncs = e.getValue().get(e.getValue().size() / 2).syncsPerUpdate;
            System.out.printf("YCSB-%c %s %2d threads  %-14s %10.0f ops/s  %8.2f us CPU/op%s%n", workload, level, threads, e.getKey(),
                    median(e.getValue(), true), median(e.getValue(), false), Double.isNaN(syncs) ? "" : String.format("  %.3f syncs/write", syncs));
            if (!e.getKey().equals("concord") && !e.getKey().equals(BOUND) && (best == null || median(e.getValue(), true) > median(all.get(best), true))) {
                best = e.getKey();
            }
        }
        if (best != null && all.containsKey("concord")) {
            double mine = median(all.get("concord"), true);
            double ref = median(all.get(best), true);
            double[] ratios = new double[rounds];
            for (int i = 0; i < rounds; i++) {
                ratios[i] = all.get("concord").get(i).throughput / all.get(best).get(i).throughput;
            }
            Arrays.sort(ratios);
            System.out.printf("figure ycsb-%c-%s-%dt %.0f ops/s ref=%s %.0f ratio=%.2f spread=%.2f..%.2f%n", Character.toLowerCase(workload),
                    level.name().toLowerCase(), threads, mine, best, ref, mine / ref, ratios[0], ratios[rounds - 1]);
            System.out.printf("figure ycsb-%c-%s-%dt-cpu %.2f us/op ref=%s %.2f ratio=%.2f spread=-%n", Character.toLowerCase(workload),
                    level.name().toLowerCase(), threads, median(all.get("concord"), false), best, median(all.get(best), false),
                    median(all.get("concord"), false) / median(all.get(best), false));
        }
        if (all.containsKey(BOUND) && all.containsKey("concord")) {
            System.out.printf("figure ycsb-%c-%s-%dt-of-bound %.0f ops/s ref=%s %.0f ratio=%.2f spread=-%n", Character.toLowerCase(workload),
                    level.name().toLowerCase(), threads, median(all.get("concord"), true), BOUND, median(all.get(BOUND), true),
                    median(all.get("concord"), true) / median(all.get(BOUND), true));
        }
    }

    private static double median(List<Result> l, boolean throughput) {
        double[] v = l.stream().mapToDouble(r -> throughput ? r.throughput : r.cpuMicros).sorted().toArray();
        return v[v.length / 2];
    }

    private static long cpu() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private Result round(char workload, int threads, Store store, double length) throws InterruptedException {
        quiet();
        LongAdder done = new LongAdder();
        LongAdder written = new LongAdder();
        double syncs = store.syncs();
        AtomicInteger inserted = new AtomicInteger(records);
        long cpu = cpu();
        long begin = System.nanoTime();
        long end = begin + (long) (length * 1e9);
        List<Thread> all = new ArrayList<>();
        Throwable[] failure = new Throwable[1];
        for (int t = 0; t < threads; t++) {
            long seed = t + begin;
            Thread x = new Thread(() -> work(workload, store, new SplittableRandom(seed), end, done, inserted, written));
            x.setUncaughtExceptionHandler((th, e) -> failure[0] = e);
            x.start();
            all.add(x);
        }
        for (Thread x : all) {
            x.join();
        }
        if (failure[0] != null) {
            throw new IllegalStateException("a worker failed", failure[0]);
        }
        double wall = (System.nanoTime() - begin) / 1e9;
        double perWrite = (store.syncs() - syncs) / Math.max(1, written.sum());
        quiet(); // work put off is work, too
        return new Result(done.sum() / wall, (cpu() - cpu) / 1e3 / done.sum(), perWrite);
    }

    /** Waits until no store works in the background, so that each pays for what it does and not for its neighbours. */
    static void quiet() throws InterruptedException {
        for (int i = 0; i < 30; i++) {
            long before = cpu();
            Thread.sleep(50);
            if (cpu() - before < 3_000_000) {
                return;
            }
        }
    }

    private void work(char workload, Store store, SplittableRandom r, long end, LongAdder done, AtomicInteger inserted,
            LongAdder written) {
        byte[] record = new byte[Store.RECORD];
        byte[] field = new byte[Store.FIELD];
        r.nextBytes(field);
        while (System.nanoTime() < end) {
            int key = zipf.next(r);
            int dice = r.nextInt(100);
            switch (workload) {
                case 'A' -> readOrUpdate(store, key, dice < 50, record, field, r, written);
                case 'B' -> readOrUpdate(store, key, dice < 5, record, field, r, written);
                case 'C' -> store.read(key, record);
                case 'D' -> {
                    if (dice < 5) {
                        // Insertions reuse the keys past the loaded ones, so that every store keeps its size.
                        store.insert(records + inserted.getAndIncrement() % (records / 4), record);
                    } else {
                        store.read(Math.max(0, records - 1 - key), record);
                    }
                }
                case 'E' -> {
                    if (dice < 5) {
                        store.insert(records + inserted.getAndIncrement() % (records / 4), record);
                    } else {
                        store.scan(key, 1 + r.nextInt(100), record);
                    }
                }
                case 'F' -> {
                    store.read(key, record);
                    if (dice < 50) {
                        field[0] = record[0];
                        store.update(key, r.nextInt(10), field);
                    }
                }
                default -> throw new IllegalArgumentException("no workload " + workload);
            }
            done.increment();
        }
    }

    private static void readOrUpdate(Store store, int key, boolean update, byte[] record, byte[] field, SplittableRandom r, LongAdder written) {
        if (update) {
            written.increment();
            field[0]++;
            store.update(key, r.nextInt(10), field);
        } else {
            store.read(key, record);
        }
    }
}
