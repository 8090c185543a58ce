package dev.concord.persist.spring;

import dev.concord.persist.PHeap;
import dev.concord.persist.PObject;
import dev.concord.persist.Serialized;
import dev.concord.persist.collections.PHashMap;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.springframework.data.keyvalue.core.AbstractKeyValueAdapter;
import org.springframework.data.keyvalue.core.ForwardingCloseableIterator;
import org.springframework.data.util.CloseableIterator;

/**
 * Spring Data's key-value repositories over a persistent heap: {@code new KeyValueTemplate(new PersistKeyValueAdapter(heap))}.
 * A keyspace is a persistent map. Persistent objects are stored as what they are and come back as the same object; records,
 * enums and strings as values; other serialisable classes in their serialised form, so that what comes back is a copy.
 * Ids are what the heap can compare: strings, numbers, UUIDs.
 *
 * <p>The heap is the caller's, who closes it. Inside {@code heap.atomic} several operations are one.
 */
public final class PersistKeyValueAdapter extends AbstractKeyValueAdapter {
    private static final String ROOT = "keyspaces";
    private final PHeap heap;
    private final PHashMap<String, PHashMap<Object, Object>> keyspaces;

    @SuppressWarnings("unchecked")
    public PersistKeyValueAdapter(PHeap heap) {
        this.heap = heap;
        this.keyspaces = heap.root(ROOT, PHashMap.class, PHashMap::new);
    }

    private static Object encode(Object item) {
        return item instanceof PObject || item instanceof Record || item instanceof Enum || item instanceof String || item instanceof Number
                && item.getClass().getName().startsWith("java.lang.") ? item : Serialized.of(item);
    }

    private static Object decode(Object stored) {
        ClassLoader l = Thread.currentThread().getContextClassLoader();
        return stored instanceof Serialized s ? s.open(l != null ? l : PersistKeyValueAdapter.class.getClassLoader()) : stored;
    }

    /** The keyspace, or null if nothing was ever put there. */
    private PHashMap<Object, Object> existing(String keyspace) {
        return keyspaces.get(keyspace);
    }

    @Override
    public Object put(Object id, Object item, String keyspace) {
        Object encoded = encode(item);
        return decode(heap.atomicGet(() -> keyspaces.computeIfAbsent(keyspace, k -> new PHashMap<>()).put(id, encoded)));
    }

    @Override
    public boolean contains(Object id, String keyspace) {
        PHashMap<Object, Object> m = existing(keyspace);
        return m != null && m.containsKey(id);
    }

    @Override
    public Object get(Object id, String keyspace) {
        PHashMap<Object, Object> m = existing(keyspace);
        return m == null ? null : decode(m.get(id));
    }

    @Override
    public Object delete(Object id, String keyspace) {
        PHashMap<Object, Object> m = existing(keyspace);
        return m == null ? null : decode(m.remove(id));
    }

    @Override
    public Iterable<?> getAllOf(String keyspace) {
        PHashMap<Object, Object> m = existing(keyspace);
        List<Object> all = new ArrayList<>();
        if (m != null) {
            m.values().forEach(v -> all.add(decode(v)));
        }
        return all;
    }

    @Override
    public CloseableIterator<Map.Entry<Object, Object>> entries(String keyspace) {
        PHashMap<Object, Object> m = existing(keyspace);
        Iterator<Map.Entry<Object, Object>> i = m == null ? java.util.Collections.emptyIterator() : m.entrySet().iterator();
        return new ForwardingCloseableIterator<>(new Iterator<>() {
            @Override
            public boolean hasNext() {
                return i.hasNext();
            }

            @Override
            public Map.Entry<Object, Object> next() {
                Map.Entry<Object, Object> e = i.next();
                return new AbstractMap.SimpleImmutableEntry<>(e.getKey(), decode(e.getValue()));
            }
        });
    }

    @Override
    public void deleteAllOf(String keyspace) {
        PHashMap<Object, Object> m = existing(keyspace);
        if (m != null) {
            m.clear();
        }
    }

    @Override
    public void clear() {
        for (String k : List.copyOf(keyspaces.keySet())) {
            deleteAllOf(k);
        }
    }

    @Override
    public long count(String keyspace) {
        PHashMap<Object, Object> m = existing(keyspace);
        return m == null ? 0 : m.size();
    }

    @Override
    public void destroy() {
        // The heap belongs to whoever opened it.
    }
}
