package dev.concord.persist.collections;

import java.util.Comparator;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** A sorted map with a volatile skip list as mirror, in the natural order of its keys. */
public final class PSkipListMap<K extends Comparable<? super K>, V> extends MirrorMap<K, V> implements ConcurrentNavigableMap<K, V> {
    static final String $jnvm$fields = "";
    private final transient ConcurrentSkipListMap<K, Slot> mirror = new ConcurrentSkipListMap<>();
    private final transient SortedView<K, V> whole = new SortedView<>(this, mirror, null, false, null, false, false);

    public PSkipListMap() {
        this(Caching.BASE);
    }

    public PSkipListMap(Caching caching) {
        super(caching);
    }

    PSkipListMap(Resurrection r) {
        super(r);
    }

    @Override
    ConcurrentMap<K, Slot> mirror() {
        return mirror;
    }

    @Override
    public Comparator<? super K> comparator() {
        return null;
    }

    @Override
    public ConcurrentNavigableMap<K, V> subMap(K from, boolean fromInclusive, K to, boolean toInclusive) {
        return whole.subMap(from, fromInclusive, to, toInclusive);
    }

    @Override
    public ConcurrentNavigableMap<K, V> headMap(K to, boolean inclusive) {
        return whole.headMap(to, inclusive);
    }

    @Override
    public ConcurrentNavigableMap<K, V> tailMap(K from, boolean inclusive) {
        return whole.tailMap(from, inclusive);
    }

    @Override
    public ConcurrentNavigableMap<K, V> subMap(K from, K to) {
        return whole.subMap(from, to);
    }

    @Override
    public ConcurrentNavigableMap<K, V> headMap(K to) {
        return whole.headMap(to);
    }

    @Override
    public ConcurrentNavigableMap<K, V> tailMap(K from) {
        return whole.tailMap(from);
    }

    @Override
    public ConcurrentNavigableMap<K, V> descendingMap() {
        return whole.descendingMap();
    }

    @Override
    public NavigableSet<K> navigableKeySet() {
        return whole.navigableKeySet();
    }

    @Override
    public NavigableSet<K> keySet() {
        return whole.navigableKeySet();
    }

    @Override
    public NavigableSet<K> descendingKeySet() {
        return whole.descendingKeySet();
    }

    @Override
    public Entry<K, V> lowerEntry(K key) {
        return whole.lowerEntry(key);
    }

    @Override
    public K lowerKey(K key) {
        return whole.lowerKey(key);
    }

    @Override
    public Entry<K, V> floorEntry(K key) {
        return whole.floorEntry(key);
    }

    @Override
    public K floorKey(K key) {
        return whole.floorKey(key);
    }

    @Override
    public Entry<K, V> ceilingEntry(K key) {
        return whole.ceilingEntry(key);
    }

    @Override
    public K ceilingKey(K key) {
        return whole.ceilingKey(key);
    }

    @Override
    public Entry<K, V> higherEntry(K key) {
        return whole.higherEntry(key);
    }

    @Override
    public K higherKey(K key) {
        return whole.higherKey(key);
    }

    @Override
    public Entry<K, V> firstEntry() {
        return whole.firstEntry();
    }

    @Override
    public Entry<K, V> lastEntry() {
        return whole.lastEntry();
    }

    @Override
    public Entry<K, V> pollFirstEntry() {
        return whole.pollFirstEntry();
    }

    @Override
    public Entry<K, V> pollLastEntry() {
        return whole.pollLastEntry();
    }

    @Override
    public K firstKey() {
        return whole.firstKey();
    }

    @Override
    public K lastKey() {
        return whole.lastKey();
    }
}
