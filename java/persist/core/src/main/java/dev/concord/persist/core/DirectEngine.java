package dev.concord.persist.core;

import dev.concord.persist.DurabilityReport;
import dev.concord.persist.PersistException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Stores go straight to mapped persistent memory. Owns the one-record redo log that makes a block atomic, with two
 * fences per commit, three if it made objects:
 *
 * <ol>
 * <li>new objects are written in place, where no valid reference leads, and written back; <b>fence</b>, since the record
 *     would make them count;
 * <li>the record is stored over its predecessor and written back; <b>fence</b>: its checksum is the commit mark;
 * <li>the record is applied in place and written back; <b>fence</b>: it may now be overwritten.
 * </ol>
 *
 * Because at most one record is live, replay can never bring back an older value. A store by the low-level interface
 * would still be undone by the replay of a record that wrote the same word before it, so {@link #pfence} retires the
 * record first. Commits are serial; reads, and the payloads of new objects, are not.
 */
final class DirectEngine extends Engine {
    private static final int LOG_SHIFT = 30;
    private final Medium.Mapping mapping;
    private final Memory log;
    private final Object commitLock = new Object();
    private final CRC32C crc = new CRC32C();
    private final long uuidLow;
    private long lsn;
    private volatile boolean recordLive;

    DirectEngine(Medium medium, Superblock superblock, Medium.Mapping mapping) {
        super(medium, superblock);
        this.mapping = mapping;
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
    Replay replay() {
        byte[] head = new byte[Redo.HEADER];
        log.getBytes(0, head, 0, Redo.HEADER);
        int len = Redo.verifyHeader(head, Redo.MAGIC, -1, uuidLow, superblock.epoch, crc);
        if (len < 0 || len > superblock.logSize - Redo.HEADER) {
            return new Replay(0, false);
        }
        byte[] record = new byte[Redo.HEADER + len];
        log.getBytes(0, record, 0, record.length);
        if (!Redo.verifyPayload(record, crc)) {
            return new Replay(0, true);
        }
        lsn = Redo.lsn(record) + 1;
        Redo r = Redo.of(record);
        r.apply(memory, Redo.HEADER);
        writeBack(r, Redo.HEADER);
        return new Replay(1, false);
    }

    @Override
    void touched(long off, long len) {
        medium.writeBack(memory, off, len);
    }

    @Override
    void finishRecovery() throws IOException {
        medium.fence();
        superblock.epoch++;
        superblock.checkpointLsn = lsn;
        superblock.state = Superblock.State.OPEN;
        writeSuperblock();
    }

    @Override
    boolean logsFresh() {
        return false;
    }

    @Override
    long commit(Redo record, WordSet fresh) {
        checkUsable();
        if (record.total() > superblock.logSize) {
            throw new PersistException.Full("a failure-atomic block writes " + record.total() + " bytes, the log holds " + superblock.logSize);
        }
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
        synchronized (commitLock) {
            long mine = lsn++;
            record.place(mine, uuidLow, superblock.epoch);
            log.putBytes(0, record.buf, 0, record.end);
            medium.writeBack(log, 0, record.end);
            medium.fence();
            if (!recordLive) {
                recordLive = true;
            }
            record.apply(memory, record.applyFrom);
            writeBack(record, record.applyFrom);
            changed(record);
            commits++;
            committedBytes += record.total();
            medium.fence();
            return mine + 1;
        }
    }

    @Override
    boolean storesFields() {
        return true;
    }

    @Override
    long commitField(long at, int width, long value) {
        checkUsable();
        synchronized (commitLock) {
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
    boolean isDurable(long l) {
        return true;
    }

    @Override
    long tail() {
        synchronized (commitLock) {
            return lsn;
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
            synchronized (commitLock) {
                retire();
                medium.fence();
                recordLive = false;
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
        if (!isPoisoned()) {
            pfence();
            superblock.checkpointLsn = lsn;
        }
    }
}
