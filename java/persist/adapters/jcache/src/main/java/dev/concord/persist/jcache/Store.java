package dev.concord.persist.jcache;

import dev.concord.persist.PHeap;
import dev.concord.persist.collections.PHashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A cache's pairs: persistent entries by number, and beside them a volatile map from key to entry, because equality of keys
 * is their {@code equals}, which their stored form may not show. Owns the locks that make an operation on a key atomic.
 */
final class Store<K> {
    private final PHeap heap;
    private final String root;
    private final Codec codec;
    private final PHashMap<Long, CacheEntry> persistent;
    private final ConcurrentHashMap<K, CacheEntry> byKey = new ConcurrentHashMap<>();
    private final AtomicLong next = new AtomicLong();
    private final ReentrantLock[] locks = new ReentrantLock[64];

    @SuppressWarnings("unchecked")
    Store(PHeap heap, String root, Codec codec) {
        this.heap = heap;
        this.root = root;
        this.codec = codec;
        for (int i = 0; i < locks.length; i++) {
            locks[i] = new ReentrantLock();
        }
        persistent = heap.root(root, PHashMap.class, PHashMap::new);
        for (Map.Entry<Long, CacheEntry> e : persistent.entrySet()) {
            e.getValue().id = e.getKey();
            byKey.put((K) codec.decode(e.getValue().key()), e.getValue());
            next.accumulateAndGet(e.getKey() + 1, Math::max);
        }
    }

    ReentrantLock lock(Object key) {
        int h = key.hashCode() * 0x9E3779B9;
        return locks[h >>> 26];
    }

    CacheEntry get(Object key) {
        return byKey.get(key);
    }

    @SuppressWarnings("unchecked")
    void add(K key, Object value, long expires) {
        long id = next.getAndIncrement();
        CacheEntry e = heap.atomicGet(() -> {
            CacheEntry made = new CacheEntry(codec.encode(key), codec.encode(value), expires);
            persistent.put(id, made);
            return made;
        });
        e.id = id;
        byKey.put((K) codec.copy(key), e);
    }

    void replace(CacheEntry e, Object value, long expires) {
        Object encoded = codec.encode(value);
        heap.atomic(() -> {
            e.value(encoded);
            e.expires(expires);
        });
    }

    void expires(CacheEntry e, long when) {
        heap.atomic(() -> e.expires(when));
    }

    void remove(Object key, CacheEntry e) {
        byKey.remove(key);
        heap.atomic(() -> {
            persistent.remove(e.id);
            heap.free(e);
        });
    }

    Iterator<K> keys() {
        return byKey.keySet().iterator();
    }

    void destroy() {
        heap.atomic(() -> {
            for (CacheEntry e : persistent.values()) {
                heap.free(e);
            }
            heap.bindRoot(root, null);
            heap.free(persistent);
        });
        byKey.clear();
    }
}
