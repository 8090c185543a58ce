package dev.concord.persist.collections;

import dev.concord.persist.PersistentObject;
import dev.concord.persist.core.HeapCore;
import java.util.Objects;

/** A fixed array of objects or values; elements may be null. */
public final class PArray<T> extends PersistentObject {
    static final String $jnvm$fields = "[R";

    public PArray(int length) {
        super(8L * length);
    }

    PArray(Resurrection r) {
        super(r);
    }

    public int length() {
        return (int) (persistentSize() / 8);
    }

    @SuppressWarnings("unchecked")
    public T get(int i) {
        Objects.checkIndex(i, length());
        return (T) jnvm$core().fetch(jnvm$core().getLong(jnvm$live(), 8L * i));
    }

    public void set(int i, T v) {
        Objects.checkIndex(i, length());
        HeapCore h = jnvm$core();
        h.atomic(() -> h.putAny(jnvm$live(), 8L * i, v));
    }

    @Override
    protected void jnvm$freeParts() {
        HeapCore h = jnvm$core();
        for (int i = 0, n = length(); i < n; i++) {
            h.drop(h.getLong(jnvm$live(), 8L * i));
        }
    }
}
