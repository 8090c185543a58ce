package dev.concord.persist.jcache;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.WeakHashMap;
import javax.cache.CacheManager;
import javax.cache.configuration.OptionalFeature;
import javax.cache.spi.CachingProvider;

/**
 * JCache over persistent heaps. A manager's URI says where its heap lies: {@code file:///var/cache/shop.heap} is that file,
 * and what is cached there is still cached after a restart; any other URI is a heap that ends with the manager.
 *
 * <p>Properties of a manager: {@code jnvm.durability}, {@code PROCESS} (the default) or {@code POWER}, is what an entry
 * survives once {@code put} has returned.
 */
public final class PersistCachingProvider implements CachingProvider {
    static final URI DEFAULT = URI.create("jnvm:default");
    private final WeakHashMap<ClassLoader, Map<URI, PersistCacheManager>> managers = new WeakHashMap<>();

    @Override
    public synchronized CacheManager getCacheManager(URI uri, ClassLoader loader, Properties properties) {
        URI u = uri == null ? getDefaultURI() : uri;
        ClassLoader l = loader == null ? getDefaultClassLoader() : loader;
        Properties p = properties == null ? getDefaultProperties() : properties;
        return managers.computeIfAbsent(l, k -> new HashMap<>()).computeIfAbsent(u, k -> new PersistCacheManager(this, u, l, p));
    }

    @Override
    public CacheManager getCacheManager(URI uri, ClassLoader loader) {
        return getCacheManager(uri, loader, getDefaultProperties());
    }

    @Override
    public CacheManager getCacheManager() {
        return getCacheManager(getDefaultURI(), getDefaultClassLoader(), null);
    }

    @Override
    public ClassLoader getDefaultClassLoader() {
        return getClass().getClassLoader();
    }

    @Override
    public URI getDefaultURI() {
        return DEFAULT;
    }

    @Override
    public Properties getDefaultProperties() {
        return new Properties();
    }

    @Override
    public synchronized void close() {
        for (Map<URI, PersistCacheManager> m : new HashMap<>(managers).values()) {
            new HashMap<>(m).values().forEach(PersistCacheManager::close);
        }
        managers.clear();
    }

    @Override
    public synchronized void close(ClassLoader loader) {
        Map<URI, PersistCacheManager> m = managers.remove(loader == null ? getDefaultClassLoader() : loader);
        if (m != null) {
            new HashMap<>(m).values().forEach(PersistCacheManager::close);
        }
    }

    @Override
    public synchronized void close(URI uri, ClassLoader loader) {
        Map<URI, PersistCacheManager> m = managers.get(loader == null ? getDefaultClassLoader() : loader);
        PersistCacheManager x = m == null ? null : m.get(uri == null ? getDefaultURI() : uri);
        if (x != null) {
            x.close();
        }
    }

    /** Called by a manager that closes. */
    synchronized void closed(PersistCacheManager manager) {
        Map<URI, PersistCacheManager> m = managers.get(manager.getClassLoader());
        if (m != null) {
            m.remove(manager.getURI(), manager);
            if (m.isEmpty()) {
                managers.remove(manager.getClassLoader());
            }
        }
    }

    @Override
    public boolean isSupported(OptionalFeature feature) {
        return false; // what persists is stored by value
    }
}
