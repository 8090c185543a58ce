package dev.concord.persist.core;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * The heap's address space: equally sized segments, addressed by one offset. Owns the invariant that an aligned access
 * of up to eight bytes is one access of the underlying buffer, hence never torn.
 *
 * <p>Buffers rather than raw addresses: a stray offset is an exception and an access after close reads a page that is
 * still mapped, where raw memory would take the process down.
 */
public class Memory {
    /** Bound on the number of segments; the table is allocated once so that readers need no fence to see it. */
    static final int MAX_SEGMENTS = 1 << 12;

    private final ByteBuffer[] segments = new ByteBuffer[MAX_SEGMENTS];
    private final LongBuffer[] words = new LongBuffer[MAX_SEGMENTS];
    private final int shift;
    private final int mask;

    public Memory(int shift) {
        this.shift = shift;
        this.mask = (1 << shift) - 1;
    }

    public final int shift() {
        return shift;
    }

    public void addSegment(int index, ByteBuffer buffer) {
        segments[index] = buffer.order(ByteOrder.LITTLE_ENDIAN);
        words[index] = segments[index].asLongBuffer();
    }

    public final ByteBuffer segment(int index) {
        return segments[index];
    }

    private ByteBuffer seg(long off) {
        return segments[(int) (off >>> shift)];
    }

    private int at(long off) {
        return (int) off & mask;
    }

    public final byte getByte(long off) {
        return seg(off).get(at(off));
    }

    public final short getShort(long off) {
        return seg(off).getShort(at(off));
    }

    public final int getInt(long off) {
        return seg(off).getInt(at(off));
    }

    public final long getLong(long off) {
        return seg(off).getLong(at(off));
    }

    /** Copies {@code n} aligned longs, for passes over the heap; all of one segment. */
    public final void getLongs(long off, long[] dst, int n) {
        words[(int) (off >>> shift)].get(at(off) >>> 3, dst, 0, n);
    }

    /** Index of the first of {@code n} ascending longs at this offset, all in one object, that is not less than the key. */
    public final int lowerBound(long off, int n, long key) {
        ByteBuffer b = seg(off);
        int base = at(off);
        int lo = 0;
        for (int hi = n; lo < hi;) {
            int mid = lo + hi >>> 1;
            if (b.getLong(base + 8 * mid) < key) {
                lo = mid + 1;
            } else {
                hi = mid;
            }
        }
        return lo;
    }

    public final void getBytes(long off, byte[] dst, int pos, int len) {
        seg(off).get(at(off), dst, pos, len);
    }

    /** How many bytes at this offset, all in one object, are as those of the array from {@code pos} on; -1 if all {@code len} are. */
    public final int mismatch(long off, byte[] b, int pos, int len) {
        return seg(off).slice(at(off), len).mismatch(ByteBuffer.wrap(b, pos, len));
    }

    /** How many of {@code n} words at this offset, all in one object, differ in a row from those of the array. */
    public final int differing(long off, byte[] b, int pos, int n) {
        ByteBuffer s = seg(off);
        int at = at(off);
        int i = 0;
        while (i < n && s.getLong(at + 8 * i) != Bytes.getLong(b, pos + 8 * i)) {
            i++;
        }
        return i;
    }

    public void putByte(long off, byte v) {
        seg(off).put(at(off), v);
    }

    public void putShort(long off, short v) {
        seg(off).putShort(at(off), v);
    }

    public void putInt(long off, int v) {
        seg(off).putInt(at(off), v);
    }

    public void putLong(long off, long v) {
        seg(off).putLong(at(off), v);
    }

    /** Stores {@code n} words, all of one segment, each by one store if the offset is aligned. */
    public void putLongs(long off, byte[] src, int pos, int n) {
        ByteBuffer s = seg(off);
        int at = at(off);
        for (int i = 0; i < n; i++) {
            s.putLong(at + 8 * i, Bytes.getLong(src, pos + 8 * i));
        }
    }

    public void putBytes(long off, byte[] src, int pos, int len) {
        seg(off).put(at(off), src, pos, len);
    }

    /** Copies within one segment each. */
    public void putFrom(long off, Memory from, long at, int len) {
        seg(off).put(at(off), from.seg(at), from.at(at), len);
    }

    private static final byte[] ZEROS = new byte[4096];

    public final void zero(long off, long len) {
        while (len > 0) {
            int n = (int) Math.min(len, ZEROS.length);
            putBytes(off, ZEROS, 0, n);
            off += n;
            len -= n;
        }
    }

    /** Stores one eight-byte pattern over a range whose length is a multiple of eight. */
    public final void fill(long off, long len, long pattern) {
        if (pattern == 0) {
            zero(off, len);
            return;
        }
        for (long p = off, end = off + len; p < end; p += 8) {
            putLong(p, pattern);
        }
    }

    /** A read view of a range within one segment, for the file system. */
    public final ByteBuffer view(long off, int len) {
        return seg(off).slice(at(off), len);
    }
}
