package dev.concord.persist.core;

import java.util.Map;
import java.util.TreeMap;

/**
 * The free units of a heap, as extents. Owns the invariant that neighbours within a segment are one extent, except those a
 * scan has entered. Not thread-safe: {@link Allocator} guards it by itself.
 */
final class Extents {
    private static final int UNIT_SHIFT = Units.UNIT_SHIFT;
    private static final int SLAB_UNITS = SizeClasses.SLAB_BYTES >> UNIT_SHIFT;
    private final int segmentShift;
    private final TreeMap<Long, Integer> free = new TreeMap<>();
    private long units;
    private long slabHint;
    /** The thread that may only take space below {@link #ceiling}. */
    private Thread below;
    private long ceiling;

    Extents(int segmentShift) {
        this.segmentShift = segmentShift;
    }

    void clear() {
        free.clear();
        units = 0;
        slabHint = 0;
    }

    void add(long start, int n) {
        free.put(start, n);
        units += n;
    }

    long bytes() {
        return units << UNIT_SHIFT;
    }

    /** Keeps the calling thread below an offset until {@link #lift}. */
    void restrict(long limit) {
        below = Thread.currentThread();
        ceiling = limit;
        slabHint = 0;
    }

    void lift() {
        below = null;
    }

    boolean restricted() {
        return below == Thread.currentThread();
    }

    private boolean mayUse(long start) {
        return !restricted() || start < ceiling;
    }

    private static long end(Map.Entry<Long, Integer> e) {
        return e.getKey() + ((long) e.getValue() << UNIT_SHIFT);
    }

    private static long slabStart(Map.Entry<Long, Integer> e) {
        long start = e.getKey() + SizeClasses.SLAB_BYTES - 1 & -SizeClasses.SLAB_BYTES;
        return start + SizeClasses.SLAB_BYTES <= end(e) ? start : -1;
    }

    /** The first place where a slab would fit, or the end of all offsets. */
    long lowestSlab() {
        return free.entrySet().stream().mapToLong(Extents::slabStart).filter(s -> s >= 0).findFirst().orElse(Long.MAX_VALUE);
    }

    /** Takes an aligned slab; -1 if there is no room. */
    long takeSlab() {
        for (;;) {
            Map.Entry<Long, Integer> e = free.floorEntry(slabHint);
            e = e == null ? free.firstEntry() : e;
            for (; e != null; e = free.higherEntry(e.getKey())) {
                long start = slabStart(e);
                if (start >= 0 && mayUse(start)) {
                    carve(e.getKey(), e.getValue(), start, SLAB_UNITS);
                    slabHint = start;
                    return start;
                }
            }
            if (slabHint == 0) {
                return -1;
            }
            slabHint = 0;
        }
    }

    /** Takes so many units from the end of the smallest extent, which keeps its aligned start for slabs; -1 if none has them. */
    long take(int n) {
        long best = -1;
        int length = Integer.MAX_VALUE;
        for (Map.Entry<Long, Integer> e : free.entrySet()) {
            if (e.getValue() >= n && e.getValue() < length && mayUse(end(e) - ((long) n << UNIT_SHIFT))) {
                best = e.getKey();
                length = e.getValue();
                if (length == n) {
                    break;
                }
            }
        }
        if (best < 0) {
            return -1;
        }
        long start = best + ((long) (length - n) << UNIT_SHIFT);
        carve(best, length, start, n);
        return start;
    }

    private void carve(long extent, int length, long start, int n) {
        free.remove(extent);
        int before = (int) (start - extent >>> UNIT_SHIFT);
        if (before > 0) {
            free.put(extent, before);
        }
        int after = length - before - n;
        if (after > 0) {
            free.put(start + ((long) n << UNIT_SHIFT), after);
        }
        units -= n;
    }

    void release(long off, int n) {
        units += n;
        long start = off;
        long end = off + ((long) n << UNIT_SHIFT);
        Map.Entry<Long, Integer> before = free.lowerEntry(start);
        if (before != null && end(before) == start && before.getKey() >>> segmentShift == start >>> segmentShift) {
            start = before.getKey();
            free.remove(start);
        }
        Integer after = end >>> segmentShift == off >>> segmentShift ? free.get(end) : null;
        if (after != null) {
            free.remove(end);
            end += (long) after << UNIT_SHIFT;
        }
        free.put(start, (int) (end - start >>> UNIT_SHIFT));
    }
}
