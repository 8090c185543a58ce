package dev.concord.persist.jcache;

import dev.concord.persist.PHeap;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.EventType;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CompletionListener;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;

/** One cache. Every operation on a key holds that key's lock; listeners are told when it is released. */
final class PersistCache<K, V> implements Cache<K, V> {
    private final PersistCacheManager manager;
    private final String name;
    private final PHeap heap;
    private final MutableConfiguration<K, V> configuration;
    private final Codec codec;
    private final Store<K> store;
    private final Listeners<K, V> listeners = new Listeners<>();
    private final Statistics statistics = new Statistics();
    private final Management management;
    private final Through<K, V> through;
    private final ExpiryPolicy expiry;
    private volatile boolean closed;

    PersistCache(PersistCacheManager manager, String name, Configuration<K, V> given, PHeap heap, String root) {
        this.manager = manager;
        this.name = name;
        this.heap = heap;
        this.configuration = given instanceof CompleteConfiguration<K, V> c ? new MutableConfiguration<>(c)
                : new MutableConfiguration<K, V>().setTypes(given.getKeyType(), given.getValueType()).setStoreByValue(given.isStoreByValue());
        this.codec = new Codec(manager.getClassLoader());
        this.management = new Management(manager, name);
        Factory<CacheLoader<K, V>> loaders = configuration.getCacheLoaderFactory();
        Factory<CacheWriter<? super K, ? super V>> writers = configuration.getCacheWriterFactory();
        this.through = new Through<>(loaders == null ? null : loaders.create(), writers == null ? null : writers.create(), configuration.isReadThrough(),
                configuration.isWriteThrough());
        this.expiry = configuration.getExpiryPolicyFactory().create();
        this.store = new Store<>(heap, root, codec);
        configuration.getCacheEntryListenerConfigurations().forEach(listeners::register);
    }

