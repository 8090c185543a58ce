package dev.concord.persist.collections;

import java.util.NavigableMap;
import java.util.NavigableSet;

/** The keys of a map as a sorted set that elements can be added to, within the bounds of the map. */
final class SortedElements<E> extends SortedKeys<E> {
    private final NavigableMap<E, Boolean> places;

    SortedElements(NavigableMap<E, Boolean> places) {
        super(places);
        this.places = places;
    }

    @Override
    @SuppressWarnings("unchecked")
    NavigableSet<E> part(NavigableMap<E, ?> of) {
        return new SortedElements<>((NavigableMap<E, Boolean>) of);
    }

    @Override
    public boolean add(E e) {
        return places.putIfAbsent(e, Boolean.TRUE) == null;
    }
}
