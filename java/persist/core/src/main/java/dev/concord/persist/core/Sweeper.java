package dev.concord.persist.core;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Frees what marking did not reach, by several threads, each at a piece of a segment. Owns the order within an object: only
 * its header and descriptor change, to what a second run would write again.
 */
final class Sweeper extends Workers {
    /** Units of a piece, a multiple of a slab's. */
    private static final int PIECE = 256;
    private final HeapCore heap;
    private final Marker marker;
    private final Map<String, Long> freed;
    private final AtomicInteger next = new AtomicInteger();
    private final int perSegment;
    private final int pieces;
    private boolean changed;

    /** @param freed where to count what is freed, by class */
    Sweeper(HeapCore heap, Marker marker, Map<String, Long> freed) {
        this.heap = heap;
        this.marker = marker;
        this.freed = freed;
        this.perSegment = Math.max(1, heap.units.unitsPerSegment() / PIECE);
        this.pieces = perSegment * heap.engine.superblock.segments;
    }

    @Override
    void work() {
        int units = heap.units.unitsPerSegment();
        for (int p = next.getAndIncrement(); p < pieces && !failed(); p = next.getAndIncrement()) {
            int from = p % perSegment * PIECE;
            heap.units.forEachUnmarked(p / perSegment, from, Math.min(units, from + PIECE), marker, this::free);
        }
    }

    /** Whether anything was freed. */
    boolean changed() {
        return changed;
    }

    /** One at a time: what is counted and told to the engine is not for several threads, and there is seldom much to free. */
    private synchronized void free(long off, long at, long header) {
        changed = true;
        int id = Header.classId(header);
        ClassInfo c = heap.classes.byIdOrNull(id);
        if (id != 0) {
            String name = c == null ? "<unknown class " + id + ">" : c.name;
            Long before = freed.get(name);
            freed.put(name, before == null ? 1 : before + 1);
        }
        heap.memory.putLong(at, Header.sound(header) ? Header.freed(header) : Header.free(0));
        heap.engine.touched(at, 8);
        if (heap.units.isLarge(off)) {
            long d = heap.units.tableEntry(off);
            heap.memory.putLong(d, 0);
            heap.engine.touched(d, 8);
        }
    }
}
