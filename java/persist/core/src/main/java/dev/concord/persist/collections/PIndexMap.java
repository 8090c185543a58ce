package dev.concord.persist.collections;

import dev.concord.persist.PObject;
import dev.concord.persist.PersistentObject;
import dev.concord.persist.core.HeapCore;
import dev.concord.persist.core.Layout;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A hash map whose index is persistent: it opens in no time whatever its size and takes no memory per key. Linear hashing:
 * each insertion splits at most one bucket, so no operation writes more than a few words.
 *
 * <p>Keys compare by their encoded bytes. Buckets lie in chunks of doubling size that are never moved; nodes are
 * {next, key, value, hash}.
 */
public final class PIndexMap<K, V> extends PersistentMap<K, V> {
    private static final int FIRST_BUCKETS = 16;
    static final String $jnvm$fields = ChunkedTable.FIELDS + ",count:I,buckets:I";
    private static final int CHUNK0 = Layout.offset(PIndexMap.class, "c0");
    private static final int COUNT = Layout.offset(PIndexMap.class, "count");
    private static final int BUCKETS = Layout.offset(PIndexMap.class, "buckets");
    private final transient ChunkedTable table = new ChunkedTable(this, CHUNK0, 1);
    private final transient IndexLock access = new IndexLock();

    /** One pair. */
    static final class Node extends PersistentObject {
        static final String $jnvm$fields = "next:L,key:V:Ljava/lang/Object;,value:V:Ljava/lang/Object;,hash:I";
        static final int NEXT = Layout.offset(Node.class, "next");
        static final int KEY = Layout.offset(Node.class, "key");
        static final int VALUE = Layout.offset(Node.class, "value");
        static final int HASH = Layout.offset(Node.class, "hash");

        Node() {
        }

        Node(Resurrection r) {
            super(r);
        }
    }

    /** A key as it is compared: its bytes if it is a value, else the reference. */
    private record Probe(int hash, byte[] bytes, long ref) {
    }

    public PIndexMap() {
        HeapCore h = jnvm$core();
        h.atomic(() -> {
            h.putRef(jnvm$live(), CHUNK0, new References(FIRST_BUCKETS));
            h.putInt(jnvm$live(), BUCKETS, FIRST_BUCKETS);
        });
        PArrayList.publish(this);
    }

    PIndexMap(Resurrection r) {
        super(r);
    }

    private Probe probe(Object key) {
        Objects.requireNonNull(key);
        if (key instanceof PObject p) {
            long ref = jnvm$core().ref(p);
            return new Probe(mix(Long.hashCode(ref)), null, ref);
        }
        byte[] b = jnvm$core().encode(key);
        return new Probe(mix(java.util.Arrays.hashCode(b)), b, 0);
    }

    private static int mix(int h) {
        h *= 0x9E3779B9;
        return h ^ h >>> 15;
    }

    private long bucket(int i) {
        return table.ref(i, 0);
    }

    private void bucket(int i, long ref) {
        table.ref(i, 0, ref);
    }

    private static int bucketOf(int hash, int buckets) {
        int high = Integer.highestOneBit(buckets);
        int i = hash & (high << 1) - 1;
        return i < buckets ? i : i - high;
    }

    private long next(long node) {
        return jnvm$core().getLong(HeapCore.offsetOf(node), Node.NEXT);
    }

    private boolean matches(long node, Probe p) {
        HeapCore h = jnvm$core();
        long n = HeapCore.offsetOf(node);
        if (h.getInt(n, Node.HASH) != p.hash) {
            return false;
        }
        long key = h.getLong(n, Node.KEY);
        return p.bytes == null ? key == p.ref : h.valueEquals(key, p.bytes);
    }

    private long findNode(Probe p) {
        long n = bucket(bucketOf(p.hash, jnvm$getInt(BUCKETS)));
        while (n != 0 && !matches(n, p)) {
            n = next(n);
        }
        return n;
    }

    @SuppressWarnings("unchecked")
    private V valueOf(long node) {
        return node == 0 ? null : (V) jnvm$core().getAny(HeapCore.offsetOf(node), Node.VALUE);
    }

    @Override
    public <R> R change(Supplier<R> body) {
        return access.change(jnvm$core(), body);
    }

    /**
     * As {@link #put}, for who does not ask for the value that was there. Where there is a log, a {@code byte[]} that differs
     * little from it changes it where it lies.
     */
    public void set(K key, V value) {
        Objects.requireNonNull(value);
        Probe p = probe(key);
        change(() -> {
            long n = findNode(p);
            if (n != 0) {
                jnvm$core().putAnyInPlace(HeapCore.offsetOf(n), Node.VALUE, value);
            } else {
                add(p, jnvm$core().store(value));
            }
            return null;
        });
    }

    /** As {@link #set} of a {@code byte[]} with a part of another's content, which is copied before the call returns. */
    public static <K> void setBytes(PIndexMap<K, byte[]> map, K key, byte[] src, int pos, int len) {
        Objects.checkFromIndexSize(pos, len, src.length);
        HeapCore h = map.jnvm$core();
        Probe p = map.probe(key);
        map.change(() -> {
            long n = map.findNode(p);
            if (n != 0) {
                h.putBytesInPlace(HeapCore.offsetOf(n), Node.VALUE, src, pos, len);
            } else {
                map.add(p, h.newBytes(src, pos, len));
            }
            return null;
        });
    }

