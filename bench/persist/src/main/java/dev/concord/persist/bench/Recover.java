package dev.concord.persist.bench;

import dev.concord.persist.Durability;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.collections.PArray;
import dev.concord.persist.collections.PByteArray;
import java.nio.file.Files;
import java.nio.file.Path;

/** Time to open a heap of many objects: after a death with and without the collection pass, and after a clean close. */
public final class Recover {
    private static final int PER_ARRAY = 10_000;

    private Recover() {
    }

    /** Arguments: objects, directory, the C program that reads the file once as the reference. */
    public static void main(String[] args) throws Exception {
        int objects = Integer.parseInt(args[0]);
        Path file = Files.createTempDirectory(Path.of(args[1]), "bench-recover").resolve("heap");
        PHeapOptions o = PHeapOptions.defaults().durability(Durability.PROCESS).segmentSize(256L << 20);
        try {
            PHeap h = PHeap.open(file, o);
            int arrays = Math.max(1, objects / PER_ARRAY);
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
            double reference = reading(args[2], file);
            time("recover-collect", file, o, true, reference);
            time("recover-replay-only", file, o.recovery(PHeapOptions.Recovery.REPLAY_ONLY), false, reference);
            time("open-clean", file, o, false, reference);
        } finally {
            for (Path p : new Path[] {file, file.resolveSibling("heap.lock"), file.getParent()}) {
                Files.deleteIfExists(p);
            }
        }
    }

    /** Milliseconds the C program takes to look at every word of the file. */
    private static double reading(String c, Path file) throws Exception {
        Process p = new ProcessBuilder(c, file.toString()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String said = new String(p.getInputStream().readAllBytes()).trim();
        if (p.waitFor() != 0) {
            throw new IllegalStateException(c + " failed");
        }
        return Double.parseDouble(said.split(" ")[0]);
    }

    @SuppressWarnings("unchecked")
    private static void time(String name, Path file, PHeapOptions o, boolean abandon, double reference) throws Exception {
        long begin = System.nanoTime();
        PHeap h = PHeap.open(file, o);
        int first = ((PByteArray) ((PArray<Object>) ((PArray<Object>) h.root("top")).get(0)).get(0)).length();
        double ms = (System.nanoTime() - begin) / 1e6;
        if (first != 24) {
            throw new IllegalStateException("the first object is not there");
        }
        System.out.printf("figure %s %.0f ms ref=c-read-file %.0f ratio=%.2f spread=- (%s live objects)%n", name, ms, reference, ms / reference, h.recovery().live() < 0 ? "uncounted" : h.recovery().live());
        if (abandon) {
            h.core().abandon();
        } else {
            h.close();
        }
    }
}
