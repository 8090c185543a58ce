package dev.concord.persist.collections;

import java.util.AbstractSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.SortedSet;

/** The keys of a navigable map as a set; adding is for subclasses. */
class SortedKeys<K> extends AbstractSet<K> implements NavigableSet<K> {
    final NavigableMap<K, ?> map;

    SortedKeys(NavigableMap<K, ?> map) {
        this.map = map;
    }

    /** The same kind of set over a part of the map. */
    NavigableSet<K> part(NavigableMap<K, ?> of) {
        return new SortedKeys<>(of);
    }

    @Override
    public Iterator<K> iterator() {
        Iterator<? extends Map.Entry<K, ?>> i = map.entrySet().iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return i.hasNext();
            }

            @Override
            public K next() {
                return i.next().getKey();
            }

            @Override
            public void remove() {
                i.remove();
            }
        };
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
        return map.containsKey(o);
    }

    @Override
    public boolean remove(Object o) {
        return map.remove(o) != null;
    }

    @Override
    public void clear() {
        map.clear();
    }

    @Override
    public Comparator<? super K> comparator() {
        return map.comparator();
    }

    @Override
    public K first() {
        return map.firstKey();
    }

    @Override
    public K last() {
        return map.lastKey();
    }

    @Override
    public K lower(K k) {
        return map.lowerKey(k);
    }

    @Override
    public K floor(K k) {
        return map.floorKey(k);
    }

    @Override
    public K ceiling(K k) {
        return map.ceilingKey(k);
    }

    @Override
    public K higher(K k) {
        return map.higherKey(k);
    }

    @Override
    public K pollFirst() {
        Map.Entry<K, ?> e = map.pollFirstEntry();
        return e == null ? null : e.getKey();
    }

    @Override
    public K pollLast() {
        Map.Entry<K, ?> e = map.pollLastEntry();
        return e == null ? null : e.getKey();
    }

    @Override
    public NavigableSet<K> descendingSet() {
        return part(map.descendingMap());
    }

    @Override
    public Iterator<K> descendingIterator() {
        return descendingSet().iterator();
    }

    @Override
    public NavigableSet<K> subSet(K from, boolean fi, K to, boolean ti) {
        return part(map.subMap(from, fi, to, ti));
    }

    @Override
    public NavigableSet<K> headSet(K to, boolean inclusive) {
        return part(map.headMap(to, inclusive));
    }

    @Override
    public NavigableSet<K> tailSet(K from, boolean inclusive) {
        return part(map.tailMap(from, inclusive));
    }

    @Override
    public SortedSet<K> subSet(K from, K to) {
        return subSet(from, true, to, false);
    }

    @Override
    public SortedSet<K> headSet(K to) {
        return headSet(to, false);
    }

    @Override
    public SortedSet<K> tailSet(K from) {
        return tailSet(from, true);
    }
}
