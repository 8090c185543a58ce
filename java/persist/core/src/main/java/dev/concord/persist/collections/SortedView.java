package dev.concord.persist.collections;

import dev.concord.persist.PersistentObject;
import java.util.AbstractMap;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentNavigableMap;

/**
 * A sorted map, or a range of one, in either direction. Owns the bounds: nothing outside them is found, stored or removed
 * through the view. Finding neighbours is the owner's.
 */
final class SortedView<K, V> extends AbstractMap<K, V> implements ConcurrentNavigableMap<K, V> {
    private static final int BATCH = 32;
    private final SortedOwner<K, V> owner;
    private final K low;
    private final boolean lowInclusive;
    private final K high;
    private final boolean highInclusive;
    private final boolean descending;

    SortedView(SortedOwner<K, V> owner) {
        this(owner, null, false, null, false, false);
    }

    /** Bounds are in ascending order whatever the direction; null is none. */
    private SortedView(SortedOwner<K, V> owner, K low, boolean lowInclusive, K high, boolean highInclusive, boolean descending) {
        this.owner = owner;
        this.low = low;
        this.lowInclusive = lowInclusive;
        this.high = high;
        this.highInclusive = highInclusive;
        this.descending = descending;
        if (low != null && high != null && compare(low, high) > 0) {
            throw new IllegalArgumentException("range ends before it begins");
        }
    }

    @SuppressWarnings("unchecked")
    private int compare(Object a, Object b) {
        Comparator<? super K> c = owner.comparator();
        return c != null ? c.compare((K) a, (K) b) : ((Comparable<Object>) a).compareTo(b);
    }

    private boolean tooLow(Object key) {
        int c = low == null ? 1 : compare(key, low);
        return c < 0 || c == 0 && !lowInclusive;
    }

    private boolean tooHigh(Object key) {
        int c = high == null ? -1 : compare(key, high);
        return c > 0 || c == 0 && !highInclusive;
    }

    private boolean inRange(Object key) {
        Objects.requireNonNull(key);
        return !tooLow(key) && !tooHigh(key);
    }

    private void requireInRange(K key) {
        if (!inRange(key)) {
            throw new IllegalArgumentException("key out of range");
        }
    }

    private boolean isWhole() {
        return low == null && high == null;
    }

    // ---- map ------------------------------------------------------------------------------------------------------

    @Override
    public V get(Object key) {
        return inRange(key) ? owner.get(key) : null;
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
        return inRange(key) ? owner.remove(key) : null;
    }

