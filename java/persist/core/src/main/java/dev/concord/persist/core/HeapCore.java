package dev.concord.persist.core;

import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.PObject;
import dev.concord.persist.PersistException;
import dev.concord.persist.PersistentObject;
import dev.concord.persist.PersistentObject.Internals;
import dev.concord.persist.RecoveryReport;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * One open heap: what proxies call. Objects, references and values, in terms of the loads and stores of
 * {@link HeapAccess}.
 *
 * <p>Thread rules: a block belongs to its thread. A block is atomic with respect to crashes, not isolated from other
 * threads: threads that share objects synchronise as for ordinary Java objects, and hold the lock until the block has
 * ended (lock outside, block inside), unless the heap was opened with object locks.
 */
public final class HeapCore extends HeapAccess {
    static final WordSet NOTHING = new WordSet();
    static final long GATE_MILLIS = 10_000;
    static final int META_CLASSES = 8;
    static final int META_ROOTS = 16;
    static final long META_MAGIC = 0x4154454d4d564e4aL;
    final Engine engine;
    final Allocator allocator;
    final ClassTable classes;
    final Values values;
    final IdentityCache proxies = new IdentityCache();
    final Roots roots;
    final long meta;
    final long maxSize;
    private final ThreadLocal<Map<Long, PersistentObject>> resurrecting = ThreadLocal.withInitial(HashMap::new);
    private final ThreadLocal<LongStack> lowLevelFrees = ThreadLocal.withInitial(() -> new LongStack(16));
    final Forwarding forwarding = new Forwarding();
    /** Whether the file may be longer than its content needs. */
    volatile boolean compacted;
    private final AtomicInteger lowLevelFreeCount = new AtomicInteger();
    private PHeap facade;
    private volatile boolean closed;
    private RecoveryReport recovery;

    HeapCore(Engine engine, PHeapOptions options) {
        super(engine.memory, options);
        this.engine = engine;
        this.meta = Allocator.metaOffset(memory.shift());
        this.maxSize = options.maxSize();
        this.allocator = new Allocator(this);
        this.classes = new ClassTable(this);
        this.values = new Values(classes);
        this.roots = new Roots(this);
    }

    /** Opens what the medium holds, or makes a heap of it; recovers as needed. The medium is closed if that fails. */
    public static HeapCore open(Medium medium, Medium.Mapping direct, boolean create, PHeapOptions options) throws IOException {
        boolean done = false;
        try {
            long begin = System.nanoTime();
            Superblock sb;
            if (create) {
                sb = Superblock.fresh(Long.numberOfTrailingZeros(options.segmentSize()), options.logSize());
                medium.extend(sb.segmentPosition(1));
                sb.segments = 1;
            } else {
                sb = Superblock.read(medium);
                if (medium.size() < sb.fileSize()) {
                    throw new PersistException.Corrupt(medium.name(), medium.size(), "the file ends here, " + sb.fileSize() + " bytes expected");
                }
            }
            Engine engine = direct == null ? new LoggedEngine(medium, sb, options.readOnly())
                    : new DirectEngine(medium, sb, options.readOnly() ? Medium.Mapping.PRIVATE : direct);
            engine.map();
            HeapCore heap = new HeapCore(engine, options);
            Events.Span span = Events.TO.begin(Events.Kind.OPEN, medium.name());
            if (create) {
                engine.memory.putLong(heap.meta, META_MAGIC);
                engine.touched(heap.meta, 8);
            }
            try {
                heap.recovery = new Recovery(heap, options).run(begin, create);
            } catch (IndexOutOfBoundsException | IllegalArgumentException | IllegalStateException | NullPointerException | ClassCastException e) {
                // A table led outside the heap, or to what it cannot lead to: the file is damaged, not the program.
                throw new PersistException.Damaged(medium.name() + ": the heap's own tables are damaged, " + e, e);
            }
            RecoveryReport r = heap.recovery;
            span.end(r.replayedRecords(), r.freed().values().stream().mapToLong(Long::longValue).sum(),
                    r.migrated().values().stream().mapToLong(Long::longValue).sum(), r.clean() ? "clean" : "recovered");
            done = true;
            return heap;
        } finally {
            if (!done) {
                medium.close();
            }
        }
    }

