package dev.concord.persist.collections;

import dev.concord.persist.PObject;
import dev.concord.persist.PersistException;
import dev.concord.persist.PersistentObject;
import dev.concord.persist.core.HeapCore;
import dev.concord.persist.core.Layout;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * A sorted map whose index, a B-tree, is persistent: it opens in no time whatever its size and takes no memory per key.
 * Keys are values, or persistent objects that are comparable; they sort in their natural order, or by a comparator that is
 * itself a value: an enum constant or a record.
 */
public final class PTreeMap<K, V> extends PersistentObject implements SortedOwner<K, V> {
    static final String $jnvm$fields = "root:L,comparator:V:Ljava/util/Comparator;,count:I,height:I,kind:I";
    private static final int ROOT = Layout.offset(PTreeMap.class, "root");
    private static final int COMPARATOR = Layout.offset(PTreeMap.class, "comparator");
    private static final int COUNT = Layout.offset(PTreeMap.class, "count");
    private static final int HEIGHT = Layout.offset(PTreeMap.class, "height");
    private static final int KIND = Layout.offset(PTreeMap.class, "kind");
    private final transient IndexLock access = new IndexLock();
    private final transient BTree<K, V> tree = new BTree<>(this, jnvm$core());
    private final transient SortedView<K, V> whole = new SortedView<>(this);
    private final transient Comparator<? super K> comparator;

    public PTreeMap() {
        this((Comparator<? super K>) null);
    }

    public PTreeMap(Comparator<? super K> comparator) {
        this.comparator = comparator;
        if (comparator != null && !(comparator instanceof Enum || comparator instanceof Record || comparator instanceof PObject)) {
            throw new PersistException.Misuse(comparator.getClass().getName() + " cannot persist with the map: a comparator must be an enum constant,"
                    + " a record or a persistent object");
        }
        if (comparator != null) {
            jnvm$core().atomic(() -> jnvm$core().putAny(jnvm$live(), COMPARATOR, comparator));
        }
        PArrayList.publish(this);
    }

    @SuppressWarnings("unchecked")
    PTreeMap(Resurrection r) {
        super(r);
        comparator = (Comparator<? super K>) jnvm$core().getAny(jnvm$live(), COMPARATOR);
    }

    @Override
    public Comparator<? super K> comparator() {
        return comparator;
    }

    @Override
    public SortedView<K, V> whole() {
        return whole;
    }

    // ---- keys -----------------------------------------------------------------------------------------------------

    private BTree.Probe probe(Object key) {
        Objects.requireNonNull(key);
        int mine = KeyOrder.kind(key, comparator);
        int kind = jnvm$getInt(KIND);
        if (kind != KeyOrder.UNDECIDED && mine != kind) {
            throw new ClassCastException(key.getClass().getName() + " cannot be compared with the keys of this map");
        }
        if (mine == KeyOrder.OTHER && comparator == null && !(key instanceof Comparable)) {
            throw new ClassCastException(key.getClass().getName() + " is not comparable");
        }
        return new BTree.Probe(key, KeyOrder.prefix(key, mine), KeyOrder.exact(mine));
    }

    private long root() {
        return HeapCore.offsetOf(jnvm$getLong(ROOT));
    }

    private long find(BTree.Probe p) {
        long root = root();
        return root == 0 ? -1 : tree.find(root, jnvm$getInt(HEIGHT), p);
    }

    private V valueAt(long place) {
        return place < 0 ? null : tree.value(place);
    }

    // ---- operations, within a modification ------------------------------------------------------------------------

    private V putNow(BTree.Probe p, K key, V value) {
        HeapCore h = jnvm$core();
        long place = find(p);
        if (place >= 0) {
            return tree.setValue(place, value);
        }
        long root = root();
        if (root == 0) {
            root = HeapCore.offsetOf(h.ref(new BTree.Leaf()));
            h.putLong(jnvm$live(), ROOT, h.refAt(root));
            jnvm$putInt(KeyOrder.kind(key, comparator), KIND);
        }
        int height = jnvm$getInt(HEIGHT);
        long top = tree.insert(root, height, p, new BTree.Pair(p.prefix(), h.store(key), h.store(value)));
        if (top != root) {
            h.putLong(jnvm$live(), ROOT, h.refAt(top));
            jnvm$putInt(height + 1, HEIGHT);
        }
        jnvm$putInt(jnvm$getInt(COUNT) + 1, COUNT);
        return null;
    }

    private V removeNow(BTree.Probe p) {
        long place = find(p);
        if (place < 0) {
            return null;
        }
        HeapCore h = jnvm$core();
        V old = valueAt(place);
        long root = root();
        int height = jnvm$getInt(HEIGHT);
        BTree.Pair gone = tree.remove(root, height, p, false);
        h.drop(gone.key());
        h.drop(gone.value());
        jnvm$putInt(jnvm$getInt(COUNT) - 1, COUNT);
        if (tree.isEmpty(root)) {
            if (height > 0) {
                h.putLong(jnvm$live(), ROOT, h.refAt(tree.collapse(root)));
                jnvm$putInt(height - 1, HEIGHT);
            } else {
                h.free(h.deref(h.refAt(root)));
                h.putLong(jnvm$live(), ROOT, 0);
                jnvm$putInt(KeyOrder.UNDECIDED, KIND);
            }
        }
        return old;
    }

