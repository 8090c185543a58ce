package dev.concord.persist.core;

import dev.concord.persist.DurabilityReport;
import dev.concord.persist.PersistException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * How changes reach the medium. Owns the order of stores, log records and syncs: whatever the crash, the heap after
 * {@link #replay} holds every committed record that was awaited, and of the others each wholly or not at all.
 *
 * <p>A failed write or sync poisons the engine. It is never retried: after a failed sync the kernel may hold the lost
 * pages to be clean, so only a reopen tells what is there.
 */
abstract class Engine {
    final Medium medium;
    final Superblock superblock;
    final Memory memory;
    private volatile Throwable poison;
    /** Guarded by whatever makes commits serial. */
    long commits;
    long committedBytes;
    final java.util.concurrent.atomic.LongAdder checkpoints = new java.util.concurrent.atomic.LongAdder();
    /** Pages changed while a backup copies; null if none does. */
    private volatile java.util.BitSet changes;

    /** What a replay found. */
    record Replay(int records, boolean torn) {
    }

    Engine(Medium medium, Superblock superblock) {
        this.medium = medium;
        this.superblock = superblock;
        this.memory = medium.newMemory(superblock.segmentShift);
    }

    /** From now on remembers which pages change; returns those since the last call. */
    final java.util.BitSet watchChanges() {
        java.util.BitSet c = changes;
        if (c == null) {
            changes = new java.util.BitSet();
            return new java.util.BitSet();
        }
        synchronized (c) {
            java.util.BitSet taken = (java.util.BitSet) c.clone();
            c.clear();
            return taken;
        }
    }

    final void stopWatching() {
        changes = null;
    }

    /** To be called after memory changed, so that a page copied before is copied again. */
    final void changed(long off, long len) {
        java.util.BitSet c = changes;
        if (c != null && len > 0) {
            synchronized (c) {
                c.set((int) (off >>> Backup.PAGE_SHIFT), (int) ((off + len - 1) >>> Backup.PAGE_SHIFT) + 1);
            }
        }
    }

    final void changed(Redo record) {
        if (changes != null) {
            record.forEach(Redo.HEADER, new Redo.Sink() {
                @Override
                public void bytes(long off, byte[] src, int pos, int len) {
                    changed(off, len);
                }

                @Override
                public void fill(long off, int len, long pattern) {
                    changed(off, len);
                }
            });
        }
    }

    abstract DurabilityReport.Engine kind();

    abstract Medium.Mapping mapping();

    /** Maps every segment. */
    void map() throws IOException {
        for (int i = 0; i < superblock.segments; i++) {
            mapSegment(i);
        }
    }

    void mapSegment(int i) throws IOException {
        ByteBuffer b = medium.map(superblock.segmentPosition(i), (int) superblock.segmentSize(), mapping());
        memory.addSegment(i, b);
    }

    /** Brings memory to the state of the last committed record; changes no file. */
    abstract Replay replay() throws IOException;

    /** Tells that recovery stored to this range in place. */
    abstract void touched(long off, long len);

    /** Makes the recovered state the durable one and retires all records of earlier lives. */
    abstract void finishRecovery() throws IOException;

    /** Whether the payloads of new objects must be part of the record. */
    abstract boolean logsFresh();

    /**
     * Makes the record part of the heap's history and stores it to memory.
     *
     * @param record entries; payloads of new objects first if {@link #logsFresh}
     * @param fresh payload ranges of new objects, stored in place already
     * @return what to give to {@link #await}
     */
    abstract long commit(Redo record, WordSet fresh);

    /** Whether the medium takes an aligned field of up to eight bytes as a whole, without a record. */
    boolean storesFields() {
        return false;
    }

    /**
     * Commits a block that changes one aligned field, where {@link #storesFields}.
     *
     * @param width 1, 2, 4 or 8 bytes
     * @return what to give to {@link #await}
     */
    long commitField(long at, int width, long value) {
        throw new IllegalStateException("this medium needs a record");
    }

    /** Whether one store to an array can be committed without a block, between {@link #enter} and {@link #leave}. */
    boolean storesRanges() {
        return false;
    }

    /** Where {@link #storesRanges}: keeps all commits of others out until {@link #leave}; what ended before is seen. */
    void enter() {
    }

    void leave() {
    }

    /** Commits one store between {@link #enter} and {@link #leave}, where {@link #storesRanges}; durable on return. */
    void commitStore(long at, byte[] src, int pos, int len) {
        throw new IllegalStateException("this medium needs a block");
    }

    /** Returns when every store under way by {@link #commitStore} has ended. */
    final void settle() {
        enter();
        leave();
    }

    abstract void await(long lsn);

    abstract boolean isDurable(long lsn);

    /** As {@link #await} without waiting; {@link GroupCommit#tell} has the rules. */
    abstract void tell(long lsn, Consumer<Throwable> told, LongConsumer helper);

    /** Position after the last record, durable or not. */
    abstract long tail();

    abstract void pwb(long off, long len);

    abstract void pfence();

    abstract void psync();

    abstract void checkpoint();

    /** Bytes of the log in use and bytes of private memory that differ from the file, for reports. */
    abstract long logUsed();

    abstract long dirtyBytes();

    /** How often the log was synced. */
    long syncs() {
        return 0;
    }

    abstract void shutdown();

    /** Adds a segment; visible to recovery before anything is allocated in it. */
    synchronized void grow() {
        checkUsable();
        int next = superblock.segments;
        if (next >= Memory.MAX_SEGMENTS) {
            throw new PersistException.Full("heap has reached its " + Memory.MAX_SEGMENTS + " segments");
        }
        try {
            medium.extend(superblock.segmentPosition(next + 1));
            mapSegment(next);
        } catch (IOException e) {
            // Nothing refers to the new space yet: the heap itself is unharmed.
            throw new PersistException.Full(medium.name() + ": cannot add segment " + next + ": " + e.getMessage(), e);
        }
        try {
            superblock.segments = next + 1;
            superblock.write(medium);
        } catch (IOException e) {
            throw poisoned("write of the superblock failed", e);
        }
    }

    synchronized void writeSuperblock() throws IOException {
        superblock.write(medium);
    }

    final void checkUsable() {
        if (poison != null) {
            throw unusable();
        }
    }

    /** What to throw once the engine is poisoned. */
    final PersistException.Poisoned unusable() {
        Throwable p = poison;
        return new PersistException.Poisoned(medium.name() + " accepts no more changes after: " + p.getMessage(), p);
    }

    /** Wakes who waits for what does not come any more. */
    void onPoisoned() {
    }

    final boolean isPoisoned() {
        return poison != null;
    }

    final PersistException poisoned(String what, Throwable cause) {
        if (poison == null) {
            poison = cause;
        }
        onPoisoned();
        return new PersistException.Poisoned(medium.name() + ": " + what + ": " + cause.getMessage(), cause);
    }
}
