package dev.concord.persist.collections;

import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.Supplier;

/**
 * A sorted map that knows its order and how to find neighbours; everything else that {@code NavigableMap} asks for comes
 * from {@link SortedView}, of which the map itself is the widest.
 */
interface SortedOwner<K, V> extends ConcurrentNavigableMap<K, V> {
    /** The view of all keys in ascending order. */
    SortedView<K, V> whole();

    /** Runs a modification of several steps as one. */
    <R> R change(Supplier<R> body);

    /**
     * Up to {@code most} entries from a key on, in the direction asked for; their {@code setValue} writes through.
     *
     * @param from where to begin, null for the first in that direction
     */
    List<Entry<K, V>> run(K from, boolean inclusive, boolean descending, int most);

    @Override
    default Comparator<? super K> comparator() {
        return null;
    }

    @Override
    default ConcurrentNavigableMap<K, V> subMap(K from, boolean fromInclusive, K to, boolean toInclusive) {
        return whole().subMap(from, fromInclusive, to, toInclusive);
    }

    @Override
    default ConcurrentNavigableMap<K, V> headMap(K to, boolean inclusive) {
        return whole().headMap(to, inclusive);
    }

    @Override
    default ConcurrentNavigableMap<K, V> tailMap(K from, boolean inclusive) {
        return whole().tailMap(from, inclusive);
    }

    @Override
    default ConcurrentNavigableMap<K, V> subMap(K from, K to) {
        return whole().subMap(from, to);
    }

    @Override
    default ConcurrentNavigableMap<K, V> headMap(K to) {
        return whole().headMap(to);
    }

    @Override
    default ConcurrentNavigableMap<K, V> tailMap(K from) {
        return whole().tailMap(from);
    }

    @Override
    default ConcurrentNavigableMap<K, V> descendingMap() {
        return whole().descendingMap();
    }

    @Override
    default NavigableSet<K> navigableKeySet() {
        return whole().navigableKeySet();
    }

    @Override
    default NavigableSet<K> descendingKeySet() {
        return whole().descendingKeySet();
    }

    @Override
    default Entry<K, V> lowerEntry(K key) {
        return whole().lowerEntry(key);
    }

    @Override
    default K lowerKey(K key) {
        return whole().lowerKey(key);
    }

    @Override
    default Entry<K, V> floorEntry(K key) {
        return whole().floorEntry(key);
    }

    @Override
    default K floorKey(K key) {
        return whole().floorKey(key);
    }

    @Override
    default Entry<K, V> ceilingEntry(K key) {
        return whole().ceilingEntry(key);
    }

    @Override
    default K ceilingKey(K key) {
        return whole().ceilingKey(key);
    }

    @Override
    default Entry<K, V> higherEntry(K key) {
        return whole().higherEntry(key);
    }

    @Override
    default K higherKey(K key) {
        return whole().higherKey(key);
    }

    @Override
    default Entry<K, V> firstEntry() {
        return whole().firstEntry();
    }

    @Override
    default Entry<K, V> lastEntry() {
        return whole().lastEntry();
    }

    @Override
    default Entry<K, V> pollFirstEntry() {
        return whole().pollFirstEntry();
    }

    @Override
    default Entry<K, V> pollLastEntry() {
        return whole().pollLastEntry();
    }

    @Override
    default K firstKey() {
        return whole().firstKey();
    }

    @Override
    default K lastKey() {
        return whole().lastKey();
    }
}
