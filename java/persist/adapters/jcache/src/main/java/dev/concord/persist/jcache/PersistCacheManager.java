package dev.concord.persist.jcache;

import dev.concord.persist.Durability;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.spi.CachingProvider;

/** The caches of one heap. Opens it when the first cache is made, closes it with itself. */
final class PersistCacheManager implements CacheManager {
    private static final String ROOT = "jcache:";
    private final PersistCachingProvider provider;
    private final URI uri;
    private final WeakReference<ClassLoader> loader;
    private final Properties properties;
    private final Map<String, PersistCache<?, ?>> caches = new TreeMap<>();
    private PHeap heap;
    private Path temporary;
    private boolean closed;

    PersistCacheManager(PersistCachingProvider provider, URI uri, ClassLoader loader, Properties properties) {
        this.provider = provider;
        this.uri = uri;
        this.loader = new WeakReference<>(loader);
        this.properties = new Properties();
        this.properties.putAll(properties);
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the cache manager " + uri + " is closed");
        }
    }

    private PHeap heap() {
        if (heap == null) {
            try {
                Path file;
                if ("file".equals(uri.getScheme())) {
                    file = Path.of(uri);
                } else {
                    temporary = Files.createTempDirectory("jnvm-jcache");
                    file = temporary.resolve("heap");
                }
                Durability level = Durability.valueOf(properties.getProperty("jnvm.durability", "PROCESS"));
                PHeapOptions o = PHeapOptions.defaults().durability(level).classes(CacheEntry.class);
                heap = PHeap.open(file, temporary == null ? o : o.segmentSize(4 << 20).logSize(1 << 20));
            } catch (IOException e) {
                throw new CacheException("no place for the heap of " + uri, e);
            }
        }
        return heap;
    }

    @Override
    public CachingProvider getCachingProvider() {
        return provider;
    }

    @Override
    public URI getURI() {
        return uri;
    }

    @Override
    public ClassLoader getClassLoader() {
        return loader.get();
    }

    @Override
    public Properties getProperties() {
        return properties;
    }

    @Override
    public synchronized <K, V, C extends Configuration<K, V>> Cache<K, V> createCache(String name, C configuration) {
        requireOpen();
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(configuration, "configuration");
        if (caches.containsKey(name)) {
            throw new CacheException("a cache named " + name + " exists");
        }
        if (!configuration.isStoreByValue()) {
            throw new UnsupportedOperationException("what persists is stored by value; a cache cannot be stored by reference");
        }
        PersistCache<K, V> c = new PersistCache<>(this, name, configuration, heap(), ROOT + name);
        caches.put(name, c);
        c.applyManagement();
        return c;
    }

    private PersistCache<?, ?> cache(String name) {
        requireOpen();
        return caches.get(Objects.requireNonNull(name, "name"));
    }

    @Override
    @SuppressWarnings("unchecked")
    public synchronized <K, V> Cache<K, V> getCache(String name, Class<K> keyType, Class<V> valueType) {
        PersistCache<?, ?> c = cache(name);
        Objects.requireNonNull(keyType, "keyType");
        Objects.requireNonNull(valueType, "valueType");
        if (c == null) {
            return null;
        }
        CompleteConfiguration<?, ?> config = c.getConfiguration(CompleteConfiguration.class);
        if (config.getKeyType() != keyType || config.getValueType() != valueType) {
            throw new ClassCastException("cache " + name + " holds " + config.getKeyType().getName() + " to " + config.getValueType().getName() + ", not "
                    + keyType.getName() + " to " + valueType.getName());
        }
        return (Cache<K, V>) c;
    }

    @Override
    @SuppressWarnings("unchecked")
    public synchronized <K, V> Cache<K, V> getCache(String name) {
        return (Cache<K, V>) cache(name);
    }

    @Override
    public synchronized Iterable<String> getCacheNames() {
        requireOpen();
        return Collections.unmodifiableList(new ArrayList<>(caches.keySet()));
    }

    @Override
    public synchronized void destroyCache(String name) {
        PersistCache<?, ?> c = cache(name);
        if (c != null) {
            c.close();
            c.destroy();
        }
    }

    @Override
    public synchronized void enableManagement(String name, boolean enabled) {
        PersistCache<?, ?> c = cache(name);
        if (c != null) {
            c.enableManagement(enabled);
        }
    }

    @Override
    public synchronized void enableStatistics(String name, boolean enabled) {
        PersistCache<?, ?> c = cache(name);
        if (c != null) {
            c.enableStatistics(enabled);
        }
    }

    synchronized void released(String name) {
        caches.remove(name);
    }

    @Override
    public void close() {
        provider.closed(this);
        synchronized (this) {
            if (closed) {
                return;
            }
            new ArrayList<>(caches.values()).forEach(Cache::close);
            caches.clear();
            closed = true;
            if (heap != null) {
                heap.close();
            }
            if (temporary != null) {
                deleteTemporary();
            }
        }
    }

    private void deleteTemporary() {
        try {
            for (String f : new String[] {"heap", "heap.lock"}) {
                Files.deleteIfExists(temporary.resolve(f));
            }
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            throw new CacheException("the temporary heap " + temporary + " cannot be deleted", e);
        }
    }

    @Override
    public synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        if (type == PHeap.class) {
            synchronized (this) {
                requireOpen();
                return type.cast(heap());
            }
        }
        throw new IllegalArgumentException("a manager of persistent caches is no " + type.getName());
    }
}
