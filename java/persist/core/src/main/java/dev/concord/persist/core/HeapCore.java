package dev.concord.persist.core;

import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.PObject;
import dev.concord.persist.PersistException;
import dev.concord.persist.PersistentObject;
import dev.concord.persist.PersistentObject.Internals;
import dev.concord.persist.RecoveryReport;
import java.io.IOException;

/**
 * One open heap: what proxies call. Owns its opening and closing, and what is done with a heap as a whole.
 *
 * <p>Thread rules: a block belongs to its thread. A block is atomic with respect to crashes, not isolated from other
 * threads: threads that share objects synchronise as for ordinary Java objects, and hold the lock until the block has
 * ended (lock outside, block inside), unless the heap was opened with object locks.
 */
public final class HeapCore extends HeapValues {
    static final WordSet NOTHING = new WordSet();
    static final long GATE_MILLIS = 10_000;
    static final int META_CLASSES = 8;
    static final int META_ROOTS = 16;
    static final long META_MAGIC = 0x4154454d4d564e4aL;
    final Roots roots;
    final long meta;
    final long maxSize;
    /** Whether the file may be longer than its content needs. */
    volatile boolean compacted;
    private PHeap facade;
    private Runnable onClose = () -> { };
    private volatile boolean closed;
    private RecoveryReport recovery;

    HeapCore(Engine engine, PHeapOptions options) {
        super(engine, options);
        this.meta = Units.metaOffset(memory.shift());
        this.maxSize = options.maxSize();
        this.roots = new Roots(this);
    }

    /** Opens what the medium holds, or makes a heap of it; recovers as needed. The medium is closed if that fails. */
    public static HeapCore open(Medium medium, Medium.Mapping direct, boolean create, PHeapOptions options) throws IOException {
        boolean done = false;
        try {
            long begin = System.nanoTime();
            Superblock sb;
            if (create) {
                sb = Superblock.fresh(Long.numberOfTrailingZeros(options.segmentSize()), options.logSize());
                medium.extend(sb.segmentPosition(1));
                sb.segments = 1;
            } else {
                sb = Superblock.read(medium);
                if (medium.size() < sb.fileSize()) {
                    throw new PersistException.Corrupt(medium.name(), medium.size(), "the file ends here, " + sb.fileSize() + " bytes expected");
                }
            }
            Engine engine = direct == null ? new LoggedEngine(medium, sb, options.readOnly())
                    : new DirectEngine(medium, sb, options.readOnly() ? Medium.Mapping.PRIVATE : direct);
            engine.map();
            HeapCore heap = new HeapCore(engine, options);
            Events.Span span = Events.TO.begin(Events.Kind.OPEN, medium.name());
            if (create) {
                engine.memory.putLong(heap.meta, META_MAGIC);
                engine.touched(heap.meta, 8);
            }
            try {
                heap.recovery = new Recovery(heap, options).run(begin, create);
            } catch (IndexOutOfBoundsException | IllegalArgumentException | IllegalStateException | NullPointerException | ClassCastException e) {
                // A table led outside the heap, or to what it cannot lead to: the file is damaged, not the program.
                throw new PersistException.Damaged(medium.name() + ": the heap's own tables are damaged, " + e, e);
            }
            RecoveryReport r = heap.recovery;
            span.end(r.replayedRecords(), sum(r.freed()), sum(r.migrated()), r.clean() ? "clean" : "recovered");
            done = true;
            return heap;
        } finally {
            if (!done) {
                medium.close();
            }
        }
    }

    private static long sum(java.util.Map<String, Long> counts) {
        long n = 0;
        for (long c : counts.values()) {
            n += c;
        }
        return n;
    }

    // ---- identity -------------------------------------------------------------------------------------------------

    public PHeap facade() {
        return facade;
    }

    public void facade(PHeap f) {
        facade = f;
    }

    public RecoveryReport recovery() {
        return recovery;
    }

    /** What is done when the heap is closed, before anything else. */
    void onClose(Runnable first) {
        onClose = first;
    }