    // ---- identity -------------------------------------------------------------------------------------------------

    @Override
    String name() {
        return engine.medium.name();
    }

    PersistException.Corrupt corrupt(long off, String what) {
        return new PersistException.Corrupt(name(), engine.superblock.dataOffset + off, what);
    }

    public PHeap facade() {
        return facade;
    }

    public void facade(PHeap f) {
        facade = f;
    }

    public RecoveryReport recovery() {
        return recovery;
    }

    public Engine engineForReports() {
        return engine;
    }

    public Roots roots() {
        return roots;
    }

    /** Whether the thread's block made this object, so that others cannot know it yet. */
    public boolean isOfCurrentBlock(PersistentObject p) {
        Tx t = tx();
        return t != null && t.isFresh(Internals.offset(p));
    }

    public void registerClass(Class<?> c) {
        classes.forClass(c);
    }

    @Override
    void checkOpen() {
        if (closed) {
            throw new PersistException.Misuse(name() + " is closed");
        }
    }

    @Override
    boolean closedNow() {
        return closed;
    }

    // ---- headers and allocation -----------------------------------------------------------------------------------

    private long header(long o) {
        long at = allocator.headerOffset(o);
        if (at < 0) {
            throw new PersistException.Dangling(name() + ": no object at offset " + o);
        }
        Tx t = tx();
        return t == null ? memory.getLong(at) : t.readWord(at);
    }

    public long payloadBytes(long o) {
        long h = header(o);
        if (Header.classId(h) == 0 && !forwarding.isEmpty()) {
            h = headerOfMoved(o, h);
        }
        return Header.bytes(h);
    }

    /** The header of the object that lay at this offset until a moment ago. */
    private long headerOfMoved(long o, long h) {
        int before = Header.generation(h) - 1 & Header.GENERATIONS - 1;
        long n = forwarding.get(o | (long) before << 48);
        return n == 0 ? h : header(Header.offset(n));
    }

    public boolean isAtomic(Class<?> c) {
        return Layout.of(c).failureAtomic;
    }

    /** Called by the constructor of every proxy of a new object. */
    public long allocate(PersistentObject p, long bytes) {
        ClassInfo c = classes.forClass(p.getClass());
        Tx t = tx();
        if (t == null && Layout.of(p.getClass()).failureAtomic) {
            // The woven constructor ends this block: see FailureAtomic.constructed.
            t = begin();
            t.constructing = p;
        }
        try {
            long size = bytes >= 0 ? bytes : c.size;
            long o = t != null ? allocateRaw(c.id, size) : allocateInvalid(c.id, size);
            proxies.putIfAbsent(o, p);
            if (t != null) {
                t.onRollback(() -> {
                    proxies.remove(o);
                    Internals.setOffset(p, 0);
                });
            }
            return o;
        } catch (RuntimeException | Error e) {
            if (t != null && t.constructing == p) {
                fail(t, e);
            }
            throw e;
        }
    }

    /** Whether this object's constructor began the block; asked once, by the end of that constructor. */
    public static boolean endsConstruction(Tx t, PersistentObject p) {
        boolean mine = t.constructing == p;
        if (mine) {
            t.constructing = null;
        }
        return mine;
    }

    private long take(long bytes) {
        writable();
        if (bytes > allocator.maxObject()) {
            throw new PersistException.Full("an object of " + bytes + " bytes is larger than a segment; the bound is " + allocator.maxObject());
        }
        long o = allocator.allocate(Math.max(bytes, 8));
        memory.zero(o, bytes + 7 & -8);
        return o;
    }

    /** A zeroed object of the current block, valid once the block commits. */
    public long allocateRaw(int classId, long bytes) {
        Tx t = tx();
        long o = take(bytes);
        long at = allocator.headerOffset(o);
        t.allocatedObject(o, Math.max(bytes, 8));
        t.words.put(at, Header.of(classId, true, Header.generation(memory.getLong(at)), bytes), -1L);
        if (allocator.isLarge(o)) {
            t.words.put(allocator.descriptorOffset(o), Allocator.largeDescriptor(Math.max(bytes, 8)), -1L);
        }
        return o;
    }

