package dev.concord.persist.collections;

import java.util.Objects;

/** A hash map with a volatile mirror: fastest reads, memory and opening time grow with the number of keys. */
public final class PHashMap<K, V> extends MirrorMap<K, V> {
    static final String $jnvm$fields = "";
    private final transient HashPlaces places = new HashPlaces();

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
    @SuppressWarnings("unchecked")
    public V get(Object key) {
        Object v = places.value(Objects.requireNonNull(key));
        return v != null ? (V) v : super.get(key);
    }

    @Override
    Places places() {
        return places;
    }
}