    public Engine engineForReports() {
        return engine;
    }

    public Roots roots() {
        return roots;
    }

    public void registerClass(Class<?> c) {
        classes.forClass(c);
    }

    @Override
    void checkOpen() {
        if (closed) {
            throw new PersistException.Misuse(name() + " is closed");
        }
    }

    @Override
    boolean closedNow() {
        return closed;
    }

    public dev.concord.persist.HeapStatistics statistics() {
        return new dev.concord.persist.HeapStatistics(engine.commits, engine.committedBytes, engine.syncs(), rollbacks.sum(), engine.checkpoints.sum(),
                engine.logUsed(), engine.dirtyBytes(), engine.superblock.fileSize(), allocator.freeUnitBytes(), proxies.size());
    }

    /** Moves objects together; see {@link Compactor}. */
    public synchronized dev.concord.persist.CompactionReport compact(dev.concord.persist.Progress progress) {
        requireWritable();
        Events.Span span = Events.TO.begin(Events.Kind.COMPACTION, name());
        dev.concord.persist.CompactionReport r = new Compactor(this, progress).run();
        span.end(r.movedObjects(), r.freedBytes(), r.longestPauseMillis(), "");
        return r;
    }

    private final Object backups = new Object();

    /** Writes a copy of the heap as it is at one moment to another file; see {@link Backup}. */
    public void backup(java.nio.file.Path target, dev.concord.persist.Progress progress) throws IOException {
        checkOpen();
        Events.Span span = Events.TO.begin(Events.Kind.BACKUP, name());
        // There is one set of changed pages.
        synchronized (backups) {
            new Backup(this, progress).run(target);
        }
        span.end(engine.superblock.fileSize());
    }

    /** Objects that no root reaches. */
    public dev.concord.persist.LeakReport leaks() {
        return exclusively(GATE_MILLIS, "leaks", () -> new Unreachable(this).report());
    }

    /** Frees what neither a root nor a Java object reaches; returns the number of objects. */
    public long reclaim() {
        return exclusively(GATE_MILLIS, "reclaim", () -> new Unreachable(this).free());
    }

    /** Frees an object that no root reaches, and what only it kept; returns the number of objects. */
    public long freeGraph(PObject top) {
        return exclusively(GATE_MILLIS, "freeGraph", () -> {
            refTo(top);
            return new Unreachable(this).freeFrom(Internals.offset((PersistentObject) top));
        });
    }

    // ---- life cycle -----------------------------------------------------------------------------------------------

    public void checkpoint() {
        checkOpen();
        engine.checkpoint();
    }

    /** Verifies every invariant a reader can see; the heap must be quiet meanwhile. */
    public CheckReport check() {
        return new Checker(this).run();
    }

    /** Ends the heap's use. Blocks still open in other threads fail at their commit. */
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        if (inBlock()) {
            throw new PersistException.Misuse("a heap cannot be closed inside a failure-atomic block");
        }
        onClose.run();
        closed = true;
        if (defaultHeap == this) {
            defaultHeap = null;
        }
        try {
            if (!readOnly) {
                acks.close();
                engine.shutdown();
                if (!engine.isPoisoned() && !blocksOpen()) {
                    if (compacted) {
                        engine.superblock.segments = allocator.segmentsInUse();
                    }
                    engine.superblock.state = Superblock.State.CLEAN;
                    engine.writeSuperblock();
                    if (compacted) {
                        engine.medium.truncate(engine.superblock.fileSize());
                    }
                }
            }
        } finally {
            engine.medium.close();
        }
    }

    /** Ends the use without writing anything more, as the death of the process would. */
    public synchronized void abandon() throws IOException {
        if (!closed) {
            onClose.run();
            closed = true;
            engine.poisoned("abandoned", new IllegalStateException("abandoned"));
            engine.shutdown();
            engine.medium.close();
        }
    }

    public boolean isClosed() {
        return closed;
    }
}
