package dev.concord.persist.collections;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** A hash map with a volatile mirror: fastest reads, memory and opening time grow with the number of keys. */
public final class PHashMap<K, V> extends MirrorMap<K, V> {
    static final String $jnvm$fields = "";
    private final transient ConcurrentHashMap<K, Slot> mirror = new ConcurrentHashMap<>();

    public PHashMap() {
        this(Caching.BASE);
    }

    public PHashMap(Caching caching) {
        super(caching);
    }

    PHashMap(Resurrection r) {
        super(r);
    }

    @Override
    ConcurrentMap<K, Slot> mirror() {
        return mirror;
    }
}