    /** A zeroed object that counts as garbage until it is validated; no fence. */
    private long allocateInvalid(int classId, long bytes) {
        long o = take(bytes);
        long at = allocator.headerOffset(o);
        if (allocator.isLarge(o)) {
            memory.putLong(allocator.descriptorOffset(o), Allocator.largeDescriptor(Math.max(bytes, 8)));
        }
        memory.putLong(at, Header.of(classId, false, Header.generation(memory.getLong(at)), bytes));
        return o;
    }

    public void validate(long o) {
        long at = allocator.headerOffset(o);
        Tx t = tx();
        if (t != null) {
            t.words.put(at, Header.validated(t.readWord(at)), -1L);
            return;
        }
        writable();
        memory.putLong(at, Header.validated(memory.getLong(at)));
        pwbHeader(o, at);
    }

    private void pwbHeader(long o, long at) {
        if (allocator.isLarge(o)) {
            engine.pwb(at - 8, 16);
        } else {
            engine.pwb(at, 8);
        }
    }

    public void pwb(long at, long len) {
        if (tx() == null) {
            writable();
            engine.pwb(at, len);
        }
    }

    public void pwbObject(long o) {
        if (tx() == null) {
            writable();
            long at = allocator.headerOffset(o);
            engine.pwb(o, Math.max(8, Header.bytes(memory.getLong(at)) + 7 & -8));
            pwbHeader(o, at);
        }
    }

    public void pfence() {
        if (tx() == null) {
            engine.pfence();
            releaseLowLevelFrees();
        }
    }

    public void psync() {
        if (tx() == null) {
            engine.psync();
            releaseLowLevelFrees();
        }
    }

    /** A slot freed without a block may serve again only once the invalid header is ordered before its next life. */
    private void releaseLowLevelFrees() {
        LongStack s = lowLevelFrees.get();
        while (!s.isEmpty()) {
            long bytes = s.pop();
            allocator.release(s.pop(), bytes);
            lowLevelFreeCount.decrementAndGet();
        }
    }

    // ---- references and values ------------------------------------------------------------------------------------

    long refTo(long o) {
        long h = header(o);
        if (Header.classId(h) == 0 && !forwarding.isEmpty()) {
            long n = forwarding.get(o | (long) (Header.generation(h) - 1 & Header.GENERATIONS - 1) << 48);
            if (n != 0) {
                return n;
            }
        }
        return Header.ref(o, h);
    }

    long refTo(PObject v) {
        if (v == null) {
            return 0;
        }
        if (!(v instanceof PersistentObject p) || Internals.heap(p) != this) {
            throw new PersistException.Misuse("a reference from " + name() + " must lead to an object of the same heap, not to "
                    + (v instanceof PersistentObject q ? Internals.heap(q).name() : v.getClass().getName()));
        }
        return refTo(Internals.offset(p));
    }

    /** The place a reference leads to, for {@link #getLong} and its like. */
    public static long offsetOf(long ref) {
        return Header.offset(ref);
    }

    public long ref(PObject v) {
        return refTo(v);
    }

    /** A reference to the object at this place. */
    public long refAt(long o) {
        return refTo(o);
    }

    public PObject getRef(long o, long off) {
        return deref(getLong(o, off));
    }

    public PObject deref(long ref) {
        if (ref == 0) {
            return null;
        }
        long o = Header.offset(ref);
        return deref(ref, o, header(o));
    }

    private PObject deref(long ref, long o, long h) {
        if (Header.classId(h) == 0 || Header.generation(h) != Header.refGeneration(ref)) {
            long n = forwarding.get(ref);
            if (n != 0) {
                return deref(n);
            }
            throw new PersistException.Dangling(name() + ": a reference leads to offset " + o + ", where the object was freed");
        }
        PersistentObject p = proxies.get(o);
        return p != null ? p : resurrect(o, h);
    }

