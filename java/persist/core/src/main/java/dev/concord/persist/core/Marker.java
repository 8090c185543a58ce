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
 *
 * <p>A thread gathers references of many objects before it follows them, so that the headers they lead to are fetched side
 * by side, and marks neighbours that refer to nothing by one atomic operation. Large arrays are work by the slice.
 */
final class Marker extends Workers {
    /** What to do about a reference that is not good. */
    interface BadReference {
        void bad(long holder, long at, long ref, String why);
    }

    /** Objects a thread keeps to itself while others have nothing; few, because one may be an array of many more. */
    private static final int SHARE_AT = 8;
    private static final int SPINS = 1000;
    /** References followed at a time. */
    private static final int BATCH = 256;
    /** Headers of neighbours copied at a time. */
    private static final int WINDOW = 128;
    /** References of an array that are one piece of work; an array has at most {@code 2^27}, so a slice's number fits 16 bits. */
    private static final int SLICE_SHIFT = 13;
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
    private Progressing told = null;

    /** Is told how many objects are marked. */
    interface Progressing {
        void marked(long objects);
    }

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

    /** The bits of the marks of the 512 bytes around this offset, once {@link #run} has ended. */
    long marks(long off) {
        AtomicLongArray a = marks[(int) (off >>> memory.shift())];
        return a.getPlain((int) (off >>> 9) & a.length() - 1);
    }

    /** Sets bits of the word that holds this offset's mark; returns those that were not set. */
    private long mark(long off, long bits) {
        AtomicLongArray a = marks[(int) (off >>> memory.shift())];
        int i = (int) (off >>> 9) & a.length() - 1;
        for (;;) {
            long old = a.get(i);
            long fresh = bits & ~old;
            if (fresh == 0 || a.weakCompareAndSetPlain(i, old, old | bits)) {
                return fresh;
            }
        }
    }

    /** Calls back now and then with the number of objects marked, from one thread. */
    void tell(Progressing whom) {
        told = whom;
    }

    void run(int threads) {
        workers = threads;
        first = Thread.currentThread();
        run(threads, "jnvm-mark");
    }

    /** Marks an object and what it reaches besides, after {@link #run}. */
    void also(long o) {
        if (mark(o, 1L << (o >>> 3)) != 0) {
            workers = 1;
            idle.set(0);
            Work w = new Work();
            w.push(o);
            w.drain();
        }
    }

    @Override
    void work() {
        Work w = new Work();
        if (Thread.currentThread() == first) {
            w.gather(heap.meta, heap.meta + HeapCore.META_CLASSES, memory.getLong(heap.meta + HeapCore.META_CLASSES));
            w.gather(heap.meta, heap.meta + HeapCore.META_ROOTS, memory.getLong(heap.meta + HeapCore.META_ROOTS));
        }
        w.drain();
    }

    /** One thread's part. */
    private final class Work {
        /** Objects whose references are to be followed, with the number of the slice above bit 48. */
        final LongStack stack = new LongStack(1024);
        private final long[] words = new long[BATCH];
        private final long[] holders = new long[BATCH];
        private final long[] places = new long[BATCH];
        private final long[] refs = new long[BATCH];
        private final long[] headers = new long[BATCH];
        private int gathered;
        /** Neighbours that refer to nothing, not yet marked: an offset among them and their bits in its word. */
        private long leafBase;
        private long leafBits;
        /** Headers of slots side by side, the reference to the first of them, their bytes, and one header that is good for it. */
        private final long[] near = new long[WINDOW];
        private long nearRef;
        private int nearBytes;
        /** As {@link #nearBytes} once the good one is known, before that 0. */
        private int goodBytes;
        private int nearSize;
        private long nearReciprocal;
        private long good;
        private long marked;
        private long toldAt;

        void drain() {
            for (;;) {
                while (!stack.isEmpty()) {
                    scan(stack.pop());
                    tell();
                    if (stack.size() > SHARE_AT && idle.get() > 0) {
                        shared.add(stack.takeHalf());
                    }
                }
                if (gathered > 0) {
                    follow();
                    continue;
                }
                if (!refill()) {
                    live.addAndGet(marked);
                    marked = 0;
                    return;
                }
            }
        }

        private void tell() {
            if (marked - toldAt > 1 << 20 && told != null && Thread.currentThread() == first) {
                toldAt = marked;
                told.marked(marked * workers);
            }
        }

