package dev.concord.persist.core;

import dev.concord.persist.PersistException;
import java.util.ArrayDeque;

/**
 * Hands out slots and extents. Owns the invariant that the free set is the complement of what the unit tables and slab
 * headers say is owned, and that no persistent word changes when a slot is handed out: an allocation that does not
 * commit leaves no trace.
 *
 * <p>A segment is cut into 4 KiB units; its first units hold the unit table, 16 bytes per unit: a descriptor (0 free,
 * {@code 1 | sizeClass << 8} head of a slab of 16 units, {@code 2 | units << 8} head of a large object) and, for a large
 * object, its header. Free slots of a slab are found when the slab is first needed, so opening costs one pass over the
 * unit tables only.
 */
final class Allocator {
    static final int UNIT_SHIFT = 12;
    static final int UNIT = 1 << UNIT_SHIFT;
    private static final int SLAB_UNITS = SizeClasses.SLAB_BYTES / UNIT;
    private static final int KIND_SLAB = 1;
    private static final int KIND_LARGE = 2;
    private static final int RESERVED = 3;
    private static final int INNER = 4;

    private final HeapCore heap;
    private final Memory memory;
    private final int segmentShift;
    private final int unitsPerSegment;
    /** Per unit: 0 free, SLAB with its class, LARGE at the head, INNER behind it. Written under the extents' lock. */
    private final int[][] units = new int[Memory.MAX_SEGMENTS][];
    private final Pool[] pools = new Pool[SizeClasses.COUNT];
    private final Extents extents;
    /** Slabs whose objects are being moved out: nothing of them is handed out. */
    private final java.util.Set<Long> withdrawn = new java.util.HashSet<>();

    private static final class Pool {
        final LongStack free = new LongStack(64);
        final ArrayDeque<Long> unscanned = new ArrayDeque<>();
    }

    Allocator(HeapCore heap) {
        this.heap = heap;
        this.memory = heap.memory;
        this.segmentShift = memory.shift();
        this.unitsPerSegment = 1 << segmentShift - UNIT_SHIFT;
        this.extents = new Extents(segmentShift);
        for (int c = 0; c < pools.length; c++) {
            pools[c] = new Pool();
        }
    }

    /** First unit of a segment that may hold objects; unit {@link #metaUnit} of segment 0 is the heap's own. */
    private int firstUnit(int segment) {
        int table = Math.max(1, unitsPerSegment * 16 / UNIT);
        return segment == 0 ? table + 1 : table;
    }

    static long metaOffset(int segmentShift) {
        return (long) Math.max(1, (1 << segmentShift - UNIT_SHIFT) * 16 / UNIT) << UNIT_SHIFT;
    }

    private long unitOffset(int segment, int unit) {
        return ((long) segment << segmentShift) + ((long) unit << UNIT_SHIFT);
    }

    private long tableEntry(long off) {
        long base = off & -1L << segmentShift;
        return base + ((off - base >>> UNIT_SHIFT) << 4);
    }

    /** Is told of entries that make no sense. */
    interface Complaints {
        void accept(long at, String what);
    }

