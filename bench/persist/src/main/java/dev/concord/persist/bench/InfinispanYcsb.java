package dev.concord.persist.bench;

import dev.concord.persist.Durability;
import dev.concord.persist.infinispan.PersistStoreConfigurationBuilder;
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
import java.util.concurrent.atomic.LongAdder;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.eviction.EvictionStrategy;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.persistence.rocksdb.configuration.RocksDBStoreConfigurationBuilder;

/**
 * YCSB mixes through Infinispan, as the paper measures: an embedded cache in front of a store, holding a part of the
 * records. Our store and Infinispan's own, by what an acknowledged write survives. Arguments: workloads, records, record
 * bytes, cached percent, numbers of threads, seconds per round, rounds, directory; the stores, if not all, with commas.
 */
public final class InfinispanYcsb {
    /** Warm until compilers take no more than this part of the time: what they take of two processors, nobody else has. */
    private static final double COMPILING = 0.02;
    private static final double MOST_WARM_SECONDS = 40;
    private static final int FIELDS = 10;
    /** No rival, but what ours could reach if records weighed nothing: it syncs each write, of a byte a field. */
    private static final String BOUND = "concord-power-bound";
    /** Whose figure is told, beside whom, and what is added to its name. */
    private static final String[][] PAIRS = {{"concord-power", "sifs-sync", ""}, {"concord-power-caller", "sifs-sync", ""},
            {"concord-power", BOUND, "-of-bound"}, {BOUND, "sifs-sync", ""}, {"concord-process", "sifs", ""}, {"concord-process", "rocksdb", "-vs-rocksdb"}};
    private final int records;
    private final int bytes;
    private final Zipf zipf;
    /** Twice as long as a record, so that there are as many as it has bytes. */
    private final byte[] noise;
    /** Reads of a rival that did not find a record that is there. */
    private final LongAdder lost = new LongAdder();

    private InfinispanYcsb(int records, int bytes) {
        this.records = records;
        this.bytes = bytes;
        this.zipf = new Zipf(records);
        this.noise = new byte[2 * bytes];
        new SplittableRandom(1).nextBytes(noise);
    }

    private int size(Cache<?, ?> c) {
        return c.getName().equals(BOUND) ? FIELDS : bytes;
    }

    /** A record nobody can tell from any other bytes: a store that leaves out zeros is not favoured. */
    private byte[] value(int n, int size) {
        int from = Math.floorMod(n, bytes);
        return Arrays.copyOfRange(noise, from, from + size);
    }

    private interface Configure {
        void store(ConfigurationBuilder b, Path dir);
    }

    private static Map<String, Configure> stores() {
        Map<String, Configure> m = new LinkedHashMap<>();
        m.put("concord-power", (b, d) -> b.persistence().addStore(PersistStoreConfigurationBuilder.class).location(d.toString()).durability(Durability.POWER));
        m.put("concord-power-caller", (b, d) -> b.persistence().addStore(PersistStoreConfigurationBuilder.class).location(d.toString())
                .durability(Durability.POWER).callerSyncs(true));
        m.put(BOUND, m.get("concord-power"));
        m.put("sifs-sync", (b, d) -> b.persistence().addSoftIndexFileStore().syncWrites(true).dataLocation(d + "/data").indexLocation(d + "/index"));
        m.put("concord-process", (b, d) -> b.persistence().addStore(PersistStoreConfigurationBuilder.class).location(d.toString()).durability(Durability.PROCESS));
        m.put("sifs", (b, d) -> b.persistence().addSoftIndexFileStore().dataLocation(d + "/data").indexLocation(d + "/index"));
        m.put("rocksdb", (b, d) -> b.persistence().addStore(RocksDBStoreConfigurationBuilder.class).location(d + "/rocks").expiredLocation(d + "/expired"));
        return m;
    }

