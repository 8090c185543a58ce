package dev.concord.persist.core;

import dev.concord.persist.PersistException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;

/**
 * The write-ahead log: a ring in the file, addressed by an ever growing byte position, the lsn. Owns two invariants: space is
 * reused only behind the checkpoint, and no two writes that are under way at once cover the same block. {@link GroupCommit}
 * decides when a group of records is written and who waits for it.
 *
 * <p>Writes cover whole blocks of the medium's alignment: a group begins with what its first block holds already and ends
 * with zeros, which the next group overwrites. Rewriting a block stores the same bytes over durable records, so a tear leaves
 * them whole; a block that holds the end of the log never holds records that replay still needs. A group that others shall not
 * have to wait for is rounded up instead, by a record whose entries store nothing: the next begins with a block of its own.
 *
 * <p>Stale bytes never parse as records: a record names its lsn (which encodes the lap), the heap and the epoch of the
 * opening that wrote it. So what a later group left behind the hole of an earlier one is no record in the next life, which
 * fills the hole under another epoch.
 */
final class LogWriter {
    private static final int FLUSH_AT = 8 << 20;
    /** Bytes of an entry that stores nothing: none, and a pattern not at all. */
    private static final int NO_BYTES = Redo.ENTRY;
    private static final int NO_FILL = Redo.ENTRY + 8;
    private final Medium medium;
    private final long size;
    private final long uuidLow;
    private final int epoch;
    /** Guards everything below, the state of {@link GroupCommit}, and the order of stores to the image. */
    final ReentrantLock lock = new ReentrantLock();
    private final Condition spaceFreed = lock.newCondition();
    private final CRC32C crc = new CRC32C();
    private final int align;
    /** Records from {@link #pendingStart} on, a multiple of {@link #align}, to {@link #next}. */
    private ByteBuffer pending;
    private final ArrayDeque<ByteBuffer> spares = new ArrayDeque<>();
    private long pendingStart;
    private long next;
    /** Where the last group ended that was cut. */
    private long cut;
    private volatile long head;
    /** Records pending; written under {@link #lock}. */
    private volatile int gathered;

    /** Records that go to the medium by one write, two at the end of a lap. */
    record Group(ByteBuffer bytes, long start, long end, int records) {
    }

    LogWriter(Medium medium, Superblock sb, long start) throws IOException {
        this.medium = medium;
        this.size = sb.logSize;
        this.uuidLow = sb.uuid.getLeastSignificantBits();
        this.epoch = sb.epoch;
        this.align = medium.alignment();
        this.pending = buffer(1 << 16);
        this.pendingStart = start & -align;
        this.next = start;
        this.cut = start;
        // Nothing before the start is needed any more.
        pending.put(new byte[(int) (start - pendingStart)]);
        this.head = start;
    }

    private ByteBuffer buffer(int bytes) {
        return align == 1 ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocateDirect(bytes + align).alignedSlice(align);
    }

    String name() {
        return medium.name();
    }

    long next() {
        lock.lock();
        try {
            return next;
        } finally {
            lock.unlock();
        }
    }

    long used() {
        return next() - head;
    }

    int gathered() {
        return gathered;
    }

    /** Bytes to pass over at the end of a lap so that the record is contiguous. */
    private long gap(int total) {
        long rest = size - next % size;
        return total > rest ? rest : 0;
    }

    /**
     * Waits, holding {@link #lock}, until a record of this size has room.
     *
     * @param makeRoom asks for a checkpoint; must not block
     */
    void reserve(int total, Engine engine, Runnable makeRoom) {
        if (total > size / 4) {
            throw new PersistException.Full("a failure-atomic block writes " + total + " bytes, more than a quarter of the log of " + size);
        }
        // One block more than the record ends in: it may be the last of a group that is rounded up.
        while ((next + gap(total) + total + align - 1 & -align) + align - (head & -align) > size) {
            engine.checkUsable();
            makeRoom.run();
            spaceFreed.awaitUninterruptibly();
        }
        engine.checkUsable();
    }

    /** Appends a sealed record; the caller holds {@link #lock} and has reserved. Returns the lsn after it. */
    long append(Redo record) {
        int total = record.total();
        long gap = gap(total);
        ensure((int) gap + total);
        if (gap > 0) {
            passOver((int) gap);
        }
        put(record);
        gathered++;
        return next;
    }