    private PObject resurrect(long o, long h) {
        ClassInfo c = classes.bound(classes.byId(Header.classId(h)));
        if (!c.resurrects()) {
            return entered(o, h, proxies.putIfAbsent(o, c.resurrect(this, o)));
        }
        // The proxy is seen by others only after resurrect() is done; by this thread, in a cycle of references, before.
        Map<Long, PersistentObject> mine = resurrecting.get();
        PersistentObject half = mine.get(o);
        if (half != null) {
            return half;
        }
        PersistentObject fresh = c.resurrect(this, o);
        mine.put(o, fresh);
        HeapCore outer = CURRENT.get();
        CURRENT.set(this);
        try {
            fresh.resurrect();
        } finally {
            restore(outer);
            mine.remove(o);
        }
        return entered(o, h, proxies.putIfAbsent(o, fresh));
    }

    /** The object may have been moved while its proxy was made; then the mover did not see the proxy. */
    private PersistentObject entered(long o, long h, PersistentObject p) {
        if (Header.generation(header(o)) != Header.generation(h) && Internals.rawOffset(p) == o) {
            proxies.remove(o);
            long n = forwarding.get(Header.ref(o, h));
            if (n != 0) {
                return (PersistentObject) deref(n);
            }
            throw new PersistException.Dangling(name() + ": the object at offset " + o + " was freed or moved while it was looked up");
        }
        return p;
    }

    public void putRef(long o, long off, PObject v) {
        putLong(o, off, refTo(v));
    }

    /** Low-level atomic update of a reference: the new object is valid before it is reachable. */
    public void update(long o, int off, PObject v, boolean freeOld) {
        if (tx() != null) {
            PObject old = freeOld ? getRef(o, off) : null;
            putRef(o, off, v);
            if (old != null && old != v) {
                free(old);
            }
            return;
        }
        PObject old = freeOld ? getRef(o, off) : null;
        if (v != null) {
            v.validate();
            pfence();
        }
        putRef(o, off, v);
        pwb(o + off, 8);
        if (old != null && old != v) {
            pfence();
            free(old);
        }
    }

    public Object getValue(long o, long off) {
        return valueAt(getLong(o, off));
    }

    public Object valueAt(long ref) {
        return ref == 0 ? null : values.decode(valueBytes(ref));
    }

    byte[] valueBytes(long ref) {
        long v = Header.offset(ref);
        long h = header(v);
        if (Header.classId(h) != ClassInfo.VALUE || Header.generation(h) != Header.refGeneration(ref)) {
            long n = forwarding.get(ref);
            if (n != 0) {
                return valueBytes(n);
            }
            throw new PersistException.Dangling(name() + ": a reference to a value leads to offset " + v + ", where there is none");
        }
        byte[] b = new byte[(int) Header.bytes(h)];
        memory.getBytes(v, b, 0, b.length);
        return b;
    }

    /** Stores an immutable value: a new copy is made, the old one freed. Outside a block, as a block of its own. */
    public void putValue(long o, long off, Object v) {
        Tx t = tx();
        if (t == null) {
            atomic(() -> putValue(o, off, v));
            return;
        }
        long old = getLong(o, off);
        putLong(o, off, newValue(v));
        if (old != 0) {
            freeValue(old);
        }
    }

    public Object getAny(long o, long off) {
        return fetch(getLong(o, off));
    }

    /** As {@link #putValue}, for a place that may also hold a reference to a persistent object. */
    public void putAny(long o, long off, Object v) {
        if (tx() == null) {
            atomic(() -> putAny(o, off, v));
            return;
        }
        long old = getLong(o, off);
        putLong(o, off, store(v));
        drop(old);
    }

    /** Makes a value object in the current block and returns the reference to it, 0 for null. */
    public long newValue(Object v) {
        return v == null ? 0 : newEncoded(values.encode(v));
    }

    public byte[] encode(Object v) {
        return values.encode(v);
    }

    public long newEncoded(byte[] b) {
        long n = allocateRaw(ClassInfo.VALUE, b.length);
        memory.putBytes(n, b, 0, b.length);
        return refTo(n);
    }

