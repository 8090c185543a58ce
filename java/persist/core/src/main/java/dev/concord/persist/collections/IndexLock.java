package dev.concord.persist.collections;

import dev.concord.persist.core.HeapCore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Supplier;

/**
 * How threads share a map whose index is persistent. Owns two rules: one block modifies at a time, from its first
 * modification until others may see it; and a lookup never uses what it read while a modification became visible.
 *
 * <p>Lookups run without a lock first. Words change one by one when a block commits, so such a lookup may meet any
 * mixture of old and new, and fail; what it found counts only if nothing became visible meanwhile.
 */
final class IndexLock {
    private final ReentrantLock lock = new ReentrantLock();
    private final StampedLock visible = new StampedLock();

    /** Runs a lookup; within one's own modification as that has it so far. */
    <R> R look(Supplier<R> body) {
        if (lock.isHeldByCurrentThread()) {
            return body.get();
        }
        long stamp = visible.tryOptimisticRead();
        if (stamp != 0) {
            try {
                R found = body.get();
                if (visible.validate(stamp)) {
                    return found;
                }
            } catch (RuntimeException e) {
                if (visible.validate(stamp)) {
                    throw e;
                }
            }
        }
        stamp = visible.readLock();
        try {
            return body.get();
        } finally {
            visible.unlockRead(stamp);
        }
    }

    /** Begins a lookup without a lock; 0 if it must be done by {@link #look}. */
    long stamp() {
        return lock.isHeldByCurrentThread() ? 0 : visible.tryOptimisticRead();
    }

    /** Whether nothing became visible since. */
    boolean unchanged(long stamp) {
        return visible.validate(stamp);
    }

    /** Runs something of this library's, unless a modification is under way or became visible since; nobody modifies meanwhile. */
    void ifUnchanged(long stamp, Runnable body) {
        if (lock.tryLock()) {
            try {
                if (visible.validate(stamp)) {
                    body.run();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Runs a modification, in the current block or as one; one that changes nothing returns when what it found is durable. */
    <R> R change(HeapCore heap, Supplier<R> body) {
        return heap.atomic(() -> {
            if (!lock.isHeldByCurrentThread()) {
                heap.lockUntilEnd(lock);
                heap.requireBlock().holdWhileApplied(visible);
                heap.confirm();
            }
            return body.get();
        });
    }
}
