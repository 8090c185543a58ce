package dev.concord.persist.bench;

import dev.concord.persist.Durability;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.collections.PArray;
import dev.concord.persist.collections.PByteArray;
import dev.concord.persist.collections.PHashMap;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Blocks of 256 bytes of one large persistent array, read and written in order and at random, by low-level access; the C
 * program does the same to a mapped file of the same file system. Then the bytes that a record of 10 x 100 takes in the
 * file. Arguments: megabytes, rounds, directory (a tmpfs), the C program.
 */
public final class Blocks {
    private static final int BLOCK = 256;

    private Blocks() {
    }

    public static void main(String[] args) throws Exception {
        int bytes = Integer.parseInt(args[0]) << 20;
        int rounds = Integer.parseInt(args[1]);
        Path dir = Files.createTempDirectory(Path.of(args[2]), "bench-blocks");
        Path file = dir.resolve("heap");
        try {
            try (PHeap h = PHeap.open(file, PHeapOptions.defaults().durability(Durability.PROCESS).segmentSize(1 << 30))) {
                PByteArray a = h.root("a", PByteArray.class, () -> new PByteArray(bytes));
                compare(a, bytes, rounds, args[3], dir);
            }
            Files.delete(file);
            space(file, 100_000);
        } finally {
            for (Path p : new Path[] {file, dir.resolve("heap.lock"), dir.resolve("c"), dir}) {
                Files.deleteIfExists(p);
            }
        }
    }

    private static void compare(PByteArray a, int bytes, int rounds, String c, Path dir) throws Exception {
        String[] names = {"seq-read", "seq-write", "rand-read", "rand-write"};
        double[][] ours = new double[4][rounds];
        double[][] theirs = new double[4][rounds];
        for (int r = -2; r < rounds; r++) {
            Process p = new ProcessBuilder(c, dir.resolve("c").toString(), String.valueOf(bytes)).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            String[] said = new String(p.getInputStream().readAllBytes()).trim().split("\\s+");
            if (p.waitFor() != 0) {
                throw new IllegalStateException(c + " failed");
            }
            for (int k = 0; k < 4; k++) {
                double t = pass(a, bytes, k);
                if (r >= 0) {
                    ours[k][r] = t;
                    theirs[k][r] = Double.parseDouble(said[k]);
                }
            }
        }
        for (int k = 0; k < 4; k++) {
            double[] ratios = new double[rounds];
            for (int r = 0; r < rounds; r++) {
                ratios[r] = ours[k][r] / theirs[k][r];
            }
            Arrays.sort(ours[k]);
            Arrays.sort(theirs[k]);
            Arrays.sort(ratios);
            System.out.printf("figure blocks-%s %.1f ns/block ref=c-scalar %.1f ratio=%.2f spread=%.2f..%.2f%n", names[k], ours[k][rounds / 2],
                    theirs[k][rounds / 2], ratios[rounds / 2], ratios[0], ratios[rounds - 1]);
        }
    }

    private static double pass(PByteArray a, int bytes, int kind) {
        byte[] buffer = new byte[BLOCK];
        int n = bytes / BLOCK;
        int at = 0;
        long begin = System.nanoTime();
        for (int i = 0; i < n; i++) {
            at = kind < 2 ? i : (int) ((at * 1103515245L + 12345) & Integer.MAX_VALUE) % n;
            if ((kind & 1) == 0) {
                a.read(at * BLOCK, buffer, 0, BLOCK);
            } else {
                buffer[0] = (byte) i;
                a.writeLowLevel(at * BLOCK, buffer, 0, BLOCK);
            }
        }
        return (double) (System.nanoTime() - begin) / n;
    }

    private enum Shape { ONE_ARRAY, TEN_FIELDS, TEN_VALUES }

    /** Records of ten times 100 bytes: as one array, as ten fields within their object, as an array of ten values; what a store of one costs. */
    @SuppressWarnings("unchecked")
    private static void space(Path file, int records) throws Exception {
        for (Shape shape : Shape.values()) {
            long used;
            double store;
            try (PHeap h = PHeap.open(file, PHeapOptions.defaults().durability(Durability.PROCESS).segmentSize(4 << 20).logSize(32 << 20))) {
                PHashMap<Integer, Object> m = h.root("m", PHashMap.class, PHashMap::new);
                for (int i = 0; i < records; i += 100) {
                    int from = i;
                    h.atomic(() -> {
                        for (int k = from; k < from + 100; k++) {
                            Object r = switch (shape) {
                                case ONE_ARRAY -> new PByteArray(1000);
                                case TEN_FIELDS -> new Record();
                                case TEN_VALUES -> new PArray<byte[]>(10);
                            };
                            for (int f = 0; f < 10; f++) {
                                set(r, f, new byte[100]);
                            }
                            m.put(k, r);
                        }
                    });
                }
                store = stores(m, records);
                used = h.statistics().fileBytes() - h.statistics().freeUnitBytes() - (32 << 20);
            }
            Files.delete(file);
            double per = (double) used / records;
            System.out.printf("figure space-%s %.0f bytes/record ref=payload 1000 ratio=%.2f spread=-%n", shape.name().toLowerCase().replace('_', '-'), per, per / 1000);
            System.out.printf("  a store of 100 bytes to one takes %.0f ns of CPU%n", store);
        }
    }

    @SuppressWarnings("unchecked")
    private static void set(Object record, int field, byte[] v) {
        if (record instanceof PByteArray a) {
            a.write(100 * field, v, 0, 100);
        } else if (record instanceof Record r) {
            r.set(field, v);
        } else {
            ((PArray<byte[]>) record).set(field, v);
        }
    }

    /** Nanoseconds of CPU per store of one value to some record, each a block of its own; the last of three passes. */
    private static double stores(PHashMap<Integer, Object> m, int records) {
        java.lang.management.ThreadMXBean threads = java.lang.management.ManagementFactory.getThreadMXBean();
        byte[] v = new byte[100];
        double last = 0;
        for (int pass = 0; pass < 3; pass++) {
            long begin = threads.getCurrentThreadCpuTime();
            for (int i = 0; i < 10 * records; i++) {
                v[i % 100] = (byte) i;
                set(m.get((int) (i * 7919L % records)), i % 10, v);
            }
            last = (double) (threads.getCurrentThreadCpuTime() - begin) / (10 * records);
        }
        return last;
    }
}
