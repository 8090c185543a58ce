package dev.concord.persist.collections;

import dev.concord.persist.PObject;
import dev.concord.persist.PersistException;
import dev.concord.persist.core.HeapCore;
import dev.concord.persist.core.Layout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A sorted map whose index, a B-tree, is persistent: it opens in no time whatever its size and takes no memory per key.
 * Keys are values, or persistent objects that are comparable; they sort in their natural order, or by a comparator that is
 * itself a value: an enum constant or a record.
 */
public final class PTreeMap<K, V> extends PersistentMap<K, V> implements SortedOwner<K, V> {
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

    @Override
    V putNow(K key, V value) {
        BTree.Probe p = probe(key); // a first key must be comparable with itself, as in java.util
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

    @Override
    V removeNow(Object key) {
        BTree.Probe p = probe(key);
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
    public int size() {
        return jnvm$getInt(COUNT);
    }

    /** Removes everything; a large map in several blocks, so that the log need not hold it all. */
    @Override
    public void clear() {
        while (size() > 0) {
            change(() -> {
                for (Entry<K, V> e : run(null, false, false, 200)) {
                    removeNow(e.getKey());
                }
                return null;
            });
        }
    }

    @Override
    Map<K, V> view() {
        return whole;
    }

    @Override
    public NavigableSet<K> keySet() {
        return whole.navigableKeySet();
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
