package dev.concord.persist.core;

import dev.concord.persist.PersistException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;

/**
 * The write-ahead log: a ring in the file, addressed by an ever growing byte position, the lsn. Owns two invariants: a
 * record is awaited only after it and all before it were synced, and space is reused only behind the checkpoint.
 *
 * <p>Group commit: the first waiter writes and syncs everything pending while the next group gathers behind it. Threads that
 * were woken together come back one by one, so the first of them waits, a small part of what a sync takes, for as many as
 * came before; a thread that is alone never waits.
 *
 * <p>Writes cover whole blocks of the medium's alignment: a group begins with what its first block holds already and ends
 * with zeros, which the next group overwrites. Rewriting a block stores the same bytes over durable records, so a tear leaves
 * them whole; a block that holds the end of the log never holds records that replay still needs.
 *
 * <p>Stale bytes never parse as records: a record names its lsn (which encodes the lap), the heap and the epoch of the
 * opening that wrote it.
 */
final class LogWriter {
    private static final int FLUSH_AT = 8 << 20;
    private final Medium medium;
    private final long size;
    private final long uuidLow;
    private final int epoch;
    /** Guards everything below up to the flush state, and the order of stores to the image. */
    final ReentrantLock lock = new ReentrantLock();
    private final Condition spaceFreed = lock.newCondition();
    private final CRC32C crc = new CRC32C();
    private final int align;
    /** Records from {@link #pendingStart} on, a multiple of {@link #align}, to {@link #next}. */
    private ByteBuffer pending;
    private ByteBuffer spare;
    private long pendingStart;
    private long next;
    private volatile long head;
    private final Object flushMonitor = new Object();
    private boolean flushing;
    private volatile long durable;
    private long syncs;
    /** Records pending; written under {@link #lock}. */
    private volatile int gathered;
    /** Sizes of the last two groups and the duration of the last sync; the flushing thread's. */
    private int lastGroup = 1;
    private int groupBefore = 1;
    private long syncNanos;

    LogWriter(Medium medium, Superblock sb, long start) throws IOException {
        this.medium = medium;
        this.size = sb.logSize;
        this.uuidLow = sb.uuid.getLeastSignificantBits();
        this.epoch = sb.epoch;
        this.align = medium.alignment();
        this.pending = buffer(1 << 16);
        this.spare = buffer(1 << 16);
        this.pendingStart = start & -align;
        this.next = start;
        // Nothing before the start is needed any more.
        pending.put(new byte[(int) (start - pendingStart)]);
        this.head = start;
        this.durable = start;
    }

    private ByteBuffer buffer(int bytes) {
        return align == 1 ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocateDirect(bytes + align).alignedSlice(align);
    }

    long next() {
        lock.lock();
        try {
            return next;
        } finally {
            lock.unlock();
        }
    }

    long durable() {
        return durable;
    }

    long used() {
        return next() - head;
    }

    long syncs() {
        synchronized (flushMonitor) {
            return syncs;
        }
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
        while ((next + gap(total) + total + align - 1 & -align) - (head & -align) > size) {
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
            byte[] pad = new byte[Redo.HEADER];
            Redo.header(pad, Redo.PAD_MAGIC, 0, next, uuidLow, epoch, 0, crc);
            int at = pending.position();
            if (gap >= Redo.HEADER) {
                pending.put(pad);
            }
            while (pending.position() < at + gap) {
                pending.put((byte) 0);
            }
            next += gap;
        }
        record.place(next, uuidLow, epoch);
        pending.put(record.buf, 0, record.end);
        for (int i = record.end; i < total; i++) {
            pending.put((byte) 0);
        }
        next += total;
        gathered++;
        return next;
    }

    private void ensure(int n) {
        if (pending.remaining() >= n + align) { // room for the zeros, too
            return;
        }
        ByteBuffer b = buffer(Math.max(pending.capacity() * 2, pending.position() + n + 2 * align & -align));
        pending.flip();
        b.put(pending);
        pending = b;
    }

    boolean wantsFlush() {
        return pending.position() > FLUSH_AT;
    }

    /** Returns when everything below {@code lsn} is on the medium. */
    void await(long lsn, Engine engine) {
        while (durable < lsn) {
            synchronized (flushMonitor) {
                while (flushing && durable < lsn) {
                    try {
                        flushMonitor.wait();
                    } catch (InterruptedException e) {
                        // Durability cannot be given up half way; the interrupt is kept for the caller.
                        awaitUninterruptibly(lsn);
                        Thread.currentThread().interrupt();
                    }
                }
                if (durable >= lsn) {
                    return;
                }
                engine.checkUsable();
                flushing = true;
            }
            try {
                gather();
                flush();
            } catch (IOException | RuntimeException e) {
                throw engine.poisoned("write of the log failed", e);
            } finally {
                synchronized (flushMonitor) {
                    flushing = false;
                    flushMonitor.notifyAll();
                }
            }
        }
    }

    private void awaitUninterruptibly(long lsn) {
        boolean again = true;
        while (again && flushing && durable < lsn) {
            try {
                flushMonitor.wait();
                again = false;
            } catch (InterruptedException e) {
                again = true;
            }
        }
    }

    /** Waits until the group is as large as the last ones were, an eighth of a sync at most. */
    private void gather() {
        int expected = Math.max(lastGroup, groupBefore);
        if (gathered >= expected) {
            return;
        }
        long end = System.nanoTime() + Math.min(syncNanos >> 3, 500_000);
        while (gathered < expected && System.nanoTime() < end) {
            if (syncNanos > 1_000_000) {
                java.util.concurrent.locks.LockSupport.parkNanos(20_000);
            } else {
                Thread.yield();
            }
        }
    }

    private void flush() throws IOException {
        ByteBuffer batch;
        long start;
        long end;
        lock.lock();
        try {
            batch = pending;
            start = pendingStart;
            end = next;
            pending = spare;
            pendingStart = next & -align;
            int shared = (int) (next - pendingStart);
            pending.clear().put(batch.duplicate().position(batch.position() - shared).limit(batch.position()));
            spare = null;
            groupBefore = lastGroup;
            lastGroup = gathered;
            gathered = 0;
        } finally {
            lock.unlock();
        }
        while ((batch.position() & align - 1) != 0) {
            batch.put((byte) 0);
        }
        Events.Span span = Events.TO.begin(Events.Kind.SYNC, medium.name());
        long begin = System.nanoTime();
        int total = batch.position();
        for (int at = 0; at < total; at = batch.limit()) {
            long pos = (start + at) % size;
            batch.limit((int) Math.min(total, at + size - pos)).position(at);
            medium.writeThrough(Superblock.LOG_OFFSET + pos, batch);
        }
        syncNanos = System.nanoTime() - begin;
        syncs++;
        span.end(total);
        durable = end;
        spare = batch.capacity() > 4 * FLUSH_AT ? buffer(1 << 16) : batch;
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

    /** Wakes committers that wait for room, after the engine was poisoned. */
    void wakeAll() {
        lock.lock();
        try {
            spaceFreed.signalAll();
        } finally {
            lock.unlock();
        }
        synchronized (flushMonitor) {
            flushMonitor.notifyAll();
        }
    }
}
