package dev.concord.persist.jcache;

import dev.concord.persist.PHeap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import javax.cache.configuration.Configuration;
import javax.cache.event.EventType;
import javax.cache.expiry.Duration;

/** The steps that operations are made of. Every operation on a key holds that key's lock; listeners are told when it is released. */
abstract class CacheSteps<K, V> extends ManagedCache<K, V> {
    final Store<K> store;

    CacheSteps(PersistCacheManager manager, String name, Configuration<K, V> given, PHeap heap, String root) {
        super(manager, name, given, heap);
        this.store = new Store<>(heap, root, codec);
    }

    final void found(boolean yes) {
        if (counts()) {
            (yes ? statistics.hits : statistics.misses).increment();
        }
    }

    /** An operation on one key: atomic, and its events told afterwards. */
    final <R> R on(K key, Function<List<Listeners.Event<K, V>>, R> body) {
        List<Listeners.Event<K, V>> events = new ArrayList<>();
        ReentrantLock l = store.lock(key);
        l.lock();
        try {
            return body.apply(events);
        } finally {
            l.unlock();
            if (!events.isEmpty() && !listeners.isEmpty()) {
                listeners.tell(events);
            }
        }
    }

    @SuppressWarnings("unchecked")
    final V valueOf(CacheEntry e) {
        return (V) codec.decode(e.value());
    }

    final void event(List<Listeners.Event<K, V>> events, EventType type, K key, V value, V old) {
        if (!listeners.isEmpty()) {
            events.add(new Listeners.Event<>(this, type, key, value, old));
        }
    }

    /** The entry if it is there and has not expired. */
    final CacheEntry live(K key, List<Listeners.Event<K, V>> events) {
        CacheEntry e = store.get(key);
        if (e != null && e.isExpired(System.currentTimeMillis())) {
            V old = valueOf(e);
            store.remove(key, e);
            event(events, EventType.EXPIRED, key, old, old);
            return null;
        }
        return e;
    }

    /** The entry if it holds this value; one that holds another counts as accessed. */
    final CacheEntry holding(K key, V value, List<Listeners.Event<K, V>> events) {
        CacheEntry e = live(key, events);
        found(e != null);
        if (e != null && !value.equals(valueOf(e))) {
            accessed(e);
            return null;
        }
        return e;
    }

    private static long until(Duration d) {
        return d.isEternal() ? CacheEntry.ETERNAL : d.getAdjustedTime(System.currentTimeMillis());
    }

    final void accessed(CacheEntry e) {
        Duration d = expiry.getExpiryForAccess();
        if (d != null) {
            store.expires(e, until(d));
        }
    }

    /** Stores a pair that is not there; false if it expires at once. */
    final boolean create(K key, V value, List<Listeners.Event<K, V>> events) {
        Duration d = expiry.getExpiryForCreation();
        if (d != null && d.isZero()) {
            event(events, EventType.EXPIRED, key, value, value);
            return false;
        }
        store.add(key, value, d == null ? CacheEntry.ETERNAL : until(d));
        event(events, EventType.CREATED, key, value, null);
        return true;
    }

    final void update(K key, CacheEntry e, V value, List<Listeners.Event<K, V>> events) {
        V old = listeners.isEmpty() ? null : valueOf(e);
        Duration d = expiry.getExpiryForUpdate();
        store.replace(e, value, d == null ? e.expires() : until(d));
        event(events, EventType.UPDATED, key, value, old);
    }

    final void put(K key, CacheEntry e, V value, List<Listeners.Event<K, V>> events) {
        boolean stored = true;
        if (e == null) {
            stored = create(key, value, events);
        } else {
            update(key, e, value, events);
        }
        if (stored && counts()) {
            statistics.puts.increment();
        }
    }

    final V remove(K key, CacheEntry e, List<Listeners.Event<K, V>> events) {
        V old = valueOf(e);
        store.remove(key, e);
        event(events, EventType.REMOVED, key, old, old);
        if (counts()) {
            statistics.removals.increment();
        }
        return old;
    }

    void destroy() {
        store.destroy();
    }
}
