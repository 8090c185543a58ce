package dev.concord.persist.jcache;

import dev.concord.persist.PHeap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import javax.cache.CacheException;
import javax.cache.configuration.Configuration;
import javax.cache.integration.CompletionListener;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;

/** One cache: the operations of JCache, each on one key at a time. */
final class PersistCache<K, V> extends CacheSteps<K, V> {
    PersistCache(PersistCacheManager manager, String name, Configuration<K, V> given, PHeap heap, String root) {
        super(manager, name, given, heap, root);
    }

    // ---- reading --------------------------------------------------------------------------------------------------

    @Override
    public V get(K key) {
        requireKey(key);
        long begin = System.nanoTime();
        V v = on(key, events -> {
            CacheEntry e = live(key, events);
            found(e != null);
            if (e == null) {
                V loaded = through.read(key);
                if (loaded != null) {
                    create(key, loaded, events);
                }
                return loaded;
            }
            V value = valueOf(e);
            accessed(e);
            return value;
        });
        statistics.tookGet(begin);
        return v;
    }

    @Override
    public Map<K, V> getAll(Set<? extends K> keys) {
        requireKeys(keys);
        Map<K, V> m = new HashMap<>();
        for (K k : keys) {
            V v = get(k);
            if (v != null) {
                m.put(k, v);
            }
        }
        return m;
    }

    @Override
    public boolean containsKey(K key) {
        requireKey(key);
        return on(key, events -> live(key, events) != null);
    }

    @Override
    public void loadAll(Set<? extends K> keys, boolean replace, CompletionListener listener) {
        requireKeys(keys);
        if (!through.hasLoader()) {
            if (listener != null) {
                listener.onCompletion();
            }
            return;
        }
        CompletableFuture.runAsync(() -> {
            try {
                Set<K> wanted = new HashSet<>(keys);
                wanted.removeIf(k -> !replace && containsKey(k));
                through.loadAll(wanted).forEach((k, v) -> {
                    if (k != null && v != null) {
                        on(k, events -> {
                            put(k, live(k, events), v, events);
                            return null;
                        });
                    }
                });
            } catch (RuntimeException e) {
                if (listener != null) {
                    listener.onException(e);
                }
                return;
            }
            if (listener != null) {
                listener.onCompletion();
            }
        });
    }

    // ---- writing --------------------------------------------------------------------------------------------------

    @Override
    public void put(K key, V value) {
        requireKey(key);
        requireValue(value);
        long begin = System.nanoTime();
        on(key, events -> {
            through.write(key, value);
            put(key, live(key, events), value, events);
            return null;
        });
        statistics.tookPut(begin);
    }