    /** Reads the unit table of a segment into the volatile maps; returns a complaint for each entry that makes no sense. */
    int scanSegment(int segment, Complaints complain) {
        int[] u = new int[unitsPerSegment];
        int first = firstUnit(segment);
        java.util.Arrays.fill(u, 0, first, RESERVED);
        int objects = 0;
        int freeFrom = -1;
        for (int i = first; i < unitsPerSegment;) {
            long at = unitOffset(segment, 0) + 16L * i;
            long desc = memory.getLong(at);
            int kind = (int) desc & 0xFF;
            int n = 1;
            if (kind == KIND_SLAB) {
                int c = (int) (desc >>> 8);
                if (c < 0 || c >= SizeClasses.COUNT || i % SLAB_UNITS != 0 || i + SLAB_UNITS > unitsPerSegment) {
                    complain.accept(at, "slab descriptor " + Long.toHexString(desc) + " makes no sense");
                    kind = INNER;
                } else {
                    n = SLAB_UNITS;
                    java.util.Arrays.fill(u, i, i + n, KIND_SLAB | c << 8);
                    pools[c].unscanned.add(unitOffset(segment, i));
                }
            } else if (kind == KIND_LARGE) {
                long len = desc >>> 8;
                if (len <= 0 || i + len > unitsPerSegment) {
                    complain.accept(at, "extent descriptor " + Long.toHexString(desc) + " makes no sense");
                    kind = INNER;
                } else {
                    n = (int) len;
                    u[i] = KIND_LARGE;
                    java.util.Arrays.fill(u, i + 1, i + n, INNER);
                    objects++;
                }
            } else if (desc != 0) {
                complain.accept(at, "unit descriptor " + Long.toHexString(desc) + " makes no sense");
                kind = INNER;
            }
            if (kind == INNER) {
                u[i] = INNER; // quarantined: neither an object nor free
            }
            if (u[i] == 0) {
                freeFrom = freeFrom < 0 ? i : freeFrom;
            } else if (freeFrom >= 0) {
                extents.add(unitOffset(segment, freeFrom), i - freeFrom);
                freeFrom = -1;
            }
            i += n;
        }
        if (freeFrom >= 0) {
            extents.add(unitOffset(segment, freeFrom), unitsPerSegment - freeFrom);
        }
        units[segment] = u;
        return objects;
    }

    /** Where the header of the object at this offset is, or -1 if no object can start there. */
    long headerOffset(long off) {
        int segment = (int) (off >>> segmentShift);
        if (off <= 0 || segment >= Memory.MAX_SEGMENTS || units[segment] == null) {
            return -1;
        }
        int u = units[segment][(int) (off >>> UNIT_SHIFT) & unitsPerSegment - 1];
        if ((u & 0xFF) == KIND_SLAB) {
            long base = off & -SizeClasses.SLAB_BYTES;
            int c = u >>> 8;
            int d = (int) (off - base);
            if (d < SizeClasses.FIRST[c]) {
                return -1;
            }
            return base + 8L * SizeClasses.slot(c, d);
        }
        return u == KIND_LARGE && (off & UNIT - 1) == 0 ? tableEntry(off) + 8 : -1;
    }

    /** As {@link #headerOffset}, but also refuses an offset inside an object; for references of unknown origin. */
    long headerOffsetChecked(long off) {
        int segment = (int) (off >>> segmentShift);
        if (off <= 0 || segment >= Memory.MAX_SEGMENTS || units[segment] == null) {
            return -1;
        }
        int u = units[segment][(int) (off >>> UNIT_SHIFT) & unitsPerSegment - 1];
        if ((u & 0xFF) == KIND_SLAB) {
            int slot = SizeClasses.slotAt(u >>> 8, (int) (off & SizeClasses.SLAB_BYTES - 1));
            return slot < 0 ? -1 : (off & -SizeClasses.SLAB_BYTES) + 8L * slot;
        }
        return u == KIND_LARGE && (off & UNIT - 1) == 0 ? tableEntry(off) + 8 : -1;
    }

    /** The size class of the slab that holds an offset of unknown origin, or -1. */
    int slabClass(long off) {
        int segment = (int) (off >>> segmentShift);
        if (off <= 0 || segment >= Memory.MAX_SEGMENTS || units[segment] == null) {
            return -1;
        }
        int u = units[segment][(int) (off >>> UNIT_SHIFT) & unitsPerSegment - 1];
        return (u & 0xFF) == KIND_SLAB ? u >>> 8 : -1;
    }

    private int unit(long off) {
        return units[(int) (off >>> segmentShift)][(int) (off >>> UNIT_SHIFT) & unitsPerSegment - 1];
    }

    boolean isLarge(long off) {
        return unit(off) == KIND_LARGE;
    }

    private int sizeClass(long off) {
        return unit(off) >>> 8;
    }