    public static void main(String[] args) throws Exception {
        InfinispanYcsb y = new InfinispanYcsb(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        int cached = Integer.parseInt(args[3]);
        int[] threads = Arrays.stream(args[4].split(",")).mapToInt(Integer::parseInt).toArray();
        List<String> wanted = args.length > 8 ? List.of(args[8].split(",")) : List.copyOf(stores().keySet());
        double seconds = Double.parseDouble(args[5]);
        int rounds = Integer.parseInt(args[6]);
        Path base = Files.createTempDirectory(Path.of(args[7]), "bench-infinispan");
        try (DefaultCacheManager manager = new DefaultCacheManager(new GlobalConfigurationBuilder().nonClusteredDefault().build())) {
            Map<String, Cache<String, byte[]>> open = new LinkedHashMap<>();
            for (Map.Entry<String, Configure> s : stores().entrySet()) {
                if (!wanted.contains(s.getKey())) {
                    continue;
                }
                ConfigurationBuilder b = new ConfigurationBuilder();
                if (cached < 100) {
                    b.memory().maxCount(Math.max(1, y.records * (long) cached / 100)).whenFull(EvictionStrategy.REMOVE);
                }
                s.getValue().store(b, Files.createDirectories(base.resolve(s.getKey())));
                manager.defineConfiguration(s.getKey(), b.build());
                Cache<String, byte[]> c = manager.getCache(s.getKey());
                y.load(c);
                open.put(s.getKey(), c);
            }
            for (char w : args[0].toCharArray()) {
                for (int n : threads) {
                    y.compare(w, cached, n, seconds, rounds, open);
                }
            }
        } finally {
            try (var s = Files.walk(base)) {
                for (Path p : s.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(p);
                }
            }
        }
    }

    private void load(Cache<String, byte[]> c) throws InterruptedException {
        List<Thread> all = new ArrayList<>();
        for (int t = 0; t < 16; t++) {
            int first = t;
            Thread x = new Thread(() -> {
                for (int k = first; k < records; k += 16) {
                    c.put("user" + k, value(k, size(c)));
                }
            });
            x.start();
            all.add(x);
        }
        for (Thread x : all) {
            x.join();
        }
    }

    private void compare(char w, int cached, int threads, double seconds, int rounds, Map<String, Cache<String, byte[]>> open) throws Exception {
        Map<String, double[][]> results = new LinkedHashMap<>();
        warmUp(w, threads, seconds, open);
        for (int r = 0; r < rounds; r++) {
            for (Map.Entry<String, Cache<String, byte[]>> e : open.entrySet()) {
                double[] x = round(w, e.getValue(), threads, seconds);
                if (lost.sum() > 0) {
                    System.out.printf("%s: %d reads did not find a record that is there%n", e.getKey(), lost.sumThenReset());
                }
                double[][] all = results.computeIfAbsent(e.getKey(), k -> new double[2][rounds]);
                all[0][r] = x[0];
                all[1][r] = x[1];
            }
        }
        results.values().forEach(v -> Arrays.stream(v).forEach(Arrays::sort));
        for (String[] pair : PAIRS) {
            double[][] a = results.get(pair[0]);
            double[][] b = results.get(pair[1]);
            if (a == null || b == null) {
                continue;
            }
            int m = rounds / 2;
            String name = "infinispan-" + Character.toLowerCase(w) + "-" + cached + "pc-" + bytes + "b-" + threads + "t-" + pair[0] + pair[2];
            System.out.printf("figure %s %.0f ops/s ref=%s %.0f ratio=%.2f spread=%.2f..%.2f%n", name, a[0][m], pair[1], b[0][m], a[0][m] / b[0][m],
                    a[0][0] / b[0][rounds - 1], a[0][rounds - 1] / b[0][0]);
            System.out.printf("figure %s-cpu %.2f us/op ref=%s %.2f ratio=%.2f spread=-%n", name, a[1][m], pair[1], b[1][m], a[1][m] / b[1][m]);
        }
    }

    private void warmUp(char w, int threads, double seconds, Map<String, Cache<String, byte[]>> open) throws InterruptedException {
        long begin = System.nanoTime();
        double compiling;
        double now;
        do {
            long since = System.nanoTime();
            long compiled = ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
            for (Cache<String, byte[]> c : open.values()) {
                round(w, c, threads, seconds / 2);
            }
            now = System.nanoTime();
            compiling = (ManagementFactory.getCompilationMXBean().getTotalCompilationTime() - compiled) * 1e6 / (now - since);
        } while (compiling > COMPILING && seconds >= 0.5 && (now - begin) / 1e9 < MOST_WARM_SECONDS);
    }

    private double[] round(char w, Cache<String, byte[]> c, int threads, double seconds) throws InterruptedException {
        var os = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Ycsb.quiet();
        LongAdder done = new LongAdder();
        long cpu = os.getProcessCpuTime();
        long begin = System.nanoTime();
        long end = begin + (long) (seconds * 1e9);
        List<Thread> all = new ArrayList<>();
        Throwable[] failure = new Throwable[1];
        for (int t = 0; t < threads; t++) {
            SplittableRandom r = new SplittableRandom(begin + t);
            Thread x = new Thread(() -> {
                while (System.nanoTime() < end) {
                    operation(w, c, r);
                    done.increment();
                }
            });
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
        Ycsb.quiet(); // as Ycsb does
        return new double[] {done.sum() / wall, (os.getProcessCpuTime() - cpu) / 1e3 / done.sum()};
    }

    private void operation(char w, Cache<String, byte[]> c, SplittableRandom r) {
        int key = zipf.next(r);
        int dice = r.nextInt(100);
        int writes = switch (w) {
            case 'A', 'F' -> 50;
            case 'B', 'D' -> 5;
            case 'C' -> 0;
            default -> throw new IllegalArgumentException("Infinispan has no scans: workload " + w);
        };
        String k = "user" + (w == 'D' && dice >= writes ? Math.max(0, records - 1 - key) : key);
        if (dice >= writes || w == 'F') {
            read(c, k);
        }
        if (dice < writes) {
            if (w == 'D') {
                c.put(k, value(r.nextInt(), size(c)));
            } else {
                update(c, k, r);
            }
        }
    }

    private byte[] read(Cache<String, byte[]> c, String k) {
        byte[] b = c.get(k);
        if (b == null) {
            if (c.getName().startsWith("concord")) {
                throw new IllegalStateException("the store " + c.getName() + " lost " + k);
            }
            lost.increment();
        }
        return b;
    }

    /** One field of ten, as YCSB's client of Infinispan does it: reads the record, and puts the changed one. */
    private void update(Cache<String, byte[]> c, String k, SplittableRandom r) {
        byte[] there = read(c, k);
        byte[] b = there == null ? value(0, size(c)) : there.clone();
        int field = b.length / FIELDS;
        System.arraycopy(noise, r.nextInt(bytes), b, r.nextInt(FIELDS) * field, field);
        c.put(k, b);
    }
}