    @Override
    V putNow(K key, V value) {
        Probe p = probe(key);
        long n = findNode(p);
        if (n == 0) {
            add(p, jnvm$core().store(value));
            return null;
        }
        V old = valueOf(n);
        jnvm$core().putAny(HeapCore.offsetOf(n), Node.VALUE, value);
        return old;
    }

    /** A pair whose key is not there, with what {@link HeapCore#store} made of its value. */
    private void add(Probe p, long value) {
        HeapCore h = jnvm$core();
        int buckets = jnvm$getInt(BUCKETS);
        Node node = new Node();
        long at = HeapCore.offsetOf(h.ref(node));
        int b = bucketOf(p.hash, buckets);
        h.putLong(at, Node.NEXT, bucket(b));
        h.putLong(at, Node.KEY, p.bytes != null ? h.newEncoded(p.bytes) : p.ref);
        h.putLong(at, Node.VALUE, value);
        h.putInt(at, Node.HASH, p.hash);
        bucket(b, h.ref(node));
        int count = jnvm$getInt(COUNT) + 1;
        jnvm$putInt(count, COUNT);
        if (count > buckets && buckets < ChunkedTable.base(ChunkedTable.CHUNKS)) {
            split(buckets);
        }
    }

    /** Adds bucket number {@code n} and moves to it what belongs there from the one bucket it shares hashes with. */
    private void split(int n) {
        HeapCore h = jnvm$core();
        table.ensure(n);
        int from = n - Integer.highestOneBit(n);
        long stay = 0;
        long move = 0;
        for (long x = bucket(from); x != 0;) {
            long next = next(x);
            long at = HeapCore.offsetOf(x);
            if (bucketOf(h.getInt(at, Node.HASH), n + 1) == n) {
                h.putLong(at, Node.NEXT, move);
                move = x;
            } else {
                h.putLong(at, Node.NEXT, stay);
                stay = x;
            }
            x = next;
        }
        bucket(from, stay);
        bucket(n, move);
        jnvm$putInt(n + 1, BUCKETS);
    }

    @Override
    V removeNow(Object key) {
        Probe p = probe(key);
        int b = bucketOf(p.hash, jnvm$getInt(BUCKETS));
        long before = 0;
        for (long n = bucket(b); n != 0; before = n, n = next(n)) {
            if (matches(n, p)) {
                V old = valueOf(n);
                if (before == 0) {
                    bucket(b, next(n));
                } else {
                    jnvm$core().putLong(HeapCore.offsetOf(before), Node.NEXT, next(n));
                }
                jnvm$core().free(jnvm$core().deref(n));
                jnvm$putInt(jnvm$getInt(COUNT) - 1, COUNT);
                return old;
            }
        }
        return null;
    }

    @Override
    public V get(Object key) {
        Probe p = probe(key);
        return access.look(() -> valueOf(findNode(p)));
    }

    @Override
    public boolean containsKey(Object key) {
        Probe p = probe(key);
        return access.look(() -> findNode(p)) != 0;
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
                int n = 0;
                for (Iterator<Entry<K, V>> i = entrySet().iterator(); i.hasNext() && n < 1000; n++) {
                    i.next();
                    i.remove();
                }
                return null;
            });
        }
    }

    private final class Walk implements Iterator<Entry<K, V>> {
        private int bucket;
        private List<Entry<K, V>> batch = List.of();
        private int at;
        private K last;

        private final int buckets = jnvm$getInt(BUCKETS);

        /** One bucket at a time, as the buckets were when the iterator was made: no pair twice, however many splits follow. */
        private boolean fill() {
            while (at == batch.size()) {
                if (bucket >= buckets) {
                    return false;
                }
                List<Entry<K, V>> found = new ArrayList<>();
                access.look(() -> {
                    found.clear(); // a look that met a modification begins anew
                    collect(bucket, found);
                    return null;
                });
                bucket++;
                batch = found;
                at = 0;
            }
            return true;
        }

        /** The bucket and those that were split from it since. */
        @SuppressWarnings("unchecked")
        private void collect(int i, List<Entry<K, V>> found) {
            for (long n = PIndexMap.this.bucket(i); n != 0; n = PIndexMap.this.next(n)) {
                K k = (K) jnvm$core().getAny(HeapCore.offsetOf(n), Node.KEY);
                found.add(new WriteThrough<>(PIndexMap.this, k, valueOf(n)));
            }
            int now = jnvm$getInt(BUCKETS);
            for (int p = i == 0 ? 1 : Integer.highestOneBit(i) << 1; p > 0 && i + p < now; p <<= 1) {
                if (i + p >= buckets) {
                    collect(i + p, found);
                }
            }
        }

        @Override
        public boolean hasNext() {
            return fill();
        }

        @Override
        public Entry<K, V> next() {
            if (!fill()) {
                throw new NoSuchElementException();
            }
            Entry<K, V> e = batch.get(at++);
            last = e.getKey();
            return e;
        }

        @Override
        public void remove() {
            if (last == null) {
                throw new IllegalStateException();
            }
            PIndexMap.this.remove(last);
            last = null;
        }
    }

    private final transient View<K, V> view = new View<>(this, Walk::new);

    @Override
    Map<K, V> view() {
        return view;
    }

    @Override
    protected void jnvm$freeParts() {
        clear();
        table.free();
    }
}
