package dev.concord.persist.collections;

import dev.concord.persist.collections.MirrorMap.Slot;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentNavigableMap;

/**
 * A sorted map, or a range of one in either direction, over the places of a mirror. Order and navigation are the mirror's;
 * this view only steps over places that hold nothing and sends modifications to the owner.
 */
final class SortedView<K extends Comparable<? super K>, V> extends AbstractMap<K, V> implements ConcurrentNavigableMap<K, V> {
    private final PSkipListMap<K, V> owner;
    private final ConcurrentNavigableMap<K, Slot> places;
    private final K low;
    private final boolean lowInclusive;
    private final K high;
    private final boolean highInclusive;
    private final boolean descending;

    /** Bounds are in ascending order whatever the direction; null is none. */
    SortedView(PSkipListMap<K, V> owner, ConcurrentNavigableMap<K, Slot> places, K low, boolean lowInclusive, K high, boolean highInclusive,
            boolean descending) {
        this.owner = owner;
        this.places = places;
        this.low = low;
        this.lowInclusive = lowInclusive;
        this.high = high;
        this.highInclusive = highInclusive;
        this.descending = descending;
    }

    private boolean inRange(K key) {
        int l = low == null ? 1 : key.compareTo(low);
        int h = high == null ? -1 : key.compareTo(high);
        return (lowInclusive ? l >= 0 : l > 0) && (highInclusive ? h <= 0 : h < 0);
    }

    private void requireInRange(K key) {
        if (!inRange(Objects.requireNonNull(key))) {
            throw new IllegalArgumentException("key out of range");
        }
    }

    private boolean isWhole() {
        return low == null && high == null;
    }

    // ---- map ------------------------------------------------------------------------------------------------------

    @Override
    public V get(Object key) {
        Slot s = places.get(Objects.requireNonNull(key));
        return s == null ? null : owner.get(key);
    }

    @Override
    public boolean containsKey(Object key) {
        return get(key) != null;
    }

    @Override
    public V put(K key, V value) {
        requireInRange(key);
        return owner.put(key, value);
    }

    @Override
    public V remove(Object key) {
        return get(key) == null ? null : owner.remove(key);
    }

    @Override
    public boolean remove(Object key, Object value) {
        return get(key) != null && owner.remove(key, value);
    }

    @Override
    public V putIfAbsent(K key, V value) {
        requireInRange(key);
        return owner.putIfAbsent(key, value);
    }

    @Override
    public boolean replace(K key, V expected, V value) {
        requireInRange(key);
        return owner.replace(key, expected, value);
    }

    @Override
    public V replace(K key, V value) {
        requireInRange(key);
        return owner.replace(key, value);
    }

    @Override
    public int size() {
        if (isWhole()) {
            return owner.size();
        }
        int n = 0;
        for (Iterator<Entry<K, V>> i = owner.entries(places.entrySet().iterator()); i.hasNext(); i.next()) {
            n++;
        }
        return n;
    }

    @Override
    public boolean isEmpty() {
        return firstEntry() == null;
    }

    @Override
    public void clear() {
        if (isWhole()) {
            owner.clear();
        } else {
            entrySet().removeIf(e -> true);
        }
    }

    @Override
    public Set<Entry<K, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Entry<K, V>> iterator() {
                return owner.entries(places.entrySet().iterator());
            }

            @Override
            public int size() {
                return SortedView.this.size();
            }

            @Override
            public boolean isEmpty() {
                return SortedView.this.isEmpty();
            }

            @Override
            public boolean contains(Object o) {
                return o instanceof Entry<?, ?> e && e.getKey() != null && e.getValue() != null && e.getValue().equals(SortedView.this.get(e.getKey()));
            }

            @Override
            public boolean remove(Object o) {
                return o instanceof Entry<?, ?> e && e.getKey() != null && SortedView.this.remove(e.getKey(), e.getValue());
            }

