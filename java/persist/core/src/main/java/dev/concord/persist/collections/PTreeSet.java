package dev.concord.persist.collections;

import dev.concord.persist.core.HeapCore;
import dev.concord.persist.core.Layout;
import java.util.AbstractCollection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NavigableSet;
import java.util.SortedSet;
import java.util.Spliterator;

/** A sorted set over a {@link PTreeMap}. */
public final class PTreeSet<E> extends PCollection<E> implements NavigableSet<E> {
    static final String $jnvm$fields = "map:L";
    private static final int MAP = Layout.offset(PTreeSet.class, "map");
    private transient volatile SortedElements<E> view;

    public PTreeSet() {
        this((Comparator<? super E>) null);
    }

    public PTreeSet(Comparator<? super E> comparator) {
        HeapCore h = jnvm$core();
        h.atomic(() -> h.putRef(jnvm$live(), MAP, new PTreeMap<E, Boolean>(comparator)));
        PArrayList.publish(this);
    }

    PTreeSet(Resurrection r) {
        super(r);
    }

    @SuppressWarnings("unchecked")
    private SortedElements<E> set() {
        SortedElements<E> v = view;
        if (v == null) {
            v = new SortedElements<>((PTreeMap<E, Boolean>) jnvm$getRef(MAP));
            view = v;
        }
        return v;
    }

    @Override
    AbstractCollection<E> view() {
        return set();
    }

    @Override
    public int size() {
        return set().size();
    }

    @Override
    public Spliterator<E> spliterator() {
        return set().spliterator();
    }

    @Override
    public Comparator<? super E> comparator() {
        return set().comparator();
    }

    @Override
    public E first() {
        return set().first();
    }

    @Override
    public E last() {
        return set().last();
    }

    @Override
    public E lower(E e) {
        return set().lower(e);
    }

    @Override
    public E floor(E e) {
        return set().floor(e);
    }

    @Override
    public E ceiling(E e) {
        return set().ceiling(e);
    }

    @Override
    public E higher(E e) {
        return set().higher(e);
    }

    @Override
    public E pollFirst() {
        return set().pollFirst();
    }

    @Override
    public E pollLast() {
        return set().pollLast();
    }

    @Override
    public NavigableSet<E> descendingSet() {
        return set().descendingSet();
    }

    @Override
    public Iterator<E> descendingIterator() {
        return set().descendingIterator();
    }

    @Override
    public NavigableSet<E> subSet(E from, boolean fromInclusive, E to, boolean toInclusive) {
        return set().subSet(from, fromInclusive, to, toInclusive);
    }

    @Override
    public NavigableSet<E> headSet(E to, boolean inclusive) {
        return set().headSet(to, inclusive);
    }

    @Override
    public NavigableSet<E> tailSet(E from, boolean inclusive) {
        return set().tailSet(from, inclusive);
    }

    @Override
    public SortedSet<E> subSet(E from, E to) {
        return set().subSet(from, to);
    }

    @Override
    public SortedSet<E> headSet(E to) {
        return set().headSet(to);
    }

    @Override
    public SortedSet<E> tailSet(E from) {
        return set().tailSet(from);
    }

    @Override
    protected void jnvm$freeParts() {
        jnvm$core().free((PTreeMap<?, ?>) jnvm$getRef(MAP));
    }
}
