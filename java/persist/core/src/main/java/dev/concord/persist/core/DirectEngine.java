package dev.concord.persist.core;

import dev.concord.persist.DurabilityReport;
import dev.concord.persist.PersistException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Stores go straight to mapped persistent memory. Owns the one-record redo log that makes a block atomic, with two
 * fences per commit, three if it made objects:
 *
 * <ol>
 * <li>new objects are written in place, where no valid reference leads, and written back; <b>fence</b>, since the record
 *     would make them count;
 * <li>the record is stored over its predecessor and written back; <b>fence</b>: its checksum is the commit mark. What
 *     survives only the process keeps the order of its stores, and there the record's first word is the mark, gone before
 *     the rest is stored and stored after it;
 * <li>the record is applied in place and written back; <b>fence</b>: it may now be overwritten.
 * </ol>
 *
 * Because at most one record is live, replay can never bring back an older value. A store by the low-level interface
 * would still be undone by the replay of a record that wrote the same word before it, so {@link #pfence} retires the
 * record first. Commits are serial; reads, and the payloads of new objects, are not. A block that is one store to an array
 * commits without the bookkeeping of a block ({@link #commitStore}); record and order are the same.
 */
final class DirectEngine extends Engine {
    private static final int LOG_SHIFT = 30;
    private final Medium.Mapping mapping;
    private final Memory log;
    private final CommitLock commitLock = new CommitLock();
    /** The record of a store without a block. */
    private final Redo single = new Redo();
    private final long uuidLow;
    private long lsn;
    private volatile boolean recordLive;
    /** Whether a crash leaves what was stored up to some moment, nothing later without everything earlier. */
    private final boolean ordered;

    DirectEngine(Medium medium, Superblock superblock, Medium.Mapping mapping) {
        super(medium, superblock);
        this.mapping = mapping;
        this.ordered = mapping == Medium.Mapping.SHARED;
        this.log = medium.newMemory(LOG_SHIFT);
        this.uuidLow = superblock.uuid.getLeastSignificantBits();
        this.lsn = superblock.checkpointLsn;
    }

    @Override
    DurabilityReport.Engine kind() {
        return DurabilityReport.Engine.DIRECT;
    }

    @Override
    Medium.Mapping mapping() {
        return mapping;
    }

    @Override
    void map() throws IOException {
        super.map();
        ByteBuffer b = medium.map(Superblock.LOG_OFFSET, (int) superblock.logSize, mapping);
        log.addSegment(0, b);
    }

    @Override
    Replay replay() throws IOException {
        LogReplay found = new LogReplay(medium, superblock);
        Replay replay = found.run(r -> {
            r.apply(memory, Redo.HEADER);
            writeBack(r, Redo.HEADER);
        });
        lsn = found.end;
        return replay;
    }

    @Override
    void touched(long off, long len) {
        medium.writeBack(memory, off, len);
    }

    @Override
    void finishRecovery() throws IOException {
        medium.fence();
        if (ordered && superblock.state == Superblock.State.OPEN) {
            // What is replayed may have been acknowledged by an engine that survives more than this one, and no log tells it any more.
            medium.force();
        }
        superblock.epoch++;
        superblock.checkpointLsn = lsn;
        superblock.state = Superblock.State.OPEN;
        superblock.writtenBy(kind());
        writeSuperblock();
    }

    @Override
    boolean logsFresh() {
        return false;
    }

    @Override
    long commit(Redo record, WordSet fresh) {
        checkUsable();
        checkFits(record);
        boolean any = false;
        for (int i = 0; i < fresh.size(); i++) {
            if (fresh.value(i) > 0) {
                medium.writeBack(memory, fresh.word(i), fresh.value(i));
                changed(fresh.word(i), fresh.value(i));
                any = true;
            }
        }
        if (any) {
            medium.fence();
        }
        if (!ordered) {
            record.seal();
        }
        commitLock.lock();
        try {
            long mine = prepare(record);
            try {
                makeLive(record);
                record.apply(memory, record.applyFrom);
                writeBack(record, record.applyFrom);
                changed(record);
                medium.fence();
            } catch (RuntimeException | Error e) {
                throw halfDone(e);
            }
            return mine + 1;
        } finally {
            commitLock.unlock();
        }
    }

    /** The record may be live: what it says must not be given up, it not be overwritten, and its places not be used for anything else. */
    private PersistException halfDone(Throwable e) {
        return poisoned("a logged block could not be applied", e);
    }

    /** Gives a record its number and stores what does not make it count yet; an error here leaves the heap as it was. */
    private long prepare(Redo record) {
        long mine = lsn++;
        if (ordered) { // D7
            record.placeUnmarked(mine, uuidLow, superblock.epoch);
            log.putLong(0, 0);
            medium.fence();
            log.putBytes(8, record.buf, 8, record.end - 8);
            medium.fence();
        } else {
            record.place(mine, uuidLow, superblock.epoch);
        }
        willBeLive();
        return mine;
    }

    /** Before the record counts: to retire one that does not is harmless, to leave one that does is not. */
    private void willBeLive() {
        if (!recordLive) {
            recordLive = true;
        }
    }

    /** Makes a prepared record the live one; from here on it happens, whatever does. */
    private void makeLive(Redo record) {
        if (ordered) {
            log.putLong(0, Redo.mark(record.end - Redo.HEADER));
        } else {
            log.putBytes(0, record.buf, 0, record.end);
            medium.writeBack(log, 0, record.end);
        }
        medium.fence();
        commits++;
        committedBytes += record.total();
    }

    private void checkFits(Redo record) {
        if (record.total() > superblock.logSize) {
            throw new PersistException.Full("a failure-atomic block writes " + record.total() + " bytes, the log holds " + superblock.logSize);
        }
    }

    @Override
    boolean storesRanges() {
        return true;
    }

    @Override
    void enter() {
        commitLock.lock();
    }

    @Override
    void leave() {
        commitLock.unlock();
    }

    @Override
    void commitStore(long at, byte[] src, int pos, int len) {
        checkUsable();
        if (ordered && len < superblock.logSize - Redo.HEADER - Redo.ENTRY) {
            commitOrdered(at, src, pos, len);
            return;
        }
        single.reset();
        single.addBytes(at, src, pos, len);
        checkFits(single);
        if (!ordered) {
            single.seal();
        }
        prepare(single);
        try {
            makeLive(single);
            // From the record, which others cannot change meanwhile.
            memory.putBytes(at, single.buf, single.end - len, len);
            medium.writeBack(memory, at, len);
            changed(at, len);
            medium.fence();
        } catch (RuntimeException | Error e) {
            throw halfDone(e);
        }
    }

    /** As {@link #commitStore}, with the record made where it lies. */
    private void commitOrdered(long at, byte[] src, int pos, int len) {
        int payload = Redo.ENTRY + len;
        log.putLong(0, 0);
        medium.fence();
        log.putLong(8, lsn++);
        log.putLong(16, uuidLow);
        log.putLong(24, superblock.epoch & 0xFFFF_FFFFL);
        log.putLong(32, 0);
        log.putLong(Redo.HEADER, Redo.bytesAt(at));
        log.putInt(Redo.HEADER + 8, len);
        log.putBytes(Redo.HEADER + Redo.ENTRY, src, pos, len);
        medium.fence();
        willBeLive();
        try {
            log.putLong(0, Redo.mark(payload));
            medium.fence();
            commits++;
            committedBytes += Redo.HEADER + payload + 7 & ~7;
            // From the record, which others cannot change meanwhile.
            memory.putFrom(at, log, Redo.HEADER + Redo.ENTRY, len);
            changed(at, len);
            medium.fence();
        } catch (RuntimeException | Error e) {
            throw halfDone(e);
        }
    }

    @Override
    boolean storesFields() {
        return true;
    }

    @Override
    long commitField(long at, int width, long value) {
        checkUsable();
        commitLock.lock();
        try {
            boolean live = recordLive;
            if (live) {
                retire();
            }
            switch (width) {
                case 8 -> memory.putLong(at, value);
                case 4 -> memory.putInt(at, (int) value);
                case 2 -> memory.putShort(at, (short) value);
                default -> memory.putByte(at, (byte) value);
            }
            medium.writeBack(memory, at, width);
            changed(at, width);
            commits++;
            committedBytes += width;
            medium.fence();
            if (live) {
                recordLive = false;
            }
            return ++lsn;
        } finally {
            commitLock.unlock();
        }
    }

    /** After the caller's fence no replay stores what the last record stored; others wait for the lock until then. */
    private void retire() {
        // The whole header: behind a zeroed magic, the first eight bytes of the next record would revive this one.
        log.zero(0, Redo.HEADER);
        medium.writeBack(log, 0, Redo.HEADER);
    }

    private void writeBack(Redo record, int from) {
        record.forEach(from, new Redo.Sink() {
            @Override
            public void bytes(long off, byte[] src, int pos, int len) {
                medium.writeBack(memory, off, len);
            }

            @Override
            public void fill(long off, int len, long pattern) {
                medium.writeBack(memory, off, len);
            }
        });
    }

    @Override
    void await(long l) {
        // A commit returns after its second fence: it is as durable as this medium makes it.
    }

    @Override
    void tell(long l, java.util.function.Consumer<Throwable> told, java.util.function.LongConsumer helper) {
        told.accept(null);
    }

    @Override
    boolean isDurable(long l) {
        return true;
    }

    @Override
    long tail() {
        commitLock.lock();
        try {
            return lsn;
        } finally {
            commitLock.unlock();
        }
    }

    @Override
    void pwb(long off, long len) {
        medium.writeBack(memory, off, len);
        changed(off, len);
    }

    @Override
    void pfence() {
        if (recordLive) {
            commitLock.lock();
            try {
                retire();
                medium.fence();
                recordLive = false;
            } finally {
                commitLock.unlock();
            }
            return;
        }
        medium.fence();
    }

    @Override
    void psync() {
        pfence();
    }

    @Override
    void checkpoint() {
        // Memory is the medium; there is nothing to carry over.
    }

    @Override
    long logUsed() {
        return 0;
    }

    @Override
    long dirtyBytes() {
        return 0;
    }

    @Override
    void shutdown() {
        settle();
        if (!isPoisoned()) {
            pfence();
            superblock.checkpointLsn = lsn;
        }
    }
}
