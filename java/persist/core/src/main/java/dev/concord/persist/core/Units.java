package dev.concord.persist.core;

import java.util.Arrays;

/**
 * What each unit of a segment is, and where objects and their headers lie. Owns the invariant that the volatile map says of
 * every unit what the unit table in memory says, from {@link #scan} on, or from when {@link Allocator} hands it out.
 *
 * <p>A segment is cut into 4 KiB units; its first units hold the unit table, 16 bytes per unit: a descriptor (0 free,
 * {@code 1 | sizeClass << 8} head of a slab of 16 units, {@code 2 | units << 8} head of a large object) and, for a large
 * object, its header. A slab begins with the headers of its slots.
 */
final class Units {
    static final int UNIT_SHIFT = 12;
    static final int UNIT = 1 << UNIT_SHIFT;
    static final int SLAB_UNITS = SizeClasses.SLAB_BYTES / UNIT;
    static final int KIND_SLAB = 1;
    static final int KIND_LARGE = 2;
    private static final int RESERVED = 3;
    private static final int INNER = 4;

    private final Memory memory;
    private final int segmentShift;
    private final int unitsPerSegment;
    /** Per unit: 0 free, SLAB with its class, LARGE at the head, INNER behind it. Written under the extents' lock. */
    private final int[][] units = new int[Memory.MAX_SEGMENTS][];

    Units(Memory memory) {
        this.memory = memory;
        this.segmentShift = memory.shift();
        this.unitsPerSegment = 1 << segmentShift - UNIT_SHIFT;
    }

    /** First unit of a segment that may hold objects; the unit before it in segment 0 is the heap's own. */
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

    /** Where the descriptor of the unit at an offset is. */
    long tableEntry(long off) {
        long base = off & -1L << segmentShift;
        return base + ((off - base >>> UNIT_SHIFT) << 4);
    }

    // ---- changes; the caller holds the extents' lock -----------------------------------------------------------------

    void setSlab(long slab, int sizeClass) {
        fill(slab, SLAB_UNITS, KIND_SLAB | sizeClass << 8);
    }

    void setLarge(long off, int n) {
        int[] u = units[(int) (off >>> segmentShift)];
        int i = index(off);
        u[i] = KIND_LARGE;
        Arrays.fill(u, i + 1, i + n, INNER);
    }

    void setFree(long off, int n) {
        fill(off, n, 0);
    }

    private void fill(long off, int n, int what) {
        int i = index(off);
        Arrays.fill(units[(int) (off >>> segmentShift)], i, i + n, what);
    }

    private int index(long off) {
        return (int) (off >>> UNIT_SHIFT) & unitsPerSegment - 1;
    }

    /** Is told of entries that make no sense. */
    interface Complaints {
        void accept(long at, String what);
    }

    /** Is told of what a scan finds. */
    interface Found extends SlabVisitor {
        void free(long off, int units);
    }

    /** Reads the unit table of a segment into the map; returns the number of large objects. */
    int scan(int segment, Complaints complain, Found found) {
        int[] u = new int[unitsPerSegment];
        int first = firstUnit(segment);
        Arrays.fill(u, 0, first, RESERVED);
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
                    Arrays.fill(u, i, i + n, KIND_SLAB | c << 8);
                    found.slab(c, unitOffset(segment, i));
                }
            } else if (kind == KIND_LARGE) {
                long len = desc >>> 8;
                if (len <= 0 || i + len > unitsPerSegment) {
                    complain.accept(at, "extent descriptor " + Long.toHexString(desc) + " makes no sense");
                    kind = INNER;
                } else {
                    n = (int) len;
                    u[i] = KIND_LARGE;
                    Arrays.fill(u, i + 1, i + n, INNER);
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
                found.free(unitOffset(segment, freeFrom), i - freeFrom);
                freeFrom = -1;
            }
            i += n;
        }
        if (freeFrom >= 0) {
            found.free(unitOffset(segment, freeFrom), unitsPerSegment - freeFrom);
        }
        units[segment] = u;
        return objects;
    }

    /** What the map says of the unit at an offset of unknown origin: free, if there is none. */
    private int unitOrFree(long off) {
        int segment = (int) (off >>> segmentShift);
        return off <= 0 || segment >= Memory.MAX_SEGMENTS || units[segment] == null ? 0 : units[segment][index(off)];
    }

    /** Where the header of the object at this offset is, or -1 if no object can start there. */
    long headerOffset(long off) {
        int u = unitOrFree(off);
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
        int u = unitOrFree(off);
        if ((u & 0xFF) == KIND_SLAB) {
            int slot = SizeClasses.slotAt(u >>> 8, (int) (off & SizeClasses.SLAB_BYTES - 1));
            return slot < 0 ? -1 : (off & -SizeClasses.SLAB_BYTES) + 8L * slot;
        }
        return u == KIND_LARGE && (off & UNIT - 1) == 0 ? tableEntry(off) + 8 : -1;
    }

    /** The size class of the slab that holds an offset of unknown origin, or -1. */
    int slabClass(long off) {
        int u = unitOrFree(off);
        return (u & 0xFF) == KIND_SLAB ? u >>> 8 : -1;
    }

    /** What the map says of the unit at an offset that is an object's. */
    int unit(long off) {
        return units[(int) (off >>> segmentShift)][index(off)];
    }

    boolean isLarge(long off) {
        return unit(off) == KIND_LARGE;
    }

    int sizeClass(long off) {
        return unit(off) >>> 8;
    }

    static long largeDescriptor(long bytes) {
        return KIND_LARGE | (bytes + UNIT - 1 >>> UNIT_SHIFT) << 8;
    }

    /** Bytes an object of this payload may grow to in place. */
    static long capacity(long bytes) {
        return bytes <= SizeClasses.MAX_SMALL ? SizeClasses.SIZE[SizeClasses.classOf(bytes)] : bytes + UNIT - 1 & -UNIT;
    }

    long maxObject() {
        return Math.min((1L << 30) - 1, (long) (unitsPerSegment - firstUnit(0)) << UNIT_SHIFT);
    }

    int slotsOf(long slab) {
        return SizeClasses.SLOTS[sizeClass(slab)];
    }

    void forEachInSlab(long slab, ObjectVisitor v) {
        visitSlab(slab, sizeClass(slab), new long[SizeClasses.SLOTS[0]], v);
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

    boolean isEmpty(int segment) {
        for (int i = firstUnit(segment); i < unitsPerSegment; i++) {
            if (units[segment][i] != 0) {
                return false;
            }
        }
        return true;
    }

    /** Is told of slabs. */
    interface SlabVisitor {
        void slab(int sizeClass, long off);
    }

    void forEachSlab(int segment, SlabVisitor v) {
        for (int i = firstUnit(segment); i < unitsPerSegment; i++) {
            int u = units[segment][i];
            if ((u & 0xFF) == KIND_SLAB && i % SLAB_UNITS == 0) {
                v.slab(u >>> 8, unitOffset(segment, i));
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
}
