package dev.concord.persist.collections;

import dev.concord.persist.PObject;
import dev.concord.persist.PersistException;
import dev.concord.persist.PersistentObject;
import dev.concord.persist.core.HeapCore;
import dev.concord.persist.core.Layout;
import dev.concord.persist.core.Tx;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A sorted map whose index, a B-tree, is persistent: it opens in no time whatever its size and takes no memory per key,
 * but for a bounded number of pairs that were looked up lately ({@link Recall}).
 * Keys are values, or persistent objects that are comparable; they sort in their natural order, or by a comparator that is
 * itself a value: an enum constant or a record.
 */
public final class PTreeMap<K, V> extends PersistentMap<K, V> implements SortedOwner<K, V> {
    static final String $jnvm$fields = "root:L,comparator:V:Ljava/util/Comparator;,count:I,height:I,kind:I";
    private static final int ROOT = Layout.offset(PTreeMap.class, "root");
    private static final int COMPARATOR = Layout.offset(PTreeMap.class, "comparator");
    private static final int COUNT = Layout.offset(PTreeMap.class, "count");
    private static final int HEIGHT = Layout.offset(PTreeMap.class, "height");
    private static final int MOST_STORED = 32;
    private static final int KIND = Layout.offset(PTreeMap.class, "kind");
    private final transient IndexLock access = new IndexLock();
    private final transient BTree<K, V> tree = new BTree<>(this, jnvm$core());
    private final transient SortedView<K, V> whole = new SortedView<>(this);
    private final transient Comparator<? super K> comparator;
    private final transient Recall<V> recall = new Recall<>();
    /** Changes of the index that may have moved pairs; guarded by {@link #access}, read by anybody. */
    private transient volatile long changes;
    /** Guarded by {@link #access}: what the block that holds it stored, each pair followed by its key. */
    private final transient ArrayList<Object> stored = new ArrayList<>();
    private transient boolean modified;

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
        return probe(key, KeyOrder.kind(key, comparator));
    }

    private BTree.Probe probe(Object key, int mine) {
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

    // ---- pairs looked up lately -----------------------------------------------------------------------------------

    /** Grows when a pair may come to lie elsewhere: both parts only ever grow. */
    private long version() {
        return changes + jnvm$core().moves();
    }

    private boolean recalls(int kind) {
        return Recall.takes(kind) && !jnvm$core().locksObjects();
    }

    private Recall.Pair<V> recalled(Object key, int kind) {
        Recall.Pair<V> p = recalls(kind) ? recall.find(key, kind) : null;
        return p == null || p.freed() ? null : p;
    }

    /** Looks a key up in the index, and lets it be found faster next time. */
    private V search(Object key, int kind) {
        BTree.Probe p = probe(key, kind);
        long stamp = access.stamp();
        if (stamp != 0) {
            try {
                long version = version();
                long place = find(p);
                V v = valueAt(place);
                if (access.unchanged(stamp)) {
                    if (v instanceof PersistentObject && recalls(kind) && !jnvm$core().inBlock() && recall.wants(key, kind)) {
                        access.ifUnchanged(stamp, () -> recall.put(new Recall.Pair<>(key, kind, v, place, version), key, size()));
                    }
                    return v;
                }
            } catch (RuntimeException e) {
                if (access.unchanged(stamp)) {
                    throw e;
                }
            }
        }
        return access.look(() -> valueAt(find(p)));
    }

    private final transient Runnable settle = () -> {
        for (int i = 0; i < stored.size(); i += 2) {
            @SuppressWarnings("unchecked")
            Recall.Pair<V> p = (Recall.Pair<V>) stored.get(i);
            recall.put(p, stored.get(i + 1), size());
        }
        forget();
    };

    private void forget() {
        stored.clear();
        modified = false;
    }

    /** The block changes this key's pair: others see it as it was until the block commits. */
    private void modify(Object key, int kind) {
        if (!recalls(kind)) {
            return;
        }
        recall.remove(key, kind);
        for (int i = 0; i < stored.size(); i += 2) {
            if (stored.get(i + 1).equals(key)) {
                stored.subList(i, i + 2).clear();
                break;
            }
        }
    }

    /** When the block commits, the key leads to this value, at this place as long as the version is the same. */
    private void store(Object key, int kind, V value, long place) {
        if (!(value instanceof PersistentObject) || !recalls(kind) || stored.size() >= MOST_STORED) {
            return;
        }
        if (!modified) {
            modified = true;
            Tx t = jnvm$core().requireBlock();
            t.onCommit(settle);
            t.onRollback(this::forget);
        }
        stored.add(new Recall.Pair<>(key, kind, value, place, version()));
        stored.add(key);
    }

    // ---- operations, within a modification ------------------------------------------------------------------------

    @Override
    V putNow(K key, V value) {
        HeapCore h = jnvm$core();
        int kind = KeyOrder.kind(key, comparator);
        Recall.Pair<V> known = recalled(key, kind);
        long place = known == null ? -1 : known.place(version());
        if (place >= 0) {
            modify(key, kind);
            tree.setObject(place, value);
            store(key, kind, value, place);
            return known.value;
        }
        BTree.Probe p = probe(key, kind); // a first key must be comparable with itself, as in java.util
        place = find(p);
        modify(key, kind);
        if (place >= 0) {
            V old = tree.setValue(place, value);
            store(key, kind, value, place);
            return old;
        }
        changes++;
        long root = root();
        if (root == 0) {
            root = HeapCore.offsetOf(h.ref(new BTree.Leaf()));
            h.putLong(jnvm$live(), ROOT, h.refAt(root));
            jnvm$putInt(kind, KIND);
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
        modify(key, KeyOrder.kind(key, comparator));
        changes++;
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
        int kind = KeyOrder.kind(Objects.requireNonNull(key), comparator);
        Recall.Pair<V> known = recalled(key, kind);
        return known != null ? known.value : search(key, kind);
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
