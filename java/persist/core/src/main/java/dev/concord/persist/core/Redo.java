package dev.concord.persist.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * One log record, the only form in which a change reaches a log, is applied and is replayed. Owns the format: a 40-byte
 * header and entries that are after-images, so that applying a record twice equals applying it once.
 *
 * <pre>
 * header: magic 4, payload bytes 4, lsn 8, heap uuid low half 8, epoch 4, payload crc32c 4, header crc32c 4, zero 4
 * where the medium keeps the order of stores, magic and length are stored last and there are no checksums ({@link #MARKED})
 * entry:  (offset shl 8 | kind) 8, length 4, then the bytes (kind 1) or one eight-byte pattern (kind 2)
 * </pre>
 */
final class Redo {
    static final int MAGIC = 0x4F_44_45_52;
    /** Of a record that is whole because its first eight bytes are there. */
    static final int MARKED = 0x4D_44_45_52;
    static final int PAD_MAGIC = 0x4F_44_41_50;
    static final int HEADER = 40;
    /** Bytes of an entry before those it stores. */
    static final int ENTRY = 12;
    static final int BYTES = 1;
    static final int FILL = 2;
    private static final int PIECE = 4096;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

    byte[] buf = new byte[512];
    int end = HEADER;
    /** Entries before this position are in memory already (payloads of new objects) and need no applying. */
    int applyFrom = HEADER;
    private final CRC32C crc = new CRC32C();

    /** Receives the entries of a record. */
    interface Sink {
        void bytes(long off, byte[] src, int pos, int len);

        void fill(long off, int len, long pattern);
    }

    static Redo of(byte[] record) {
        Redo r = new Redo();
        r.buf = record;
        r.end = HEADER + (int) INT.get(record, 4);
        return r;
    }

    void reset() {
        end = HEADER;
        applyFrom = HEADER;
        if (buf.length > 1 << 20) {
            buf = new byte[512];
        }
    }

    boolean isEmpty() {
        return end == HEADER;
    }

    /** Bytes the record takes in a log. */
    int total() {
        return (end + 7) & ~7;
    }

    private int room(int n) {
        long need = (long) end + n + 8;
        if (need > buf.length) {
            if (need > Integer.MAX_VALUE - 64) {
                throw new dev.concord.persist.PersistException.Full("one failure-atomic block writes more than 2 GiB");
            }
            buf = Arrays.copyOf(buf, (int) Math.min(Integer.MAX_VALUE - 16, Math.max(need, buf.length * 2L)));
        }
        int at = end;
        end += n;
        return at;
    }

    void addFill(long off, int len, long pattern) {
        int p = room(20);
        LONG.set(buf, p, off << 8 | FILL);
        INT.set(buf, p + 8, len);
        LONG.set(buf, p + 12, pattern);
    }

    void addLong(long off, long v) {
        int p = room(20);
        LONG.set(buf, p, off << 8 | BYTES);
        INT.set(buf, p + 8, 8);
        LONG.set(buf, p + 12, v);
    }

    void addBytes(long off, byte[] src, int pos, int len) {
        int p = room(12 + len);
        LONG.set(buf, p, off << 8 | BYTES);
        INT.set(buf, p + 8, len);
        System.arraycopy(src, pos, buf, p + 12, len);
    }

    /** Adds a range as memory holds it now. */
    void addFromMemory(Memory mem, long off, int len) {
        int p = room(12 + len);
        LONG.set(buf, p, off << 8 | BYTES);
        INT.set(buf, p + 8, len);
        mem.getBytes(off, buf, p + 12, len);
    }

    /** As {@link #addFromMemory}, but pages that hold only zeros leave as a fill: a large new array is mostly that. */
    void addNewObject(Memory mem, long off, int len) {
        int from = 0;
        for (int p = 0; p < len; p += PIECE) {
            int n = Math.min(PIECE, len - p);
            if (n == PIECE && isZero(mem, off + p, n)) {
                if (from < p) {
                    addFromMemory(mem, off + from, p - from);
                }
                addFill(off + p, n, 0);
                from = p + n;
            }
        }
        if (from < len) {
            addFromMemory(mem, off + from, len - from);
        }
    }

    private static boolean isZero(Memory mem, long off, int len) {
        for (int i = 0; i < len; i += 8) {
            if (mem.getLong(off + i) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Adds the pending words: runs of whole neighbouring words leave as one range, partial words byte run by byte run. */
    void addWords(WordSet ws) {
        int n = ws.size();
        for (int i = 0; i < n;) {
            long mask = ws.mask(i);
            if (mask != -1L) {
                addPartial(ws.word(i), ws.value(i), mask);
                i++;
                continue;
            }
            int j = i + 1;
            while (j < n && ws.mask(j) == -1L && ws.word(j) == ws.word(j - 1) + 8) {
                j++;
            }
            int p = room(12 + 8 * (j - i));
            LONG.set(buf, p, ws.word(i) << 8 | BYTES);
            INT.set(buf, p + 8, 8 * (j - i));
            for (int k = i; k < j; k++) {
                LONG.set(buf, p + 12 + 8 * (k - i), ws.value(k));
            }
            i = j;
        }
    }

    private void addPartial(long word, long value, long mask) {
        for (int b = 0; b < 8;) {
            if ((mask >>> 8 * b & 0xFF) == 0) {
                b++;
                continue;
            }
            int e = b;
            while (e < 8 && (mask >>> 8 * e & 0xFF) != 0) {
                e++;
            }
            int p = room(12 + e - b);
            LONG.set(buf, p, word + b << 8 | BYTES);
            INT.set(buf, p + 8, e - b);
            for (int k = b; k < e; k++) {
                buf[p + 12 + k - b] = (byte) (value >>> 8 * k);
            }
            b = e;
        }
    }

    void forEach(int from, Sink sink) {
        for (int p = from; p < end;) {
            long head = (long) LONG.get(buf, p);
            int len = (int) INT.get(buf, p + 8);
            long off = head >>> 8;
            if ((head & 0xFF) == FILL) {
                sink.fill(off, len, (long) LONG.get(buf, p + 12));
                p += 20;
            } else {
                sink.bytes(off, buf, p + 12, len);
                p += 12 + len;
            }
        }
    }

    /** Stores the entries, aligned pieces by single stores so that a concurrent reader sees no torn word. */
    void apply(Memory mem, int from) {
        for (int p = from; p < end;) {
            long head = (long) LONG.get(buf, p);
            int len = (int) INT.get(buf, p + 8);
            long off = head >>> 8;
            if ((head & 0xFF) == FILL) {
                mem.fill(off, len, (long) LONG.get(buf, p + 12));
                p += 20;
                continue;
            }
            p += 12;
            for (int k = 0; k < len;) {
                long at = off + k;
                int left = len - k;
                if ((at & 7) == 0 && left >= 8) {
                    mem.putLongs(at, buf, p + k, left >>> 3);
                    k += left & -8;
                } else if ((at & 3) == 0 && left >= 4) {
                    mem.putInt(at, (int) INT.get(buf, p + k));
                    k += 4;
                } else if ((at & 1) == 0 && left >= 2) {
                    mem.putShort(at, (short) SHORT.get(buf, p + k));
                    k += 2;
                } else {
                    mem.putByte(at, buf[p + k]);
                    k++;
                }
            }
            p += len;
        }
    }

    /** Checksums the payload; done by the committing thread before it takes the log's lock. */
    void seal() {
        crc.reset();
        crc.update(buf, HEADER, end - HEADER);
        INT.set(buf, 4, end - HEADER);
        INT.set(buf, 28, (int) crc.getValue());
    }

    /** Completes the header once the record's place in the log is known. */
    void place(long lsn, long uuidLow, int epoch) {
        header(buf, MAGIC, end - HEADER, lsn, uuidLow, epoch, (int) INT.get(buf, 28), crc);
    }

    /** As {@link #seal} and {@link #place}, without checksums: what is stored before {@link #mark} is stored counts by that alone. */
    void placeUnmarked(long lsn, long uuidLow, int epoch) {
        LONG.set(buf, 8, lsn);
        LONG.set(buf, 16, uuidLow);
        LONG.set(buf, 24, epoch & 0xFFFF_FFFFL);
        LONG.set(buf, 32, 0L);
    }

    /** The first eight bytes of an entry that stores bytes. */
    static long bytesAt(long off) {
        return off << 8 | BYTES;
    }

    /** The first eight bytes of a marked record of this payload. */
    static long mark(int payload) {
        return MARKED | (long) payload << 32;
    }

    /** Payload length if this is the header of a marked record that belongs here, else -1. */
    static int markedLength(byte[] b, long uuidLow, int epoch) {
        boolean good = (int) INT.get(b, 0) == MARKED && (long) LONG.get(b, 16) == uuidLow && (long) LONG.get(b, 24) == (epoch & 0xFFFF_FFFFL)
                && (long) LONG.get(b, 32) == 0;
        return good ? (int) INT.get(b, 4) : -1;
    }

    /** Whether the entries follow each other to the very end and each lies within one of so many segments. */
    boolean wellFormed(int segmentShift, int segments) {
        int p = HEADER;
        while (end - p >= 12) {
            long head = (long) LONG.get(buf, p);
            long len = (int) INT.get(buf, p + 8);
            long off = head >>> 8;
            int kind = (int) head & 0xFF;
            long taken = kind == FILL ? 20 : 12 + len;
            if (kind != FILL && kind != BYTES || len < 0 || taken > end - p || off >>> segmentShift >= segments
                    || (off + Math.max(0, len - 1)) >>> segmentShift != off >>> segmentShift) {
                return false;
            }
            p += (int) taken;
        }
        return p == end;
    }

    static void header(byte[] b, int magic, int len, long lsn, long uuidLow, int epoch, int payloadCrc, CRC32C crc) {
        INT.set(b, 0, magic);
        INT.set(b, 4, len);
        LONG.set(b, 8, lsn);
        LONG.set(b, 16, uuidLow);
        INT.set(b, 24, epoch);
        INT.set(b, 28, payloadCrc);
        crc.reset();
        crc.update(b, 0, 32);
        INT.set(b, 32, (int) crc.getValue());
        INT.set(b, 36, 0);
    }

    /** Payload length if the header verifies and belongs here, else -1. */
    static int verifyHeader(byte[] b, int magic, long lsn, long uuidLow, int epoch, CRC32C crc) {
        crc.reset();
        crc.update(b, 0, 32);
        boolean good = (int) INT.get(b, 0) == magic && (long) LONG.get(b, 16) == uuidLow && (int) INT.get(b, 24) == epoch
                && (lsn < 0 || (long) LONG.get(b, 8) == lsn) && (int) INT.get(b, 32) == (int) crc.getValue();
        return good ? (int) INT.get(b, 4) : -1;
    }

    static boolean verifyPayload(byte[] record, CRC32C crc) {
        int len = (int) INT.get(record, 4);
        crc.reset();
        crc.update(record, HEADER, len);
        return (int) INT.get(record, 28) == (int) crc.getValue();
    }

    static long lsn(byte[] b) {
        return (long) LONG.get(b, 8);
    }
}
