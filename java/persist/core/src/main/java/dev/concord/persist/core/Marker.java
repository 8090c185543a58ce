package dev.concord.persist.core;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Walks the objects reachable from the meta unit by the reference maps of the class table: no proxies, no recursion, any
 * number of threads. Owns the decision which references are good: into an object start, header sound, valid, of a known
 * class, of the same generation, large enough for its class.
 */
final class Marker {
    /** What to do about a reference that is not good. */
    interface BadReference {
        void bad(long holder, long at, long ref, String why);
    }

    /** What one thread has to do, and what it has done without doing it later: objects that refer to nothing. */
    private static final class Work {
        final LongStack stack;
        long leaves;

        Work(int capacity) {
            stack = new LongStack(capacity);
        }
    }

    /** Objects a thread keeps to itself while others have nothing; few, because one may be an array of many more. */
    private static final int SHARE_AT = 8;
    private static final int SPINS = 1000;
    private final HeapCore heap;
    private final Memory memory;
    private final BadReference onBad;
    private final AtomicLongArray[] marks = new AtomicLongArray[Memory.MAX_SEGMENTS];
    private final ConcurrentLinkedQueue<long[]> shared = new ConcurrentLinkedQueue<>();
    private final AtomicInteger idle = new AtomicInteger();
    private final AtomicLong live = new AtomicLong();
    private final List<Long> recoverable = new ArrayList<>();
    private int workers;
    private Thread first;
    private volatile Throwable failure;
    private java.util.function.LongConsumer told = n -> { };

    Marker(HeapCore heap, BadReference onBad) {
        this.heap = heap;
        this.memory = heap.memory;
        this.onBad = onBad;
        for (int s = 0; s < heap.engine.superblock.segments; s++) {
            marks[s] = new AtomicLongArray(Math.max(1, 1 << memory.shift() - 9));
        }
    }

    long live() {
        return live.get();
    }

    /** Objects of classes that override {@code recover}, in no particular order. */
    List<Long> recoverable() {
        return recoverable;
    }

    boolean isMarked(long off) {
        long bit = off >>> 3;
        AtomicLongArray a = marks[(int) (off >>> memory.shift())];
        return (a.get((int) (bit >>> 6) & a.length() - 1) & 1L << bit) != 0;
    }

    private boolean mark(long off) {
        long bit = off >>> 3;
        AtomicLongArray a = marks[(int) (off >>> memory.shift())];
        int i = (int) (bit >>> 6) & a.length() - 1;
        long m = 1L << bit;
        for (;;) {
            long old = a.get(i);
            if ((old & m) != 0) {
                return false;
            }
            if (a.weakCompareAndSetPlain(i, old, old | m)) {
                return true;
            }
        }
    }

    /** Calls back now and then with the number of objects marked, from one thread. */
    void tell(java.util.function.LongConsumer whom) {
        told = whom;
    }

    void run(int threads) {
        workers = threads;
        first = Thread.currentThread();
        Work begin = new Work(1024);
        visit(heap.meta, heap.meta + HeapCore.META_CLASSES, begin);
        visit(heap.meta, heap.meta + HeapCore.META_ROOTS, begin);
        List<Thread> others = new ArrayList<>();
        for (int i = 1; i < threads; i++) {
            Thread t = new Thread(() -> drainCatching(new Work(1024)), "jnvm-mark-" + i);
            t.setDaemon(true);
            t.start();
            others.add(t);
        }
        drainCatching(begin);
        for (Thread t : others) {
            boolean joined = false;
            while (!joined) {
                try {
                    t.join();
                    joined = true;
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
        if (failure != null) {
            throw new IllegalStateException("marking failed", failure);
        }
    }

    /** Marks an object and what it reaches besides, after {@link #run}. */
    void also(long o) {
        if (mark(o)) {
            Work s = new Work(64);
            s.stack.push(o);
            workers = 1;
            idle.set(0);
            drain(s);
        }
    }

    private void drainCatching(Work work) {
        try {
            drain(work);
        } catch (Throwable t) {
            failure = t;
        }
    }

    private void drain(Work work) {
        LongStack stack = work.stack;
        long n = 0;
        for (;;) {
            while (!stack.isEmpty()) {
                scan(stack.pop(), work);
                n++;
                if ((n & 0xFFFFF) == 0 && Thread.currentThread() == first) {
                    told.accept((n + work.leaves) * workers);
                }
                if (stack.size() > SHARE_AT && idle.get() > 0) {
                    shared.add(stack.takeHalf());
                }
            }
            if (!refill(stack)) {
                live.addAndGet(n + work.leaves);
                work.leaves = 0;
                return;
            }
        }
    }

    private boolean refill(LongStack stack) {
        long[] more = shared.poll();
        if (more == null) {
            idle.incrementAndGet();
            for (int i = 0; (more = shared.poll()) == null; i++) {
                if (idle.get() == workers || failure != null) {
                    return false;
                }
                if (i < SPINS) {
                    Thread.onSpinWait();
                } else {
                    java.util.concurrent.locks.LockSupport.parkNanos(50_000);
                }
            }
            idle.decrementAndGet();
        }
        for (long o : more) {
            stack.push(o);
        }
        return true;
    }

    private void scan(long o, Work work) {
        long h = memory.getLong(heap.allocator.headerOffset(o));
        ClassInfo c = heap.classes.byId(Header.classId(h));
        switch (c.kind) {
            case FIXED -> {
                for (int off : c.refOffsets) {
                    visit(o, o + off, work);
                }
            }
            case REFS -> {
                long n = Header.bytes(h);
                for (long off = 0; off < n; off += 8) {
                    visit(o, o + off, work);
                }
            }
            case BYTES -> {
            }
        }
        if (c.recovers) {
            synchronized (recoverable) {
                recoverable.add(o);
            }
        }
    }

    private void visit(long holder, long at, Work work) {
        long ref = memory.getLong(at);
        if (ref == 0) {
            return;
        }
        long o = Header.offset(ref);
        long headerAt = heap.allocator.headerOffsetChecked(o);
        long h = headerAt < 0 ? 0 : memory.getLong(headerAt);
        ClassInfo c = heap.classes.byIdOrNull(Header.classId(h));
        if (headerAt < 0 || c == null || !Header.valid(h) || Header.generation(h) != Header.refGeneration(ref) || !Header.sound(h)
                || c.kind == Layout.Kind.FIXED && Header.bytes(h) < c.size) {
            synchronized (onBad) {
                onBad.bad(holder, at, ref, why(ref, headerAt, h, c));
            }
            return;
        }
        if (mark(o)) {
            if (c.leaf) {
                work.leaves++;
            } else {
                work.stack.push(o);
            }
        }
    }

    private static String why(long ref, long headerAt, long h, ClassInfo c) {
        if (headerAt < 0) {
            return "no object starts there";
        }
        if (!Header.sound(h)) {
            return "header does not verify";
        }
        if (Header.classId(h) == 0 || !Header.valid(h)) {
            return "object is not valid";
        }
        if (Header.generation(h) != Header.refGeneration(ref)) {
            return "object was freed and its place used again";
        }
        return c == null ? "class id " + Header.classId(h) + " is unknown" : "object is smaller than its class";
    }
}
