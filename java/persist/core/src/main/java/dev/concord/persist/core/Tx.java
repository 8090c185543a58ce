package dev.concord.persist.core;

import dev.concord.persist.PersistException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.StampedLock;

/**
 * One failure-atomic block of one thread. Owns the invariant that nothing outside the thread, in memory or on the
 * medium, shows any of the block's work before it commits:
 *
 * <ul>
 * <li>stores to objects that exist go to a {@link WordSet}, which the block's own loads consult;
 * <li>stores to objects the block made go in place, where no valid reference leads;
 * <li>allocated slots keep their free header until commit, freed ones stay owned until commit;
 * <li>volatile state kept beside the heap (proxies, map mirrors) registers how to undo what it did.
 * </ul>
 *
 * Nested blocks are one block. An exception that leaves any of them rolls all of it back.
 */
public final class Tx {
    private final HeapCore heap;
    private final Memory memory;
    final WordSet words = new WordSet();
    /** Objects made by this block: offset to payload bytes, 0 once freed again. */
    final WordSet fresh = new WordSet();
    private final LongStack allocated = new LongStack(32);
    private final LongStack freed = new LongStack(32);
    private final List<Runnable> undo = new ArrayList<>();
    private final List<Runnable> onCommit = new ArrayList<>();
    private final List<Lock> locks = new ArrayList<>();
    private final List<StampedLock> applied = new ArrayList<>();
    private final Redo redo = new Redo();
    /** Whether values were changed where they lie, so that the block's loads of them must look here. */
    boolean rewritesValues;
    /** Whether the block left something as it found it because that is as it was wanted: another may have made it and not be durable. */
    boolean confirms;
    int depth;
    boolean failed;
    Throwable failure;
    final Thread thread = Thread.currentThread();
    /** The thread's cell that names its current heap, and what it held before this block. */
    Object[] current;
    Object outerHeap;
    /** The object whose constructor began this block, if one did. */
    Object constructing;

    Tx(HeapCore heap) {
        this.heap = heap;
        this.memory = heap.memory;
    }

    boolean isFresh(long object) {
        return fresh.size() > 0 && fresh.find(object) >= 0;
    }

    long readWord(long word) {
        long m = memory.getLong(word);
        return words.size() == 0 ? m : words.read(word, m);
    }

    /** A field of up to eight bytes, as the low bits of the result. */
    long read(long at) {
        return readWord(at & -8) >>> 8 * (at & 7);
    }

    void write(long at, int width, long v) {
        int shift = (int) (8 * (at & 7));
        long mask = width == 8 ? -1L : (1L << 8 * width) - 1 << shift;
        words.put(at & -8, v << shift & mask, mask);
    }

    void readBytes(long at, byte[] dst, int pos, int len) {
        memory.getBytes(at, dst, pos, len);
        if (words.size() == 0) {
            return;
        }
        for (long w = at & -8; w < at + len; w += 8) {
            int i = words.find(w);
            if (i < 0) {
                continue;
            }
            for (int b = 0; b < 8; b++) {
                long p = w + b - at;
                if (p >= 0 && p < len && (words.mask(i) >>> 8 * b & 0xFF) != 0) {
                    dst[pos + (int) p] = (byte) (words.value(i) >>> 8 * b);
                }
            }
        }
    }

    void writeBytes(long at, byte[] src, int pos, int len) {
        int i = 0;
        for (; i < len && (at + i & 7) != 0; i++) {
            write(at + i, 1, src[pos + i] & 0xFF);
        }
        for (; i + 8 <= len; i += 8) {
            words.put(at + i, Bytes.getLong(src, pos + i), -1L);
        }
        for (; i < len; i++) {
            write(at + i, 1, src[pos + i] & 0xFF);
        }
    }

    void allocatedObject(long off, long bytes) {
        allocated.push(off);
        allocated.push(bytes);
        fresh.put(off, bytes, -1L);
    }

    void freedObject(long off, long bytes) {
        freed.push(off);
        freed.push(bytes);
        if (fresh.find(off) >= 0) {
            fresh.put(off, 0, -1L);
        }
    }

    /** Registers how to undo a change of volatile state if this block rolls back. */
    public void onRollback(Runnable r) {
        undo.add(r);
    }

    /** Runs after the block's stores are visible. */
    public void onCommit(Runnable r) {
        onCommit.add(r);
    }

