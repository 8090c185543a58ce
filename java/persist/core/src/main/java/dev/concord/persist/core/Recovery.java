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
final class Recovery implements Marker.BadReference, Marker.Progressing {
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
        Damage damage = new Damage();
        for (int s = 0; s < engine.superblock.segments; s++) {
            heap.allocator.scanSegment(s, damage);
        }
        heap.classes.load();
        long live = -1;
        List<Long> recoverable = List.of();
        if (!clean && options.recovery() == PHeapOptions.Recovery.COLLECT) {
            Marker marker = new Marker(heap, this);
            marker.tell(this);
            marker.run(options.recoveryThreads());
            live = marker.live();
            options.progress().at("mark", live, live);
            recoverable = marker.recoverable();
            Sweeper sweeper = new Sweeper(heap, marker, freed);
            sweeper.run(options.recoveryThreads(), "jnvm-sweep");
            options.progress().at("sweep", live, live);
            if (sweeper.changed()) {
                heap.allocator.rescan();
            }
        }
        if (!heap.readOnly) {
            engine.finishRecovery();
        }
        heap.roots.load();
        Migrator migrator = new Migrator(heap, options.classes());
        migrator.run();
        List<String> quarantined = heap.readOnly ? new ArrayList<>() : recoverAll(recoverable, migrator);
        quarantined.addAll(damage.found);
        return new RecoveryReport(clean || created, replay.records(), replay.torn(), live, freed, nulled, nulledCount, quarantined, migrator.migrated(),
                (System.nanoTime() - begin) / 1_000_000);
    }

    /** Entries of unit tables that make no sense: reported, and what they describe left alone. */
    private final class Damage implements Units.Complaints {
        final List<String> found = new ArrayList<>();

        @Override
        public void accept(long at, String what) {
            found.add(heap.corrupt(at, what).getMessage());
        }
    }

    @Override
    public void marked(long objects) {
        options.progress().at("mark", objects, -1);
    }

    /** Nulls a reference to what is not valid. */
    @Override
    public void bad(long holder, long at, long ref, String why) {
        if (nulledCount++ < SHOWN) {
            nulled.add("field at offset " + (at - holder) + " of the object at " + holder + " led to " + Header.offset(ref) + ": " + why);
        }
        heap.memory.putLong(at, 0);
        heap.engine.touched(at, 8);
    }

    /** One object that cannot repair itself must not keep the others from being read. */
    private List<String> recoverAll(List<Long> objects, Migrator migrator) {
        List<String> failed = new ArrayList<>();
        for (long was : objects) {
            long o = migrator.now(was);
            try {
                long h = heap.memory.getLong(heap.units.headerOffset(o));
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
