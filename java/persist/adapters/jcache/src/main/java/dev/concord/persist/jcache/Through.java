package dev.concord.persist.jcache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;

/** What a cache reads through to and writes through to; does nothing where it has neither or they are not to be used. */
final class Through<K, V> {
    private final CacheLoader<K, V> loader;
    private final CacheWriter<? super K, ? super V> writer;
    private final boolean reads;
    private final boolean writes;

    Through(CacheLoader<K, V> loader, CacheWriter<? super K, ? super V> writer, boolean reads, boolean writes) {
        this.loader = loader;
        this.writer = writer;
        this.reads = reads;
        this.writes = writes;
    }

    boolean hasLoader() {
        return loader != null;
    }

    List<Object> parts() {
        List<Object> l = new ArrayList<>();
        if (loader != null) {
            l.add(loader);
        }
        if (writer != null) {
            l.add(writer);
        }
        return l;
    }

    V read(K key) {
        if (!reads || loader == null) {
            return null;
        }
        try {
            return loader.load(key);
        } catch (CacheLoaderException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new CacheLoaderException("the loader failed for " + key, e);
        }
    }

    Map<K, V> loadAll(Set<K> keys) {
        try {
            return Objects.requireNonNullElse(loader.loadAll(keys), Map.of());
        } catch (CacheLoaderException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new CacheLoaderException("the loader failed", e);
        }
    }

    private boolean writing() {
        return writes && writer != null;
    }

    private void run(Runnable r) {
        try {
            r.run();
        } catch (CacheWriterException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new CacheWriterException("the writer failed", e);
        }
    }

    /** One pair as the writer sees it. */
    private record Pair<K, V>(K getKey, V getValue) implements Cache.Entry<K, V> {
        @Override
        public <T> T unwrap(Class<T> type) {
            if (type.isInstance(this)) {
                return type.cast(this);
            }
            throw new IllegalArgumentException("an entry is no " + type.getName());
        }
    }

    void write(K key, V value) {
        if (writing()) {
            run(() -> writer.write(new Pair<>(key, value)));
        }
    }

    /** Leaves in the map what was written, also if it throws. */
    void writeAll(Map<K, V> pairs) {
        if (!writing()) {
            return;
        }
        Collection<Cache.Entry<? extends K, ? extends V>> left = new ArrayList<>();
        pairs.forEach((k, v) -> left.add(new Pair<>(k, v)));
        try {
            run(() -> writeAll(left));
        } finally {
            left.forEach(e -> pairs.remove(e.getKey()));
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private void writeAll(Collection<Cache.Entry<? extends K, ? extends V>> pairs) {
        ((CacheWriter) writer).writeAll(pairs);
        pairs.clear();
    }

    void delete(K key) {
        if (writing()) {
            run(() -> writer.delete(key));
        }
    }

    /** Leaves in the set what was not deleted, if it throws. */
    void deleteAll(Set<K> keys) {
        if (writing() && !keys.isEmpty()) {
            run(() -> writer.deleteAll(keys));
        }
    }
}
