package dev.concord.persist.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A growable little-endian byte writer and its reader, for encoded values. */
final class Bytes {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    byte[] buf;
    int at;

    Bytes(int capacity) {
        buf = new byte[capacity];
    }

    Bytes(byte[] content) {
        buf = content;
    }

    static long getLong(byte[] b, int i) {
        return (long) LONG.get(b, i);
    }

    /** Makes room; may replace the buffer, so its result is taken before the buffer is named. */
    private int room(int n) {
        if (at + n > buf.length) {
            buf = Arrays.copyOf(buf, Math.max(buf.length * 2, at + n));
        }
        int p = at;
        at += n;
        return p;
    }

    byte[] toArray() {
        return at == buf.length ? buf : Arrays.copyOf(buf, at);
    }

    void put(int b) {
        int p = room(1);
        buf[p] = (byte) b;
    }

    void putShort(int v) {
        int p = room(2);
        SHORT.set(buf, p, (short) v);
    }

    void putInt(int v) {
        int p = room(4);
        INT.set(buf, p, v);
    }

    void putLong(long v) {
        int p = room(8);
        LONG.set(buf, p, v);
    }

    void putBytes(byte[] b) {
        int p = room(b.length);
        System.arraycopy(b, 0, buf, p, b.length);
    }

    byte get() {
        return buf[at++];
    }

    short getShort() {
        at += 2;
        return (short) SHORT.get(buf, at - 2);
    }

    int getInt() {
        at += 4;
        return (int) INT.get(buf, at - 4);
    }

    long getLong() {
        at += 8;
        return (long) LONG.get(buf, at - 8);
    }

    byte[] getBytes(int n) {
        at += n;
        return Arrays.copyOfRange(buf, at - n, at);
    }
}
