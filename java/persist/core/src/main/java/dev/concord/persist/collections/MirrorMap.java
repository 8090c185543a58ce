package dev.concord.persist.collections;

import dev.concord.persist.PersistException;
import dev.concord.persist.PersistentObject;
import dev.concord.persist.core.HeapCore;
import dev.concord.persist.core.Layout;
import dev.concord.persist.core.Tx;
import java.lang.invoke.VarHandle;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * The paper's map: pairs of references in a persistent table, and beside it a volatile map from key to place, which is
 * rebuilt when the map is first used after opening. Owns the rule that a key is present if and only if its place holds a
 * pair, as the asking thread sees it: a mirror entry alone means nothing. So a block's changes show to itself at once, to
 * others when it commits, and a rollback only has to forget mirror entries.
 *
 * <p>The table is a row of chunks of doubling size, so that growing moves nothing; a place is two words, key and value.
 * Storing, replacing and removing a pair write only these.
 */
abstract class MirrorMap<K, V> extends PersistentObject implements ConcurrentMap<K, V> {
    static final String $jnvm$fields = ChunkedTable.FIELDS + ",caching:I";
    private static final int CHUNK0 = Layout.offset(PHashMap.class, "c0");
    private static final int CACHING = Layout.offset(PHashMap.class, "caching");

    /** Whether values are kept in the Java heap once they were read. */
    public enum Caching {
        /** Every read makes the value anew: least memory. */
        BASE,
        /** Kept from the first read on. */
        CACHED,
        /** Read when the map is opened, and kept. */
        EAGER
    }

    /** A value and the reference that led to it: true of each other for as long as the reference is good. */
    private record Cached(long ref, Object value) {
    }

    /** The place of a pair. */
    static final class Slot {
        final int index;
        volatile Cached cached;

        Slot(int index) {
            this.index = index;
        }
    }

    final transient ReentrantLock lock = new ReentrantLock();
    private final transient ChunkedTable table = new ChunkedTable(this, CHUNK0, 2);
    private final transient ArrayDeque<Integer> free = new ArrayDeque<>();
    private transient int next;
    private transient volatile int committed;
    /** Guarded by {@link #lock}: what the block that holds it adds to the count. */
    private transient int delta;
    private transient boolean counting;
    private transient Caching caching = Caching.BASE;

    MirrorMap(Caching caching) {
        this.caching = caching;
        jnvm$core().putInt(jnvm$live(), CACHING, caching.ordinal());
        PArrayList.publish(this);
    }

    MirrorMap(Resurrection r) {
        super(r);
    }

    /** The volatile map; the JDK's, so that ordering and iteration are its. */
    abstract ConcurrentMap<K, Slot> mirror();

    @Override
    public void resurrect() {
        caching = Caching.values()[jnvm$getInt(CACHING)];
        HeapCore h = jnvm$core();
        int n = 0;
        for (int k = 0; k < ChunkedTable.CHUNKS; k++) {
            References c = table.chunk(k);
            if (c == null) {
                break;
            }
            int base = ChunkedTable.base(k);
            int length = c.length() / 2;
            for (int i = 0; i < length; i++) {
                long key = c.ref(2 * i);
                if (key == 0 || c.ref(2 * i + 1) == 0) {
                    free.add(base + i);
                    continue;
                }
                @SuppressWarnings("unchecked")
                K keyObject = (K) h.fetch(key);
                Slot s = new Slot(base + i);
                mirror().put(keyObject, s);
                n++;
                if (caching == Caching.EAGER) {
                    s.cached = new Cached(c.ref(2 * i + 1), c.fetch(2 * i + 1));
                }
            }
            next = base + length;
        }
        committed = n;
    }

    // ---- places ---------------------------------------------------------------------------------------------------

    private long word(Slot s, int which) {
        return table.ref(s.index, which);
    }

    private void word(Slot s, int which, long ref) {
        table.ref(s.index, which, ref);
    }

    private boolean live(Slot s) {
        return word(s, 1) != 0;
    }

    private int takePlace() {
        Integer i = free.poll();
        if (i != null) {
            return i;
        }
        table.ensure(next);
        return next++;
    }

