package dev.concord.persist.collections;

import dev.concord.persist.PersistentObject;
import dev.concord.persist.core.HeapCore;
import dev.concord.persist.core.Layout;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A B-tree of pairs in the heap, worked on by offsets without proxies. Owns the shape: every node but the root holds 7 to
 * 15 pairs in order, all leaves are equally deep, a word behind a node's last pair is 0 (so that marking and freeing see
 * only what is there). Locking and blocks are the map's.
 *
 * <p>Nodes are split on the way down before an insertion and filled on the way down before a removal, so neither has to
 * come back up.
 */
final class BTree<K, V> {
    private static final int HALF = 8;
    private static final int MOST = 2 * HALF - 1;

    /** Key prefixes, keys and values; inner nodes add one child more than they have keys. */
    static class Leaf extends PersistentObject {
        static final String $jnvm$fields = "n:I," + words("p", 'J', MOST) + ',' + words("k", 'V', MOST) + ',' + words("v", 'V', MOST);

        Leaf() {
        }

        Leaf(Resurrection r) {
            super(r);
        }
    }

    /** A node with children. */
    static final class Inner extends Leaf {
        static final String $jnvm$fields = words("c", 'L', MOST + 1);

        Inner() {
        }

        Inner(Resurrection r) {
            super(r);
        }
    }

