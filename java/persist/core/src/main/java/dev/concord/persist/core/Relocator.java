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
    /** Old places of moved objects: start to length and new start, for references that lay in them. */
    private final TreeMap<Long, long[]> moved = new TreeMap<>();

    Relocator(HeapCore heap) {
        this.heap = heap;
    }

    /** Finds every reference to an object of a set, by one pass over all objects. */
    void scan(LongPredicate moves) {
        referrers.clear();
        moved.clear();
        for (int field : new int[] {HeapCore.META_CLASSES, HeapCore.META_ROOTS}) {
            found(heap.meta + field, moves);
        }
        for (int s = 0; s < heap.engine.superblock.segments; s++) {
            heap.allocator.forEachObject(s, (off, at, h) -> {
                if (Header.sound(h) && heap.classes.byIdOrNull(Header.classId(h)) != null) {
                    References.forEach(heap, off, ref -> found(ref, moves));
                }
            });
        }
    }

    private void found(long at, LongPredicate moves) {
        long ref = heap.memory.getLong(at);
        long o = Header.offset(ref);
        long header = ref == 0 ? -1 : heap.allocator.headerOffsetChecked(o);
        if (header >= 0 && Header.generation(heap.memory.getLong(header)) == Header.refGeneration(ref) && moves.test(o)) {
            referrers.computeIfAbsent(o, k -> new LongStack(2)).push(at);
        }
    }

    /** In the current block: makes the object's new place and leads every reference there. Its content is the caller's. */
    long move(Tx t, long o, int classId, long bytes) {
        long n = heap.allocateRaw(classId, bytes);
        long ref = heap.refTo(n);
        long length = heap.payloadBytes(o);
        LongStack from = referrers.remove(o);
        while (from != null && !from.isEmpty()) {
            long at = from.pop();
            Map.Entry<Long, long[]> e = moved.floorEntry(at);
            if (e != null && at < e.getKey() + e.getValue()[0]) {
                at += e.getValue()[1] - e.getKey();
            } else if (at >= o && at < o + length) {
                at += n - o; // to itself
            }
            t.words.put(at, ref, -1L);
        }
        heap.freeRaw(o);
        moved.put(o, new long[] {Math.max(8, length), n});
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
