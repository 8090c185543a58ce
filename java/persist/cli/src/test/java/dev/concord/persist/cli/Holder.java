package dev.concord.persist.cli;

import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.collections.PHashMap;
import java.nio.file.Path;

/** A program that has a heap open and changes it until its input ends. */
final class Holder {
    private Holder() {
    }

    @SuppressWarnings("unchecked")
    public static void main(String[] args) throws Exception {
        try (PHeap h = PHeap.open(Path.of(args[0]), PHeapOptions.defaults().management(Boolean.parseBoolean(args[1])))) {
            PHashMap<String, Object> m = h.root("m", PHashMap.class, PHashMap::new);
            System.out.println("open");
            for (long n = 0; System.in.available() == 0; n++) {
                long now = n;
                h.atomic(() -> {
                    m.put("n", now);
                    m.put("twin", now);
                    m.put("size " + now % 7, "x".repeat((int) (now % 9000)));
                });
            }
        }
        System.out.println("closed");
    }
}