    /** Whether the value behind the reference has exactly these bytes. */
    public boolean valueEquals(long ref, byte[] b) {
        long v = Header.offset(ref);
        long h = header(v);
        if (Header.generation(h) != Header.refGeneration(ref)) {
            long n = forwarding.get(ref);
            return n != 0 && valueEquals(n, b);
        }
        if (Header.bytes(h) != b.length) {
            return false;
        }
        int i = 0;
        for (; i + 8 <= b.length; i += 8) {
            if (memory.getLong(v + i) != Bytes.getLong(b, i)) {
                return false;
            }
        }
        for (; i < b.length; i++) {
            if (memory.getByte(v + i) != b[i]) {
                return false;
            }
        }
        return true;
    }

    /** Whether a Java object is stored as a value owned by its holder rather than as a reference. */
    public static boolean isValue(Object v) {
        return !(v instanceof PObject);
    }

    /** Makes what a slot of a collection holds for this object: a reference to it, or to a new value. */
    public long store(Object v) {
        return v instanceof PObject p ? refTo(p) : newValue(v);
    }

    /** The object a slot of a collection leads to. */
    public Object fetch(long ref) {
        if (ref == 0) {
            return null;
        }
        long o = Header.offset(ref);
        long h = header(o);
        if (Header.classId(h) == 0) {
            long n = forwarding.get(ref);
            if (n != 0) {
                return fetch(n);
            }
        }
        return Header.classId(h) == ClassInfo.VALUE ? valueAt(ref) : deref(ref, o, h);
    }

    /**
     * As {@link #fetch}, for a place that other threads may change meanwhile: gives what it led to at one moment, never
     * the content of an object freed half way through.
     */
    public Object fetchShared(long o, long off) {
        for (;;) {
            long ref = getLong(o, off);
            Object v;
            try {
                v = fetch(ref);
            } catch (PersistException.Dangling e) {
                VarHandle.acquireFence();
                if (getLong(o, off) == ref) {
                    throw e;
                }
                continue;
            }
            VarHandle.acquireFence();
            if (getLong(o, off) == ref) {
                return v;
            }
        }
    }

    /** Takes a lock for the rest of the current block; a block that cannot get it in time runs again. */
    public void lockUntilEnd(ReentrantLock lock) {
        if (!lock.isHeldByCurrentThread()) {
            ObjectLocks.take(requireBlock(), lock);
        }
    }

    /** Frees what a slot led to if the slot owned it. */
    public void drop(long ref) {
        if (ref != 0 && Header.classId(header(Header.offset(ref))) == ClassInfo.VALUE) {
            freeValue(ref);
        }
    }

    private void freeValue(long ref) {
        freeRaw(Header.offset(ref));
    }

    // ---- free -----------------------------------------------------------------------------------------------------

    /** Frees an object and the values its fields own; proxies of it become unusable. */
    public void free(PObject v) {
        PersistentObject p = (PersistentObject) v;
        refTo(v);
        Tx t = tx();
        if (t == null && Layout.of(p.getClass()).failureAtomic) {
            atomic(() -> free(v));
            return;
        }
        long o = Internals.offset(p);
        Internals.freeParts(p);
        ClassInfo c = classes.byId(Header.classId(header(o)));
        for (int off : c.kind == Layout.Kind.FIXED ? c.valueOffsets : new int[0]) {
            drop(getLong(o, off));
        }
        freeRaw(o);
        proxies.remove(o);
        Internals.setOffset(p, 0);
        if (t != null) {
            t.onRollback(() -> {
                Internals.setOffset(p, o);
                proxies.putIfAbsent(o, p);
            });
        }
    }

