package dev.concord.persist.core;

import dev.concord.persist.PersistentObject;
import dev.concord.persist.PersistentObject.Internals;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/**
 * Gives objects other places while no block runs. Owns the rule that a move is one record: the new place's content and
 * header, the old place's freed header and every reference that led there change together, so no crash shows an object
 * twice or a reference to where it was. Proxies follow.
 */
final class Relocator {
    private final HeapCore heap;
    /** Addresses of the references to each object that is to move. */
    private final Map<Long, LongStack> referrers = new HashMap<>();
    /** Old places of objects that changed, by their start, for references that lay in them. */
    private final TreeMap<Long, Change> changed = new TreeMap<>();
    private LongPredicate moves = o -> false;

    /** Where a field of a changed object lies now, or -1 if it is gone. */
    interface Fields {
        Fields SAME = off -> off;

        int now(int off);
    }

    private record Change(long length, long now, Fields fields) {
    }

    Relocator(HeapCore heap) {
        this.heap = heap;
    }

    /** Finds every reference to an object of a set, by one pass over all objects. */
    void scan(LongPredicate moves) {
        referrers.clear();
        changed.clear();
        this.moves = moves;
        for (int field : new int[] {HeapCore.META_CLASSES, HeapCore.META_ROOTS}) {
            found(heap.meta + field);
        }
        for (int s = 0; s < heap.engine.superblock.segments; s++) {
            heap.allocator.forEachObject(s, (off, at, h) -> {
                if (Header.sound(h) && heap.classes.byIdOrNull(Header.classId(h)) != null) {
                    holds(off);
                }
            });
        }
    }

    /** Takes note of the references that an object holds now. */
    void holds(long off) {
        References.forEach(heap, off, this::found);
    }

    private void found(long at) {
        long ref = heap.memory.getLong(at);
        long o = Header.offset(ref);
        long header = ref == 0 ? -1 : heap.allocator.headerOffsetChecked(o);
        if (header >= 0 && Header.generation(heap.memory.getLong(header)) == Header.refGeneration(ref) && moves.test(o)) {
            referrers.computeIfAbsent(o, k -> new LongStack(2)).push(at);
        }
    }

    /** After the block that laid an object out anew where it is. */
    void changed(long o, long length, Fields fields) {
        changed.put(o, new Change(Math.max(8, length), o, fields));
    }

    /**
     * In the current block: makes the object's new place and leads every reference there, those in itself only if its fields
     * stay where they are. Its content is the caller's.
     */
    long move(Tx t, long o, int classId, long bytes, Fields fields) {
        long old = Header.ref(o, heap.memory.getLong(heap.allocator.headerOffset(o)));
        long n = heap.allocateRaw(classId, bytes);
        long ref = heap.refTo(n);
        long length = heap.payloadBytes(o);
        LongStack from = referrers.remove(o);
        while (from != null && !from.isEmpty()) {
            long at = from.pop();
            Map.Entry<Long, Change> e = changed.floorEntry(at);
            if (at >= o && at < o + length) {
                if (fields == Fields.SAME) {
                    t.words.put(at + n - o, ref, -1L);
                }
                continue;
            }
            if (e != null && at < e.getKey() + e.getValue().length) {
                int field = e.getValue().fields.now((int) (at - e.getKey()));
                if (field < 0) {
                    continue;
                }
                at = e.getValue().now + field;
            }
            // A method that migrates may have stored another one meanwhile.
            if (heap.memory.getLong(at) == old) {
                t.words.put(at, ref, -1L);
            }
        }
        heap.freeRaw(o);
        changed.put(o, new Change(Math.max(8, length), n, fields));
        return n;
    }

    /** After the block has committed: the proxy of the old reference, if there is one, stands for the new place. */
    void follow(long old, long now) {
        PersistentObject p = heap.proxies.remove(old);
        if (p != null) {
            Internals.setOffset(p, Header.offset(now));
            heap.proxies.putIfAbsent(now, p);
        }
    }
}
