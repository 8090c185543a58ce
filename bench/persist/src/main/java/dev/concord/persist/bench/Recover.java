package dev.concord.persist.bench;

import dev.concord.persist.Durability;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.collections.PArray;
import dev.concord.persist.collections.PByteArray;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Time from opening a heap of many objects to the first object read: after a death with and without the collection pass,
 * and after a clean close. Each opening is a new process, as after a death, and so is its reference, a C program that looks
 * at every word of the file.
 *
 * <p>Arguments: objects, rounds, directory, the C program. A process that opens: "open", file, way.
 */
public final class Recover {
    private static final int PER_ARRAY = 10_000;

    /** How a heap is opened, and left for the next round. */
    private enum Way {
        RECOVER_COLLECT, RECOVER_REPLAY_ONLY, OPEN_CLEAN;

        PHeapOptions options() {
            PHeapOptions o = PHeapOptions.defaults().durability(Durability.PROCESS);
            return this == RECOVER_REPLAY_ONLY ? o.recovery(PHeapOptions.Recovery.REPLAY_ONLY) : o;
        }
    }

    private Recover() {
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("open")) {
            open(Path.of(args[1]), Way.valueOf(args[2]));
            return;
        }
        int objects = Integer.parseInt(args[0]);
        int rounds = Integer.parseInt(args[1]);
        Path file = Files.createTempDirectory(Path.of(args[2]), "bench-recover").resolve("heap");
        try {
            fill(file, objects);
            for (Way w : Way.values()) {
                if (w == Way.OPEN_CLEAN) {
                    PHeap.open(file, w.options()).close();
                }
                measure(w, file, rounds, args[3]);
            }
        } finally {
            for (Path p : new Path[] {file, file.resolveSibling("heap.lock"), file.getParent()}) {
                Files.deleteIfExists(p);
            }
        }
    }

    private static void fill(Path file, int objects) throws Exception {
        PHeap h = PHeap.open(file, PHeapOptions.defaults().durability(Durability.PROCESS).segmentSize(256L << 20));
        int arrays = Math.max(1, objects / PER_ARRAY);
        @SuppressWarnings("unchecked")
        PArray<Object> top = h.root("top", PArray.class, () -> new PArray<>(arrays));
        for (int i = 0; i < arrays; i++) {
            int at = i;
            h.atomic(() -> {
                PArray<Object> a = new PArray<>(PER_ARRAY);
                for (int k = 0; k < PER_ARRAY; k++) {
                    a.set(k, new PByteArray(24));
                }
                top.set(at, a);
            });
        }
        h.core().abandon();
    }

    private static void measure(Way way, Path file, int rounds, String c) throws Exception {
        double[] ours = new double[rounds];
        double[] reference = new double[rounds];
        double[] ratios = new double[rounds];
        String objects = "";
        List<String> java = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java"), "-Xmx4g", "-cp", System.getProperty("java.class.path"),
                Recover.class.getName(), "open", file.toString(), way.name()));
        for (int r = 0; r < rounds; r++) {
            String[] said = output(java);
            ours[r] = Double.parseDouble(said[0]);
            objects = said[1];
            reference[r] = Double.parseDouble(output(List.of(c, file.toString()))[0]);
            ratios[r] = ours[r] / reference[r];
        }
        Arrays.sort(ours);
        Arrays.sort(reference);
        Arrays.sort(ratios);
        int m = rounds / 2;
        System.out.printf("figure %s %.0f ms ref=c-read-file %.0f ratio=%.2f spread=%.2f..%.2f (%s live objects)%n", way.name().toLowerCase().replace('_', '-'),
                ours[m], reference[m], ratios[m], ratios[0], ratios[rounds - 1], objects);
    }

    private static String[] output(List<String> command) throws Exception {
        Process p = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String said = new String(p.getInputStream().readAllBytes()).trim();
        if (p.waitFor() != 0) {
            throw new IllegalStateException(command + " failed");
        }
        return said.split(" ");
    }

    @SuppressWarnings("unchecked")
    private static void open(Path file, Way way) {
        long begin = System.nanoTime();
        PHeap h = PHeap.open(file, way.options());
        int first = ((PByteArray) ((PArray<Object>) ((PArray<Object>) h.root("top")).get(0)).get(0)).length();
        double ms = (System.nanoTime() - begin) / 1e6;
        if (first != 24) {
            throw new IllegalStateException("the first object is not there");
        }
        System.out.printf("%.1f %s%n", ms, h.recovery().live() < 0 ? "uncounted" : h.recovery().live());
        if (way == Way.OPEN_CLEAN) {
            h.close();
        }
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
