package dev.concord.persist.core;

import dev.concord.persist.PersistException;
import java.util.ArrayDeque;

/**
 * Hands out slots and extents. Owns the invariant that the free set is the complement of what the unit tables and slab
 * headers say is owned, and that no persistent word changes when a slot is handed out: an allocation that does not
 * commit leaves no trace.
 *
 * <p>Free slots of a slab are found when the slab is first needed, so opening costs one pass over the unit tables
 * ({@link Units}) only.
 */
final class Allocator {
    private final HeapCore heap;
    private final Memory memory;
    private final Units units;
    private final int segmentShift;
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
        this.units = heap.units;
        this.segmentShift = memory.shift();
        this.extents = new Extents(segmentShift);
        for (int c = 0; c < pools.length; c++) {
            pools[c] = new Pool();
        }
    }

    /** Learns from the unit table of a segment what is free; returns the number of large objects. */
    int scanSegment(int segment, Units.Complaints complain) {
        return units.scan(segment, complain, new Units.Found() {
            @Override
            public void slab(int sizeClass, long off) {
                pools[sizeClass].unscanned.add(off);
            }

            @Override
            public void free(long off, int n) {
                extents.add(off, n);
            }
        });
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
            units.forEachSlab(s, (c, slab) -> {
                if (!withdrawn.contains(slab)) {
                    l.get(c).add(slab);
                }
            });
        }
        return l;
    }

    /** Hands nothing more of a slab out. */
    void withdraw(long slab) {
        Pool pool = pools[units.sizeClass(slab)];
        synchronized (pool) {
            withdrawn.add(slab);
            pool.unscanned.remove(slab);
            pool.free.removeRange(slab, slab + SizeClasses.SLAB_BYTES);
        }
    }

    /** Takes a withdrawal back. */
    void restore(long slab) {
        Pool pool = pools[units.sizeClass(slab)];
        synchronized (pool) {
            withdrawn.remove(slab);
            pool.unscanned.add(slab);
        }
    }

    /** Turns a withdrawn, empty slab into free units. */
    void releaseSlab(long slab) {
        Redo r = new Redo();
        r.addFill(units.tableEntry(slab), Units.SLAB_UNITS * 16, 0);
        heap.engine.commit(r, HeapCore.NOTHING);
        synchronized (extents) {
            withdrawn.remove(slab);
        }
        releaseUnits(slab, Units.SLAB_UNITS);
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
                if (!units.isEmpty(s)) {
                    return s + 1;
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
        long entry = units.tableEntry(slab);
        r.addFill(slab, SizeClasses.SLOTS[c] * 8, Header.free(0));
        r.addFill(entry, Units.SLAB_UNITS * 16, 0);
        r.addLong(entry, Units.KIND_SLAB | (long) c << 8);
        heap.engine.commit(r, HeapCore.NOTHING);
        synchronized (extents) {
            units.setSlab(slab, c);
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
        if (bytes > units.maxObject()) {
            throw new PersistException.Full("an object of " + bytes + " bytes does not fit a segment of " + (1L << segmentShift)
                    + "; the bound is " + units.maxObject() + ", choose a larger segment size when the heap is created");
        }
        int n = (int) (bytes + Units.UNIT - 1 >>> Units.UNIT_SHIFT);
        synchronized (extents) {
            long start;
            while ((start = extents.take(n)) < 0) {
                grow();
            }
            units.setLarge(start, n);
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
        int u = units.unit(off);
        if ((u & 0xFF) == Units.KIND_SLAB) {
            Pool pool = pools[u >>> 8];
            synchronized (pool) {
                pool.free.push(off);
            }
            return;
        }
        releaseUnits(off, (int) (largeBytes + Units.UNIT - 1 >>> Units.UNIT_SHIFT));
    }

    private void releaseUnits(long off, int n) {
        synchronized (extents) {
            units.setFree(off, n);
            extents.release(off, n);
        }
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
