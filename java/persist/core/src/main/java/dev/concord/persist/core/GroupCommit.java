package dev.concord.persist.core;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Who writes the log to the medium, and when. Owns the invariant that a record is awaited only after it and all before it are
 * on the medium: groups are written at the same time and end in any order, but {@link #durable} moves over a prefix of them.
 *
 * <p>The first waiter writes everything pending while the next group gathers behind it, and up to {@link #FLIGHTS} groups are
 * under way at once, so who finds a place free need not wait for the write of others before its own. A group of a thread
 * that is alone ends where its records end; as soon as records come while others are written, groups are rounded up to
 * whole blocks, because the next may not start before the last has ended if both write the same block.
 *
 * <p>Threads that were woken together come back one by one. So the first of them waits, a part of what a write takes, for as many
 * records as were pending at the end of the last or were written by it: else each would have a group for itself, and a write
 * costs the processor as much as many blocks. Who waits in vain waits less the next time; a thread that is alone never waits.
 *
 * <p>A sync of a tenth of a millisecond is over before a sleeping processor has come back to work, and parking and waking takes
 * more of a processor than such a wait leaves idle. So the first few threads that wait for short syncs stay awake and let others run.
 *
 * <p>Who does not wait by a thread is told by the one that ends a flight. A group in which no thread waits still needs one that
 * writes it: that is found when the group could start, at the commit or at the end of a flight, whichever comes last.
 *
 * <p>A failed write poisons the engine. Groups behind it may reach the medium, but nobody learns of it: the prefix ends there.
 */
final class GroupCommit {
    /** Groups under way at once. */
    static final int FLIGHTS = 2;
    /** For so many groups it is remembered that records came while another was written. */
    private static final int REMEMBERED = 16;
    private static final int MOST_PATIENCE = 1;
    private static final int LEAST_PATIENCE = 5;
    /** A sync that takes longer is waited for asleep. */
    private static final long MOST_WATCHED_NANOS = 300_000;
    private static final int MOST_WATCHING = 8;
    /** Binary logarithm of the part by which a sync is taken to be longer than the last, at most. */
    private static final int SLOWER_SHIFT = 5;
    private final LogWriter log;
    private final Engine engine;
    /** Guards itself. */
    private final ArrayList<Waiter> waiters = new ArrayList<>();
    private volatile long durable;
    private volatile long syncs;
    /** Threads that wait awake. */
    private final AtomicInteger watching = new AtomicInteger();

    // Guarded by the log's lock.
    /** Groups that are not durable, in the order of the log. */
    private final ArrayDeque<Flight> flights = new ArrayDeque<>();
    private int crowded;

    // As these, and volatile for a look without the lock.
    /** How many of them are being written. */
    private volatile int flying;
    /** Whether a thread is about to start one: it takes all records that are pending when it does. */
    private volatile boolean leading;
    /** Whether the next group has to wait for the last: both write the same block. */
    private volatile boolean mustFollow;
    /** Where the records begin that wait for a group. */
    private volatile long started;

    // Of the leading thread, and of who ends a flight under the lock.
    private volatile int expected = 1;
    private volatile long syncNanos = 1L << 40; // before the first, longer than any
    /** Binary logarithm of the part of a sync that the gathering of a group may take. */
    private int patience = MOST_PATIENCE;

    /**
     * Who waits until the log is durable up to a position: a thread, or somebody who is told. The latter cannot lead; {@code helper}
     * finds a thread that does if no other waits.
     */
    private record Waiter(Thread thread, long lsn, Consumer<Throwable> told, LongConsumer helper) {
    }

    private static final class Flight {
        final LogWriter.Group group;
        boolean landed;

        Flight(LogWriter.Group group) {
            this.group = group;
        }
    }

    GroupCommit(LogWriter log, Engine engine, long start) {
        this.log = log;
        this.engine = engine;
        this.durable = start;
        this.started = start;
    }

    long durable() {
        return durable;
    }

    /** Groups written. */
    long syncs() {
        return syncs;
    }

    /**
     * Gives the processor to others until everything below {@code lsn} is on the medium or a group might start with it. False if the
     * thread had better park: at {@code end}, and if many are awake.
     */
    private boolean watch(long lsn, long end) {
        if (System.nanoTime() >= end || watching.get() >= MOST_WATCHING) {
            return false;
        }
        watching.incrementAndGet();
        try {
            do {
                Thread.yield();
                if (System.nanoTime() >= end || engine.isPoisoned()) {
                    return false;
                }
            } while (durable < lsn && (leading || flying == FLIGHTS || mustFollow || lsn <= started));
            return true;
        } finally {
            watching.decrementAndGet();
        }
    }

    /** Until when a thread that begins to wait stays awake: for three syncs, if they are short. */
    private long awakeUntil() {
        long sync = syncNanos;
        return System.nanoTime() + (sync > MOST_WATCHED_NANOS ? 0 : 3 * sync);
    }

    /** Returns when everything below {@code lsn} is on the medium. */
    void await(long lsn) {
        if (durable >= lsn) {
            return;
        }
        Waiter me = new Waiter(Thread.currentThread(), lsn, null, null);
        synchronized (waiters) {
            waiters.add(me);
        }
        long awake = awakeUntil();
        boolean interrupted = false;
        try {
            // Who adds itself before the end of a flight is seen by it; who adds itself later finds its place free.
            while (durable < lsn) {
                engine.checkUsable();
                if (lsn > started && mayLead()) {
                    lead();
                } else if (!watch(lsn, awake) && durable < lsn && !engine.isPoisoned()) { // again: what came before may have taken the wake-up
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

    /**
     * Has somebody told when everything below {@code lsn} is on the medium, with null, or never will be, with why: by the thread that
     * wrote it, or by this one. No thread waits meanwhile if another leads anyway.
     *
     * @param told is short, waits for nothing and throws nothing
     * @param helper has a thread call {@link #await}
     */
    void tell(long lsn, Consumer<Throwable> told, LongConsumer helper) {
        Waiter w = new Waiter(null, lsn, told, helper);
        synchronized (waiters) {
            waiters.add(w);
        }
        // Who ends a flight from now on sees it.
        if (durable >= lsn || engine.isPoisoned()) {
            wake(!engine.isPoisoned());
        } else if (hasPlace()) {
            helper.accept(lsn);
        }
    }

    /** Whether a group could start that nobody is about to lead; if not, one that is under way ends, and who ends it looks again. */
    private boolean hasPlace() {
        log.lock.lock();
        try {
            return canStart();
        } finally {
            log.lock.unlock();
        }
    }

    private boolean canStart() {
        return !leading && flying < FLIGHTS && !mustFollow;
    }

    /** Whether a group can start, and this thread is the one to start it. */
    private boolean mayLead() {
        log.lock.lock();
        try {
            if (!canStart() || !log.isPending()) {
                return false;
            }
            leading = true;
            return true;
        } finally {
            log.lock.unlock();
        }
    }

    /** Writes what is pending, then wakes those whose records are durable and one that can start the next group. */
    private void lead() {
        try {
            gather();
            Flight f = start();
            Events.Span span = Events.TO.begin(Events.Kind.SYNC, log.name());
            long begin = System.nanoTime();
            log.write(f.group);
            land(f, System.nanoTime() - begin);
            span.end(f.group.bytes().position());
        } catch (IOException | RuntimeException | Error e) {
            throw engine.poisoned("write of the log failed", e);
        }
        wake(!engine.isPoisoned());
    }

    private Flight start() {
        log.lock.lock();
        try {
            leading = false;
            Flight f = new Flight(log.cut(crowded > 0));
            crowded = Math.max(0, crowded - 1);
            started = f.group.end();
            flights.add(f);
            flying++;
            mustFollow = log.sharesBlock();
            return f;
        } finally {
            log.lock.unlock();
        }
    }

    private void land(Flight f, long nanos) {
        log.lock.lock();
        try {
            flying--;
            f.landed = true;
            if (log.isPending()) {
                crowded = REMEMBERED;
            }
            while (!flights.isEmpty() && flights.peek().landed) {
                durable = flights.poll().group.end();
            }
            mustFollow &= !flights.isEmpty() && !flights.peekLast().landed;
            log.recycle(f.group);
            expected = f.group.records() + log.gathered();
            syncNanos = ownTime(syncNanos, nanos);
            syncs++;
        } finally {
            log.lock.unlock();
        }
    }

    /**
     * What a sync takes of the medium's time: the least of late, for what another took longer it has mostly waited for a
     * processor. A medium that becomes slower is believed step by step.
     */
    static long ownTime(long before, long nanos) {
        return Math.min(nanos, before + (before >> SLOWER_SHIFT) + 1);
    }

    /** Each thread is woken by itself: with a common monitor one would wait for the other. */
    private void wake(boolean usable) {
        List<Waiter> done = new ArrayList<>();
        Waiter leader = null;
        long end = durable;
        synchronized (waiters) {
            for (Iterator<Waiter> i = waiters.iterator(); i.hasNext();) {
                Waiter w = i.next();
                if (w.lsn() <= end || !usable) {
                    i.remove();
                    done.add(w);
                } else if (w.lsn() > started && w.thread() != Thread.currentThread() && (leader == null || leader.thread() == null)) {
                    leader = w; // a thread that waits, if there is one
                }
            }
        }
        try {
            if (leader != null && leader.thread() == null) {
                leader.helper().accept(leader.lsn());
            } else if (leader != null) {
                LockSupport.unpark(leader.thread());
            }
            // Before threads are woken that may take this one's processor: others wait for what follows from being told.
            for (Waiter w : done) {
                if (w.thread() == null) {
                    tell(w, w.lsn() <= end);
                }
            }
        } finally {
            for (Waiter w : done) {
                if (w.thread() != null && w.thread() != Thread.currentThread()) {
                    LockSupport.unpark(w.thread());
                }
            }
        }
    }

    private void tell(Waiter w, boolean isDurable) {
        try {
            w.told().accept(isDurable ? null : engine.unusable());
        } catch (RuntimeException | Error e) {
            // It is this thread's affair, not that of the block that it waits for.
            Thread me = Thread.currentThread();
            me.getUncaughtExceptionHandler().uncaughtException(me, e);
        }
    }

    /** Waits until all records that are expected have come, half a sync at most. */
    private void gather() {
        if (log.gathered() >= expected) {
            return;
        }
        long end = System.nanoTime() + Math.min(syncNanos >> patience, 500_000);
        while (log.gathered() < expected) {
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

    /** Wakes who waits for a sync, after the engine was poisoned. */
    void wakeAll() {
        wake(false);
    }
}
