package dev.concord.persist.core;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Optional isolation: striped locks on objects, taken at first access and held until the block is visible or undone,
 * which makes blocks serialisable. Owns deadlock: a block that waits too long gives up all it holds and runs again.
 */
final class ObjectLocks {
    private static final int STRIPES = 4096;
    private final ReentrantLock[] stripes = new ReentrantLock[STRIPES];

    /** The block must run again; caught by {@code atomic}. */
    static final class Conflict extends RuntimeException {
        Conflict() {
            super("two blocks wait for each other's objects", null, false, false);
        }
    }

    ObjectLocks() {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new ReentrantLock();
        }
    }

    void acquire(Tx t, long object) {
        ReentrantLock l = stripes[(int) ((object >>> 3) * 0x9E3779B97F4A7C15L >>> 52)];
        if (l.isHeldByCurrentThread()) {
            return;
        }
        take(t, l);
    }

    static void take(Tx t, ReentrantLock l) {
        try {
            if (!l.tryLock() && !l.tryLock(20 + ThreadLocalRandom.current().nextInt(80), TimeUnit.MILLISECONDS)) {
                throw new Conflict();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Conflict();
        }
        t.addHeld(l);
    }

    static void backOff(int attempt) {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1000L << Math.min(attempt, 12)));
    }
}
