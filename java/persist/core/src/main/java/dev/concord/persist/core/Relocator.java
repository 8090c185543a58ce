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
 *
 * <p>Where references lie is found by a pass over the heap and holds until the methods of migrating classes store some elsewhere:
 * what they store is noted ({@link #storing}, {@link #stored}). An address is that of its moment, and of what holds it only the
 * changes after that moment count.
 */
final class Relocator {
    /** So many notes, and one for every few objects of the heap, are dearer than a pass. */
    private static final int MANY = 1 << 16;
    private static final int FEW = 4;
    private final HeapCore heap;
    /** Addresses of the references to each object that is to move, as the pass found them. */
    private final Map<Long, LongStack> referrers = new HashMap<>();
    /** The same for what was stored since: each address with the number of changes made before. */
    private final Map<Long, LongStack> noted = new HashMap<>();
    private int notes;
    private long objects;
    private int changes;
    /** Old places of objects that changed, by their start, for references that lay in them. */
    private final TreeMap<Long, Change> changed = new TreeMap<>();
    private LongPredicate moves = o -> false;

    /** Where a field of a changed object lies now, or -1 if it is gone. */
    interface Fields {
        Fields SAME = off -> off;

        int now(int off);
    }

    private record Change(long length, long now, Fields fields, int number) {
    }

    Relocator(HeapCore heap) {
        this.heap = heap;
    }

    /** Finds every reference to an object of a set, by one pass over all objects. */
    void scan(LongPredicate moves) {
        referrers.clear();
        noted.clear();
        changed.clear();
        notes = 0;
        changes = 0;
        objects = 0;
        this.moves = moves;
        for (int field : new int[] {HeapCore.META_CLASSES, HeapCore.META_ROOTS}) {
            found(heap.meta + field);
        }
        for (int s = 0; s < heap.engine.superblock.segments; s++) {
            heap.units.forEachObject(s, (off, at, h) -> {
                objects++;
                if (Header.sound(h) && heap.classes.byIdOrNull(Header.classId(h)) != null) {
                    References.forEach(heap, off, this::found);
                }
            });
        }
    }

    private void found(long at) {
        long o = leadsTo(at);
        if (o >= 0) {
            referrers.computeIfAbsent(o, k -> new LongStack(2)).push(at);
        }
    }

    /** The object that is to move and that the reference at this address leads to, or -1. */
    private long leadsTo(long at) {
        long ref = heap.memory.getLong(at);
        long o = Header.offset(ref);
        long header = ref == 0 ? -1 : heap.units.headerOffsetChecked(o);
        return header >= 0 && Header.generation(heap.memory.getLong(header)) == Header.refGeneration(ref) && moves.test(o) ? o : -1;
    }

    /** What a block is about to store, before it ends: the words that may be references to who is to move, and the objects it made. */
    LongStack storing(Tx t) {
        LongStack s = new LongStack(16);
        for (int i = 0; i < t.words.size(); i++) {
            if (moves.test(Header.offset(t.words.value(i)))) {
                s.push(t.words.word(i));
            }
        }
        for (int i = 0; i < t.fresh.size(); i++) {
            if (t.fresh.value(i) > 0) {
                s.push(-t.fresh.word(i));
            }
        }
        return s;
    }

    /** After that block committed: notes the references among what it stored. */
    void stored(LongStack storing) {
        while (!storing.isEmpty()) {
            long at = storing.pop();
            if (at < 0) {
                References.forEach(heap, -at, this::note);
            } else {
                long holder = holder(at);
                if (holder >= 0 && References.isOne(heap, holder, at)) {
                    note(at);
                }
            }
        }
        if (notes > Math.max(MANY, objects / FEW)) {
            scan(moves);
        }
    }

    private void note(long at) {
        long o = leadsTo(at);
        if (o >= 0) {
            LongStack s = noted.computeIfAbsent(o, k -> new LongStack(4));
            s.push(at);
            s.push(changes);
            notes++;
        }
    }

    /** The valid object whose content this address lies in, or -1. */
    private long holder(long at) {
        int c = heap.units.slabClass(at);
        long o = at & -Units.UNIT;
        if (c >= 0) {
            long slab = at & -SizeClasses.SLAB_BYTES;
            int d = (int) (at - slab);
            if (d < SizeClasses.FIRST[c]) {
                return -1;
            }
            o = slab + SizeClasses.FIRST[c] + (long) SizeClasses.slot(c, d) * SizeClasses.SIZE[c];
        } else {
            // Within a large object only its first unit has a header.
            while (o > 0 && heap.units.headerOffsetChecked(o) < 0) {
                o -= Units.UNIT;
            }
        }
        long header = heap.units.headerOffsetChecked(o);
        long h = header < 0 ? 0 : heap.memory.getLong(header);
        return Header.valid(h) && Header.sound(h) && at < o + Header.bytes(h) && heap.classes.byIdOrNull(Header.classId(h)) != null ? o : -1;
    }

    /** After the block that laid an object out anew where it is. */
    void changed(long o, long length, Fields fields) {
        changed(o, length, o, fields);
    }

    private void changed(long o, long length, long now, Fields fields) {
        changed.put(o, new Change(Math.max(8, length), now, fields, ++changes));
    }

    /**
     * In the current block: makes the object's new place and leads every reference there, those in itself only if its fields
     * stay where they are. Its content is the caller's. What is known of it stays for another try until {@link #moved}.
     */
    long move(Tx t, long o, int classId, long bytes, Fields fields) {
        long old = Header.ref(o, heap.memory.getLong(heap.units.headerOffset(o)));
        long n = heap.allocateRaw(classId, bytes);
        long length = heap.payloadBytes(o);
        LongStack from = referrers.get(o);
        for (int i = 0; from != null && i < from.size(); i++) {
            lead(t, from.get(i), 0, o, length, n, old, fields);
        }
        from = noted.get(o);
        for (int i = 0; from != null && i < from.size(); i += 2) {
            lead(t, from.get(i), (int) from.get(i + 1), o, length, n, old, fields);
        }
        heap.freeRaw(o);
        return n;
    }

    /** Leads one reference to an object's new place: it lay at this address after so many changes, if it is still there. */
    private void lead(Tx t, long at, int since, long o, long length, long n, long old, Fields fields) {
        if (at >= o && at < o + length) {
            if (fields == Fields.SAME) {
                t.words.put(at + n - o, heap.refTo(n), -1L);
            }
            return;
        }
        Map.Entry<Long, Change> e = changed.floorEntry(at);
        if (e != null && at < e.getKey() + e.getValue().length && e.getValue().number > since) {
            int field = e.getValue().fields.now((int) (at - e.getKey()));
            if (field < 0) {
                return;
            }
            at = e.getValue().now + field;
        }
        // A method that migrates may have stored another one meanwhile.
        if (heap.memory.getLong(at) == old) {
            t.words.put(at, heap.refTo(n), -1L);
        }
    }

    /** After that block committed; {@code old} is the reference to the object of so many bytes that was moved. */
    void moved(long old, long length, long now, Fields fields) {
        long o = Header.offset(old);
        referrers.remove(o);
        LongStack s = noted.remove(o);
        notes -= s == null ? 0 : s.size() / 2;
        changed(o, length, Header.offset(now), fields);
        // The proxy of the old reference, if there is one, stands for the new place.
        PersistentObject p = heap.proxies.remove(old);
        if (p != null) {
            Internals.setOffset(p, Header.offset(now));
            heap.proxies.putIfAbsent(now, p);
        }
    }
}
