package dev.concord.persist.core;

import java.util.concurrent.ConcurrentHashMap;

/**
 * Where objects went that were moved while threads may still hold what they read before: the old reference leads on to
 * the new one. Consulted only when a reference does not match what it leads to. Owns the moment an entry may go: when
 * every thread has been seen outside this library since the move, so none can hold an old reference any more.
 */
final class Forwarding {
    private final ConcurrentHashMap<Long, Long> moved = new ConcurrentHashMap<>();

    void put(long oldRef, long newRef) {
        moved.put(oldRef, newRef);
    }

    void remove(long oldRef) {
        moved.remove(oldRef);
    }

    /** The reference that took the place of this one, or 0. */
    long get(long ref) {
        Long n = moved.get(ref);
        return n == null ? 0 : n;
    }

    boolean isEmpty() {
        return moved.isEmpty();
    }

    /** Waits until no thread can hold what it read before now; false if one stays inside too long. */
    static boolean quiesce(long millis) {
        java.util.Set<Thread> pending = new java.util.HashSet<>(Thread.getAllStackTraces().keySet());
        pending.remove(Thread.currentThread());
        long end = System.nanoTime() + millis * 1_000_000;
        for (;;) {
            java.util.Map<Thread, StackTraceElement[]> now = Thread.getAllStackTraces();
            pending.removeIf(t -> !now.containsKey(t) || !inside(t, now.get(t)));
            if (pending.isEmpty()) {
                return true;
            }
            if (System.nanoTime() > end) {
                return false;
            }
            java.util.concurrent.locks.LockSupport.parkNanos(2_000_000);
        }
    }

    /** Waiting for durability or at the gate, a thread holds nothing; the library's own threads never do. */
    private static boolean inside(Thread t, StackTraceElement[] trace) {
        if (t.getName().startsWith("jnvm-")) {
            return false;
        }
        for (StackTraceElement e : trace) {
            String c = e.getClassName();
            if (c.startsWith("dev.concord.persist.core.") || c.startsWith("dev.concord.persist.collections.") || c.startsWith("dev.concord.persist.PersistentObject")) {
                return !e.getMethodName().equals("await") && !e.getMethodName().equals("watch") && !e.getMethodName().equals("waitAtGate");
            }
        }
        return false;
    }
}