    @SuppressWarnings("unchecked")
    private V value(Slot s) {
        if (caching != Caching.BASE) {
            Cached c = s.cached;
            if (c != null && c.ref == word(s, 1)) {
                return (V) c.value;
            }
        }
        if (caching == Caching.BASE || jnvm$core().inBlock()) {
            return (V) table.fetchShared(s.index, 1);
        }
        long ref = word(s, 1);
        if (ref == 0) {
            return null;
        }
        try {
            Object v = jnvm$core().fetch(ref);
            VarHandle.acquireFence();
            if (word(s, 1) == ref) { // not freed half way through
                s.cached = new Cached(ref, v);
                return (V) v;
            }
        } catch (PersistException.Dangling e) {
            // Replaced meanwhile; the slow way looks again, and fails if that was not the reason.
            return (V) table.fetchShared(s.index, 1);
        }
        return (V) table.fetchShared(s.index, 1);
    }

    // ---- operations -----------------------------------------------------------------------------------------------

    /** A modification: one block with the map's lock held until others may see it. */
    public final <R> R change(Supplier<R> body) {
        HeapCore h = jnvm$core();
        return h.atomic(() -> {
            h.lockUntilEnd(lock);
            if (!counting) {
                counting = true;
                Tx t = h.requireBlock();
                t.onCommit(() -> {
                    committed += delta;
                    delta = 0;
                    counting = false;
                });
                t.onRollback(() -> {
                    delta = 0;
                    counting = false;
                });
            }
            return body.get();
        });
    }

    private V putNow(K key, V value) {
        Slot s = mirror().get(key);
        HeapCore h = jnvm$core();
        if (s != null && live(s)) {
            V old = value(s);
            long was = word(s, 1);
            word(s, 1, h.store(value));
            h.drop(was);
            return old;
        }
        boolean known = s != null;
        if (!known) {
            int index = takePlace();
            s = new Slot(index);
            mirror().put(key, s);
            h.requireBlock().onRollback(() -> {
                mirror().remove(key);
                free.add(index);
            });
        }
        word(s, 0, h.store(key));
        word(s, 1, h.store(value));
        delta++;
        return null;
    }

    private V removeNow(Object key, Slot s) {
        HeapCore h = jnvm$core();
        V old = value(s);
        long k = word(s, 0);
        long v = word(s, 1);
        word(s, 0, 0);
        word(s, 1, 0);
        h.drop(k);
        h.drop(v);
        delta--;
        h.requireBlock().onCommit(() -> {
            // The key may have come back in the same block.
            if (!live(s) && mirror().remove(key, s)) {
                free.add(s.index);
            }
        });
        return old;
    }

    private Slot find(Object key) {
        Slot s = mirror().get(Objects.requireNonNull(key));
        return s != null && live(s) ? s : null;
    }

    @Override
    public V get(Object key) {
        Slot s = mirror().get(Objects.requireNonNull(key));
        return s == null ? null : value(s);
    }

    @Override
    public boolean containsKey(Object key) {
        return find(key) != null;
    }