    void freeRaw(long o) {
        long h = header(o);
        if (Header.classId(h) == 0) {
            throw new PersistException.Dangling(name() + ": the object at offset " + o + " was freed before");
        }
        long at = allocator.headerOffset(o);
        boolean large = allocator.isLarge(o);
        long bytes = Math.max(8, Header.bytes(h));
        Tx t = tx();
        if (t != null) {
            lock(t, o);
            t.words.put(at, Header.freed(h), -1L);
            if (large) {
                t.words.put(allocator.descriptorOffset(o), 0, -1L);
            }
            t.freedObject(o, bytes);
            return;
        }
        writable();
        memory.putLong(at, Header.freed(h));
        if (large) {
            memory.putLong(allocator.descriptorOffset(o), 0);
        }
        pwbHeader(o, at);
        lowLevelFreeCount.incrementAndGet();
        lowLevelFrees.get().push(o);
        lowLevelFrees.get().push(bytes);
    }

    public dev.concord.persist.HeapStatistics statistics() {
        return new dev.concord.persist.HeapStatistics(engine.commits, engine.committedBytes, engine.syncs(), rollbacks.sum(), engine.checkpoints.sum(),
                engine.logUsed(), engine.dirtyBytes(), engine.superblock.fileSize(), allocator.freeUnitBytes(), proxies.size());
    }

    boolean lowLevelFreesPending() {
        return lowLevelFreeCount.get() != 0;
    }

    /** Moves objects together; see {@link Compactor}. */
    public synchronized dev.concord.persist.CompactionReport compact(dev.concord.persist.Progress progress) {
        requireWritable();
        Events.Span span = Events.TO.begin(Events.Kind.COMPACTION, name());
        dev.concord.persist.CompactionReport r = new Compactor(this, progress).run();
        span.end(r.movedObjects(), r.freedBytes(), r.longestPauseMillis(), "");
        return r;
    }

    /** Writes a copy of the heap as it is at one moment to another file; see {@link Backup}. */
    public void backup(java.nio.file.Path target, dev.concord.persist.Progress progress) throws IOException {
        checkOpen();
        Events.Span span = Events.TO.begin(Events.Kind.BACKUP, name());
        new Backup(this, progress).run(target);
        span.end(engine.superblock.fileSize());
    }

    /** Objects that no root reaches. */
    public dev.concord.persist.LeakReport leaks() {
        return exclusively(GATE_MILLIS, "leaks", () -> new Unreachable(this).report());
    }

    /** Frees what neither a root nor a Java object reaches; returns the number of objects. */
    public long reclaim() {
        return exclusively(GATE_MILLIS, "reclaim", () -> new Unreachable(this).free());
    }

    /** Frees an object that no root reaches, and what only it kept; returns the number of objects. */
    public long freeGraph(PObject top) {
        return exclusively(GATE_MILLIS, "freeGraph", () -> {
            refTo(top);
            return new Unreachable(this).freeFrom(Internals.offset((PersistentObject) top));
        });
    }

    // ---- life cycle -----------------------------------------------------------------------------------------------

    public void checkpoint() {
        checkOpen();
        engine.checkpoint();
    }

    /** Verifies every invariant a reader can see; the heap must be quiet meanwhile. */
    public CheckReport check() {
        return new Checker(this).run();
    }

    /** Ends the heap's use. Blocks still open in other threads fail at their commit. */
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        if (inBlock()) {
            throw new PersistException.Misuse("a heap cannot be closed inside a failure-atomic block");
        }
        closed = true;
        if (defaultHeap == this) {
            defaultHeap = null;
        }
        try {
            if (!readOnly) {
                acks.close();
                engine.shutdown();
                if (!engine.isPoisoned() && !blocksOpen()) {
                    if (compacted) {
                        engine.superblock.segments = allocator.segmentsInUse();
                    }
                    engine.superblock.state = Superblock.State.CLEAN;
                    engine.writeSuperblock();
                    if (compacted) {
                        engine.medium.truncate(engine.superblock.fileSize());
                    }
                }
            }
        } finally {
            engine.medium.close();
        }
    }

    /** Ends the use without writing anything more, as the death of the process would. */
    public synchronized void abandon() throws IOException {
        if (!closed) {
            closed = true;
            engine.poisoned("abandoned", new IllegalStateException("abandoned"));
            engine.shutdown();
            engine.medium.close();
        }
    }

    public boolean isClosed() {
        return closed;
    }
}
