package dev.concord.persist;

/** How to open a heap. Immutable; every method gives a changed copy. */
public final class PHeapOptions {
    /** Whether a heap may, must or must not exist already. */
    public enum Create { IF_ABSENT, ALWAYS_NEW, NEVER }

    /** What happens to unreachable objects when a heap that was not closed is opened. */
    public enum Recovery {
        /** Marks from the roots, nulls references to invalid objects, frees what is unreachable. */
        COLLECT,
        /** Replays the log only; sound when every object was published by a failure-atomic block. */
        REPLAY_ONLY
    }

    private Durability durability;
    private Create create = Create.IF_ABSENT;
    private Recovery recovery = Recovery.COLLECT;
    private long segmentSize = 64L << 20;
    private long logSize = 32L << 20;
    private long maxSize = Long.MAX_VALUE;
    private boolean readOnly;
    private boolean objectLocks;
    private boolean management;
    private Progress progress = Progress.NONE;
    private java.util.List<Class<?>> classes = java.util.List.of();
    private int recoveryThreads = Math.max(1, Runtime.getRuntime().availableProcessors());

    private PHeapOptions() {
    }

    public static PHeapOptions defaults() {
        return new PHeapOptions();
    }

    private PHeapOptions copy() {
        PHeapOptions o = new PHeapOptions();
        o.durability = durability;
        o.create = create;
        o.recovery = recovery;
        o.segmentSize = segmentSize;
        o.logSize = logSize;
        o.maxSize = maxSize;
        o.readOnly = readOnly;
        o.objectLocks = objectLocks;
        o.management = management;
        o.recoveryThreads = recoveryThreads;
        o.classes = classes;
        o.progress = progress;
        return o;
    }

    /** Demands exactly this level: opening fails if the medium cannot give it. Without it, the best the medium gives. */
    public PHeapOptions durability(Durability level) {
        PHeapOptions o = copy();
        o.durability = level;
        return o;
    }

    public PHeapOptions create(Create mode) {
        PHeapOptions o = copy();
        o.create = mode;
        return o;
    }

    public PHeapOptions recovery(Recovery mode) {
        PHeapOptions o = copy();
        o.recovery = mode;
        return o;
    }

    /** Size of one segment, a power of two from 256 KiB to 1 GiB; also the bound of one object. Fixed at creation. */
    public PHeapOptions segmentSize(long bytes) {
        if (Long.bitCount(bytes) != 1 || bytes < 256 << 10 || bytes > 1 << 30) {
            throw new PersistException.Misuse("segment size must be a power of two from 256 KiB to 1 GiB, not " + bytes);
        }
        PHeapOptions o = copy();
        o.segmentSize = bytes;
        return o;
    }

    /** Size of the log, from 64 KiB to 1 GiB; one block may write a quarter of it. Fixed at creation. */
    public PHeapOptions logSize(long bytes) {
        if (bytes < 64 << 10 || bytes > 1 << 30) {
            throw new PersistException.Misuse("log size must be from 64 KiB to 1 GiB, not " + bytes);
        }
        PHeapOptions o = copy();
        o.logSize = (bytes + 4095) & ~4095L;
        return o;
    }

    /** The heap grows by segments until the next one would exceed this many bytes. */
    public PHeapOptions maxSize(long bytes) {
        PHeapOptions o = copy();
        o.maxSize = bytes;
        return o;
    }

    /** Opens without changing the file; any number of readers, no writer beside them. */
    public PHeapOptions readOnly(boolean yes) {
        PHeapOptions o = copy();
        o.readOnly = yes;
        return o;
    }

    /** Every object read or written in a failure-atomic block stays locked for the thread until the block commits. */
    public PHeapOptions objectLocks(boolean yes) {
        PHeapOptions o = copy();
        o.objectLocks = yes;
        return o;
    }

    /**
     * Shows the heap to JMX as a {@link PHeapMXBean}, by which {@code jnvm} works on it while it is in use; of several readers of
     * one file in a process, one.
     */
    public PHeapOptions management(boolean yes) {
        PHeapOptions o = copy();
        o.management = yes;
        return o;
    }

    public PHeapOptions recoveryThreads(int n) {
        PHeapOptions o = copy();
        o.recoveryThreads = Math.max(1, n);
        return o;
    }

    /**
     * Classes whose persistent id differs from their name, so that the heap finds them. Others it finds by name; all that
     * changed since the heap was written are migrated when it is opened.
     */
    public PHeapOptions classes(Class<?>... types) {
        PHeapOptions o = copy();
        o.classes = java.util.List.of(types);
        return o;
    }

    /** Told how far opening has come, if it has to recover. */
    public PHeapOptions progress(Progress to) {
        PHeapOptions o = copy();
        o.progress = to;
        return o;
    }

    public Progress progress() {
        return progress;
    }

    public java.util.List<Class<?>> classes() {
        return classes;
    }

    public Durability durability() {
        return durability;
    }

    public Create create() {
        return create;
    }

    public Recovery recovery() {
        return recovery;
    }

    public long segmentSize() {
        return segmentSize;
    }

    public long logSize() {
        return logSize;
    }

    public long maxSize() {
        return maxSize;
    }

    public boolean readOnly() {
        return readOnly;
    }

    public boolean objectLocks() {
        return objectLocks;
    }

    public boolean management() {
        return management;
    }

    public int recoveryThreads() {
        return recoveryThreads;
    }
}
