package dev.concord.persist.collections;

import dev.concord.persist.PersistentObject;
import dev.concord.persist.core.HeapCore;

/** A fixed array of places, each empty or leading to an object or an owned value. The building block of the collections. */
final class References extends PersistentObject {
    static final String $jnvm$fields = "[R";

    References(int length) {
        super(8L * length);
    }

    References(Resurrection r) {
        super(r);
    }

    int length() {
        return (int) (persistentSize() / 8);
    }

    long ref(int i) {
        return jnvm$core().getLong(jnvm$live(), 8L * i);
    }

    void ref(int i, long ref) {
        jnvm$core().putLong(jnvm$live(), 8L * i, ref);
    }

    Object fetch(int i) {
        return jnvm$core().fetch(ref(i));
    }

    Object fetchShared(int i) {
        return jnvm$core().fetchShared(jnvm$live(), 8L * i);
    }

    @Override
    protected void jnvm$freeParts() {
        HeapCore h = jnvm$core();
        for (int i = 0, n = length(); i < n; i++) {
            h.drop(ref(i));
        }
    }
}
