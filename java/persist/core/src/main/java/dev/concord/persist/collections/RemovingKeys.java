package dev.concord.persist.collections;

import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/** A key set whose {@code remove} is one lookup, where the JDK's abstract one searches. */
final class RemovingKeys<K> extends AbstractSet<K> {
    private final Set<K> keys;
    private final Map<K, ?> map;

    RemovingKeys(Set<K> keys, Map<K, ?> map) {
        this.keys = keys;
        this.map = map;
    }

    @Override
    public Iterator<K> iterator() {
        return keys.iterator();
    }

    @Override
    public int size() {
        return map.size();
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
}
