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

    /** Records of ten fields of 100 bytes each: as one array, and field by field. */
    @SuppressWarnings("unchecked")
    private static void space(Path file, int records) throws Exception {
        for (boolean fields : new boolean[] {false, true}) {
            long used;
            try (PHeap h = PHeap.open(file, PHeapOptions.defaults().durability(Durability.PROCESS).segmentSize(4 << 20).logSize(32 << 20))) {
                PHashMap<Integer, Object> m = h.root("m", PHashMap.class, PHashMap::new);
                for (int i = 0; i < records; i += 100) {
                    int from = i;
                    h.atomic(() -> {
                        for (int k = from; k < from + 100; k++) {
                            if (!fields) {
                                m.put(k, new PByteArray(1000));
                                continue;
                            }
                            PArray<byte[]> r = new PArray<>(10);
                            for (int f = 0; f < 10; f++) {
                                r.set(f, new byte[100]);
                            }
                            m.put(k, r);
                        }
                    });
                }
                used = h.statistics().fileBytes() - h.statistics().freeUnitBytes() - (32 << 20);
            }
            Files.delete(file);
            double per = (double) used / records;
            System.out.printf("figure space-%s %.0f bytes/record ref=payload 1000 ratio=%.2f spread=-%n", fields ? "ten-fields" : "one-array", per, per / 1000);
        }
    }
}