    private static String words(String name, char type, int n) {
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < n; i++) {
            s.append(i == 0 ? "" : ",").append(name).append(i).append(':').append(type);
        }
        return s.toString();
    }

    private static final int N = Layout.offset(Leaf.class, "n");
    private static final int P = Layout.offset(Leaf.class, "p0");
    private static final int K0 = Layout.offset(Leaf.class, "k0");
    private static final int V0 = Layout.offset(Leaf.class, "v0");
    private static final int C = Layout.offset(Inner.class, "c0");
    private static final int[] PAIR = {P, K0, V0};

    private final PTreeMap<K, V> map;
    private final HeapCore h;

    BTree(PTreeMap<K, V> map, HeapCore heap) {
        this.map = map;
        this.h = heap;
    }

    /** A key prepared for searching. */
    record Probe(Object key, long prefix, boolean exact) {
    }

    /** A pair taken out of the tree, as references. */
    record Pair(long prefix, long key, long value) {
    }

    // ---- words ----------------------------------------------------------------------------------------------------

    private int count(long node) {
        return h.getInt(node, N);
    }

    private long child(long node, int i) {
        return HeapCore.offsetOf(h.getLong(node, C + 8L * i));
    }

    private void pair(long node, int i, Pair p) {
        h.putLong(node, P + 8L * i, p.prefix);
        h.putLong(node, K0 + 8L * i, p.key);
        h.putLong(node, V0 + 8L * i, p.value);
    }

    private Pair pair(long node, int i) {
        return new Pair(h.getLong(node, P + 8L * i), h.getLong(node, K0 + 8L * i), h.getLong(node, V0 + 8L * i));
    }

    private static final Pair NONE = new Pair(0, 0, 0);

    /** Moves words within a node or to another; what they leave is overwritten or cleared by the caller. */
    private void copy(long from, int i, long to, int k, int n, int base) {
        if (i >= k) {
            for (int x = 0; x < n; x++) {
                h.putLong(to, base + 8L * (k + x), h.getLong(from, base + 8L * (i + x)));
            }
        } else {
            for (int x = n - 1; x >= 0; x--) {
                h.putLong(to, base + 8L * (k + x), h.getLong(from, base + 8L * (i + x)));
            }
        }
    }

    private void copyPairs(long from, int i, long to, int k, int n) {
        for (int base : PAIR) {
            copy(from, i, to, k, n, base);
        }
    }

    private void clearPairs(long node, int from, int to) {
        for (int i = from; i < to; i++) {
            pair(node, i, NONE);
        }
    }

    private void clearChildren(long node, int from, int to) {
        for (int i = from; i < to; i++) {
            h.putLong(node, C + 8L * i, 0);
        }
    }

    // ---- search ---------------------------------------------------------------------------------------------------

    private int compare(Probe p, long node, int i) {
        long there = h.getLong(node, P + 8L * i);
        return there != p.prefix ? p.prefix < there ? -1 : 1 : p.exact ? 0 : compareKeys(p, node, i);
    }

    @SuppressWarnings("unchecked")
    private int compareKeys(Probe p, long node, int i) {
        Object key = h.getAny(node, K0 + 8L * i);
        Comparator<? super K> c = map.comparator();
        return c != null ? c.compare((K) p.key, (K) key) : ((Comparable<Object>) p.key).compareTo(key);
    }

    /** Index of the pair with this key, or {@code -1 - index} of the first greater one. */
    private int search(long node, Probe p) {
        int n = count(node);
        int lo = h.lowerBound(node, P, n, p.prefix);
        if (lo == n || h.getLong(node, P + 8L * lo) != p.prefix) {
            return -1 - lo;
        }
        if (p.exact) {
            return lo;
        }
        // Among the keys that share the prefix, the keys decide.
        int hi = p.prefix == Long.MAX_VALUE ? n : h.lowerBound(node, P, n, p.prefix + 1);
        while (lo < hi) {
            int mid = lo + hi >>> 1;
            int c = compareKeys(p, node, mid);
            if (c == 0) {
                return mid;
            }
            if (c > 0) {
                lo = mid + 1;
            } else {
                hi = mid;
            }
        }
        return -1 - lo;
    }

    /** The place of the pair with this key, for {@link #value(long)} and {@link #setValue}, or -1. */
    long find(long root, int height, Probe p) {
        long node = root;
        for (int level = height;; level--) {
            int i = search(node, p);
            if (i >= 0) {
                return node << 4 | i;
            }
            if (level == 0) {
                return -1;
            }
            node = child(node, -1 - i);
        }
    }

    @SuppressWarnings("unchecked")
    V value(long place) {
        return (V) h.getAny(place >>> 4, V0 + 8L * (place & 15));
    }

    V setValue(long place, V v) {
        V old = value(place);
        h.putAny(place >>> 4, V0 + 8L * (place & 15), v);
        return old;
    }

    /** As {@link #setValue}, where the old value is known to be no value owned by its place. */
    void setObject(long place, V v) {
        h.putLong(place >>> 4, V0 + 8L * (place & 15), h.store(v));
    }

    /** Adds up to {@code most} pairs to the list, from the probe on (null: from the beginning) in one direction. */
    void collect(long node, int level, Probe from, boolean inclusive, boolean down, int most, List<Map.Entry<K, V>> into) {
        int n = count(node);
        int at = down ? n : 0;
        boolean exactHit = false;
        if (from != null) {
            int i = search(node, from);
            exactHit = i >= 0;
            at = exactHit ? i : -1 - i;
        }
        if (down) {
            // Child at+1 lies above pair at; pairs below `at` and the child between are what is asked for.
            if (exactHit) {
                if (inclusive) {
                    add(node, at, into);
                }
                from = null;
            }
            for (int i = at; into.size() < most && i >= 0; i--) {
                if (level > 0) {
                    collect(child(node, i), level - 1, from, inclusive, true, most, into);
                }
                from = null;
                if (i > 0 && into.size() < most) {
                    add(node, i - 1, into);
                }
            }
            return;
        }
        if (exactHit) {
            if (inclusive) {
                add(node, at, into);
            }
            at++;
            from = null;
        }
        for (int i = at; into.size() < most && i <= n; i++) {
            if (level > 0) {
                collect(child(node, i), level - 1, from, inclusive, false, most, into);
            }
            from = null;
            if (i < n && into.size() < most) {
                add(node, i, into);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private void add(long node, int i, List<Map.Entry<K, V>> into) {
        into.add(new PersistentMap.WriteThrough<>(map, (K) h.getAny(node, K0 + 8L * i), value(node << 4 | i)));
    }

    // ---- insertion ------------------------------------------------------------------------------------------------

    /** Adds a pair whose key is not there; returns the root, which may be a new one above the old. */
    long insert(long root, int height, Probe p, Pair pair) {
        long top = root;
        int level = height;
        if (count(root) == MOST) {
            Inner above = new Inner();
            top = HeapCore.offsetOf(h.ref(above));
            h.putLong(top, C, h.refAt(root));
            split(top, 0, height);
            level++;
        }
        long node = top;
        for (;; level--) {
            int i = -1 - search(node, p);
            if (level == 0) {
                int n = count(node);
                copyPairs(node, i, node, i + 1, n - i);
                pair(node, i, pair);
                h.putInt(node, N, n + 1);
                return top;
            }
            long c = child(node, i);
            if (count(c) == MOST) {
                split(node, i, level - 1);
                c = child(node, compare(p, node, i) > 0 ? i + 1 : i);
            }
            node = c;
        }
    }

    /** Splits the full child {@code i}, whose level is given, around its middle pair. */
    private void split(long parent, int i, int level) {
        long left = child(parent, i);
        Leaf made = level == 0 ? new Leaf() : new Inner();
        long right = HeapCore.offsetOf(h.ref(made));
        copyPairs(left, HALF, right, 0, HALF - 1);
        h.putInt(right, N, HALF - 1);
        if (level > 0) {
            copy(left, HALF, right, 0, HALF, C);
            clearChildren(left, HALF, 2 * HALF);
        }
        Pair middle = pair(left, HALF - 1);
        clearPairs(left, HALF - 1, MOST);
        h.putInt(left, N, HALF - 1);
        int n = count(parent);
        copyPairs(parent, i, parent, i + 1, n - i);
        copy(parent, i + 1, parent, i + 2, n - i, C);
        pair(parent, i, middle);
        h.putLong(parent, C + 8L * (i + 1), h.ref(made));
        h.putInt(parent, N, n + 1);
    }

    // ---- removal --------------------------------------------------------------------------------------------------

    /** Takes out the pair of a key, or with no probe the first or last pair; null if the key is not there. */
    Pair remove(long root, int height, Probe p, boolean last) {
        long node = root;
        int level = height;
        for (;;) {
            int i = p == null ? last ? -1 - count(node) : -1 : search(node, p);
            if (level == 0) {
                if (p == null) {
                    return take(node, last ? count(node) - 1 : 0);
                }
                return i >= 0 ? take(node, i) : null;
            }
            if (i < 0) {
                long c = child(node, -1 - i);
                if (count(c) >= HALF) {
                    node = c;
                    level--;
                } else {
                    fill(node, -1 - i, level - 1); // pairs moved: look again from here
                }
                continue;
            }
            long before = child(node, i);
            long after = child(node, i + 1);
            boolean fromBefore = count(before) >= HALF;
            if (fromBefore || count(after) >= HALF) {
                Pair gone = pair(node, i);
                pair(node, i, remove(fromBefore ? before : after, level - 1, null, fromBefore));
                return gone;
            }
            merge(node, i, level - 1);
            node = child(node, i);
            level--;
        }
    }

    private Pair take(long leaf, int i) {
        Pair p = pair(leaf, i);
        int n = count(leaf);
        copyPairs(leaf, i + 1, leaf, i, n - i - 1);
        pair(leaf, n - 1, NONE);
        h.putInt(leaf, N, n - 1);
        return p;
    }

    /** Gives child {@code i} a pair more, from a neighbour or by merging with one. */
    private void fill(long node, int i, int level) {
        if (i > 0 && count(child(node, i - 1)) >= HALF) {
            long left = child(node, i - 1);
            long c = child(node, i);
            int ln = count(left);
            int n = count(c);
            copyPairs(c, 0, c, 1, n);
            pair(c, 0, pair(node, i - 1));
            pair(node, i - 1, pair(left, ln - 1));
            pair(left, ln - 1, NONE);
            if (level > 0) {
                copy(c, 0, c, 1, n + 1, C);
                copy(left, ln, c, 0, 1, C);
                clearChildren(left, ln, ln + 1);
            }
            h.putInt(left, N, ln - 1);
            h.putInt(c, N, n + 1);
            return;
        }
        if (i < count(node) && count(child(node, i + 1)) >= HALF) {
            long right = child(node, i + 1);
            long c = child(node, i);
            int rn = count(right);
            int n = count(c);
            pair(c, n, pair(node, i));
            pair(node, i, pair(right, 0));
            copyPairs(right, 1, right, 0, rn - 1);
            pair(right, rn - 1, NONE);
            if (level > 0) {
                copy(right, 0, c, n + 1, 1, C);
                copy(right, 1, right, 0, rn, C);
                clearChildren(right, rn, rn + 1);
            }
            h.putInt(right, N, rn - 1);
            h.putInt(c, N, n + 1);
            return;
        }
        merge(node, i < count(node) ? i : i - 1, level);
    }

    /** Joins children {@code i} and {@code i + 1} around pair {@code i}. */
    private void merge(long node, int i, int level) {
        long left = child(node, i);
        long right = child(node, i + 1);
        int ln = count(left);
        int rn = count(right);
        pair(left, ln, pair(node, i));
        copyPairs(right, 0, left, ln + 1, rn);
        clearPairs(right, 0, rn);
        if (level > 0) {
            copy(right, 0, left, ln + 1, rn + 1, C);
            clearChildren(right, 0, rn + 1);
        }
        h.putInt(left, N, ln + rn + 1);
        int n = count(node);
        copyPairs(node, i + 1, node, i, n - i - 1);
        pair(node, n - 1, NONE);
        copy(node, i + 2, node, i + 1, n - i - 1, C);
        clearChildren(node, n, n + 1);
        h.putInt(node, N, n - 1);
        h.free(h.deref(h.refAt(right)));
    }

    /** The only child of a root that ran empty, which takes its place. */
    long collapse(long root) {
        long only = child(root, 0);
        clearChildren(root, 0, 1);
        h.free(h.deref(h.refAt(root)));
        return only;
    }

    boolean isEmpty(long node) {
        return count(node) == 0;
    }

    /** Keeps what a test may ask of the shape: every pair in order, nodes filled, leaves level. Returns the pairs seen. */
    int verify(long node, int level, boolean root) {
        int n = count(node);
        if (!root && n < HALF - 1 || n > MOST) {
            throw new AssertionError("a node holds " + n + " pairs");
        }
        int seen = n;
        for (int i = n; i < MOST; i++) {
            if (!pair(node, i).equals(NONE)) {
                throw new AssertionError("a word behind the last pair is not 0");
            }
        }
        for (int i = 0; level > 0 && i <= n; i++) {
            seen += verify(child(node, i), level - 1, false);
        }
        return seen;
    }
}
