package dev.concord.persist.core;

import dev.concord.persist.PersistException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Which heap is current for a thread, and which block it is in. Owns the life of a block: it begins at depth one, ends
 * exactly once, by commit or by rollback, whatever is thrown meanwhile, and leaves the thread as it found it.
 */
abstract class BlockScope {
    static final ThreadLocal<HeapCore> CURRENT = new ThreadLocal<>();
    static volatile HeapCore defaultHeap;
    private static final VarHandle ACTIVE;

    static {
        try {
            ACTIVE = MethodHandles.lookup().findVarHandle(BlockScope.class, "active", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Weak, because a thread outlives heaps: the strong references are in {@link #blocks} and go with the heap. */
    private final ThreadLocal<WeakReference<Tx>> local = new ThreadLocal<>();
    private final Map<Thread, Tx> blocks = new ConcurrentHashMap<>();
    /** Blocks open in any thread. A thread inside one sees at least its own increment, so 0 read plainly means: not in one. */
    @SuppressWarnings("unused")
    private int active;

    final boolean blocksOpen() {
        return active != 0;
    }

    final Acknowledger acks = new Acknowledger((HeapCore) this);

    private HeapCore self() {
        return (HeapCore) this;
    }

    abstract void checkOpen();

    abstract boolean closedNow();

    public static HeapCore current() {
        HeapCore h = CURRENT.get();
        h = h == null ? defaultHeap : h;
        if (h == null) {
            throw new PersistException.Misuse("no heap is current: make persistent objects inside heap.atomic(...) or heap.with(...), or call JNVM.init");
        }
        return h;
    }

    public static HeapCore defaultHeap() {
        return defaultHeap;
    }

    public static void defaultHeap(HeapCore h) {
        defaultHeap = h;
    }

    /** Runs low-level code with this heap current, without a block. */
    public <T> T with(Supplier<T> body) {
        checkOpen();
        HeapCore outer = CURRENT.get();
        CURRENT.set(self());
        try {
            return body.get();
        } finally {
            restore(outer);
        }
    }

    static void restore(HeapCore outer) {
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
    }

    Tx tx() {
        if (active == 0) {
            return null;
        }
        WeakReference<Tx> r = local.get();
        Tx t = r == null ? null : r.get();
        return t != null && t.depth > 0 ? t : null;
    }

    public boolean inBlock() {
        return tx() != null;
    }

    public Tx currentBlock() {
        return tx();
    }

    private Tx mine() {
        WeakReference<Tx> r = local.get();
        Tx t = r == null ? null : r.get();
        if (t == null) {
            blocks.keySet().removeIf(thread -> !thread.isAlive());
            t = new Tx(self());
            become(t);
        }
        return t;
    }

    private void become(Tx t) {
        blocks.put(Thread.currentThread(), t);
        local.set(new WeakReference<>(t));
    }

    public Tx begin() {
        Tx t = mine();
        if (t.depth++ == 0) {
            if (closedNow()) {
                t.depth = 0;
                checkOpen();
            }
            t.outerCurrent = CURRENT.get();
            CURRENT.set(self());
            ACTIVE.getAndAdd(this, 1);
        }
        return t;
    }

    private void ended(Tx t) {
        ACTIVE.getAndAdd(this, -1);
        restore(t.outerCurrent);
        t.outerCurrent = null;
    }

    /** Ends one level; the outermost one commits. Returns what to give to {@link #await}, 0 for nothing. */
    public long end(Tx t) {
        if (t.depth == 0) {
            throw new PersistException.Misuse("faEnd without faStart on this thread");
        }
        if (t.depth > 1) {
            t.depth--;
            return 0;
        }
        try {
            if (t.failed) {
                PersistException.Aborted a = t.aborted();
                t.rollback();
                throw a;
            }
            return t.commit();
        } finally {
            t.depth = 0;
            ended(t);
        }
    }

    /** Ends one level because of an exception: the outermost one rolls back, an inner one condemns the whole block. */
    public void fail(Tx t, Throwable cause) {
        if (t.depth == 0) {
            return;
        }
        if (t.depth-- > 1) {
            t.failed = true;
            t.failure = t.failure == null ? cause : t.failure;
            return;
        }
        try {
            t.rollback();
        } finally {
            ended(t);
        }
    }

    public Tx requireBlock() {
        Tx t = tx();
        if (t == null) {
            throw new PersistException.Misuse("no failure-atomic block is open on this thread");
        }
        return t;
    }

    public CompletableFuture<Void> whenDurable(long lsn) {
        return lsn == 0 || self().engine.isDurable(lsn) ? CompletableFuture.completedFuture(null) : acks.submit(lsn);
    }

    public void await(long lsn) {
        if (lsn != 0) {
            self().engine.await(lsn);
        }
    }

    public void atomic(Runnable body) {
        await(atomicVisible(() -> {
            body.run();
            return null;
        }, null));
    }

    public <T> T atomic(Supplier<T> body) {
        Object[] result = new Object[1];
        await(atomicVisible(body, result));
        @SuppressWarnings("unchecked")
        T r = (T) result[0];
        return r;
    }

    /** Runs and commits a block without waiting for the medium; returns what to await. */
    public long atomicVisible(Supplier<?> body, Object[] result) {
        for (int attempt = 0;; attempt++) {
            Tx t = begin();
            boolean ok = false;
            Throwable cause = null;
            try {
                Object r = body.get();
                if (result != null) {
                    result[0] = r;
                }
                ok = true;
            } catch (ObjectLocks.Conflict c) {
                cause = c;
                if (t.depth > 1 || attempt > 1000) {
                    throw c;
                }
            } catch (RuntimeException | Error e) {
                cause = e;
                throw e;
            } finally {
                if (!ok) {
                    fail(t, cause);
                }
            }
            if (ok) {
                return end(t);
            }
            ObjectLocks.backOff(attempt);
        }
    }

    /** A block of the library's own, apart from the thread's, committed before it returns and ordered before all later ones. */
    void system(Runnable body) {
        Tx outer = mine();
        Tx mine = new Tx(self());
        become(mine);
        try {
            begin();
            boolean ok = false;
            try {
                body.run();
                ok = true;
            } finally {
                if (!ok) {
                    fail(mine, null);
                }
            }
            end(mine);
        } finally {
            become(outer);
        }
    }

    /** As {@link #system}, for the collections of this library. */
    public void systemBlock(Runnable body) {
        system(body);
    }
}
