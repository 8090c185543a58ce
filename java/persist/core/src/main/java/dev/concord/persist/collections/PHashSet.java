package dev.concord.persist.collections;

import dev.concord.persist.core.HeapCore;
import dev.concord.persist.core.Layout;
import java.util.AbstractCollection;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Set;

/** A hash set over a {@link PHashMap}. */
public final class PHashSet<E> extends PCollection<E> implements Set<E> {
    static final String $jnvm$fields = "map:L";
    private static final int MAP = Layout.offset(PHashSet.class, "map");
    private transient volatile PHashMap<E, Boolean> map;

    public PHashSet() {
        HeapCore h = jnvm$core();
        h.atomic(() -> {
            map = new PHashMap<>();
            h.putRef(jnvm$live(), MAP, map);
        });
        PArrayList.publish(this);
    }

    PHashSet(Resurrection r) {
        super(r);
    }

    @SuppressWarnings("unchecked")
    private PHashMap<E, Boolean> map() {
        PHashMap<E, Boolean> m = map;
        if (m == null) {
            m = (PHashMap<E, Boolean>) jnvm$getRef(MAP);
            map = m;
        }
        return m;
    }

    private final transient AbstractSet<E> view = new AbstractSet<>() {
        @Override
        public Iterator<E> iterator() {
            return map().keySet().iterator();
        }

        @Override
        public int size() {
            return map().size();
        }

        @Override
        public boolean contains(Object o) {
            return map().containsKey(o);
        }

        @Override
        public boolean add(E e) {
            return map().putIfAbsent(e, Boolean.TRUE) == null;
        }

        @Override
        public boolean remove(Object o) {
            return map().remove(o) != null;
        }

        @Override
        public void clear() {
            map().clear();
        }
    };

    @Override
    AbstractCollection<E> view() {
        return view;
    }

    @Override
    public int size() {
        return map().size();
    }

    @Override
    public java.util.Spliterator<E> spliterator() {
        return view.spliterator();
    }

    @Override
    protected void jnvm$freeParts() {
        jnvm$core().free(map());
    }
}
