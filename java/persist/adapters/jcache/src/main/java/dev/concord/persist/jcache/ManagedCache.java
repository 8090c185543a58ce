package dev.concord.persist.jcache;

import dev.concord.persist.PHeap;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;

/** What a cache is besides its entries. Owns its configuration, what is shown of it, and that closing ends every part once. */
abstract class ManagedCache<K, V> implements Cache<K, V> {
    private final PersistCacheManager manager;
    private final String name;
    private final PHeap heap;
    final MutableConfiguration<K, V> configuration;
    final Codec codec;
    final Listeners<K, V> listeners = new Listeners<>();
    final Statistics statistics = new Statistics();
    private final Management management;
    final Through<K, V> through;
    final ExpiryPolicy expiry;
    private volatile boolean closed;

    ManagedCache(PersistCacheManager manager, String name, Configuration<K, V> given, PHeap heap) {
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
        configuration.getCacheEntryListenerConfigurations().forEach(listeners::register);
    }

    final void requireOpen() {
        if (closed) {
            throw new IllegalStateException("cache " + name + " is closed");
        }
    }

    final void requireKey(K key) {
        requireOpen();
        requireType(Objects.requireNonNull(key, "key"), configuration.getKeyType());
    }

    final void requireKeys(Set<? extends K> keys) {
        requireOpen();
        keys.forEach(k -> Objects.requireNonNull(k, "key"));
    }

    final void requireValue(V value) {
        requireType(Objects.requireNonNull(value, "value"), configuration.getValueType());
    }

    private static void requireType(Object o, Class<?> type) {
        if (type != Object.class && !type.isInstance(o)) {
            throw new ClassCastException(o.getClass().getName() + " is no " + type.getName());
        }
    }

    final boolean counts() {
        return configuration.isStatisticsEnabled();
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
