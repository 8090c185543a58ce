package dev.concord.persist.core;

import dev.concord.persist.DurabilityReport;
import dev.concord.persist.PersistException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * For every ordinary file: memory is a private image of it, so that the kernel can never write a page home early, and
 * commits reach the file by the write-ahead log. Owns the checkpoint: a page is copied home only after the log is synced
 * past everything the copy may contain, and the log is cut only after the pages are synced.
 *
 * <p>A page torn by a crash during the checkpoint heals by replay from the previous one, because records are full byte
 * images of everything that changed since.
 */
final class LoggedEngine extends Engine {
    private static final int PAGE_SHIFT = 12;
    private static final int PAGE = 1 << PAGE_SHIFT;
    private static final int STAGING = 1 << 20;
    private final boolean readOnly;
    private final ThreadLocal<List<long[]>> writeBacks = new ThreadLocal<>() {
        @Override
        protected List<long[]> initialValue() {
            return new ArrayList<>();
        }
    };
    private final Object checkpointLock = new Object();
    private final Object trigger = new Object();
    private LogWriter log;
    private GroupCommit groups;
    private long replayEnd;
    /** Pages that differ from the file; guarded by the log's lock once it exists. */
    private BitSet dirty = new BitSet();
    private Thread checkpointer;
    /** Whether a checkpoint would be good, and whether a record waits for it; guarded by the trigger. */
    private boolean wanted;
    private boolean needed;
    private boolean stop;
    /** Guarded by the log's lock: the last checkpoint has begun, and a record behind it would not be replayed. */
    private boolean sealed;

    LoggedEngine(Medium medium, Superblock superblock, boolean readOnly) {
        super(medium, superblock);
        this.readOnly = readOnly;
        this.replayEnd = superblock.checkpointLsn;
    }

    @Override
    DurabilityReport.Engine kind() {
        return DurabilityReport.Engine.LOGGED;
    }

    @Override
    Medium.Mapping mapping() {
        return Medium.Mapping.PRIVATE;
    }

    @Override
    Replay replay() throws IOException {
        LogReplay log = new LogReplay(medium, superblock);
        Replay found = log.run(r -> {
            r.apply(memory, Redo.HEADER);
            markDirty(r);
        });
        replayEnd = log.end;
        return found;
    }

    @Override
    void touched(long off, long len) {
        dirty.set((int) (off >>> PAGE_SHIFT), (int) ((off + len - 1) >>> PAGE_SHIFT) + 1);
    }

    private void markDirty(Redo r) {
        r.forEach(Redo.HEADER, new Redo.Sink() {
            @Override
            public void bytes(long off, byte[] src, int pos, int len) {
                touched(off, len);
            }

            @Override
            public void fill(long off, int len, long pattern) {
                touched(off, len);
            }
        });
    }

    @Override
    void finishRecovery() throws IOException {
        BitSet pages = dirty;
        dirty = new BitSet();
        writeHome(pages, false);
        medium.force();
        superblock.epoch++;
        superblock.checkpointLsn = replayEnd;
        superblock.state = Superblock.State.OPEN;
        superblock.writtenBy(kind());
        writeSuperblock();
        log = new LogWriter(medium, superblock, replayEnd);
        groups = new GroupCommit(log, this, replayEnd);
        checkpointer = new Thread("jnvm-checkpoint " + medium.name()) {
            @Override
            public void run() {
                checkpointLoop();
            }
        };
        checkpointer.setDaemon(true);
        checkpointer.start();
    }

    @Override
    boolean logsFresh() {
        return true;
    }

    @Override
    long commit(Redo record, WordSet fresh) {
        checkUsable();
        if (readOnly) {
            throw new PersistException.Misuse(medium.name() + " is open read-only");
        }
        record.seal();
        int total = record.total();
        log.lock.lock();
        boolean flush;
        boolean halfFull;
        long lsn;
        try {
            log.reserve(total, this, this::needCheckpoint);
            checkUnsealed();
            lsn = log.append(record);
            try {
                commits++;
                committedBytes += total;
                markDirty(record);
                record.apply(memory, record.applyFrom);
                changed(record);
            } catch (RuntimeException | Error e) {
                // The record stays in the log: what it says must not be given up and its places not be used for anything else.
                throw poisoned("a logged block could not be applied", e);
            }
            flush = log.wantsFlush();
            halfFull = isHalfFull();
        } finally {
            log.lock.unlock();
        }
        if (halfFull) {
            requestCheckpoint();
        }
        if (flush) {
            groups.await(lsn);
        }
        return lsn;
    }

    private void checkUnsealed() {
        if (sealed) {
            throw new PersistException.Misuse(medium.name() + " is closed");
        }
    }

    @Override
    void onPoisoned() {
        if (groups != null) {
            log.wakeAll();
            groups.wakeAll();
        }
    }

    @Override
    void await(long lsn) {
        groups.await(lsn);
    }

    @Override
    void tell(long lsn, Consumer<Throwable> told, LongConsumer helper) {
        groups.tell(lsn, told, helper);
    }

    @Override
    boolean isDurable(long lsn) {
        return groups == null || groups.durable() >= lsn; // who reads only has none
    }

    @Override
    long tail() {
        return log.next();
    }

    @Override
    long syncs() {
        return groups == null ? 0 : groups.syncs();
    }

    @Override
    void pwb(long off, long len) {
        writeBacks.get().add(new long[] {off, len});
    }