    @Override
    public boolean remove(Object key, Object value) {
        return inRange(key) && owner.remove(key, value);
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
        for (Iterator<Entry<K, V>> i = new Walk(); i.hasNext(); i.next()) {
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

    /** Weakly consistent: a batch of entries at a time, the next one from the last key on. */
    private final class Walk implements Iterator<Entry<K, V>> {
        private List<Entry<K, V>> batch = batch(null, false, 4);
        private int at;
        private K last;
        private K removable;

        private boolean fill() {
            if (at == batch.size() && !batch.isEmpty()) {
                batch = batch(last, false, BATCH);
                at = 0;
                requireProgress();
            }
            return at < batch.size();
        }

        /** Keys that were damaged may lead back to where the walk has been, for ever. */
        private void requireProgress() {
            if (!batch.isEmpty()) {
                int c = compare(batch.get(batch.size() - 1).getKey(), last);
                if (descending ? c >= 0 : c <= 0) {
                    PersistentObject map = (PersistentObject) owner;
                    throw map.heap().core().damaged(map, "the keys of this map are out of order");
                }
            }
        }

        @Override
        public boolean hasNext() {
            return fill();
        }

        @Override
        public Entry<K, V> next() {
            if (!fill()) {
                throw new NoSuchElementException();
            }
            Entry<K, V> e = batch.get(at++);
            last = e.getKey();
            removable = last;
            return e;
        }

        @Override
        public void remove() {
            if (removable == null) {
                throw new IllegalStateException();
            }
            owner.remove(removable);
            removable = null;
        }
    }

    @Override
    public Set<Entry<K, V>> entrySet() {
        return new PersistentMap.Entries<>(this, Walk::new);
    }

    // ---- order ----------------------------------------------------------------------------------------------------

    @Override
    public Comparator<? super K> comparator() {
        Comparator<? super K> c = owner.comparator();
        return descending ? java.util.Collections.reverseOrder(c) : c;
    }

    /** Entries of the range from a key on in the direction of this view, or from its beginning. */
    private List<Entry<K, V>> batch(K from, boolean inclusive, int most) {
        return batch(from, inclusive, descending, most);
    }

    private List<Entry<K, V>> batch(K from, boolean inclusive, boolean down, int most) {
        K begin = from;
        boolean with = inclusive;
        if (down ? from == null || tooHigh(from) : from == null || tooLow(from)) {
            begin = down ? high : low;
            with = down ? highInclusive : lowInclusive;
        }
        List<Entry<K, V>> found = owner.run(begin, with, down, most);
        int n = found.size();
        while (n > 0 && (down ? tooLow(found.get(n - 1).getKey()) : tooHigh(found.get(n - 1).getKey()))) {
            n--;
        }
        return n == found.size() ? found : found.subList(0, n);
    }

    /** The nearest entry in the direction of this view or against it, as it is now. */
    private Entry<K, V> near(K key, boolean inclusive, boolean backwards) {
        List<Entry<K, V>> one = batch(key, inclusive, descending != backwards, 1);
        return one.isEmpty() ? null : new SimpleImmutableEntry<>(one.get(0));
    }

    private static <K, V> K key(Entry<K, V> e) {
        return e == null ? null : e.getKey();
    }

    @Override
    public Entry<K, V> lowerEntry(K k) {
        return near(Objects.requireNonNull(k), false, true);
    }

    @Override
    public K lowerKey(K k) {
        return key(lowerEntry(k));
    }

    @Override
    public Entry<K, V> floorEntry(K k) {
        return near(Objects.requireNonNull(k), true, true);
    }

    @Override
    public K floorKey(K k) {
        return key(floorEntry(k));
    }

    @Override
    public Entry<K, V> ceilingEntry(K k) {
        return near(Objects.requireNonNull(k), true, false);
    }

    @Override
    public K ceilingKey(K k) {
        return key(ceilingEntry(k));
    }

    @Override
    public Entry<K, V> higherEntry(K k) {
        return near(Objects.requireNonNull(k), false, false);
    }

    @Override
    public K higherKey(K k) {
        return key(higherEntry(k));
    }

    @Override
    public Entry<K, V> firstEntry() {
        return near(null, false, false);
    }

    @Override
    public Entry<K, V> lastEntry() {
        return near(null, false, true);
    }

    private Entry<K, V> poll(boolean last) {
        if (near(null, false, last) == null) {
            return null;
        }
        return owner.change(() -> {
            Entry<K, V> e = near(null, false, last);
            if (e != null) {
                owner.remove(e.getKey());
            }
            return e;
        });
    }

    @Override
    public Entry<K, V> pollFirstEntry() {
        return poll(false);
    }

    @Override
    public Entry<K, V> pollLastEntry() {
        return poll(true);
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

    /** A part of this view, the bounds in its direction; a bound not given stays what it is. */
    private SortedView<K, V> range(K from, boolean fromInclusive, K to, boolean toInclusive) {
        K l = descending ? to : from;
        boolean li = descending ? toInclusive : fromInclusive;
        K h = descending ? from : to;
        boolean hi = descending ? fromInclusive : toInclusive;
        if (l != null && outside(l, li) || h != null && outside(h, hi)) {
            throw new IllegalArgumentException("bound out of range");
        }
        return new SortedView<>(owner, l == null ? low : l, l == null ? lowInclusive : li, h == null ? high : h, h == null ? highInclusive : hi, descending);
    }

    /** An exclusive bound may lie on an exclusive bound of the view. */
    private boolean outside(K bound, boolean inclusive) {
        int l = low == null ? 1 : compare(bound, low);
        int h = high == null ? -1 : compare(bound, high);
        return l < 0 || h > 0 || inclusive && (l == 0 && !lowInclusive || h == 0 && !highInclusive);
    }

    @Override
    public ConcurrentNavigableMap<K, V> subMap(K from, boolean fi, K to, boolean ti) {
        return range(Objects.requireNonNull(from), fi, Objects.requireNonNull(to), ti);
    }

    @Override
    public ConcurrentNavigableMap<K, V> headMap(K to, boolean inclusive) {
        return range(null, false, Objects.requireNonNull(to), inclusive);
    }

    @Override
    public ConcurrentNavigableMap<K, V> tailMap(K from, boolean inclusive) {
        return range(Objects.requireNonNull(from), inclusive, null, false);
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
        return new SortedView<>(owner, low, lowInclusive, high, highInclusive, !descending);
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
