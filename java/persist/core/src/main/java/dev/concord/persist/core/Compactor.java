package dev.concord.persist.core;

import dev.concord.persist.CompactionReport;
import dev.concord.persist.PersistException;
import dev.concord.persist.Progress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Moves objects together towards the beginning of the heap while it is in use. Works in rounds: blocks wait while one round
 * finds the references to some thousand objects and moves these; between rounds they run. Each move is a record of its own,
 * so a crash leaves a heap like any other.
 *
 * <p>Owns the rule that space is given out again only when no thread can still read what lay there: until then an emptied
 * slab stays withdrawn, with its old content, and {@link Forwarding} leads old references on. Objects of low-level classes,
 * whose stores no block announces, stay where they are.
 */
final class Compactor {
    private static final int OBJECTS_PER_ROUND = 50_000;
    private static final long GRACE_MILLIS = 2_000;
    private final HeapCore heap;
    private final Progress progress;
    private final List<Long> emptied = new ArrayList<>();
    /** Slabs that there was no room to empty; their free places rest like those of the emptied ones. */
    private final List<Long> partial = new ArrayList<>();
    private final List<long[]> vacated = new ArrayList<>();
    private final List<Long> forwarded = new ArrayList<>();
    private long moved;
    private long movedBytes;
    private int pauses;
    private long longest;
    private long freed;

    Compactor(HeapCore heap, Progress progress) {
        this.heap = heap;
        this.progress = progress;
    }

    CompactionReport run() {
        heap.moving = true;
        boolean released;
        try {
            released = phase(false) && phase(true);
        } finally {
            heap.moving = false;
        }
        long retained = released ? 0 : space();
        heap.compacted = true;
        return new CompactionReport(moved, movedBytes, freed, retained, pauses, longest);
    }

    private long space() {
        return (long) emptied.size() * SizeClasses.SLAB_BYTES + vacated.stream().mapToLong(v -> v[1] + Units.UNIT - 1 & -Units.UNIT).sum();
    }

    /** Rounds until one achieves nothing; false if what they emptied cannot be given out yet. */
    private boolean phase(boolean down) {
        for (;;) {
            boolean any = heap.exclusively(HeapCore.GATE_MILLIS, "compact", () -> {
                long begin = System.nanoTime();
                boolean emptiedSome;
                try {
                    emptiedSome = round(down);
                } finally {
                    heap.moves++;
                }
                pauses++;
                longest = Math.max(longest, (System.nanoTime() - begin) / 1_000_000);
                return emptiedSome;
            });
            progress.at("compact", moved, -1);
            if (!release()) {
                return false;
            }
            if (!any) {
                return true;
            }
        }
    }

    private boolean release() {
        if (forwarded.isEmpty() && emptied.isEmpty() && partial.isEmpty() && vacated.isEmpty()) {
            return true;
        }
        if (!Forwarding.quiesce(GRACE_MILLIS)) {
            return false;
        }
        heap.exclusively(HeapCore.GATE_MILLIS, "compact", () -> {
            freed += space();
            forwarded.forEach(heap.forwarding::remove);
            emptied.forEach(heap.allocator::releaseSlab);
            partial.forEach(heap.allocator::restore);
            vacated.forEach(v -> heap.allocator.release(v[0], v[1]));
            forwarded.clear();
            emptied.clear();
            partial.clear();
            vacated.clear();
            return null;
        });
        return true;
    }

    /** Whether low-level stores may go to objects of this class without a block that would tell. */
    private boolean pinned(ClassInfo c) {
        if (!c.bound()) {
            return false;
        }
        String name = c.javaClass().getName();
        return !c.atomic() && (!name.startsWith("dev.concord.persist.collections.") || name.endsWith(".PByteArray") || name.endsWith(".PLongArray"));
    }

    /** One slab or large object that is to be emptied, with what lies in it. */
    private record Victim(long off, boolean large, List<Long> objects) {
    }

    /** Takes some slabs, or with {@code down} some slabs and large objects from the end, and moves their objects. */
    private boolean round(boolean down) {
        if (heap.lowLevelFreesPending()) {
            throw new PersistException.Misuse(heap.name() + ": compact while objects freed by low-level code wait for that thread's pfence");
        }
        List<Victim> victims = down ? last() : sparse();
        if (victims.isEmpty()) {
            return false;
        }
        Set<Long> moving = new HashSet<>();
        victims.forEach(v -> moving.addAll(v.objects));
        Relocator relocator = new Relocator(heap);
        relocator.scan(moving::contains);
        // All of them first: nothing may be moved into what is about to be emptied.
        victims.forEach(v -> {
            if (!v.large) {
                heap.allocator.withdraw(v.off);
            }
        });
        boolean any = false;
        boolean room = true;
        for (Victim v : victims) {
            if (room) {
                room = empty(v, relocator, down);
                any |= room;
            } else if (!v.large) {
                heap.allocator.restore(v.off);
            }
        }
        heap.roots.reload();
        return any;
    }

