package dev.concord.persist.core;

import dev.concord.persist.PHeapOptions;
import dev.concord.persist.PObject;
import dev.concord.persist.PersistException;
import dev.concord.persist.PersistentObject.Internals;
import dev.concord.persist.PersistentObject;
import dev.concord.persist.RecoveryReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Brings a heap from whatever a crash left to a state in which every invariant holds. Owns the order: replay of the log,
 * unit tables, class table, marking, nulling of references to what is not valid, freeing of what is not reachable, then
 * one step that makes all of it durable and retires the log; after that objects whose class changed are migrated. Every step only writes what a second run would write again,
 * so a crash inside recovery is repaired by running it anew.
 */
final class Recovery {
    private static final int SHOWN = 100;
    private final HeapCore heap;
    private final PHeapOptions options;
    private final List<String> nulled = new ArrayList<>();
    private final Map<String, Long> freed = new TreeMap<>();
    private long nulledCount;

    Recovery(HeapCore heap, PHeapOptions options) {
        this.heap = heap;
        this.options = options;
    }

    RecoveryReport run(long begin, boolean created) throws IOException {
        Engine engine = heap.engine;
        boolean clean = engine.superblock.state == Superblock.State.CLEAN;
        Engine.Replay replay = new Engine.Replay(0, false);
        if (!clean) {
            options.progress().at("replay", 0, -1);
            replay = engine.replay();
            options.progress().at("replay", replay.records(), replay.records());
        }
        if (heap.memory.getLong(heap.meta) != HeapCore.META_MAGIC) {
            throw heap.corrupt(heap.meta, "the meta unit does not start with its magic");
        }
        List<String> damage = new ArrayList<>();
        for (int s = 0; s < engine.superblock.segments; s++) {
            heap.allocator.scanSegment(s, (at, what) -> damage.add(heap.corrupt(at, what).getMessage()));
        }
        heap.classes.load();
        long live = -1;
        List<Long> recoverable = List.of();
        if (!clean && options.recovery() == PHeapOptions.Recovery.COLLECT) {
            Marker marker = new Marker(heap, this::nullReference);
            marker.tell(n -> options.progress().at("mark", n, -1));
            marker.run(options.recoveryThreads());
            live = marker.live();
            options.progress().at("mark", live, live);
            recoverable = marker.recoverable();
            for (int s = 0; s < engine.superblock.segments; s++) {
                heap.allocator.forEachObject(s, (off, at, header) -> sweep(marker, off, at, header));
                options.progress().at("sweep", s + 1, engine.superblock.segments);
            }
            heap.allocator.rescan();
        }
        if (!heap.readOnly) {
            engine.finishRecovery();
        }
        heap.roots.load();
        Migrator migrator = new Migrator(heap, options.classes());
        migrator.run();
        List<String> quarantined = new ArrayList<>(heap.readOnly ? List.of() : recoverAll(recoverable.stream().map(migrator::now).toList()));
        quarantined.addAll(damage);
        return new RecoveryReport(clean || created, replay.records(), replay.torn(), live, freed, nulled, nulledCount, quarantined, migrator.migrated(),
                (System.nanoTime() - begin) / 1_000_000);
    }

    private void nullReference(long holder, long at, long ref, String why) {
        if (nulledCount++ < SHOWN) {
            nulled.add("field at offset " + (at - holder) + " of the object at " + holder + " led to " + Header.offset(ref) + ": " + why);
        }
        heap.memory.putLong(at, 0);
        heap.engine.touched(at, 8);
    }

    private void sweep(Marker marker, long off, long at, long header) {
        if (marker.isMarked(off)) {
            return;
        }
        int id = Header.classId(header);
        ClassInfo c = heap.classes.byIdOrNull(id);
        if (id != 0) {
            freed.merge(c == null ? "<unknown class " + id + ">" : c.name, 1L, Long::sum);
        }
        heap.memory.putLong(at, Header.sound(header) ? Header.freed(header) : Header.free(0));
        heap.engine.touched(at, 8);
        if (heap.allocator.isLarge(off)) {
            long d = heap.allocator.descriptorOffset(off);
            heap.memory.putLong(d, 0);
            heap.engine.touched(d, 8);
        }
    }

    /** One object that cannot repair itself must not keep the others from being read. */
    private List<String> recoverAll(List<Long> objects) {
        List<String> failed = new ArrayList<>();
        for (long o : objects) {
            try {
                long h = heap.memory.getLong(heap.allocator.headerOffset(o));
                ClassInfo c = heap.classes.bound(heap.classes.byId(Header.classId(h)));
                PersistentObject p = (PersistentObject) heap.deref(Header.ref(o, h));
                heap.with(() -> {
                    ((PObject) p).recover();
                    return null;
                });
                assert Internals.rawOffset(p) == 0 || c.bound();
            } catch (PersistException.Poisoned e) {
                throw e;
            } catch (RuntimeException | LinkageError e) {
                failed.add("object at offset " + o + ": " + e);
            }
        }
        return failed;
    }
}
