package dev.concord.persist.collections;

import dev.concord.persist.PersistentObject;
import java.util.Objects;

/** A fixed array of bytes in the heap, contiguous whatever its length. */
public final class PByteArray extends PersistentObject {
    static final String $jnvm$fields = "[B";
    /** Never changes, while looking at the header would cost as much as the access. */
    private final transient int length;

    /** All zeros. */
    public PByteArray(int length) {
        super(length);
        this.length = length;
    }

    public PByteArray(byte[] content) {
        super(content.length);
        length = content.length;
        jnvm$core().putBytes(jnvm$live(), 0, content, 0, content.length);
    }

    PByteArray(Resurrection r) {
        super(r);
        length = (int) persistentSize();
    }

    public int length() {
        return length;
    }

    public byte get(int i) {
        Objects.checkIndex(i, length);
        return jnvm$core().getByte(jnvm$live(), i);
    }

    public void set(int i, byte v) {
        Objects.checkIndex(i, length);
        if (jnvm$core().inBlock()) {
            jnvm$core().putByte(jnvm$live(), i, v);
        } else {
            jnvm$core().atomic(() -> jnvm$core().putByte(jnvm$live(), i, v));
        }
    }

    public void read(int at, byte[] dst, int pos, int len) {
        Objects.checkFromIndexSize(at, len, length);
        jnvm$core().getBytes(jnvm$live(), at, dst, pos, len);
    }

    public byte[] toArray() {
        byte[] b = new byte[length()];
        read(0, b, 0, b.length);
        return b;
    }

    public void write(int at, byte[] src, int pos, int len) {
        Objects.checkFromIndexSize(at, len, length);
        if (jnvm$core().inBlock()) {
            jnvm$core().putBytes(jnvm$live(), at, src, pos, len);
        } else {
            jnvm$core().putBytesAtomic(this, at, src, pos, len);
        }
    }

    /** A plain store without a block, for low-level code that orders it with {@link #pwbRange} and {@code pfence}. */
    public void writeLowLevel(int at, byte[] src, int pos, int len) {
        Objects.checkFromIndexSize(at, len, length);
        jnvm$core().putBytes(jnvm$live(), at, src, pos, len);
    }

    public void pwbRange(int at, int len) {
        Objects.checkFromIndexSize(at, len, length);
        jnvm$core().pwb(jnvm$live() + at, len);
    }
}