    /** Moves a victim's objects out; false if there is no room for them. */
    private boolean empty(Victim v, Relocator relocator, boolean down) {
        try {
            for (long o : v.objects) {
                heap.allocator.within(down ? v.off : Long.MAX_VALUE, () -> move(o, relocator));
            }
        } catch (PersistException.Full e) {
            if (!v.large) {
                partial.add(v.off);
            }
            return false;
        }
        if (v.large) {
            vacated.add(new long[] {v.off, movedLength});
        } else {
            emptied.add(v.off);
        }
        return true;
    }

    private long movedLength;

    private void move(long o, Relocator relocator) {
        heap.relocate(() -> moveNow(o, relocator));
    }

    private void moveNow(long o, Relocator relocator) {
        long h = heap.memory.getLong(heap.units.headerOffset(o));
        long bytes = Header.bytes(h);
        long old = Header.ref(o, h);
        long[] place = new long[1];
        heap.system(() -> {
            Tx t = heap.requireBlock();
            byte[] content = new byte[(int) bytes];
            t.readBytes(o, content, 0, content.length);
            long n = relocator.move(t, o, Header.classId(h), bytes, Relocator.Fields.SAME);
            t.keepFreed(); // whoever read the old reference may still be looking
            heap.memory.putBytes(n, content, 0, content.length);
            place[0] = n;
            // Before the old place is seen to be free; until then nobody asks.
            heap.forwarding.put(old, heap.refTo(n));
            t.onRollback(() -> heap.forwarding.remove(old));
        });
        forwarded.add(old);
        relocator.moved(old, bytes, heap.refTo(place[0]), Relocator.Fields.SAME);
        moved++;
        movedBytes += bytes;
        movedLength = Math.max(8, bytes);
    }

    /** Slabs, from the end, whose objects find room in the free slots of those before them. */
    private List<Victim> sparse() {
        List<Victim> chosen = new ArrayList<>();
        int objects = 0;
        for (List<Long> slabs : heap.allocator.slabsByClass()) {
            long room = 0;
            List<Long> candidates = new ArrayList<>();
            List<Victim> parts = new ArrayList<>();
            for (long slab : slabs) {
                Victim v = slab(slab);
                parts.add(v);
                candidates.add(v == null ? 0L : heap.units.slotsOf(slab) - v.objects.size());
                room += candidates.get(candidates.size() - 1);
            }
            for (int i = slabs.size() - 1; i > 0 && objects < OBJECTS_PER_ROUND; i--) {
                Victim v = parts.get(i);
                room -= candidates.get(i);
                if (v == null) {
                    continue;
                }
                if (v.objects.size() > room) {
                    break;
                }
                room -= v.objects.size();
                chosen.add(v);
                objects += v.objects.size() + 1;
            }
        }
        return chosen;
    }

    /** Slabs and large objects from the end on, as long as there is room for a slab before them. */
    private List<Victim> last() {
        List<Victim> all = new ArrayList<>();
        for (List<Long> slabs : heap.allocator.slabsByClass()) {
            for (long s : slabs) {
                Victim v = slab(s);
                if (v != null) {
                    all.add(v);
                }
            }
        }
        long most = heap.engine.superblock.logSize / 5; // one record moves it whole
        for (int s = 0; s < heap.engine.superblock.segments; s++) {
            heap.units.forEachObject(s, (off, at, h) -> {
                if (heap.units.isLarge(off) && Header.bytes(h) < most && movable(h)) {
                    all.add(new Victim(off, true, List.of(off)));
                }
            });
        }
        all.sort((a, b) -> Long.compare(b.off, a.off));
        List<Victim> chosen = new ArrayList<>();
        int objects = 0;
        long free = heap.allocator.lowestFree();
        for (Victim v : all) {
            if (v.off <= free || objects >= OBJECTS_PER_ROUND) {
                break;
            }
            chosen.add(v);
            objects += v.objects.size();
        }
        return chosen;
    }

    private boolean movable(long h) {
        ClassInfo c = Header.sound(h) && Header.valid(h) ? heap.classes.byIdOrNull(Header.classId(h)) : null;
        return c != null && !pinned(c);
    }

    /** The slab's objects, or null if one of them must stay. */
    private Victim slab(long slab) {
        List<Long> objects = new ArrayList<>();
        boolean[] stays = new boolean[1];
        heap.units.forEachInSlab(slab, (off, at, h) -> {
            stays[0] |= !movable(h);
            objects.add(off);
        });
        return stays[0] ? null : new Victim(slab, false, Collections.unmodifiableList(objects));
    }
}
