package dev.concord.persist.core;

import java.util.TreeSet;

/**
 * How a 64 KiB slab is cut into slots: a table of headers first, then equal slots. Owns the invariant that every class
 * wastes at most an eighth of an object that just misses the next smaller one, and that the slot of an offset is found
 * without a division.
 */
final class SizeClasses {
    static final int SLAB_BYTES = 1 << 16;
    static final int COUNT;
    static final int[] SIZE;
    static final int[] SLOTS;
    static final int[] FIRST;
    static final int MAX_SMALL;
    private static final long[] RECIPROCAL;
    private static final byte[] CLASS_OF;

    static {
        TreeSet<Integer> sizes = new TreeSet<>();
        for (int s = 16; s <= 128; s += 8) {
            sizes.add(s);
        }
        for (int base = 128; base < 2048; base *= 2) {
            for (int i = 1; i <= 8; i++) {
                sizes.add(base + base / 8 * i);
            }
        }
        for (int n = 30; n >= 2; n--) {
            int s = (SLAB_BYTES - align16(8 * n)) / n & ~7;
            if (s > 2048) {
                sizes.add(s);
            }
        }
        COUNT = sizes.size();
        SIZE = new int[COUNT];
        int next = 0;
        for (int s : sizes) {
            SIZE[next++] = s;
        }
        SLOTS = new int[COUNT];
        FIRST = new int[COUNT];
        RECIPROCAL = new long[COUNT];
        MAX_SMALL = SIZE[COUNT - 1];
        CLASS_OF = new byte[MAX_SMALL / 8 + 1];
        for (int c = 0, i = 0; c < COUNT; c++) {
            int n = SLAB_BYTES / (SIZE[c] + 8);
            while (align16(8 * n) + n * SIZE[c] > SLAB_BYTES) {
                n--;
            }
            SLOTS[c] = n;
            FIRST[c] = align16(8 * n);
            RECIPROCAL[c] = ((1L << 32) + SIZE[c] - 1) / SIZE[c];
            for (; i <= SIZE[c] / 8; i++) {
                CLASS_OF[i] = (byte) c;
            }
        }
    }

    private SizeClasses() {
    }

    private static int align16(int n) {
        return (n + 15) & ~15;
    }

    static int classOf(long bytes) {
        return CLASS_OF[(int) ((bytes + 7) >>> 3)];
    }

    /** Index of the slot that holds this byte of the slab's slot area. */
    static int slot(int sizeClass, int offsetInSlab) {
        return (int) ((offsetInSlab - FIRST[sizeClass]) * RECIPROCAL[sizeClass] >>> 32);
    }

    /** What a multiple of the class's size, up to a slab's, is multiplied with to be divided by it, above bit 32. */
    static long reciprocal(int sizeClass) {
        return RECIPROCAL[sizeClass];
    }

    /** Index of the slot that begins at this offset of the slab, or -1 if none does. */
    static int slotAt(int sizeClass, int offsetInSlab) {
        int d = offsetInSlab - FIRST[sizeClass];
        int slot = (int) (d * RECIPROCAL[sizeClass] >>> 32);
        return d >= 0 && slot * SIZE[sizeClass] == d && slot < SLOTS[sizeClass] ? slot : -1;
    }
}
