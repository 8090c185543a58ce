package dev.concord.persist.core;

import dev.concord.persist.PersistException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;

/**
 * The write-ahead log: a ring in the file, addressed by an ever growing byte position, the lsn. Owns two invariants: a
 * record is awaited only after it and all before it were synced, and space is reused only behind the checkpoint.
 *
 * <p>Group commit: the first waiter writes and syncs everything pending while the next group gathers behind it. Threads that
 * were woken together come back one by one, so the first of them waits, a part of what a sync takes, for as many records as
 * were unsynced at the end of the last sync or became durable by it: else two halves of the threads take turns, each half as
 * large as a group could be. Who waits in vain waits less the next time; a thread that is alone never waits.
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
    private static final int MOST_PATIENCE = 1;
    private static final int LEAST_PATIENCE = 5;
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
    /** Guards itself. */
    private final ArrayList<Waiter> waiters = new ArrayList<>();
    private final AtomicBoolean flushing = new AtomicBoolean();
    private volatile long durable;
    private volatile long syncs;
    /** Records pending; written under {@link #lock}. */
    private volatile int gathered;
    /** Records of the last group and those that came during its sync, and its duration; the flushing thread's. */
    private int expected = 1;
    private long syncNanos;
    /** Binary logarithm of the part of a sync that the gathering of a group may take. */
    private int patience = MOST_PATIENCE;

    /** A thread that waits until the log is durable up to a position. */
    private record Waiter(Thread thread, long lsn) {
    }

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
        return syncs;
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
        if (durable >= lsn) {
            return;
        }
        Waiter me = new Waiter(Thread.currentThread(), lsn);
        synchronized (waiters) {
            waiters.add(me);
        }
        boolean interrupted = false;
        try {
            // Who adds itself before the end of a flush is seen by it; who adds itself later finds nobody flushing.
            while (durable < lsn) {
                engine.checkUsable();
                if (flushing.compareAndSet(false, true)) {
                    lead(engine);
                } else {
                    LockSupport.park(this);
                    // Durability cannot be given up half way; the interrupt is kept for the caller.
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                me.thread().interrupt();
            }
            synchronized (waiters) {
                waiters.remove(me);
            }
        }
    }

    /** Syncs what is pending unless another has just done so, then wakes those whose records are durable and one that is not. */
    private void lead(Engine engine) {
        try {
            gather();
            flush();
        } catch (IOException | RuntimeException | Error e) {
            throw engine.poisoned("write of the log failed", e);
        } finally {
            flushing.set(false);
            wake(!engine.isPoisoned());
        }
    }

    /** Each thread is woken by itself: with a common monitor one would wait for the other. */
    private void wake(boolean usable) {
        List<Waiter> done = new ArrayList<>();
        Waiter leader = null;
        synchronized (waiters) {
            for (Iterator<Waiter> i = waiters.iterator(); i.hasNext();) {
                Waiter w = i.next();
                if (w.lsn() <= durable || !usable) {
                    i.remove();
                    done.add(w);
                } else if (leader == null && w.thread() != Thread.currentThread()) {
                    leader = w;
                }
            }
        }
        if (leader != null) {
            LockSupport.unpark(leader.thread());
        }
        for (Waiter w : done) {
            if (w.thread() != Thread.currentThread()) {
                LockSupport.unpark(w.thread());
            }
        }
    }

    /** Waits until all records that are expected have come, half a sync at most. */
    private void gather() {
        if (gathered >= expected) {
            return;
        }
        long end = System.nanoTime() + Math.min(syncNanos >> patience, 500_000);
        while (gathered < expected) {
            if (System.nanoTime() >= end) {
                patience = Math.min(patience + 1, LEAST_PATIENCE);
                return;
            }
            if (syncNanos > 1_000_000) {
                LockSupport.parkNanos(20_000);
            } else {
                Thread.yield();
            }
        }
        patience = Math.max(patience - 1, MOST_PATIENCE);
    }

    private void flush() throws IOException {
        ByteBuffer batch;
        long start;
        long end;
        int group;
        lock.lock();
        try {
            batch = pending;
            start = pendingStart;
            end = next;
            int shared = (int) (next & align - 1);
            spare.clear().put(batch.duplicate().position(batch.position() - shared).limit(batch.position()));
            pending = spare;
            pendingStart = next - shared;
            spare = null;
            group = gathered;
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
        expected = group + gathered;
        syncs = syncs + 1;
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

    /** Wakes who waits for room or for a sync, after the engine was poisoned. */
    void wakeAll() {
        lock.lock();
        try {
            spaceFreed.signalAll();
        } finally {
            lock.unlock();
        }
        wake(false);
    }
}
