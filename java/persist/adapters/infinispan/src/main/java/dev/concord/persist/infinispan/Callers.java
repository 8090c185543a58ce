package dev.concord.persist.infinispan;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Knows which threads wait for what they write. Owns the rule that a thread is made to wait only if it was seen to: parked on a future
 * when its write, the only one it had under way, became durable. Such a thread loses nothing by leading the sync itself,
 * and saves two changes of threads. One that comes back while a write of its own is under way does not wait, and one that is
 * busy or waits for something else then is not taken to.
 *
 * <p>Of those that wait, one write in {@link #PROBE} is handed over all the same, to see whether they still do.
 */
final class Callers {
    static final int PROBE = 64;
    /** Twice as often as a thread must have been seen to wait; that it was not seen to, as on a busy machine, counts half. */
    static final int SURE = 4;

    private static final class Caller {
        final Thread thread = Thread.currentThread();
        final AtomicInteger underWay = new AtomicInteger();
        final AtomicInteger seen = new AtomicInteger();
        int writes;
    }

    private final ThreadLocal<Caller> callers = ThreadLocal.withInitial(Caller::new);

    /** Whether this thread shall wait for its next write itself; if not, {@link #watch} the write. */
    boolean shallWait() {
        Caller c = callers.get();
        if (c.underWay.get() > 0) {
            c.seen.set(0);
            return false;
        }
        return c.seen.get() >= SURE && ++c.writes % PROBE != 0;
    }

    /** A stage of a write of this thread that ends as {@code durable} does, after a look at what the thread does meanwhile. */
    CompletableFuture<Void> watch(CompletableFuture<Void> durable) {
        Caller c = callers.get();
        c.underWay.incrementAndGet();
        return durable.whenComplete((v, failure) -> {
            boolean waits = c.underWay.decrementAndGet() == 0 && LockSupport.getBlocker(c.thread) instanceof ForkJoinPool.ManagedBlocker;
            c.seen.getAndUpdate(n -> waits ? Math.min(2 * SURE, n + 2) : Math.max(0, n - 1));
        });
    }
}
