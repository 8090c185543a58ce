package dev.concord.persist.bench;

import dev.concord.persist.Durability;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.collections.PByteArray;
import dev.concord.persist.collections.PHashMap;
import dev.concord.persist.collections.PSkipListMap;
import dev.concord.persist.collections.PTreeMap;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The persistent maps against the JDK's, one thread. YCSB A as the paper runs it: records of ten fields of 100 bytes, half the
 * operations read a whole record, half change a field, ours atomically, the JDK's by copying over the old bytes. Then what
 * concerns the map alone: half look-ups, half replacements of a value by another object that exists; look-ups alone.
 * Arguments: keys, seconds per round, rounds, directory (a tmpfs).
 */
public final class Maps {
    private enum Mix { YCSB_A, REPLACE, GET }

    private static final int RECORD = 1000;
    private static final int FIELD = 100;
    private final byte[] record = new byte[RECORD];
    private final byte[] field = new byte[FIELD];
    private final int keys;
    private final double seconds;
    private final Zipf zipf;
    private byte sink;

    private Maps(int keys, double seconds) {
        this.keys = keys;
        this.seconds = seconds;
        this.zipf = new Zipf(keys);
    }

    public static void main(String[] args) throws Exception {
        Maps m = new Maps(Integer.parseInt(args[0]), Double.parseDouble(args[1]));
        Path dir = Files.createTempDirectory(Path.of(args[3]), "bench-maps");
        Path file = dir.resolve("heap");
        try (PHeap h = PHeap.open(file, PHeapOptions.defaults().durability(Durability.PROCESS))) {
            m.all(h, Integer.parseInt(args[2]));
        } finally {
            for (Path p : new Path[] {file, dir.resolve("heap.lock"), dir}) {
                Files.deleteIfExists(p);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private void all(PHeap h, int rounds) {
        Object[] persistent = new Object[keys];
        Object[] plain = new Object[keys];
        dev.concord.persist.collections.PArray<PByteArray> keep = h.root("values", dev.concord.persist.collections.PArray.class,
                () -> new dev.concord.persist.collections.PArray<>(keys));
        for (int i = 0; i < keys; i += 1000) {
            int from = i;
            h.atomic(() -> {
                for (int k = from; k < Math.min(keys, from + 1000); k++) {
                    PByteArray v = new PByteArray(RECORD);
                    keep.set(k, v);
                    persistent[k] = v;
                    plain[k] = new byte[RECORD];
                }
            });
        }
        compare("hash", h.root("hash", PHashMap.class, () -> new PHashMap<>(PHashMap.Caching.CACHED)), persistent, new ConcurrentHashMap<Integer, Object>(), "ConcurrentHashMap", plain, rounds);
        compare("skiplist", h.root("skip", PSkipListMap.class, () -> new PSkipListMap<>(PSkipListMap.Caching.CACHED)), persistent, new ConcurrentSkipListMap<Integer, Object>(),
                "ConcurrentSkipListMap", plain, rounds);
        compare("tree", h.root("tree", PTreeMap.class, PTreeMap::new), persistent, new TreeMap<Integer, Object>(), "TreeMap", plain, rounds);
    }

    private void compare(String name, Map<Integer, Object> ours, Object[] a, Map<Integer, Object> theirs, String rival, Object[] b, int rounds) {
        for (int k = 0; k < keys; k++) {
            ours.put(k, a[k]);
            theirs.put(k, b[k]);
        }
        for (Mix mix : Mix.values()) {
            double[] x = new double[rounds];
            double[] y = new double[rounds];
            double[] ratios = new double[rounds];
            for (int r = -1; r < rounds; r++) {
                double mine = round(ours, a, mix);
                double his = round(theirs, b, mix);
                if (r >= 0) {
                    x[r] = mine;
                    y[r] = his;
                    ratios[r] = mine / his;
                }
            }
            Arrays.sort(x);
            Arrays.sort(y);
            Arrays.sort(ratios);
            System.out.printf("figure map-%s-%s %.0f ns/op ref=%s %.0f ratio=%.2f spread=%.2f..%.2f%n", name,
                    mix.name().toLowerCase().replace('_', '-'), x[rounds / 2], rival,
                    y[rounds / 2], ratios[rounds / 2], ratios[0], ratios[rounds - 1]);
        }
    }

    /** Nanoseconds of this thread's CPU per operation. */
    private double round(Map<Integer, Object> m, Object[] values, Mix mix) {
        SplittableRandom r = new SplittableRandom(7);
        java.lang.management.ThreadMXBean threads = java.lang.management.ManagementFactory.getThreadMXBean();
        long begin = threads.getCurrentThreadCpuTime();
        long end = begin + (long) (seconds * 1e9);
        long n = 0;
        long now;
        do {
            for (int i = 0; i < 1000; i++) {
                int k = zipf.next(r);
                if (mix == Mix.YCSB_A) {
                    access(m.get(k), r, (i & 1) == 0);
                } else if (mix == Mix.REPLACE && (i & 1) == 0) {
                    m.put(k, values[(k + i) % keys]);
                } else {
                    Object v = m.get(k);
                    sink += (byte) v.hashCode();
                }
            }
            n += 1000;
            now = threads.getCurrentThreadCpuTime();
        } while (now < end);
        return (double) (now - begin) / n;
    }

    private void access(Object value, SplittableRandom r, boolean write) {
        int at = r.nextInt(RECORD / FIELD) * FIELD;
        if (value instanceof PByteArray p) {
            if (write) {
                p.write(at, field, 0, FIELD);
            } else {
                p.read(0, record, 0, RECORD);
            }
        } else if (write) {
            System.arraycopy(field, 0, (byte[]) value, at, FIELD);
        } else {
            System.arraycopy((byte[]) value, 0, record, 0, RECORD);
        }
        sink += record[at];
    }
}