    // ---- what operations are made of ------------------------------------------------------------------------------

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("cache " + name + " is closed");
        }
    }

    private void requireKey(K key) {
        requireOpen();
        requireType(Objects.requireNonNull(key, "key"), configuration.getKeyType());
    }

    private void requireValue(V value) {
        requireType(Objects.requireNonNull(value, "value"), configuration.getValueType());
    }

    private static void requireType(Object o, Class<?> type) {
        if (type != Object.class && !type.isInstance(o)) {
            throw new ClassCastException(o.getClass().getName() + " is no " + type.getName());
        }
    }

    private boolean counts() {
        return configuration.isStatisticsEnabled();
    }

    private void found(boolean yes) {
        if (counts()) {
            (yes ? statistics.hits : statistics.misses).increment();
        }
    }

    /** An operation on one key: atomic, and its events told afterwards. */
    private <R> R on(K key, Function<List<Listeners.Event<K, V>>, R> body) {
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
    private V valueOf(CacheEntry e) {
        return (V) codec.decode(e.value());
    }

    private void event(List<Listeners.Event<K, V>> events, EventType type, K key, V value, V old) {
        if (!listeners.isEmpty()) {
            events.add(new Listeners.Event<>(this, type, key, value, old));
        }
    }

    /** The entry if it is there and has not expired. */
    private CacheEntry live(K key, List<Listeners.Event<K, V>> events) {
        CacheEntry e = store.get(key);
        if (e != null && e.isExpired(System.currentTimeMillis())) {
            V old = valueOf(e);
            store.remove(key, e);
            event(events, EventType.EXPIRED, key, old, old);
            return null;
        }
        return e;
    }

    private static long until(Duration d) {
        return d.isEternal() ? CacheEntry.ETERNAL : d.getAdjustedTime(System.currentTimeMillis());
    }

    private void accessed(CacheEntry e) {
        Duration d = expiry.getExpiryForAccess();
        if (d != null) {
            store.expires(e, until(d));
        }
    }

    /** Stores a pair that is not there; false if it expires at once. */
    private boolean create(K key, V value, List<Listeners.Event<K, V>> events) {
        Duration d = expiry.getExpiryForCreation();
        if (d != null && d.isZero()) {
            event(events, EventType.EXPIRED, key, value, value);
            return false;
        }
        store.add(key, value, d == null ? CacheEntry.ETERNAL : until(d));
        event(events, EventType.CREATED, key, value, null);
        return true;
    }

    private void update(K key, CacheEntry e, V value, List<Listeners.Event<K, V>> events) {
        V old = listeners.isEmpty() ? null : valueOf(e);
        Duration d = expiry.getExpiryForUpdate();
        store.replace(e, value, d == null ? e.expires() : until(d));
        event(events, EventType.UPDATED, key, value, old);
    }

    private void put(K key, CacheEntry e, V value, List<Listeners.Event<K, V>> events) {
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

    private V remove(K key, CacheEntry e, List<Listeners.Event<K, V>> events) {
        V old = valueOf(e);
        store.remove(key, e);
        event(events, EventType.REMOVED, key, old, old);
        if (counts()) {
            statistics.removals.increment();
        }
        return old;
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
        requireOpen();
        keys.forEach(k -> Objects.requireNonNull(k, "key"));
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
        requireOpen();
        keys.forEach(k -> Objects.requireNonNull(k, "key"));
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
            CacheEntry e = live(key, events);
            found(e != null);
            if (e == null) {
                return false;
            }
            if (!old.equals(valueOf(e))) {
                accessed(e);
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
            CacheEntry e = live(key, events);
            found(e != null);
            if (e == null) {
                return false;
            }
            if (!old.equals(valueOf(e))) {
                accessed(e);
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
        requireOpen();
        keys.forEach(k -> Objects.requireNonNull(k, "key"));
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
        requireOpen();
        Objects.requireNonNull(processor, "processor");
        keys.forEach(k -> Objects.requireNonNull(k, "key"));
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

    // ---- the rest -------------------------------------------------------------------------------------------------

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

    @Override
    public <C extends Configuration<K, V>> C getConfiguration(Class<C> type) {
        if (type.isInstance(configuration)) {
            return type.cast(configuration);
        }
        throw new IllegalArgumentException("the configuration is no " + type.getName());
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public CacheManager getCacheManager() {
        return manager;
    }

    @Override
    public void registerCacheEntryListener(CacheEntryListenerConfiguration<K, V> c) {
        requireOpen();
        listeners.register(c);
        configuration.addCacheEntryListenerConfiguration(c);
    }

    @Override
    public void deregisterCacheEntryListener(CacheEntryListenerConfiguration<K, V> c) {
        requireOpen();
        closeAll(listeners.deregister(c));
        configuration.removeCacheEntryListenerConfiguration(c);
    }

    void applyManagement() {
        enableManagement(configuration.isManagementEnabled());
        enableStatistics(configuration.isStatisticsEnabled());
    }

    void enableManagement(boolean yes) {
        requireOpen();
        configuration.setManagementEnabled(yes);
        if (yes) {
            management.show("Configuration", new Management.Settings(configuration));
        } else {
            management.hide("Configuration");
        }
    }

    void enableStatistics(boolean yes) {
        requireOpen();
        configuration.setStatisticsEnabled(yes);
        if (yes) {
            management.show("Statistics", statistics);
        } else {
            management.hide("Statistics");
        }
    }

    void destroy() {
        store.destroy();
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        manager.released(name);
        management.hide("Configuration");
        management.hide("Statistics");
        List<Object> parts = new ArrayList<>(through.parts());
        parts.add(expiry);
        parts.addAll(listeners.deregisterAll());
        closeAll(parts);
    }

    private static void closeAll(List<Object> parts) {
        for (Object o : parts) {
            if (o instanceof Closeable c) {
                try {
                    c.close();
                } catch (IOException e) {
                    throw new CacheException(o.getClass().getName() + " cannot be closed", e);
                }
            }
        }
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        if (type == PHeap.class) {
            return type.cast(heap);
        }
        throw new IllegalArgumentException("a persistent cache is no " + type.getName());
    }
}
