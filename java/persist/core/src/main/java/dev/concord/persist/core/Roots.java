package dev.concord.persist.core;

import dev.concord.persist.PObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The named entry points of a heap: an array of references to nodes {target, name}, found from the meta unit. Owns the
 * invariant that a name, once there, keeps its node, so that binding it to another object is one store.
 */
public final class Roots {
    private final HeapCore heap;
    /** Node offset by name; guarded by this. */
    private final Map<String, Long> nodes = new LinkedHashMap<>();

    Roots(HeapCore heap) {
        this.heap = heap;
    }

    synchronized void load() {
        long array = heap.memory.getLong(heap.meta + HeapCore.META_ROOTS);
        if (array == 0) {
            return;
        }
        long o = Header.offset(array);
        long n = heap.payloadBytes(o) / 8;
        for (int i = 0; i < n; i++) {
            long ref = heap.memory.getLong(o + 8L * i);
            if (ref != 0) {
                long node = Header.offset(ref);
                nodes.put((String) heap.getValue(node, 8), node);
            }
        }
    }

    /** Reads everything anew, after nodes were moved. */
    synchronized void reload() {
        nodes.clear();
        load();
    }

    public synchronized List<String> names() {
        List<String> l = new ArrayList<>();
        nodes.forEach((name, node) -> {
            if (heap.getLong(node, 0) != 0) {
                l.add(name);
            }
        });
        return l;
    }

    public synchronized boolean exists(String name) {
        Long node = nodes.get(name);
        return node != null && heap.getLong(node, 0) != 0;
    }

    public synchronized PObject get(String name) {
        Long node = nodes.get(name);
        return node == null ? null : heap.getRef(node, 0);
    }

    /** Binds a name, in the current block or as one. */
    public void put(String name, PObject target) {
        // Inside the block: until it began, the node may have been moved.
        heap.atomic(() -> heap.putRef(node(name), 0, target));
    }

    /** Binds a name without block or fence; the object counts only once it is validated. */
    public void wput(String name, PObject target) {
        long node = node(name);
        heap.putRef(node, 0, target);
        heap.pwb(node, 8);
    }

    /** The node of a name, entered (unbound) at first use by a block of its own. */
    private long node(String name) {
        // In a block first, then the monitor: who closes the gate takes the monitor behind it.
        return heap.inBlock() ? nodeInBlock(name) : heap.atomic(() -> nodeInBlock(name));
    }

    private synchronized long nodeInBlock(String name) {
        Long known = nodes.get(name);
        if (known != null) {
            return known;
        }
        long[] made = new long[1];
        heap.system(() -> {
            long node = heap.allocateRaw(ClassInfo.ROOT_NODE, 16);
            heap.putValue(node, 8, name);
            long ref = heap.getLong(heap.meta, HeapCore.META_ROOTS);
            long old = Header.offset(ref);
            int capacity = ref == 0 ? 0 : (int) (heap.payloadBytes(old) / 8);
            int used = nodes.size();
            if (used == capacity) {
                long bigger = heap.allocateRaw(ClassInfo.ROOT_ARRAY, 8L * Math.max(8, capacity * 2));
                for (int i = 0; i < used; i++) {
                    heap.putLong(bigger, 8L * i, heap.getLong(old, 8L * i));
                }
                if (ref != 0) {
                    heap.freeRaw(old);
                }
                heap.putLong(heap.meta, HeapCore.META_ROOTS, heap.refTo(bigger));
                old = bigger;
            }
            heap.putLong(old, 8L * used, heap.refTo(node));
            made[0] = node;
        });
        nodes.put(name, made[0]);
        return made[0];
    }
}