    static long largeDescriptor(long bytes) {
        return KIND_LARGE | (bytes + UNIT - 1 >>> UNIT_SHIFT) << 8;
    }

    long descriptorOffset(long off) {
        return tableEntry(off);
    }

    /** Bytes an object of this payload may grow to in place. */
    static long capacity(long bytes) {
        return bytes <= SizeClasses.MAX_SMALL ? SizeClasses.SIZE[SizeClasses.classOf(bytes)] : bytes + UNIT - 1 & -UNIT;
    }

    long maxObject() {
        return Math.min((1L << 30) - 1, (long) (unitsPerSegment - firstUnit(0)) << UNIT_SHIFT);
    }

    long allocate(long bytes) {
        if (bytes > SizeClasses.MAX_SMALL) {
            return allocateLarge(bytes);
        }
        int c = SizeClasses.classOf(bytes);
        Pool pool = pools[c];
        synchronized (pool) {
            while (pool.free.isEmpty()) {
                Long slab = pool.unscanned.poll();
                if (slab == null) {
                    slab = formatSlab(c);
                }
                scanSlab(pool, c, slab);
            }
            return pool.free.pop();
        }
    }

    // ---- for the compactor, while no block of another thread runs ----------------------------------------------------

    /** Offsets of all slabs in use, by size class, in ascending order. */
    java.util.List<java.util.List<Long>> slabsByClass() {
        java.util.List<java.util.List<Long>> l = new java.util.ArrayList<>();
        for (int c = 0; c < SizeClasses.COUNT; c++) {
            l.add(new java.util.ArrayList<>());
        }
        for (int s = 0; s < heap.engine.superblock.segments; s++) {
            for (int i = firstUnit(s); i < unitsPerSegment; i++) {
                int u = units[s][i];
                if ((u & 0xFF) == KIND_SLAB && i % SLAB_UNITS == 0 && !withdrawn.contains(unitOffset(s, i))) {
                    l.get(u >>> 8).add(unitOffset(s, i));
                }
            }
        }
        return l;
    }

    int slotsOf(long slab) {
        return SizeClasses.SLOTS[sizeClass(slab)];
    }

    void forEachInSlab(long slab, ObjectVisitor v) {
        visitSlab(slab, sizeClass(slab), new long[SizeClasses.SLOTS[0]], v);
    }

    /** Hands nothing more of a slab out. */
    void withdraw(long slab) {
        Pool pool = pools[sizeClass(slab)];
        synchronized (pool) {
            withdrawn.add(slab);
            pool.unscanned.remove(slab);
            pool.free.removeRange(slab, slab + SizeClasses.SLAB_BYTES);
        }
    }

    /** Takes a withdrawal back. */
    void restore(long slab) {
        Pool pool = pools[sizeClass(slab)];
        synchronized (pool) {
            withdrawn.remove(slab);
            pool.unscanned.add(slab);
        }
    }

    /** Turns a withdrawn, empty slab into free units. */
    void releaseSlab(long slab) {
        Redo r = new Redo();
        r.addFill(tableEntry(slab), SLAB_UNITS * 16, 0);
        heap.engine.commit(r, HeapCore.NOTHING);
        synchronized (extents) {
            withdrawn.remove(slab);
        }
        releaseUnits(slab, SLAB_UNITS);
    }

    /** Runs work of which allocations are made below an offset, or fail. */
    void within(long limit, Runnable work) {
        synchronized (extents) {
            extents.restrict(limit);
        }
        try {
            work.run();
        } finally {
            synchronized (extents) {
                extents.lift();
            }
        }
    }

    /** The first place where a slab would fit, or the end. */
    long lowestFree() {
        synchronized (extents) {
            return extents.lowestSlab();
        }
    }

