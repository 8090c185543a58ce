package dev.concord.persist.core;

import dev.concord.persist.LeakReport;
import dev.concord.persist.PersistException;
import dev.concord.persist.PersistentObject;
import dev.concord.persist.PersistentObject.Internals;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What no root reaches, found by marking while no block runs. Owns the rule that an object a proxy leads to is not leaked:
 * the program may still bind it.
 */
final class Unreachable {
    private static final int BATCH = 200;
    private static final int SHOWN = 100;
    private final HeapCore heap;
    private final Marker marker;

    Unreachable(HeapCore heap) {
        this.heap = heap;
        this.marker = new Marker(heap, (holder, at, ref, why) -> { });
        marker.run(Runtime.getRuntime().availableProcessors());
    }

    private boolean isObject(long o) {
        long at = heap.units.headerOffsetChecked(o);
        long h = at < 0 ? 0 : heap.memory.getLong(at);
        return Header.sound(h) && heap.classes.byIdOrNull(Header.classId(h)) != null;
    }

    private List<Long> unmarked() {
        List<Long> found = new ArrayList<>();
        for (int s = 0; s < heap.engine.superblock.segments; s++) {
            heap.units.forEachObject(s, (off, at, h) -> {
                if (!marker.isMarked(off) && isObject(off)) {
                    found.add(off);
                }
            });
        }
        return found;
    }

    private List<Long> leaked() {
        heap.proxies.forEachLive(o -> {
            if (isObject(o)) {
                marker.also(o);
            }
        });
        return unmarked();
    }

    private String className(long o) {
        return heap.classes.byId(Header.classId(heap.memory.getLong(heap.units.headerOffset(o)))).name;
    }

    LeakReport report() {
        List<Long> unreachable = unmarked();
        List<Long> leaked = leaked();
        Set<Long> gone = new HashSet<>(leaked);
        Map<String, Long> held = new TreeMap<>();
        unreachable.stream().filter(o -> !gone.contains(o)).forEach(o -> held.merge(className(o), 1L, Long::sum));
        Map<String, Long> count = new TreeMap<>();
        Map<String, Long> bytes = new TreeMap<>();
        Set<Long> tops = new HashSet<>(leaked);
        for (long o : leaked) {
            String c = className(o);
            count.merge(c, 1L, Long::sum);
            bytes.merge(c, heap.payloadBytes(o), Long::sum);
            References.forEach(heap, o, at -> tops.remove(Header.offset(heap.memory.getLong(at))));
        }
        List<String> shown = tops.stream().sorted().limit(SHOWN).map(o -> className(o) + " at offset " + o).toList();
        return new LeakReport(count, bytes, held, shown);
    }

    long free() {
        List<Long> leaked = leaked();
        free(leaked);
        return leaked.size();
    }

    long freeFrom(long top) {
        if (marker.isMarked(top)) {
            throw new PersistException.Misuse(heap.name() + ": the " + className(top) + " at offset " + top
                    + " is still reached from a root; unbind it before its graph is freed");
        }
        Set<Long> before = new HashSet<>(unmarked());
        marker.also(top);
        before.removeIf(o -> !marker.isMarked(o));
        free(new ArrayList<>(before));
        return before.size();
    }

    /** In several blocks if there are many: what a crash leaves of them, the next recovery frees. */
    private void free(List<Long> objects) {
        for (int from = 0; from < objects.size(); from += BATCH) {
            List<Long> some = objects.subList(from, Math.min(objects.size(), from + BATCH));
            long[] refs = some.stream().mapToLong(heap::refTo).toArray();
            heap.system(() -> some.forEach(heap::freeRaw));
            for (long ref : refs) {
                PersistentObject p = heap.proxies.remove(ref);
                if (p != null) {
                    Internals.setOffset(p, 0);
                }
            }
        }
    }
}