    @Override
    public boolean containsValue(Object value) {
        Objects.requireNonNull(value);
        for (V v : values()) {
            if (v.equals(value)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public int size() {
        return lock.isHeldByCurrentThread() ? committed + delta : committed;
    }

    @Override
    public boolean isEmpty() {
        return size() == 0;
    }

    @Override
    public V put(K key, V value) {
        Objects.requireNonNull(key);
        Objects.requireNonNull(value);
        return change(() -> putNow(key, value));
    }

    @Override
    public V remove(Object key) {
        if (find(key) == null) {
            return null;
        }
        return change(() -> {
            Slot s = find(key);
            return s == null ? null : removeNow(key, s);
        });
    }

    @Override
    public boolean remove(Object key, Object value) {
        if (value == null || find(key) == null) {
            return false;
        }
        return change(() -> {
            Slot s = find(key);
            if (s == null || !value.equals(value(s))) {
                return false;
            }
            removeNow(key, s);
            return true;
        });
    }

    @Override
    public V putIfAbsent(K key, V value) {
        Objects.requireNonNull(value);
        V there = get(key);
        if (there != null) {
            return there;
        }
        return change(() -> {
            V now = get(key);
            return now != null ? now : putNow(key, value);
        });
    }

    @Override
    public boolean replace(K key, V expected, V value) {
        Objects.requireNonNull(expected);
        Objects.requireNonNull(value);
        if (find(key) == null) {
            return false;
        }
        return change(() -> {
            if (!expected.equals(get(key))) {
                return false;
            }
            putNow(key, value);
            return true;
        });
    }

    @Override
    public V replace(K key, V value) {
        Objects.requireNonNull(value);
        if (find(key) == null) {
            return null;
        }
        return change(() -> get(key) == null ? null : putNow(key, value));
    }

    @Override
    public V compute(K key, BiFunction<? super K, ? super V, ? extends V> f) {
        Objects.requireNonNull(key);
        return change(() -> {
            V old = get(key);
            V now = f.apply(key, old);
            if (now != null) {
                putNow(key, now);
            } else if (old != null) {
                removeNow(key, mirror().get(key));
            }
            return now;
        });
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> m) {
        if (m.isEmpty()) {
            return;
        }
        change(() -> {
            m.forEach((k, v) -> putNow(Objects.requireNonNull(k), Objects.requireNonNull(v)));
            return null;
        });
    }

    /** Removes everything; a large map in several blocks, so that the log need not hold it all. */
    @Override
    public void clear() {
        boolean more = true;
        while (more) {
            more = change(() -> {
                int n = 0;
                for (Map.Entry<K, Slot> e : mirror().entrySet()) {
                    if (live(e.getValue())) {
                        removeNow(e.getKey(), e.getValue());
                        if (++n == 1000) {
                            return true;
                        }
                    }
                }
                return false;
            });
        }
    }

    // ---- views ----------------------------------------------------------------------------------------------------

    /** Live entries of a mirror, or of a part of it. */
    private Iterator<Entry<K, V>> entries(Iterator<Entry<K, Slot>> places) {
        return new Iterator<>() {
            private Entry<K, V> ahead;
            private K last;

            @Override
            public boolean hasNext() {
                while (ahead == null && places.hasNext()) {
                    Entry<K, Slot> e = places.next();
                    ahead = entry(e.getKey(), e.getValue());
                }
                return ahead != null;
            }

            @Override
            public Entry<K, V> next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                Entry<K, V> e = ahead;
                ahead = null;
                last = e.getKey();
                return e;
            }

            @Override
            public void remove() {
                if (last == null) {
                    throw new IllegalStateException();
                }
                MirrorMap.this.remove(last);
                last = null;
            }
        };
    }

    /** The entry as it is now, or null if the place is empty; setting its value writes through. */
    final Entry<K, V> entry(K key, Slot s) {
        V v = s == null ? null : value(s);
        return v == null ? null : new AbstractMap.SimpleEntry<>(key, v) {
            @Override
            public V setValue(V value) {
                MirrorMap.this.put(key, value);
                return super.setValue(value);
            }
        };
    }

    private final class View extends AbstractMap<K, V> {
        private final Set<Entry<K, V>> entrySet = new AbstractSet<>() {
            @Override
            public Iterator<Entry<K, V>> iterator() {
                return entries(mirror().entrySet().iterator());
            }

            @Override
            public int size() {
                return MirrorMap.this.size();
            }

            @Override
            public boolean contains(Object o) {
                return o instanceof Entry<?, ?> e && e.getKey() != null && Objects.equals(MirrorMap.this.get(e.getKey()), e.getValue())
                        && e.getValue() != null;
            }

            @Override
            public boolean remove(Object o) {
                return o instanceof Entry<?, ?> e && e.getKey() != null && MirrorMap.this.remove(e.getKey(), e.getValue());
            }

            @Override
            public void clear() {
                MirrorMap.this.clear();
            }
        };

        @Override
        public Set<Entry<K, V>> entrySet() {
            return entrySet;
        }

        @Override
        public boolean containsKey(Object key) {
            return MirrorMap.this.containsKey(key);
        }

        @Override
        public V get(Object key) {
            return MirrorMap.this.get(key);
        }

        @Override
        public V remove(Object key) {
            return MirrorMap.this.remove(key);
        }

        @Override
        public int size() {
            return MirrorMap.this.size();
        }

        @Override
        public void clear() {
            MirrorMap.this.clear();
        }
    }

    private final transient View view = new View();

    @Override
    public Set<K> keySet() {
        return new RemovingKeys<>(view.keySet(), this);
    }

    @Override
    public Collection<V> values() {
        return view.values();
    }

    @Override
    public Set<Entry<K, V>> entrySet() {
        return view.entrySet();
    }

    @Override
    public boolean equals(Object o) {
        return o == this || view.equals(o);
    }

    @Override
    public int hashCode() {
        return view.hashCode();
    }

    @Override
    public String toString() {
        return view.toString();
    }

    @Override
    protected void jnvm$freeParts() {
        table.free();
    }
}
