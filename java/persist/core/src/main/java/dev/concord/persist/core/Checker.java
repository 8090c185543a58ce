package dev.concord.persist.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Verifies, without changing anything, what recovery establishes: good references, sound headers, one owner per place. */
final class Checker {
    private static final int SHOWN = 100;
    private final HeapCore heap;
    private final List<String> problems = new ArrayList<>();
    private long count;
    private final Map<String, Long> live = new TreeMap<>();
    private final Map<String, Long> liveBytes = new TreeMap<>();
    private final Map<String, Long> unreachable = new TreeMap<>();

    Checker(HeapCore heap) {
        this.heap = heap;
    }

    CheckReport run() {
        Marker marker = new Marker(heap, (holder, at, ref, why) -> problem("reference in the object at " + holder + ", field offset "
                + (at - holder) + ", to " + Header.offset(ref) + ": " + why));
        marker.run(1);
        for (int s = 0; s < heap.engine.superblock.segments; s++) {
            heap.units.forEachObject(s, (off, at, h) -> object(marker, off, h));
        }
        return new CheckReport(problems, count, live, liveBytes, unreachable);
    }

    private void object(Marker marker, long off, long h) {
        if (!Header.sound(h)) {
            problem("header of the place at " + off + " does not verify: " + Long.toHexString(h));
            return;
        }
        if (Header.classId(h) == 0) {
            return; // an extent that a compaction has emptied and not given out again yet
        }
        ClassInfo c = heap.classes.byIdOrNull(Header.classId(h));
        if (c == null) {
            problem("object at " + off + " is of unknown class " + Header.classId(h));
            return;
        }
        if (Header.bytes(h) > Units.capacity(Math.max(8, Header.bytes(h)))) {
            problem("object at " + off + " is larger than its place");
        }
        if (marker.isMarked(off)) {
            live.merge(c.name, 1L, Long::sum);
            liveBytes.merge(c.name, Header.bytes(h), Long::sum);
        } else {
            unreachable.merge(c.name, 1L, Long::sum);
        }
    }

    private void problem(String text) {
        if (count++ < SHOWN) {
            problems.add(text);
        }
    }
}