    @Override
    public <R> R change(Supplier<R> body) {
        return access.change(jnvm$core(), body);
    }

    Entry<K, V> writeThrough(K key, V value) {
        return new AbstractMap.SimpleEntry<>(key, value) {
            @Override
            public V setValue(V v) {
                PTreeMap.this.put(key, v);
                return super.setValue(v);
            }
        };
    }

    @Override
    public List<Entry<K, V>> run(K from, boolean inclusive, boolean descending, int most) {
        BTree.Probe p = from == null ? null : probe(from);
        return access.look(() -> {
            List<Entry<K, V>> found = new ArrayList<>(most);
            long root = root();
            if (root != 0) {
                tree.collect(root, jnvm$getInt(HEIGHT), p, inclusive, descending, most, found);
            }
            return found;
        });
    }

    // ---- map ------------------------------------------------------------------------------------------------------

    @Override
    public V get(Object key) {
        BTree.Probe p = probe(key);
        return access.look(() -> valueAt(find(p)));
    }

    @Override
    public boolean containsKey(Object key) {
        BTree.Probe p = probe(key);
        return access.look(() -> find(p)) >= 0;
    }

    @Override
    public boolean containsValue(Object value) {
        return values().contains(Objects.requireNonNull(value));
    }

    @Override
    public int size() {
        return jnvm$getInt(COUNT);
    }

    @Override
    public boolean isEmpty() {
        return size() == 0;
    }

    @Override
    public V put(K key, V value) {
        Objects.requireNonNull(value);
        // A first key must be comparable with itself, as in java.util.
        return change(() -> putNow(probe(key), key, value));
    }

    @Override
    public V remove(Object key) {
        BTree.Probe p = probe(key);
        return access.look(() -> find(p)) < 0 ? null : change(() -> removeNow(p));
    }

    @Override
    public boolean remove(Object key, Object value) {
        BTree.Probe p = probe(key);
        return value != null && change(() -> {
            if (!value.equals(valueAt(find(p)))) {
                return false;
            }
            removeNow(p);
            return true;
        });
    }

    @Override
    public V putIfAbsent(K key, V value) {
        Objects.requireNonNull(value);
        V seen = get(key);
        return seen != null ? seen : change(() -> {
            BTree.Probe p = probe(key);
            V there = valueAt(find(p));
            return there != null ? there : putNow(p, key, value);
        });
    }

    @Override
    public boolean replace(K key, V expected, V value) {
        Objects.requireNonNull(expected);
        Objects.requireNonNull(value);
        BTree.Probe p = probe(key);
        return change(() -> {
            if (!expected.equals(valueAt(find(p)))) {
                return false;
            }
            putNow(p, key, value);
            return true;
        });
    }

    @Override
    public V replace(K key, V value) {
        Objects.requireNonNull(value);
        BTree.Probe p = probe(key);
        return change(() -> find(p) < 0 ? null : putNow(p, key, value));
    }

    @Override
    public V compute(K key, BiFunction<? super K, ? super V, ? extends V> f) {
        Objects.requireNonNull(key);
        return change(() -> {
            V old = valueAt(find(probe(key)));
            V now = f.apply(key, old);
            if (now != null) {
                putNow(probe(key), key, now);
            } else if (old != null) {
                removeNow(probe(key));
            }
            return now;
        });
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> m) {
        if (!m.isEmpty()) {
            change(() -> {
                m.forEach(this::put);
                return null;
            });
        }
    }

    /** Removes everything; a large map in several blocks, so that the log need not hold it all. */
    @Override
    public void clear() {
        while (size() > 0) {
            change(() -> {
                for (Entry<K, V> e : run(null, false, false, 200)) {
                    removeNow(probe(e.getKey()));
                }
                return null;
            });
        }
    }

    @Override
    public NavigableSet<K> keySet() {
        return whole.navigableKeySet();
    }

    @Override
    public Collection<V> values() {
        return whole.values();
    }

    @Override
    public Set<Entry<K, V>> entrySet() {
        return whole.entrySet();
    }

    @Override
    public boolean equals(Object o) {
        return o == this || whole.equals(o);
    }

    @Override
    public int hashCode() {
        return whole.hashCode();
    }

    @Override
    public String toString() {
        return whole.toString();
    }

    /** Walks the whole index and fails if its shape is wrong; for tests. */
    void verify() {
        long root = root();
        int seen = root == 0 ? 0 : tree.verify(root, jnvm$getInt(HEIGHT), true);
        if (seen != size()) {
            throw new AssertionError("the tree holds " + seen + " pairs, the map counts " + size());
        }
    }

    @Override
    protected void jnvm$freeParts() {
        clear();
    }
}
