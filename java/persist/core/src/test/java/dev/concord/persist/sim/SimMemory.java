package dev.concord.persist.sim;

import dev.concord.persist.core.Memory;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Mapped memory that tells its medium of every store, cut into pieces that cannot tear. */
final class SimMemory extends Memory {
    private final SimMedium medium;
    private final int[] base = new int[64];

    SimMemory(SimMedium medium, int shift) {
        super(shift);
        this.medium = medium;
        Arrays.fill(base, -1);
    }

    @Override
    public void addSegment(int index, ByteBuffer buffer) {
        super.addSegment(index, buffer);
        Integer pos = medium.position(buffer);
        base[index] = pos == null ? -1 : pos;
    }

    int filePosition(long off) {
        return base[(int) (off >>> shift())] + (int) (off & (1L << shift()) - 1);
    }

    private void tell(long off, byte[] b) {
        if (base[(int) (off >>> shift())] < 0) {
            return; // a private mapping never reaches the medium
        }
        int pos = filePosition(off);
        for (int i = 0; i < b.length;) {
            int n = Math.min(b.length - i, 8 - (pos + i) % 8);
            medium.stored(pos + i, Arrays.copyOfRange(b, i, i + n));
            i += n;
        }
    }

    private static byte[] little(long v, int n) {
        byte[] b = new byte[n];
        for (int i = 0; i < n; i++) {
            b[i] = (byte) (v >>> 8 * i);
        }
        return b;
    }

    @Override
    public void putByte(long off, byte v) {
        super.putByte(off, v);
        tell(off, little(v, 1));
    }

    @Override
    public void putShort(long off, short v) {
        super.putShort(off, v);
        tell(off, little(v, 2));
    }

    @Override
    public void putInt(long off, int v) {
        super.putInt(off, v);
        tell(off, little(v, 4));
    }

    @Override
    public void putLong(long off, long v) {
        super.putLong(off, v);
        tell(off, little(v, 8));
    }

    @Override
    public void putLongs(long off, byte[] src, int pos, int n) {
        super.putLongs(off, src, pos, n);
        tell(off, Arrays.copyOfRange(src, pos, pos + 8 * n));
    }

    @Override
    public void putFrom(long off, dev.concord.persist.core.Memory from, long at, int len) {
        byte[] b = new byte[len];
        from.getBytes(at, b, 0, len);
        putBytes(off, b, 0, len);
    }

    @Override
    public void putBytes(long off, byte[] src, int pos, int len) {
        super.putBytes(off, src, pos, len);
        tell(off, Arrays.copyOfRange(src, pos, pos + len));
    }
}
