package dev.concord.persist.collections;

import dev.concord.persist.PersistentObject;
import java.util.Objects;

/** A fixed array of longs in the heap. */
public final class PLongArray extends PersistentObject {
    static final String $jnvm$fields = "[B";
    /** Never changes, while looking at the header would cost as much as the access. */
    private final transient int length;

    /** All zeros. */
    public PLongArray(int length) {
        super(8L * length);
        this.length = length;
    }

    PLongArray(Resurrection r) {
        super(r);
        length = (int) (persistentSize() / 8);
    }

    public int length() {
        return length;
    }

    public long get(int i) {
        Objects.checkIndex(i, length);
        return jnvm$core().getLong(jnvm$live(), 8L * i);
    }

    public void set(int i, long v) {
        Objects.checkIndex(i, length);
        if (jnvm$core().inBlock()) {
            jnvm$core().putLong(jnvm$live(), 8L * i, v);
        } else {
            jnvm$core().atomic(() -> jnvm$core().putLong(jnvm$live(), 8L * i, v));
        }
    }

    /** A plain store without a block, for low-level code. */
    public void setLowLevel(int i, long v) {
        Objects.checkIndex(i, length);
        jnvm$core().putLong(jnvm$live(), 8L * i, v);
    }

    public void pwbElement(int i) {
        Objects.checkIndex(i, length);
        jnvm$core().pwb(jnvm$live() + 8L * i, 8);
    }
}
