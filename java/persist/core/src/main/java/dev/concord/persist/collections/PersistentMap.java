package dev.concord.persist.collections;

import dev.concord.persist.PersistentObject;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * What the maps have in common. Owns the contract of {@code ConcurrentMap}: each compound operation is one modification,
 * decided inside it; what it finds before, without a block, only spares the block. One that finds nothing to do returns when
 * what it found is durable, as if it had done it. Finding, storing and removing a pair are the map's own.
 */
abstract class PersistentMap<K, V> extends PersistentObject implements ConcurrentMap<K, V> {
    static final String $jnvm$fields = "";

    PersistentMap() {
    }

    PersistentMap(Resurrection r) {
        super(r);
    }

    /** Runs a modification, in the current block or as one; no other of this map overlaps it. One that changes nothing confirms. */
    public abstract <R> R change(Supplier<R> body);

    /** Within a modification: stores a pair and returns the value it replaces. */
    abstract V putNow(K key, V value);

    /** Within a modification: removes a pair and returns its value, null if there is none. */
    abstract V removeNow(Object key);

    /** A map of the JDK's over the same pairs, for what it does by walking them. */
    abstract Map<K, V> view();

    @Override
    public boolean isEmpty() {
        return size() == 0;
    }

    @Override
    public boolean containsValue(Object value) {
        return values().contains(Objects.requireNonNull(value));
    }

    @Override
    public V put(K key, V value) {
        Objects.requireNonNull(key);
        Objects.requireNonNull(value);
        return change(() -> putNow(key, value));
    }

    private <R> R found(R what) {
        jnvm$core().confirm();
        return what;
    }

    @Override
    public V remove(Object key) {
        return containsKey(key) ? change(() -> removeNow(key)) : found(null);
    }

    @Override
    public boolean remove(Object key, Object value) {
        return containsKey(key) && value != null ? change(() -> value.equals(get(key)) && removeNow(key) != null) : found(false);
    }

    @Override
    public V putIfAbsent(K key, V value) {
        Objects.requireNonNull(value);
        V seen = get(key);
        return seen != null ? found(seen) : change(() -> {
            V there = get(key);
            return there != null ? there : putNow(key, value);
        });
    }

    @Override
    public boolean replace(K key, V expected, V value) {
        Objects.requireNonNull(expected);
        Objects.requireNonNull(value);
        return containsKey(key) ? change(() -> expected.equals(get(key)) && putNow(key, value) != null) : found(false);
    }

    @Override
    public V replace(K key, V value) {
        Objects.requireNonNull(value);
        return containsKey(key) ? change(() -> containsKey(key) ? putNow(key, value) : null) : found(null);
    }

    @Override
    public V compute(K key, BiFunction<? super K, ? super V, ? extends V> f) {
        Objects.requireNonNull(key);
        return change(() -> {
            V old = get(key);
            V now = f.apply(key, old);
            if (now != null) {
                putNow(key, now);
            } else if (old != null) {
                removeNow(key);
            }
            return now;
        });
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> m) {
        if (!m.isEmpty()) {
            change(() -> {
                m.forEach((k, v) -> putNow(Objects.requireNonNull(k), Objects.requireNonNull(v)));
                return null;
            });
        }
    }

    @Override
    public Set<K> keySet() {
        return new RemovingKeys<>(view().keySet(), this);
    }

    @Override
    public Collection<V> values() {
        return view().values();
    }

    @Override
    public Set<Entry<K, V>> entrySet() {
        return view().entrySet();
    }

    @Override
    public boolean equals(Object o) {
        return o == this || view().equals(o);
    }

    @Override
    public int hashCode() {
        return view().hashCode();
    }

    @Override
    public String toString() {
        return view().toString();
    }

    /** The entries of a map that finds, removes and clears by itself; only the walk is given. */
    static final class Entries<K, V> extends AbstractSet<Entry<K, V>> {
        private final Map<K, V> map;
        private final Supplier<Iterator<Entry<K, V>>> walk;

        Entries(Map<K, V> map, Supplier<Iterator<Entry<K, V>>> walk) {
            this.map = map;
            this.walk = walk;
        }

        @Override
        public Iterator<Entry<K, V>> iterator() {
            return walk.get();
        }

        @Override
        public int size() {
            return map.size();
        }

        @Override
        public boolean isEmpty() {
            return map.isEmpty();
        }

        @Override
        public boolean contains(Object o) {
            return o instanceof Entry<?, ?> e && e.getKey() != null && e.getValue() != null && e.getValue().equals(map.get(e.getKey()));
        }

        @Override
        public boolean remove(Object o) {
            return o instanceof Entry<?, ?> e && e.getKey() != null && map.remove(e.getKey(), e.getValue());
        }

        @Override
        public void clear() {
            map.clear();
        }
    }

    /** A view that is a set of entries; what is asked by key goes to the map itself. */
    static final class View<K, V> extends AbstractMap<K, V> {
        private final Map<K, V> map;
        private final Set<Entry<K, V>> entries;

        View(Map<K, V> map, Supplier<Iterator<Entry<K, V>>> walk) {
            this.map = map;
            this.entries = new Entries<>(map, walk);
        }

        @Override
        public Set<Entry<K, V>> entrySet() {
            return entries;
        }

        @Override
        public boolean containsKey(Object key) {
            return map.containsKey(key);
        }

        @Override
        public V get(Object key) {
            return map.get(key);
        }

        @Override
        public V remove(Object key) {
            return map.remove(key);
        }
    }

    /** An entry whose value is set in the map it came from. */
    static final class WriteThrough<K, V> extends AbstractMap.SimpleEntry<K, V> {
        private static final long serialVersionUID = 1;
        private final transient Map<K, V> map;

        WriteThrough(Map<K, V> map, K key, V value) {
            super(key, value);
            this.map = map;
        }

        @Override
        public V setValue(V v) {
            map.put(getKey(), v);
            return super.setValue(v);
        }
    }
}