        private boolean refill() {
            long[] more = shared.poll();
            if (more == null) {
                idle.incrementAndGet();
                for (int i = 0; (more = shared.poll()) == null; i++) {
                    if (idle.get() == workers || failed()) {
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

        /** Takes up an object that was just marked. */
        void push(long o) {
            marked++;
            long h = memory.getLong(heap.units.headerOffset(o));
            ClassInfo c = heap.classes.byId(Header.classId(h));
            if (c.recovers) {
                synchronized (recoverable) {
                    recoverable.add(o);
                }
            }
            long slices = c.kind == Layout.Kind.REFS ? (Header.bytes(h) >>> 3) - 1 >>> SLICE_SHIFT : 0;
            for (long s = Math.max(0, slices); s >= 0; s--) {
                stack.push(o | s << 48);
            }
        }

        private void scan(long work) {
            long o = Header.offset(work);
            long h = memory.getLong(heap.units.headerOffset(o));
            ClassInfo c = heap.classes.byId(Header.classId(h));
            if (c.kind == Layout.Kind.FIXED) {
                for (int off : c.refOffsets) {
                    gather(o, o + off, memory.getLong(o + off));
                }
            } else if (c.kind == Layout.Kind.REFS) {
                int from = (int) (work >>> 48) << SLICE_SHIFT;
                scanArray(o, from, (int) Math.min(Header.bytes(h) >>> 3, from + (1L << SLICE_SHIFT)));
            }
        }

        private void scanArray(long o, int from, int to) {
            for (int i = from; i < to; i += BATCH) {
                int n = Math.min(BATCH, to - i);
                memory.getLongs(o + 8L * i, words, n);
                for (int k = 0; (k = near(k, n)) < n; k++) {
                    if (!approach(words[k], k + 1 < n ? words[k + 1] : 0)) {
                        gather(o, o + 8L * (i + k), words[k]);
                    }
                }
            }
            markLeaves();
        }

        /** Marks what words from {@code k} on lead to as long as their headers are near and the good one; gives the first word of another kind. */
        private int near(int k, int n) {
            long bits = leafBits;
            long base = leafBase;
            for (; k < n; k++) {
                long d = words[k] - nearRef;
                if (d < 0 || d >= goodBytes) {
                    break;
                }
                int slot = (int) (d * nearReciprocal >>> 32);
                if (slot * nearSize != d || near[slot] != good) {
                    break;
                }
                long o = Header.offset(words[k]);
                if (o >>> 9 != base >>> 9) {
                    leafBits = bits;
                    leafBase = base;
                    markLeaves();
                    bits = 0;
                    base = o;
                }
                bits |= 1L << (o >>> 3);
            }
            leafBits = bits;
            leafBase = base;
            return k;
        }

        /**
         * Marks what a reference leads to if it refers to nothing and its header is near, or is fetched with its neighbours
         * because the next reference leads there, too. False if the reference is to be gathered.
         */
        private boolean approach(long ref, long next) {
            if (ref == 0) {
                return true;
            }
            long o = Header.offset(ref);
            long d = o - Header.offset(nearRef);
            if (d < 0 || d >= nearBytes) {
                d = fetch(o, Header.offset(next));
                if (d < 0) {
                    return false;
                }
            }
            int slot = (int) (d * nearReciprocal >>> 32);
            long h = near[slot];
            ClassInfo c = heap.classes.byIdOrNull(Header.classId(h));
            if (slot * nearSize != d || c == null || !c.leaf || !isGood(ref, h, c)) {
                return false;
            }
            good = h;
            goodBytes = nearBytes;
            nearRef = ref - d;
            leaf(o);
            return true;
        }

        /** Copies the headers around a slot if the next reference leads among them; gives how far from their first object the slot lies, or -1. */
        private long fetch(long o, long next) {
            if (o >>> 16 != next >>> 16) {
                return -1;
            }
            int c = heap.units.slabClass(o);
            int slot = c < 0 ? -1 : SizeClasses.slotAt(c, (int) o & SizeClasses.SLAB_BYTES - 1);
            if (slot < 0) {
                return -1;
            }
            int first = slot & -WINDOW;
            int n = Math.min(WINDOW, SizeClasses.SLOTS[c] - first);
            long start = o - (long) (slot - first) * SizeClasses.SIZE[c];
            if (next - start < 0 || next - start >= (long) n * SizeClasses.SIZE[c]) {
                return -1;
            }
            memory.getLongs((o & -SizeClasses.SLAB_BYTES) + 8L * first, near, n);
            nearRef = start;
            nearSize = SizeClasses.SIZE[c];
            nearBytes = n * nearSize;
            nearReciprocal = SizeClasses.reciprocal(c);
            goodBytes = 0;
            return o - start;
        }

        void gather(long holder, long at, long ref) {
            if (ref == 0) {
                return;
            }
            holders[gathered] = holder;
            places[gathered] = at;
            refs[gathered] = ref;
            if (++gathered == BATCH) {
                follow();
            }
        }

        private void follow() {
            int n = gathered;
            gathered = 0;
            for (int i = 0; i < n; i++) {
                headers[i] = header(refs[i]);
            }
            for (int i = 0; i < n; i++) {
                settle(i);
            }
            markLeaves();
        }

        /** A method of its own, as {@link #settle} is, because a cold process compiles what is called often before what loops. */
        private long header(long ref) {
            long at = heap.units.headerOffsetChecked(Header.offset(ref));
            return at < 0 ? 0 : memory.getLong(at);
        }

        private void settle(int i) {
            long ref = refs[i];
            long h = headers[i];
            ClassInfo c = heap.classes.byIdOrNull(Header.classId(h));
            if (c == null || !isGood(ref, h, c)) {
                refuse(holders[i], places[i], ref, c);
                return;
            }
            long o = Header.offset(ref);
            if (!c.leaf) {
                if (mark(o, 1L << (o >>> 3)) != 0) {
                    push(o);
                }
                return;
            }
            leaf(o);
        }

        private void leaf(long o) {
            if (o >>> 9 != leafBase >>> 9) {
                markLeaves();
                leafBase = o;
            }
            leafBits |= 1L << (o >>> 3);
        }

        private void markLeaves() {
            if (leafBits != 0) {
                marked += Long.bitCount(mark(leafBase, leafBits));
                leafBits = 0;
            }
        }
    }

    private static boolean isGood(long ref, long h, ClassInfo c) {
        return Header.valid(h) && Header.generation(h) == Header.refGeneration(ref) && Header.sound(h)
                && (c.kind != Layout.Kind.FIXED || Header.bytes(h) >= c.size);
    }

    private void refuse(long holder, long at, long ref, ClassInfo c) {
        long headerAt = heap.units.headerOffsetChecked(Header.offset(ref));
        String why = why(ref, headerAt, headerAt < 0 ? 0 : memory.getLong(headerAt), c);
        synchronized (onBad) {
            onBad.bad(holder, at, ref, why);
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