            @Override
            public void clear() {
                SortedView.this.clear();
            }
        };
    }

    // ---- order ----------------------------------------------------------------------------------------------------

    @Override
    public Comparator<? super K> comparator() {
        return descending ? java.util.Collections.reverseOrder() : null;
    }

    private Entry<K, V> next(Entry<K, Slot> e) {
        while (e != null) {
            Entry<K, V> live = owner.entry(e.getKey(), e.getValue());
            if (live != null) {
                return new SimpleImmutableEntry<>(live);
            }
            e = places.higherEntry(e.getKey());
        }
        return null;
    }

    private Entry<K, V> previous(Entry<K, Slot> e) {
        while (e != null) {
            Entry<K, V> live = owner.entry(e.getKey(), e.getValue());
            if (live != null) {
                return new SimpleImmutableEntry<>(live);
            }
            e = places.lowerEntry(e.getKey());
        }
        return null;
    }

    private static <K, V> K key(Entry<K, V> e) {
        return e == null ? null : e.getKey();
    }

    @Override
    public Entry<K, V> lowerEntry(K k) {
        return previous(places.lowerEntry(k));
    }

    @Override
    public K lowerKey(K k) {
        return key(lowerEntry(k));
    }

    @Override
    public Entry<K, V> floorEntry(K k) {
        return previous(places.floorEntry(k));
    }

    @Override
    public K floorKey(K k) {
        return key(floorEntry(k));
    }

    @Override
    public Entry<K, V> ceilingEntry(K k) {
        return next(places.ceilingEntry(k));
    }

    @Override
    public K ceilingKey(K k) {
        return key(ceilingEntry(k));
    }

    @Override
    public Entry<K, V> higherEntry(K k) {
        return next(places.higherEntry(k));
    }

    @Override
    public K higherKey(K k) {
        return key(higherEntry(k));
    }

    @Override
    public Entry<K, V> firstEntry() {
        return next(places.firstEntry());
    }

    @Override
    public Entry<K, V> lastEntry() {
        return previous(places.lastEntry());
    }

    private Entry<K, V> poll(java.util.function.Supplier<Entry<K, V>> which) {
        if (which.get() == null) {
            return null;
        }
        return owner.change(() -> {
            Entry<K, V> e = which.get();
            if (e != null) {
                owner.remove(e.getKey());
            }
            return e;
        });
    }

    @Override
    public Entry<K, V> pollFirstEntry() {
        return poll(this::firstEntry);
    }

    @Override
    public Entry<K, V> pollLastEntry() {
        return poll(this::lastEntry);
    }

    private static <K> K required(K k) {
        if (k == null) {
            throw new NoSuchElementException();
        }
        return k;
    }

    @Override
    public K firstKey() {
        return required(key(firstEntry()));
    }

    @Override
    public K lastKey() {
        return required(key(lastEntry()));
    }

    // ---- ranges ---------------------------------------------------------------------------------------------------

    private SortedView<K, V> range(ConcurrentNavigableMap<K, Slot> part, K from, boolean fromInclusive, K to, boolean toInclusive) {
        // In the direction of this view; a bound not given stays what it is.
        K nl = descending ? to : from;
        boolean nli = descending ? toInclusive : fromInclusive;
        K nh = descending ? from : to;
        boolean nhi = descending ? fromInclusive : toInclusive;
        return new SortedView<>(owner, part, nl == null ? low : nl, nl == null ? lowInclusive : nli, nh == null ? high : nh,
                nh == null ? highInclusive : nhi, descending);
    }

    @Override
    public ConcurrentNavigableMap<K, V> subMap(K from, boolean fi, K to, boolean ti) {
        return range(places.subMap(from, fi, to, ti), from, fi, to, ti);
    }

    @Override
    public ConcurrentNavigableMap<K, V> headMap(K to, boolean inclusive) {
        return range(places.headMap(to, inclusive), null, false, to, inclusive);
    }

    @Override
    public ConcurrentNavigableMap<K, V> tailMap(K from, boolean inclusive) {
        return range(places.tailMap(from, inclusive), from, inclusive, null, false);
    }

    @Override
    public ConcurrentNavigableMap<K, V> subMap(K from, K to) {
        return subMap(from, true, to, false);
    }

    @Override
    public ConcurrentNavigableMap<K, V> headMap(K to) {
        return headMap(to, false);
    }

    @Override
    public ConcurrentNavigableMap<K, V> tailMap(K from) {
        return tailMap(from, true);
    }

    @Override
    public ConcurrentNavigableMap<K, V> descendingMap() {
        return new SortedView<>(owner, places.descendingMap(), low, lowInclusive, high, highInclusive, !descending);
    }

    @Override
    public NavigableSet<K> navigableKeySet() {
        return new SortedKeys<>(this);
    }

    @Override
    public NavigableSet<K> keySet() {
        return navigableKeySet();
    }

    @Override
    public NavigableSet<K> descendingKeySet() {
        return descendingMap().navigableKeySet();
    }
}
