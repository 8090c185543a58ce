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
    private ByteBuffer pending = ByteBuffer.allocateDirect(1 << 16);
    private ByteBuffer spare = ByteBuffer.allocateDirect(1 << 16);
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

    LogWriter(Medium medium, Superblock sb, long start) {
        this.medium = medium;
        this.size = sb.logSize;
        this.uuidLow = sb.uuid.getLeastSignificantBits();
        this.epoch = sb.epoch;
        this.pendingStart = start;
        this.next = start;
        this.head = start;
        this.durable = start;
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
        while (next + gap(total) + total - head > size) {
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
        if (pending.remaining() >= n) {
            return;
        }
        ByteBuffer b = ByteBuffer.allocateDirect(Math.max(pending.capacity() * 2, pending.position() + n));
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
            pending.clear();
            pendingStart = next;
            spare = null;
            groupBefore = lastGroup;
            lastGroup = gathered;
            gathered = 0;
        } finally {
            lock.unlock();
        }
        Events.Span span = Events.TO.begin(Events.Kind.SYNC, medium.name());
        batch.flip();
        long pos = start % size;
        int total = batch.limit();
        int first = (int) Math.min(total, size - pos);
        batch.limit(first);
        medium.write(Superblock.LOG_OFFSET + pos, batch);
        if (first < total) {
            batch.limit(total);
            medium.write(Superblock.LOG_OFFSET, batch);
        }
        long begin = System.nanoTime();
        medium.force();
        syncNanos = System.nanoTime() - begin;
        syncs++;
        span.end(total);
        durable = end;
        spare = batch.capacity() > 4 * FLUSH_AT ? ByteBuffer.allocateDirect(1 << 16) : batch;
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
