package dev.concord.persist.collections;

import dev.concord.persist.PersistentObject;
import dev.concord.persist.PersistentObject.Internals;
import dev.concord.persist.core.HeapCore;
import dev.concord.persist.core.Layout;
import java.util.AbstractList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.ListIterator;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.UnaryOperator;

/** A growable list, the paper's extensible array. Like {@code ArrayList} it is for one thread at a time. */
public final class PArrayList<E> extends PCollection<E> implements List<E>, RandomAccess {
    static final String $jnvm$fields = ChunkedTable.FIELDS + ",count:I";
    private static final int COUNT = Layout.offset(PArrayList.class, "count");
    private final transient ChunkedTable array = new ChunkedTable(this, Layout.offset(PArrayList.class, "c0"), 1);
    private final transient View view = new View();

    public PArrayList() {
        publish(this);
    }

    public PArrayList(Collection<? extends E> c) {
        this();
        addAll(c);
    }

    PArrayList(Resurrection r) {
        super(r);
    }

    /** A collection made outside a block is valid from the start; what it is bound to decides whether it lives. */
    static void publish(PersistentObject p) {
        if (!Internals.heap(p).inBlock()) {
            p.pwb();
            p.validate();
            p.pfence();
        }
    }

    private void count(int n) {
        jnvm$core().putInt(jnvm$live(), COUNT, n);
    }

    private final class View extends AbstractList<E> {
        @Override
        public int size() {
            return jnvm$getInt(COUNT);
        }

        @Override
        @SuppressWarnings("unchecked")
        public E get(int i) {
            Objects.checkIndex(i, size());
            return (E) jnvm$core().fetch(array.ref(i, 0));
        }

        @Override
        public E set(int i, E e) {
            Objects.requireNonNull(e);
            return block(() -> {
                E old = get(i);
                HeapCore h = jnvm$core();
                long was = array.ref(i, 0);
                array.ref(i, 0, h.store(e));
                h.drop(was);
                return old;
            });
        }

        @Override
        public void add(int i, E e) {
            Objects.requireNonNull(e);
            block(() -> {
                int n = size();
                Objects.checkIndex(i, n + 1);
                array.ensure(n);
                for (int k = n; k > i; k--) {
                    array.ref(k, 0, array.ref(k - 1, 0));
                }
                array.ref(i, 0, jnvm$core().store(e));
                count(n + 1);
                modCount++;
                return null;
            });
        }

        @Override
        public E remove(int i) {
            return block(() -> {
                int n = size();
                E old = get(i);
                long was = array.ref(i, 0);
                for (int k = i; k < n - 1; k++) {
                    array.ref(k, 0, array.ref(k + 1, 0));
                }
                array.ref(n - 1, 0, 0);
                count(n - 1);
                jnvm$core().drop(was);
                modCount++;
                return old;
            });
        }

        @Override
        protected void removeRange(int from, int to) {
            block(() -> {
                int n = size();
                for (int k = from; k < to; k++) {
                    jnvm$core().drop(array.ref(k, 0));
                }
                for (int k = to; k < n; k++) {
                    array.ref(k - (to - from), 0, array.ref(k, 0));
                }
                for (int k = n - (to - from); k < n; k++) {
                    array.ref(k, 0, 0);
                }
                count(n - (to - from));
                modCount++;
                return null;
            });
        }
    }

    @Override
    View view() {
        return view;
    }

    @Override
    public int size() {
        return view.size();
    }

    @Override
    public E get(int i) {
        return view.get(i);
    }

    @Override
    public E set(int i, E e) {
        return view.set(i, e);
    }

    @Override
    public void add(int i, E e) {
        view.add(i, e);
    }

    @Override
    public E remove(int i) {
        return view.remove(i);
    }

    @Override
    public int indexOf(Object o) {
        return view.indexOf(o);
    }

    @Override
    public int lastIndexOf(Object o) {
        return view.lastIndexOf(o);
    }

    @Override
    public boolean addAll(int i, Collection<? extends E> c) {
        return block(() -> view.addAll(i, c));
    }

    @Override
    public ListIterator<E> listIterator() {
        return view.listIterator();
    }

    @Override
    public ListIterator<E> listIterator(int i) {
        return view.listIterator(i);
    }

    @Override
    public List<E> subList(int from, int to) {
        return view.subList(from, to);
    }

    @Override
    public void sort(Comparator<? super E> c) {
        block(() -> {
            view.sort(c);
            return null;
        });
    }

    @Override
    public void replaceAll(UnaryOperator<E> f) {
        block(() -> {
            view.replaceAll(f);
            return null;
        });
    }

    @Override
    protected void jnvm$freeParts() {
        array.free();
    }
}
