package dev.concord.persist.core;

/**
 * The eight-byte header of an object, kept out of line so that the payload stays aligned. Owns the invariant that a
 * header changes by one store and carries its own check, so a reader sees the old or the new one and never a mixture.
 *
 * <pre>
 * bits  0-15  class id, 0 = free
 * bit   16    valid
 * bits 17-25  generation, advanced by every free
 * bits 26-55  payload bytes
 * bits 56-63  check over the rest
 * </pre>
 *
 * A reference is {@code generation << 48 | offset}, so one that outlived its object does not match the header.
 * Worked example: class 17, valid, generation 3, 24 bytes: {@code check << 56 | 24 << 26 | 3 << 17 | 1 << 16 | 17}.
 */
final class Header {
    static final int GENERATIONS = 512;
    static final long OFFSET_MASK = (1L << 48) - 1;
    private static final long BODY = (1L << 56) - 1;

    private Header() {
    }

    static long of(int classId, boolean valid, int generation, long bytes) {
        return checked((classId & 0xFFFFL) | (valid ? 1L << 16 : 0) | ((long) generation << 17) | (bytes << 26));
    }

    static long free(int generation) {
        return of(0, false, generation, 0);
    }

    private static long checked(long body) {
        long h = body * 0x9E3779B97F4A7C15L;
        h ^= h >>> 29;
        h *= 0xBF58476D1CE4E5B9L;
        return body | ((h >>> 56) ^ 0x5A) << 56;
    }

    static boolean sound(long header) {
        return checked(header & BODY) == header;
    }

    static int classId(long header) {
        return (int) header & 0xFFFF;
    }

    static boolean valid(long header) {
        return (header & 1L << 16) != 0;
    }

    static long validated(long header) {
        return checked((header & BODY) | 1L << 16);
    }

    static int generation(long header) {
        return (int) (header >>> 17) & (GENERATIONS - 1);
    }

    static long bytes(long header) {
        return (header >>> 26) & ((1L << 30) - 1);
    }

    static long freed(long header) {
        return free((generation(header) + 1) & (GENERATIONS - 1));
    }

    static long ref(long off, long header) {
        return off | (long) generation(header) << 48;
    }

    static long offset(long ref) {
        return ref & OFFSET_MASK;
    }

    static int refGeneration(long ref) {
        return (int) (ref >>> 48) & 0xFFFF;
    }
}