    private void put(Redo record) {
        int total = record.total();
        record.place(next, uuidLow, epoch);
        pending.put(record.buf, 0, record.end);
        zeros(total - record.end);
        next += total;
    }

    /** Ends the lap. */
    private void passOver(int gap) {
        int header = 0;
        if (gap >= Redo.HEADER) {
            byte[] pad = new byte[Redo.HEADER];
            Redo.header(pad, Redo.PAD_MAGIC, 0, next, uuidLow, epoch, 0, crc);
            pending.put(pad);
            header = pad.length;
        }
        zeros(gap - header);
        next += gap;
    }

    private void zeros(int n) {
        for (int i = 0; i < n; i++) {
            pending.put((byte) 0);
        }
    }

    private void ensure(int n) {
        if (pending.remaining() >= n + 2 * align) { // room to round up, too
            return;
        }
        ByteBuffer b = buffer(Math.max(pending.capacity() * 2, pending.position() + n + 3 * align & -align));
        pending.flip();
        b.put(pending);
        pending = b;
    }

    boolean wantsFlush() {
        return pending.position() > FLUSH_AT;
    }

    // ---- groups; the caller holds the lock --------------------------------------------------------------------------

    /** Whether there are records that no group has taken. */
    boolean isPending() {
        return next != cut;
    }

    /** Where the next group begins. */
    long cut() {
        return cut;
    }

    /** Whether the next group shares its first block with the last one, hence may not be written at the same time. */
    boolean sharesBlock() {
        return (cut & align - 1) != 0;
    }

    /**
     * Takes what is pending as a group.
     *
     * @param round so that the next one shares no block with it
     */
    Group cut(boolean round) {
        if (round) {
            roundUp();
        }
        Group g = new Group(pending, pendingStart, next, gathered);
        int shared = (int) (next & align - 1);
        ByteBuffer b = spares.isEmpty() ? buffer(1 << 16) : spares.poll();
        b.clear().put(pending.duplicate().position(pending.position() - shared).limit(pending.position()));
        pending = b;
        pendingStart = next - shared;
        cut = next;
        gathered = 0;
        return g;
    }

    /** Goes on to a border of blocks, the end of a lap by what ends laps, any other by a record that changes nothing. */
    private void roundUp() {
        int rest = (int) (-next & align - 1);
        if (rest == 0) {
            return;
        }
        if (rest == size - next % size) {
            passOver(rest);
            return;
        }
        if (rest < Redo.HEADER || rest == Redo.HEADER + 8) {
            rest += align; // no record is as short, and none of these entries
        }
        int payload = rest - Redo.HEADER;
        if (payload % NO_BYTES == 4) {
            payload -= 4; // to which a record's length is rounded up
        }
        Redo nothing = new Redo();
        for (; payload % NO_BYTES != 0; payload -= NO_FILL) {
            nothing.addFill(0, 0, 0);
        }
        for (; payload > 0; payload -= NO_BYTES) {
            nothing.addBytes(0, nothing.buf, 0, 0);
        }
        nothing.seal();
        put(nothing);
    }

    // ---- groups; without the lock ------------------------------------------------------------------------------------

    /** Writes a group and returns when it is on the medium; no other that is under way may share a block with it. */
    void write(Group g) throws IOException {
        ByteBuffer b = g.bytes;
        while ((b.position() & align - 1) != 0) {
            b.put((byte) 0);
        }
        int total = b.position();
        for (int at = 0; at < total; at = b.limit()) {
            long pos = (g.start + at) % size;
            b.limit((int) Math.min(total, at + size - pos)).position(at);
            medium.writeThrough(Superblock.LOG_OFFSET + pos, b);
        }
    }

    /** Gives the buffer of a written group back; the caller holds the lock. */
    void recycle(Group g) {
        if (g.bytes.capacity() <= 4 * FLUSH_AT) {
            spares.push(g.bytes);
        }
    }

    /** Frees the log below {@code lsn}, which a synced superblock names as the start of replay. */
    void advanceHead(long lsn) {
        lock.lock();
        try {
            head = lsn;
            spaceFreed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Wakes who waits for room, after the engine was poisoned. */
    void wakeAll() {
        lock.lock();
        try {
            spaceFreed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
