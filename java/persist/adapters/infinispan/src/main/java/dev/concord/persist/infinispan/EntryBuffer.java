package dev.concord.persist.infinispan;

import java.io.OutputStream;
import java.util.Arrays;

/**
 * Where an entry's bytes come together before the heap copies them. Owns the rule that a thread uses one buffer again and
 * again, so that a write leaves no garbage of its entry's size, and that nobody else sees it meanwhile: an entry whose
 * marshalling writes another one, within itself, gets a buffer of its own.
 */
final class EntryBuffer extends OutputStream {
    private static final int FIRST = 1 << 10;
    /** What is larger is not kept. */
    private static final int MOST_KEPT = 1 << 20;
    private static final ThreadLocal<EntryBuffer> OF_THREAD = ThreadLocal.withInitial(EntryBuffer::new);
    private byte[] bytes = new byte[FIRST];
    private int length;
    private boolean taken;

    private EntryBuffer() {
    }

    /** An empty buffer, the caller's until it is closed. */
    static EntryBuffer take() {
        EntryBuffer b = OF_THREAD.get();
        b = b.taken ? new EntryBuffer() : b;
        b.taken = true;
        b.length = 0;
        return b;
    }

    /** What holds the bytes written, from the first on, until more are. */
    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    byte[] toArray() {
        return Arrays.copyOf(bytes, length);
    }

    /** Leaves room for so many bytes, whatever they are, and returns where. */
    int skip(int n) {
        if (n > bytes.length - length) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, n), (int) Math.min(2L * bytes.length, Integer.MAX_VALUE - 8)));
        }
        int at = length;
        length += n;
        return at;
    }

    @Override
    public void write(int b) {
        int at = skip(1);
        bytes[at] = (byte) b;
    }

    @Override
    public void write(byte[] src, int pos, int len) {
        int at = skip(len);
        System.arraycopy(src, pos, bytes, at, len);
    }

    @Override
    public void close() {
        taken = false;
        if (bytes.length > MOST_KEPT) {
            bytes = new byte[FIRST];
        }
    }
}