    /**
     * The log is one total order, so a fence needs no waiting: it appends what this thread wrote back, which puts it
     * before all that this or any other thread appends after seeing it.
     */
    @Override
    void pfence() {
        List<long[]> ranges = writeBacks.get();
        if (ranges.isEmpty()) {
            return;
        }
        // What is written back may be more than one record holds; the order of records is all that a fence promises.
        int most = (int) (superblock.logSize / 8);
        Redo record = new Redo();
        log.lock.lock();
        try {
            for (long[] r : ranges) {
                for (long at = r[0], end = r[0] + r[1]; at < end;) {
                    int n = (int) Math.min(end - at, most);
                    if (record.total() + n + 24 > most && !record.isEmpty()) {
                        appendFenced(record);
                    }
                    if (record.isEmpty()) {
                        // Before memory is read: waiting for room lets other records go first.
                        log.reserve(2 * most, this, this::needCheckpoint);
                        checkUnsealed();
                    }
                    record.addFromMemory(memory, at, n);
                    at += n;
                }
            }
            appendFenced(record);
        } finally {
            log.lock.unlock();
        }
        ranges.clear();
    }

    private void appendFenced(Redo record) {
        record.seal();
        log.append(record);
        markDirty(record);
        changed(record);
        record.reset();
    }

    @Override
    void psync() {
        pfence();
        groups.await(log.next());
    }

    private boolean isHalfFull() {
        return log.used() > superblock.logSize / 2;
    }

    private void requestCheckpoint() {
        synchronized (trigger) {
            if (!wanted) {
                wanted = true;
                trigger.notifyAll();
            }
        }
    }

    private void needCheckpoint() {
        synchronized (trigger) {
            needed = true;
            requestCheckpoint();
        }
    }

    private void checkpointLoop() {
        for (;;) {
            boolean must;
            synchronized (trigger) {
                while (!wanted && !stop) {
                    try {
                        trigger.wait();
                    } catch (InterruptedException e) {
                        return;
                    }
                }
                if (stop) {
                    return;
                }
                must = needed;
                wanted = false;
                needed = false;
            }
            if (!must && !isHalfFull()) {
                continue; // asked for while the last one ran, which has made room
            }
            try {
                checkpoint();
            } catch (RuntimeException e) {
                poisoned("checkpoint failed", e);
                return;
            }
        }
    }

    @Override
    void checkpoint() {
        checkpoint(false);
    }

    private void checkpoint(boolean last) {
        synchronized (checkpointLock) {
            checkUsable();
            Events.Span span = Events.TO.begin(Events.Kind.CHECKPOINT, medium.name());
            long cut;
            BitSet pages;
            log.lock.lock();
            try {
                sealed |= last;
                cut = log.next();
                pages = dirty;
                dirty = new BitSet();
            } finally {
                log.lock.unlock();
            }
            try {
                groups.await(cut);
                writeHome(pages, true);
                medium.force();
                synchronized (this) {
                    superblock.checkpointLsn = cut;
                    writeSuperblock();
                }
            } catch (PersistException.Poisoned e) {
                throw e;
            } catch (IOException | RuntimeException | Error e) {
                // Nobody knows any more which pages differ from the file.
                throw poisoned("checkpoint failed", e);
            }
            log.advanceHead(cut);
            checkpoints.increment();
            span.end((long) pages.cardinality() << PAGE_SHIFT);
        }
    }

    /**
     * @param syncLog whether to sync the log between copying pages and writing them: a copy may hold the effect of a record that is not
     *     synced yet, and such a page must not reach the file first
     */
    private void writeHome(BitSet pages, boolean syncLog) throws IOException {
        ByteBuffer staging = ByteBuffer.allocateDirect(STAGING);
        List<long[]> runs = new ArrayList<>();
        int perSegment = 1 << superblock.segmentShift - PAGE_SHIFT;
        for (int p = pages.nextSetBit(0); p >= 0;) {
            int end = Math.min(pages.nextClearBit(p), (p / perSegment + 1) * perSegment);
            end = Math.min(end, p + staging.remaining() / PAGE);
            long off = (long) p << PAGE_SHIFT;
            int len = (end - p) * PAGE;
            staging.put(memory.view(off, len));
            runs.add(new long[] {off, len});
            if (staging.remaining() < PAGE) {
                if (syncLog) {
                    groups.await(log.next());
                }
                writeRuns(staging, runs);
            }
            p = pages.nextSetBit(end);
        }
        if (!runs.isEmpty()) {
            if (syncLog) {
                groups.await(log.next());
            }
            writeRuns(staging, runs);
        }
    }

    private void writeRuns(ByteBuffer staging, List<long[]> runs) throws IOException {
        staging.flip();
        for (long[] r : runs) {
            staging.limit(staging.position() + (int) r[1]);
            medium.write(superblock.dataOffset + r[0], staging);
        }
        staging.clear();
        runs.clear();
    }

    @Override
    long logUsed() {
        return log == null ? 0 : log.used();
    }

    @Override
    long dirtyBytes() {
        if (log == null) {
            return (long) dirty.cardinality() << PAGE_SHIFT;
        }
        log.lock.lock();
        try {
            return (long) dirty.cardinality() << PAGE_SHIFT;
        } finally {
            log.lock.unlock();
        }
    }

    @Override
    void shutdown() {
        if (log == null) {
            return;
        }
        synchronized (trigger) {
            stop = true;
            trigger.notifyAll();
        }
        if (!isPoisoned()) {
            checkpoint(true);
        }
        boolean interrupted = false;
        while (checkpointer.isAlive()) {
            try {
                checkpointer.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