    /** Holds a lock from now until the block is visible or undone. */
    public void holdUntilEnd(Lock lock) {
        lock.lock();
        locks.add(lock);
    }

    /** Keeps readers of a structure out while this block's stores to it become visible one by one. */
    public void holdWhileApplied(StampedLock l) {
        applied.add(l);
    }

    /** For a lock the caller has acquired already. */
    void addHeld(Lock lock) {
        locks.add(lock);
    }

    boolean holds(Lock lock) {
        return locks.contains(lock);
    }

    /** The places freed so far are given out again by the caller, later. */
    void keepFreed() {
        freed.clear();
    }

    /** Makes a store the whole content of the block: it goes to the record at once, the block itself would not see it. */
    void onlyStore(long at, byte[] src, int pos, int len) {
        redo.addBytes(at, src, pos, len);
    }

    /** Makes the block part of the heap's history; returns what to await. */
    long commit() {
        long lsn = 0;
        if (words.size() > 0 || fresh.size() > 0 || !redo.isEmpty()) {
            try {
                heap.requireWritable();
                int field = heap.engine.storesFields() ? onlyField() : 0;
                if (field == 0) {
                    makeRecord();
                }
                lsn = commitExcluding(field);
            } catch (RuntimeException | Error e) {
                rollback();
                throw e;
            }
        }
        if (lsn == 0 && confirms) {
            lsn = heap.lastPlace();
        }
        try {
            while (!freed.isEmpty()) {
                long bytes = freed.pop();
                heap.allocator.release(freed.pop(), bytes);
            }
            for (int i = 0; i < onCommit.size(); i++) {
                onCommit.get(i).run();
            }
        } finally {
            end();
        }
        return lsn;
    }

    private void makeRecord() {
        if (heap.engine.logsFresh()) {
            for (int i = 0; i < fresh.size(); i++) {
                if (fresh.value(i) > 0) {
                    redo.addNewObject(memory, fresh.word(i), (int) (fresh.value(i) + 7 & -8));
                }
            }
            redo.applyFrom = fresh.size() > 0 ? redo.end : Redo.HEADER;
        }
        redo.addWords(words);
    }

    /** Bytes of the one aligned field that is all the block changed, 0 if there is more or it is none. */
    private int onlyField() {
        if (words.size() != 1 || fresh.size() != 0) {
            return 0;
        }
        int low = Long.numberOfTrailingZeros(words.mask(0));
        long mask = words.mask(0) >>> low;
        int width = mask == -1L ? 8 : mask == 0xFFFF_FFFFL ? 4 : mask == 0xFFFF ? 2 : mask == 0xFF ? 1 : 0;
        return (low >>> 3 & width - 1) == 0 ? width : 0;
    }

    private long commitField(int width) {
        int low = Long.numberOfTrailingZeros(words.mask(0));
        return heap.engine.commitField(words.word(0) + (low >>> 3), width, words.value(0) >>> low);
    }

    /** Commits while readers of what changes are kept out. */
    private long commitExcluding(int field) {
        if (applied.isEmpty()) {
            return field > 0 ? commitField(field) : heap.engine.commit(redo, fresh);
        }
        int n = 0;
        long[] stamps = new long[applied.size()];
        try {
            for (; n < stamps.length; n++) {
                stamps[n] = applied.get(n).writeLock();
            }
            return field > 0 ? commitField(field) : heap.engine.commit(redo, fresh);
        } finally {
            while (--n >= 0) {
                applied.get(n).unlockWrite(stamps[n]);
            }
        }
    }

    void rollback() {
        try {
            for (int i = undo.size() - 1; i >= 0; i--) {
                undo.get(i).run();
            }
            while (!allocated.isEmpty()) {
                long bytes = allocated.pop();
                heap.allocator.release(allocated.pop(), bytes);
            }
        } finally {
            end();
        }
    }

    private void end() {
        redo.reset();
        words.clear();
        fresh.clear();
        allocated.clear();
        freed.clear();
        undo.clear();
        onCommit.clear();
        rewritesValues = false;
        confirms = false;
        failed = false;
        failure = null;
        constructing = null;
        for (int i = locks.size() - 1; i >= 0; i--) {
            locks.get(i).unlock();
        }
        locks.clear();
        applied.clear();
    }

    PersistException.Aborted aborted() {
        return new PersistException.Aborted("a nested block failed, so the whole block was rolled back", failure);
    }
}
