package dev.concord.persist.core;

import dev.concord.persist.PHeapOptions;
import dev.concord.persist.PersistException;
import dev.concord.persist.PersistentObject;
import dev.concord.persist.PersistentObject.Internals;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Objects as places with headers. Owns the life of a header: free until a block that allocates commits or low-level code
 * validates, then of one class and size until freed, which moves it to the next generation.
 */
abstract class HeapObjects extends HeapAccess {
    final Engine engine;
    final Units units;
    final Allocator allocator;
    final ClassTable classes;
    final IdentityCache proxies = new IdentityCache();
    final Forwarding forwarding = new Forwarding();
    private final ThreadLocal<LongStack> lowLevelFrees = new ThreadLocal<>() {
        @Override
        protected LongStack initialValue() {
            return new LongStack(16);
        }
    };
    private final AtomicInteger lowLevelFreeCount = new AtomicInteger();

    HeapObjects(Engine engine, PHeapOptions options) {
        super(engine.memory, options);
        this.engine = engine;
        this.units = new Units(memory);
        this.allocator = new Allocator((HeapCore) this);
        this.classes = new ClassTable((HeapCore) this);
    }

    @Override
    String name() {
        return engine.medium.name();
    }

    PersistException.Corrupt corrupt(long off, String what) {
        return new PersistException.Corrupt(name(), engine.superblock.dataOffset + off, what);
    }

    /** What to throw when the content of an object contradicts itself. */
    public PersistException.Corrupt damaged(PersistentObject p, String what) {
        return corrupt(Internals.offset(p), what);
    }

    /** Whether the thread's block made this object, so that others cannot know it yet. */
    public boolean isOfCurrentBlock(PersistentObject p) {
        Tx t = tx();
        return t != null && t.isFresh(Internals.offset(p));
    }

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

    final long header(long o) {
        long at = units.headerOffset(o);
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
            enter(t, o, p);
            return o;
        } catch (RuntimeException | Error e) {
            if (t != null && t.constructing == p) {
                fail(t, e);
            }
            throw e;
        }
    }

    /** Makes the proxy of a new object the one for it; a rollback of the block takes that back. */
    private void enter(Tx t, long o, PersistentObject p) {
        long ref = refTo(o);
        proxies.putIfAbsent(ref, p);
        if (t != null) {
            t.onRollback(() -> {
                proxies.remove(ref);
                Internals.setOffset(p, 0);
            });
        }
    }

    /**
     * Makes an object without running a constructor of the user's: all zeros. Outside a block it is not valid, and there is
     * no fence; in a block it is valid once that commits.
     *
     * @param bytes of the payload; no less than the fields of the class take
     */
    public PersistentObject allocate(Class<?> type, long bytes) {
        ClassInfo c = classes.forClass(type);
        if (bytes < c.size || c.kind == Layout.Kind.REFS && (bytes & 7) != 0) {
            throw new PersistException.Misuse("an object of " + type.getName() + " takes "
                    + (c.kind == Layout.Kind.FIXED ? c.size + " bytes, not " : "a multiple of eight bytes, not ") + bytes);
        }
        Tx t = tx();
        long o = t != null ? allocateRaw(c.id, bytes) : allocateInvalid(c.id, bytes);
        PersistentObject p = c.resurrect((HeapCore) this, o);
        enter(t, o, p);
        return p;
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
        if (bytes > units.maxObject()) {
            throw new PersistException.Full("an object of " + bytes + " bytes is larger than a segment; the bound is " + units.maxObject());
        }
        return allocator.allocate(Math.max(bytes, 8));
    }

    /** A zeroed object of the current block, valid once the block commits. */
    public long allocateRaw(int classId, long bytes) {
        long o = allocateUnfilled(classId, bytes);
        memory.zero(o, bytes + 7 & -8);
        return o;
    }

    /** As {@link #allocateRaw}, for who stores every byte of it before the block goes on; what is left of the last word is zero. */
    final long allocateUnfilled(int classId, long bytes) {
        Tx t = tx();
        long o = take(bytes);
        if ((bytes & 7) != 0) {
            memory.putLong(o + (bytes & -8), 0);
        }
        long at = units.headerOffset(o);
        t.allocatedObject(o, Math.max(bytes, 8));
        t.words.put(at, Header.of(classId, true, Header.generation(memory.getLong(at)), bytes), -1L);
        if (units.isLarge(o)) {
            t.words.put(units.tableEntry(o), Units.largeDescriptor(Math.max(bytes, 8)), -1L);
        }
        return o;
    }

    /** A zeroed object that counts as garbage until it is validated; no fence. */
    private long allocateInvalid(int classId, long bytes) {
        long o = take(bytes);
        memory.zero(o, bytes + 7 & -8);
        long at = units.headerOffset(o);
        if (units.isLarge(o)) {
            memory.putLong(units.tableEntry(o), Units.largeDescriptor(Math.max(bytes, 8)));
        }
        memory.putLong(at, Header.of(classId, false, Header.generation(memory.getLong(at)), bytes));
        return o;
    }

    /** A block that is one store to an array, durable on return. */
    public void putBytesAtomic(PersistentObject p, long off, byte[] src, int pos, int len) {
        if (objectLocks != null || inBlock()) {
            atomic(() -> putBytes(Internals.offset(p), off, src, pos, len));
            return;
        }
        if (engine.storesRanges() && storeAlone(p, off, src, pos, len)) {
            return;
        }
        Tx t = begin();
        boolean ok = false;
        try {
            // Only inside the block: until it began, the object may have been moved.
            t.onlyStore(Internals.offset(p) + off, src, pos, len);
            ok = true;
        } finally {
            if (!ok) {
                fail(t, null);
            }
        }
        await(end(t));
    }

    /** False if blocks have to wait now. Who closes the gate settles the engine, so a store that found it open ends before. */
    private boolean storeAlone(PersistentObject p, long off, byte[] src, int pos, int len) {
        engine.enter();
        try {
            if (gateClosed()) {
                return false;
            }
            writable();
            engine.commitStore(Internals.offset(p) + off, src, pos, len);
            return true;
        } finally {
            engine.leave();
        }
    }

    public void validate(long o) {
        long at = units.headerOffset(o);
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
        if (units.isLarge(o)) {
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
            long at = units.headerOffset(o);
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

    void freeRaw(long o) {
        long h = header(o);
        if (Header.classId(h) == 0) {
            throw new PersistException.Dangling(name() + ": the object at offset " + o + " was freed before");
        }
        long at = units.headerOffset(o);
        boolean large = units.isLarge(o);
        long bytes = Math.max(8, Header.bytes(h));
        Tx t = tx();
        if (t != null) {
            lock(t, o);
            t.words.put(at, Header.freed(h), -1L);
            if (large) {
                t.words.put(units.tableEntry(o), 0, -1L);
            }
            t.freedObject(o, bytes);
            return;
        }
        writable();
        memory.putLong(at, Header.freed(h));
        if (large) {
            memory.putLong(units.tableEntry(o), 0);
        }
        pwbHeader(o, at);
        lowLevelFreeCount.incrementAndGet();
        lowLevelFrees.get().push(o);
        lowLevelFrees.get().push(bytes);
    }

    boolean lowLevelFreesPending() {
        return lowLevelFreeCount.get() != 0;
    }
}