    /** How many segments from the first on hold something. */
    int segmentsInUse() {
        synchronized (extents) {
            for (int s = heap.engine.superblock.segments - 1; s > 0; s--) {
                for (int i = firstUnit(s); i < unitsPerSegment; i++) {
                    if (units[s][i] != 0) {
                        return s + 1;
                    }
                }
            }
            return 1;
        }
    }

    // ---- slabs and extents ------------------------------------------------------------------------------------------

    private void scanSlab(Pool pool, int c, long slab) {
        for (int i = SizeClasses.SLOTS[c] - 1; i >= 0; i--) {
            if (Header.classId(memory.getLong(slab + 8L * i)) == 0) {
                pool.free.push(slab + SizeClasses.FIRST[c] + (long) i * SizeClasses.SIZE[c]);
            }
        }
    }

    /**
     * Turns a free 64 KiB range into a slab: headers first, then the descriptor that makes them count. Its own record,
     * committed before any slot is handed out, because blocks that use the slab commit in any order.
     */
    private long formatSlab(int c) {
        long slab = takeSlab();
        Redo r = new Redo();
        // A descriptor of an earlier life of these units must not survive beside the new one.
        long entry = tableEntry(slab);
        r.addFill(slab, SizeClasses.SLOTS[c] * 8, Header.free(0));
        r.addFill(entry, SLAB_UNITS * 16, 0);
        r.addLong(entry, KIND_SLAB | (long) c << 8);
        heap.engine.commit(r, HeapCore.NOTHING);
        synchronized (extents) {
            int[] u = units[(int) (slab >>> segmentShift)];
            int i = (int) (slab >>> UNIT_SHIFT) & unitsPerSegment - 1;
            java.util.Arrays.fill(u, i, i + SLAB_UNITS, KIND_SLAB | c << 8);
        }
        return slab;
    }

    private long takeSlab() {
        synchronized (extents) {
            long slab;
            while ((slab = extents.takeSlab()) < 0) {
                grow();
            }
            return slab;
        }
    }

    private long allocateLarge(long bytes) {
        if (bytes > maxObject()) {
            throw new PersistException.Full("an object of " + bytes + " bytes does not fit a segment of " + (1L << segmentShift)
                    + "; the bound is " + maxObject() + ", choose a larger segment size when the heap is created");
        }
        int n = (int) (bytes + UNIT - 1 >>> UNIT_SHIFT);
        synchronized (extents) {
            long start;
            while ((start = extents.take(n)) < 0) {
                grow();
            }
            int[] u = units[(int) (start >>> segmentShift)];
            int i = (int) (start >>> UNIT_SHIFT) & unitsPerSegment - 1;
            u[i] = KIND_LARGE;
            java.util.Arrays.fill(u, i + 1, i + n, INNER);
            return start;
        }
    }

    private void grow() {
        if (extents.restricted()) {
            throw new PersistException.Full(heap.engine.medium.name() + ": no free space below what is being moved");
        }
        int next = heap.engine.superblock.segments;
        if ((next + 1L) << segmentShift > heap.maxSize) {
            throw new PersistException.Full(heap.engine.medium.name() + " is full: " + next + " segments of " + (1L << segmentShift)
                    + " bytes, and its maximum size allows no more");
        }
        heap.engine.grow();
        scanSegment(next, (at, what) -> {
            throw new PersistException.Corrupt(heap.engine.medium.name(), at, "new segment is not empty: " + what);
        });
    }

    /** Takes a slot or extent back, after its header says free for good. */
    void release(long off, long largeBytes) {
        int u = unit(off);
        if ((u & 0xFF) == KIND_SLAB) {
            Pool pool = pools[u >>> 8];
            synchronized (pool) {
                pool.free.push(off);
            }
            return;
        }
        releaseUnits(off, (int) (largeBytes + UNIT - 1 >>> UNIT_SHIFT));
    }

    private void releaseUnits(long off, int n) {
        synchronized (extents) {
            int[] us = units[(int) (off >>> segmentShift)];
            int i = (int) (off >>> UNIT_SHIFT) & unitsPerSegment - 1;
            java.util.Arrays.fill(us, i, i + n, 0);
            extents.release(off, n);
        }
    }