    @Override
    public V getAndPut(K key, V value) {
        requireKey(key);
        requireValue(value);
        long begin = System.nanoTime();
        V old = on(key, events -> {
            CacheEntry e = live(key, events);
            found(e != null);
            V before = e == null ? null : valueOf(e);
            through.write(key, value);
            put(key, e, value, events);
            return before;
        });
        statistics.tookPut(begin);
        statistics.tookGet(begin);
        return old;
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> map) {
        requireOpen();
        map.forEach((k, v) -> {
            requireKey(k);
            requireValue(v);
        });
        long begin = System.nanoTime();
        RuntimeException failure = null;
        Map<K, V> written = new HashMap<>(map);
        try {
            through.writeAll(written);
        } catch (RuntimeException e) {
            failure = e;
        }
        written.forEach((k, v) -> on(k, events -> {
            put(k, live(k, events), v, events);
            return null;
        }));
        statistics.tookPut(begin);
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public boolean putIfAbsent(K key, V value) {
        requireKey(key);
        requireValue(value);
        long begin = System.nanoTime();
        boolean done = on(key, events -> {
            CacheEntry e = live(key, events);
            found(e != null);
            if (e != null) {
                return false;
            }
            through.write(key, value);
            put(key, null, value, events);
            return true;
        });
        statistics.tookPut(begin);
        return done;
    }

    @Override
    public boolean remove(K key) {
        requireKey(key);
        long begin = System.nanoTime();
        boolean done = on(key, events -> {
            through.delete(key);
            CacheEntry e = live(key, events);
            if (e != null) {
                remove(key, e, events);
            }
            return e != null;
        });
        statistics.tookRemove(begin);
        return done;
    }

    @Override
    public boolean remove(K key, V old) {
        requireKey(key);
        requireValue(old);
        long begin = System.nanoTime();
        boolean done = on(key, events -> {
            CacheEntry e = holding(key, old, events);
            if (e == null) {
                return false;
            }
            through.delete(key);
            remove(key, e, events);
            return true;
        });
        statistics.tookRemove(begin);
        return done;
    }

    @Override
    public V getAndRemove(K key) {
        requireKey(key);
        long begin = System.nanoTime();
        V old = on(key, events -> {
            through.delete(key);
            CacheEntry e = live(key, events);
            found(e != null);
            return e == null ? null : remove(key, e, events);
        });
        statistics.tookRemove(begin);
        statistics.tookGet(begin);
        return old;
    }

    @Override
    public boolean replace(K key, V old, V value) {
        requireKey(key);
        requireValue(old);
        requireValue(value);
        return on(key, events -> {
            CacheEntry e = holding(key, old, events);
            if (e == null) {
                return false;
            }
            through.write(key, value);
            put(key, e, value, events);
            return true;
        });
    }

    @Override
    public boolean replace(K key, V value) {
        return replaced(key, value) != null;
    }

    @Override
    public V getAndReplace(K key, V value) {
        return replaced(key, value);
    }

    private V replaced(K key, V value) {
        requireKey(key);
        requireValue(value);
        return on(key, events -> {
            CacheEntry e = live(key, events);
            found(e != null);
            if (e == null) {
                return null;
            }
            V old = valueOf(e);
            through.write(key, value);
            put(key, e, value, events);
            return old;
        });
    }

    @Override
    public void removeAll(Set<? extends K> keys) {
        requireKeys(keys);
        RuntimeException failure = null;
        Set<K> left = new HashSet<>(keys);
        try {
            through.deleteAll(left);
        } catch (RuntimeException e) {
            failure = e;
        }
        for (K k : keys) {
            if (failure == null || !left.contains(k)) {
                on(k, events -> {
                    CacheEntry e = live(k, events);
                    return e == null ? null : remove(k, e, events);
                });
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void removeAll() {
        requireOpen();
        Set<K> keys = new HashSet<>();
        store.keys().forEachRemaining(keys::add);
        keys.removeIf(k -> !containsKey(k)); // what has expired is not removed, it is gone
        removeAll(keys);
    }

    @Override
    public void clear() {
        requireOpen();
        for (Iterator<K> i = store.keys(); i.hasNext();) {
            K k = i.next();
            on(k, events -> {
                CacheEntry e = store.get(k);
                if (e != null) {
                    store.remove(k, e);
                }
                return null;
            });
        }
    }

    // ---- processing -----------------------------------------------------------------------------------------------

    @Override
    public <T> T invoke(K key, EntryProcessor<K, V, T> processor, Object... arguments) {
        requireKey(key);
        Objects.requireNonNull(processor, "processor");
        return on(key, events -> {
            CacheEntry e = live(key, events);
            found(e != null);
            Processed<K, V> p = new Processed<>(key, e == null ? null : valueOf(e), through);
            T result;
            try {
                result = processor.process(p, arguments);
            } catch (CacheException x) {
                throw x;
            } catch (RuntimeException x) {
                throw new EntryProcessorException("the processor failed", x);
            }
            switch (p.outcome()) {
                case NOTHING -> { }
                case READ -> accessed(e);
                case LOADED -> create(key, p.value(), events);
                case SET -> {
                    through.write(key, p.value());
                    put(key, e, p.value(), events);
                }
                case REMOVED -> {
                    through.delete(key);
                    if (e != null) {
                        remove(key, e, events);
                    }
                }
            }
            return result;
        });
    }

    @Override
    public <T> Map<K, EntryProcessorResult<T>> invokeAll(Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments) {
        requireKeys(keys);
        Objects.requireNonNull(processor, "processor");
        Map<K, EntryProcessorResult<T>> results = new HashMap<>();
        for (K k : keys) {
            try {
                T r = invoke(k, processor, arguments);
                if (r != null) {
                    results.put(k, () -> r);
                }
            } catch (RuntimeException e) {
                EntryProcessorException x = e instanceof EntryProcessorException y ? y : new EntryProcessorException(e);
                results.put(k, () -> {
                    throw x;
                });
            }
        }
        return results;
    }

    // ---- iterating ------------------------------------------------------------------------------------------------

    /** One pair as an iterator gives it. */
    private record Pair<K, V>(K getKey, V getValue) implements Entry<K, V> {
        @Override
        public <T> T unwrap(Class<T> type) {
            if (type.isInstance(this)) {
                return type.cast(this);
            }
            throw new IllegalArgumentException("an entry is no " + type.getName());
        }
    }

    @Override
    public Iterator<Entry<K, V>> iterator() {
        requireOpen();
        Iterator<K> keys = store.keys();
        return new Iterator<>() {
            private Pair<K, V> ahead;
            private K last;

            @Override
            public boolean hasNext() {
                while (ahead == null && keys.hasNext()) {
                    K k = keys.next();
                    ahead = on(k, events -> {
                        CacheEntry e = live(k, events);
                        return e == null ? null : new Pair<>(keyCopy(k), valueOf(e));
                    });
                }
                return ahead != null;
            }

            @Override
            public Entry<K, V> next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                Pair<K, V> p = ahead;
                ahead = null;
                last = p.getKey;
                found(true);
                on(last, events -> {
                    CacheEntry e = live(last, events);
                    if (e != null) {
                        accessed(e);
                    }
                    return null;
                });
                return p;
            }

            @Override
            public void remove() {
                if (last == null) {
                    throw new IllegalStateException("nothing to remove");
                }
                PersistCache.this.remove(last);
                last = null;
            }
        };
    }

    @SuppressWarnings("unchecked")
    private K keyCopy(K k) {
        return (K) codec.copy(k);
    }
}
