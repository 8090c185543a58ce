package dev.concord.persist.core;

import dev.concord.persist.PersistException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Which heap is current for a thread, and which block it is in. Owns the life of a block: it begins at depth one, ends
 * exactly once, by commit or by rollback, whatever is thrown meanwhile, and leaves the thread as it found it.
 */
abstract class BlockScope {
    /** One cell per thread with its current heap; an array of the JDK's, so that a pooled thread keeps no class of ours alive. */
    static final ThreadLocal<Object[]> CURRENT = new ThreadLocal<>() {
        @Override
        protected Object[] initialValue() {
            return new Object[1];
        }
    };
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
    private static final int RECENT = 64;
    /**
     * Some of {@link #blocks}, by thread id, so that an access seldom searches. Racy: whose a block is, its own final field
     * tells, and only its thread looks inside.
     */
    private final Tx[] recent = new Tx[RECENT];
    /**
     * Blocks open in any thread, plus {@link #CLOSED} while no further one may begin. A thread inside one sees at least its
     * own increment, so 0 read plainly means: not in one.
     */
    @SuppressWarnings("unused")
    private int active;
    private static final int CLOSED = 1 << 30;
    final java.util.concurrent.atomic.LongAdder rollbacks = new java.util.concurrent.atomic.LongAdder();
    private final Object gate = new Object();
    /** The thread that alone may begin blocks, guarded by {@link #gate}. */
    private volatile Thread exclusive;

    final boolean blocksOpen() {
        return active != 0;
    }

    /**
     * Runs work that no block of another thread may overlap. Blocks that are open end first, new ones wait. Work that
     * waits for a block of another thread would never end.
     *
     * @param millis how long to wait for open blocks
     */
    final <T> T exclusively(long millis, String what, Supplier<T> work) {
        checkOpen();
        if (inBlock()) {
            throw new PersistException.Misuse(what + " inside a failure-atomic block");
        }
        long end = System.nanoTime() + millis * 1_000_000;
        closeGate(end, what);
        try {
            return work.get();
        } finally {
            openGate();
        }
    }

    private void closeGate(long end, String what) {
        synchronized (gate) {
            while (exclusive != null) {
                waitAtGate();
            }
            exclusive = Thread.currentThread();
        }
        ACTIVE.getAndAdd(this, CLOSED);
        self().engine.settle();
        while ((int) ACTIVE.getVolatile(this) != CLOSED) {
            if (System.nanoTime() > end) {
                openGate();
                throw new PersistException.Misuse(what + ": blocks of other threads did not end in time");
            }
            java.util.concurrent.locks.LockSupport.parkNanos(50_000);
        }
    }

    /** Whether blocks wait, for a thread that is in none. */
    final boolean gateClosed() {
        return (int) ACTIVE.getVolatile(this) >= CLOSED;
    }

    private void openGate() {
        synchronized (gate) {
            ACTIVE.getAndAdd(this, -CLOSED);
            exclusive = null;
            gate.notifyAll();
        }
    }

    private void waitAtGate() {
        boolean interrupted = false;
        try {
            gate.wait();
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
            java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
        }
    }

    private void passGate() {
        while ((int) ACTIVE.getAndAdd(this, 1) >= CLOSED && exclusive != Thread.currentThread()) {
            ACTIVE.getAndAdd(this, -1);
            synchronized (gate) {
                if (exclusive != null) {
                    waitAtGate();
                }
            }
        }
    }

    final Acknowledger acks = new Acknowledger((HeapCore) this);

    final HeapCore self() {
        return (HeapCore) this;
    }

    abstract void checkOpen();

    abstract boolean closedNow();

    public static HeapCore current() {
        Object h = CURRENT.get()[0];
        h = h == null ? defaultHeap : h;
        if (h == null) {
            throw new PersistException.Misuse("no heap is current: make persistent objects inside heap.atomic(...) or heap.with(...), or call JNVM.init");
        }
        return (HeapCore) h;
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
        return asCurrent(body);
    }

    final <T> T asCurrent(Supplier<T> body) {
        Object[] current = CURRENT.get();
        Object outer = current[0];
        current[0] = this;
        try {
            return body.get();
        } finally {
            current[0] = outer;
        }
    }

    Tx tx() {
        if (active == 0) {
            return null;
        }
        Tx t = known();
        return t != null && t.depth > 0 ? t : null;
    }

    /** The thread's block, begun or not; null before its first. */
    private Tx known() {
        Thread me = Thread.currentThread();
        int i = (int) me.getId() & RECENT - 1;
        Tx t = recent[i];
        if (t == null || t.thread != me) {
            WeakReference<Tx> r = local.get();
            t = r == null ? null : r.get();
            if (t != null) {
                recent[i] = t;
            }
        }
        return t;
    }

    public boolean inBlock() {
        return tx() != null;
    }

    public Tx currentBlock() {
        return tx();
    }

    private Tx mine() {
        Tx t = known();
        if (t == null) {
            blocks.keySet().removeIf(thread -> !thread.isAlive());
            for (int i = 0; i < RECENT; i++) {
                Tx other = recent[i];
                if (other != null && !other.thread.isAlive()) {
                    recent[i] = null;
                }
            }
            t = new Tx(self());
            become(t);
        }
        return t;
    }

    private void become(Tx t) {
        blocks.put(t.thread, t);
        local.set(new WeakReference<>(t));
        recent[(int) t.thread.getId() & RECENT - 1] = t;
    }

    public Tx begin() {
        return enter(mine(), false);
    }

    /** @param within whether the thread has another block open, for which whoever closes the gate waits */
    private Tx enter(Tx t, boolean within) {
        if (t.depth++ == 0) {
            if (closedNow()) {
                t.depth = 0;
                checkOpen();
            }
            if (within) {
                ACTIVE.getAndAdd(this, 1);
            } else {
                passGate();
            }
            t.current = CURRENT.get();
            t.outerHeap = t.current[0];
            t.current[0] = this;
        }
        return t;
    }

    private void ended(Tx t) {
        ACTIVE.getAndAdd(this, -1);
        t.current[0] = t.outerHeap;
        t.outerHeap = null;
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
                rolledBack(t, t.failure);
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
            rolledBack(t, cause);
        } finally {
            ended(t);
        }
    }

    private void rolledBack(Tx t, Throwable cause) {
        Events.Span span = Events.TO.begin(Events.Kind.ROLLBACK, self().name());
        t.rollback();
        rollbacks.increment();
        span.end(0, 0, 0, String.valueOf(cause));
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

    /** As {@link #whenDurable(long)}, without a thread that waits: the one that writes the log tells. */
    public void whenDurable(long lsn, Consumer<Throwable> told) {
        if (lsn == 0 || self().engine.isDurable(lsn)) {
            told.accept(null);
        } else {
            self().engine.tell(lsn, told, acks::lead);
        }
    }

    public void await(long lsn) {
        if (lsn != 0) {
            self().engine.await(lsn);
        }
    }

    /** What to await for all that is visible. */
    public long lastPlace() {
        Engine e = self().engine;
        return e.isDurable(Long.MAX_VALUE) ? 0 : e.tail();
    }

    /**
     * Has who is told of the current block, or the caller if there is none, wait until all that is visible is durable, though
     * nothing may have been changed here.
     */
    public void confirm() {
        Tx t = tx();
        if (t != null) {
            t.confirms = true;
        } else {
            await(lastPlace());
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
            enter(mine, outer.depth > 0);
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
