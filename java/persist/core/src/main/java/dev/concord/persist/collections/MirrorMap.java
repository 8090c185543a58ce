package dev.concord.persist.collections;

import dev.concord.persist.PersistentObject;
import dev.concord.persist.core.HeapCore;
import dev.concord.persist.core.Layout;
import dev.concord.persist.core.Tx;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
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
abstract class MirrorMap<K, V> extends PersistentMap<K, V> {
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

    final transient ReentrantLock lock = new ReentrantLock();
    private final transient ChunkedTable table = new ChunkedTable(this, CHUNK0, 2);
    private final transient ArrayDeque<Integer> free = new ArrayDeque<>();
    private transient int next;
    private transient volatile int committed;
    /** Guarded by {@link #lock}: what the block that holds it adds to the count, and slots with the values it gave them. */
    private transient int delta;
    private final transient ArrayList<Object> given = new ArrayList<>();
    private transient boolean modified;
    private transient Caching caching = Caching.BASE;

    MirrorMap(Caching caching) {
        this.caching = caching;
        jnvm$core().putInt(jnvm$live(), CACHING, caching.ordinal());
        PArrayList.publish(this);
    }

    MirrorMap(Resurrection r) {
        super(r);
    }

    /** The volatile half: from key to place. */
    abstract Places places();

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
                Slot s = places().add(h.fetch(key), base + i);
                n++;
                if (caching == Caching.EAGER) {
                    s.value(c.fetch(2 * i + 1));
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
        Object v = s.value();
        if (v != null) {
            return (V) v;
        }
        // Kept only if no block modifies the map, and none of the reader's own can have to run again.
        boolean keep = caching != Caching.BASE && !jnvm$core().inBlock() && lock.tryLock();
        try {
            v = table.fetchShared(s.index, 1);
            if (s.gone) {
                return null;
            }
            if (keep) {
                s.value(v);
            }
            return (V) v;
        } finally {
            if (keep) {
                lock.unlock();
            }
        }
    }

    /** Lets the place of a pair that is not there be used again. */
    private void release(Slot s) {
        s.gone = true;
        free.add(s.index);
    }

    // ---- operations -----------------------------------------------------------------------------------------------

    /** One block with the map's lock held until others may see it. */
    @Override
    public final <R> R change(Supplier<R> body) {
        HeapCore h = jnvm$core();
        return h.atomic(() -> {
            h.lockUntilEnd(lock);
            h.confirm();
            return body.get();
        });
    }

    private final transient Runnable settle = () -> {
        if (delta != 0) {
            committed += delta;
        }
        for (int i = 0; i < given.size(); i += 2) {
            ((Slot) given.get(i)).value(given.get(i + 1));
        }
        forget();
    };

    private void forget() {
        delta = 0;
        given.clear();
        modified = false;
    }

    /** The block changes a place, and with it the count: others see both once it commits. */
    private void modify(Slot s, int count, Object value) {
        if (!modified) {
            modified = true;
            Tx t = jnvm$core().requireBlock();
            t.onCommit(settle);
            t.onRollback(this::forget);
        }
        s.value(null);
        delta += count;
        // Other values are copies in the heap, made anew when they are asked for.
        if (caching != Caching.BASE && (value == null || value instanceof PersistentObject)) {
            given.add(s);
            given.add(value);
        }
    }

    @Override
    V putNow(K key, V value) {
        Slot s = places().find(key);
        HeapCore h = jnvm$core();
        long was = s == null ? 0 : word(s, 1);
        if (was != 0) {
            V old = value(s);
            long ref = h.store(value);
            modify(s, 0, value);
            word(s, 1, ref);
            h.drop(was);
            return old;
        }
        if (s == null) {
            Slot made = places().add(key, takePlace());
            s = made;
            h.requireBlock().onRollback(() -> {
                places().remove(made);
                release(made);
            });
        }
        word(s, 0, h.store(key));
        long ref = h.store(value);
        modify(s, 1, value);
        word(s, 1, ref);
        return null;
    }

    @Override
    V removeNow(Object key) {
        Slot s = find(key);
        return s == null ? null : removeNow(s);
    }

    private V removeNow(Slot s) {
        HeapCore h = jnvm$core();
        V old = value(s);
        long k = word(s, 0);
        long v = word(s, 1);
        modify(s, -1, null);
        word(s, 0, 0);
        word(s, 1, 0);
        h.drop(k);
        h.drop(v);
        h.requireBlock().onCommit(() -> {
            // The key may have come back in the same block.
            if (!s.gone && !live(s)) {
                places().remove(s);
                release(s);
            }
        });
        return old;
    }

    private Slot find(Object key) {
        Slot s = places().find(Objects.requireNonNull(key));
        return s != null && (s.value() != null || live(s)) ? s : null;
    }

    @Override
    public V get(Object key) {
        Slot s = places().find(Objects.requireNonNull(key));
        return s == null ? null : value(s);
    }

    @Override
    public boolean containsKey(Object key) {
        return find(key) != null;
    }

    @Override
    public int size() {
        return lock.isHeldByCurrentThread() ? committed + delta : committed;
    }

    /** Removes everything; a large map in several blocks, so that the log need not hold it all. */
    @Override
    public void clear() {
        boolean more = true;
        while (more) {
            more = change(() -> {
                int n = 0;
                for (Iterator<Slot> all = places().walk(); all.hasNext();) {
                    Slot s = all.next();
                    if (live(s)) {
                        removeNow(s);
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

    /** Live entries of the mirror. */
    private Iterator<Entry<K, V>> entries() {
        Iterator<Slot> places = places().walk();
        return new Iterator<>() {
            private Entry<K, V> ahead;
            private K last;

            @Override
            public boolean hasNext() {
                while (ahead == null && places.hasNext()) {
                    ahead = entry(places.next());
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
    @SuppressWarnings("unchecked")
    final Entry<K, V> entry(Slot s) {
        V v = value(s);
        return v == null ? null : new WriteThrough<>(this, (K) s.key, v);
    }

    private final transient View<K, V> view = new View<>(this, this::entries);

    @Override
    Map<K, V> view() {
        return view;
    }

    @Override
    protected void jnvm$freeParts() {
        table.free();
    }
}
