package dev.concord.persist.ycsb;

import dev.concord.persist.Durability;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.collections.PArray;
import dev.concord.persist.collections.PArrayList;
import dev.concord.persist.collections.PHashMap;
import dev.concord.persist.collections.PTreeMap;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.ConcurrentMap;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * YCSB over a persistent heap; a record is a persistent array with a place per field. Properties: {@code jnvm.file}, the
 * heap; {@code jnvm.durability}, {@code POWER} (default) or {@code PROCESS}; {@code jnvm.index}, {@code tree} (default,
 * needed by workload E) or {@code hash}.
 *
 * <p>An operation holds its record's monitor while it runs, not while it waits to be durable.
 */
public final class PersistClient extends DB {
    private static final Object SHARED = new Object();
    private static PHeap heap;
    private static int users;
    private static ConcurrentMap<String, PArray<byte[]>> records;
    private static PArrayList<String> fieldNames;
    private static volatile Map<String, Integer> places = Map.of();

    @Override
    @SuppressWarnings("unchecked")
    public void init() throws DBException {
        synchronized (SHARED) {
            if (users++ > 0) {
                return;
            }
            Properties p = getProperties();
            String file = p.getProperty("jnvm.file");
            if (file == null) {
                users--;
                throw new DBException("the property jnvm.file must name the heap");
            }
            heap = PHeap.open(Path.of(file), PHeapOptions.defaults().durability(Durability.valueOf(p.getProperty("jnvm.durability", "POWER"))));
            boolean hash = p.getProperty("jnvm.index", "tree").equals("hash");
            records = (ConcurrentMap<String, PArray<byte[]>>) heap.root("records", ConcurrentMap.class, () -> hash ? new PHashMap<>() : new PTreeMap<>());
            fieldNames = heap.root("fields", PArrayList.class, PArrayList::new);
            learn();
        }
    }

    @Override
    public void cleanup() {
        synchronized (SHARED) {
            if (--users == 0) {
                heap.close();
            }
        }
    }

    private static void learn() {
        Map<String, Integer> m = new HashMap<>();
        for (int i = 0; i < fieldNames.size(); i++) {
            m.put(fieldNames.get(i), i);
        }
        places = m;
    }

    /** The place of a field in every record; a new one is entered for good. */
    private static int place(String field) {
        Integer i = places.get(field);
        if (i != null) {
            return i;
        }
        synchronized (SHARED) {
            if (!places.containsKey(field)) {
                fieldNames.add(field);
                learn();
            }
            return places.get(field);
        }
    }

    private static void copy(PArray<byte[]> record, Set<String> fields, Map<String, ByteIterator> result) {
        synchronized (record) {
            for (String f : fields == null ? places.keySet() : fields) {
                int i = place(f);
                byte[] b = i < record.length() ? record.get(i) : null;
                if (b != null) {
                    result.put(f, new ByteArrayByteIterator(b));
                }
            }
        }
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        PArray<byte[]> r = records.get(key);
        if (r == null) {
            return Status.NOT_FOUND;
        }
        copy(r, fields, result);
        return Status.OK;
    }

    @Override
    public Status scan(String table, String start, int count, Set<String> fields, Vector<HashMap<String, ByteIterator>> result) {
        if (!(records instanceof PTreeMap<String, PArray<byte[]>> tree)) {
            return Status.NOT_IMPLEMENTED;
        }
        int n = 0;
        for (PArray<byte[]> r : tree.tailMap(start, true).values()) {
            HashMap<String, ByteIterator> m = new HashMap<>();
            copy(r, fields, m);
            result.add(m);
            if (++n == count) {
                break;
            }
        }
        return Status.OK;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        PArray<byte[]> r = records.get(key);
        if (r == null) {
            return Status.NOT_FOUND;
        }
        Map<Integer, byte[]> bytes = bytes(values);
        long lsn;
        synchronized (r) {
            lsn = heap.core().atomicVisible(() -> {
                bytes.forEach(r::set);
                return null;
            }, null);
        }
        heap.core().await(lsn);
        return Status.OK;
    }

    private static Map<Integer, byte[]> bytes(Map<String, ByteIterator> values) {
        Map<Integer, byte[]> m = new HashMap<>();
        values.forEach((f, v) -> m.put(place(f), v.toArray()));
        return m;
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        Map<Integer, byte[]> bytes = bytes(values);
        heap.atomic(() -> {
            PArray<byte[]> r = new PArray<>(places.size());
            bytes.forEach(r::set);
            PArray<byte[]> old = records.put(key, r);
            if (old != null) {
                heap.free(old);
            }
        });
        return Status.OK;
    }

    @Override
    public Status delete(String table, String key) {
        boolean there = heap.atomicGet(() -> {
            PArray<byte[]> old = records.remove(key);
            if (old != null) {
                heap.free(old);
            }
            return old != null;
        });
        return there ? Status.OK : Status.NOT_FOUND;
    }
}