    /** Visits the header and offset of every slot and extent that is not free. */
    interface ObjectVisitor {
        void object(long off, long headerOffset, long header);
    }

    void forEachObject(int segment, ObjectVisitor v) {
        forEachObject(segment, 0, unitsPerSegment, v);
    }

    /** As {@link #forEachObject(int, ObjectVisitor)}, for the units of one piece, whose bounds are multiples of a slab's. */
    void forEachObject(int segment, int from, int to, ObjectVisitor v) {
        int[] us = units[segment];
        long[] headers = new long[SizeClasses.SLOTS[0]];
        for (int i = Math.max(from, firstUnit(segment)); i < to; i++) {
            int u = us[i];
            if (u == KIND_LARGE) {
                long off = unitOffset(segment, i);
                long at = tableEntry(off) + 8;
                v.object(off, at, memory.getLong(at));
            } else if ((u & 0xFF) == KIND_SLAB && i % SLAB_UNITS == 0) {
                visitSlab(unitOffset(segment, i), u >>> 8, headers, v);
            }
        }
    }

    private void visitSlab(long slab, int c, long[] headers, ObjectVisitor v) {
        int slots = SizeClasses.SLOTS[c];
        memory.getLongs(slab, headers, slots);
        long off = slab + SizeClasses.FIRST[c];
        for (int s = 0; s < slots; s++) {
            long h = headers[s];
            if (Header.classId(h) != 0 || !Header.sound(h)) {
                v.object(off, slab + 8L * s, h);
            }
            off += SizeClasses.SIZE[c];
        }
    }

    /** As {@link #forEachObject(int, int, int, ObjectVisitor)}, for those that are not marked; looks at no header of one that is. */
    void forEachUnmarked(int segment, int from, int to, Marker marker, ObjectVisitor v) {
        int[] us = units[segment];
        for (int i = Math.max(from, firstUnit(segment)); i < to; i++) {
            int u = us[i];
            long off = unitOffset(segment, i);
            if (u == KIND_LARGE) {
                long at = tableEntry(off) + 8;
                if (!marker.isMarked(off)) {
                    v.object(off, at, memory.getLong(at));
                }
            } else if ((u & 0xFF) == KIND_SLAB && i % SLAB_UNITS == 0) {
                int c = u >>> 8;
                long first = off + SizeClasses.FIRST[c];
                for (int s = 0; (s = nextUnmarked(first, s, c, marker)) < SizeClasses.SLOTS[c]; s++) {
                    long h = memory.getLong(off + 8L * s);
                    if (Header.classId(h) != 0 || !Header.sound(h)) {
                        v.object(first + (long) s * SizeClasses.SIZE[c], off + 8L * s, h);
                    }
                }
            }
        }
    }

    private static int nextUnmarked(long first, int slot, int c, Marker marker) {
        int slots = SizeClasses.SLOTS[c];
        int size = SizeClasses.SIZE[c];
        long word = -1;
        long marks = 0;
        for (long o = first + (long) slot * size; slot < slots; slot++, o += size) {
            if (o >>> 9 != word) {
                word = o >>> 9;
                marks = marker.marks(o);
            }
            if ((marks & 1L << (o >>> 3)) == 0) {
                break;
            }
        }
        return slot;
    }

    int unitsPerSegment() {
        return unitsPerSegment;
    }

    /** Forgets what was known of free slots; for recovery, after it changed headers behind the pools' back. */
    void rescan() {
        synchronized (extents) {
            extents.clear();
            for (Pool p : pools) {
                synchronized (p) {
                    p.free.clear();
                    p.unscanned.clear();
                }
            }
            for (int s = 0; s < heap.engine.superblock.segments; s++) {
                scanSegment(s, (at, what) -> { });
            }
        }
    }

    long freeUnitBytes() {
        synchronized (extents) {
            return extents.bytes();
        }
    }
}
