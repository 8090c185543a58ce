package dev.concord.persist.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Mutual exclusion of commits to mapped memory. Entered by one compare-and-swap and left by a plain store in release order: a locked
 * instruction at the end would wait until every store of the commit, often to lines of memory that nobody has touched lately, is in
 * the cache. So nobody is woken: who finds it held spins, then gives the processor away, then sleeps for moments.
 */
final class CommitLock {
    private static final int SPINS = 200;
    private static final int YIELDS = 20;
    private static final long SLEEP_NANOS = 20_000;
    private static final VarHandle HELD;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(CommitLock.class, "held", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused")
    private boolean held;

    void lock() {
        if (!HELD.compareAndSet(this, false, true)) {
            contend();
        }
    }

    private void contend() {
        for (int i = 0; (boolean) HELD.getOpaque(this) || !HELD.compareAndSet(this, false, true); i++) {
            if (i < SPINS) {
                Thread.onSpinWait();
            } else if (i < SPINS + YIELDS) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(this, SLEEP_NANOS);
            }
        }
    }

    /** By the thread that holds it. */
    void unlock() {
        HELD.setRelease(this, false);
    }
}
