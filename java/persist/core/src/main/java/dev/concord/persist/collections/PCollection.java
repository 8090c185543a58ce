package dev.concord.persist.collections;

import dev.concord.persist.PersistentObject;
import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Lets a persistent class be a {@code Collection} by forwarding to a view that extends the JDK's abstract one, which a
 * class that must extend {@code PersistentObject} cannot.
 */
abstract class PCollection<E> extends PersistentObject implements Collection<E> {
    PCollection() {
    }

    PCollection(Resurrection r) {
        super(r);
    }

    abstract AbstractCollection<E> view();

    /** Runs a compound operation as one block. */
    final <R> R block(java.util.function.Supplier<R> body) {
        return jnvm$core().atomic(body);
    }

    @Override
    public boolean isEmpty() {
        return view().isEmpty();
    }

    @Override
    public boolean contains(Object o) {
        return view().contains(o);
    }

    @Override
    public Iterator<E> iterator() {
        return view().iterator();
    }

    @Override
    public Object[] toArray() {
        return view().toArray();
    }

    @Override
    public <T> T[] toArray(T[] a) {
        return view().toArray(a);
    }

    @Override
    public <T> T[] toArray(IntFunction<T[]> g) {
        return view().toArray(g);
    }

    @Override
    public boolean add(E e) {
        return block(() -> view().add(e));
    }

    @Override
    public boolean remove(Object o) {
        return block(() -> view().remove(o));
    }

    @Override
    public boolean containsAll(Collection<?> c) {
        return view().containsAll(c);
    }

    @Override
    public boolean addAll(Collection<? extends E> c) {
        return block(() -> view().addAll(c));
    }

    @Override
    public boolean removeAll(Collection<?> c) {
        return block(() -> view().removeAll(c));
    }

    @Override
    public boolean removeIf(Predicate<? super E> p) {
        return block(() -> view().removeIf(p));
    }

    @Override
    public boolean retainAll(Collection<?> c) {
        return block(() -> view().retainAll(c));
    }

    @Override
    public void clear() {
        block(() -> {
            view().clear();
            return null;
        });
    }

    @Override
    public Stream<E> stream() {
        return view().stream();
    }

    @Override
    public String toString() {
        return view().toString();
    }

    @Override
    public boolean equals(Object o) {
        return o == this || view().equals(o);
    }

    @Override
    public int hashCode() {
        return view().hashCode();
    }
}
