package dev.concord.persist.core;

import dev.concord.persist.PHeapOptions;
import dev.concord.persist.PObject;
import dev.concord.persist.PersistException;
import dev.concord.persist.PersistentObject;
import dev.concord.persist.PersistentObject.Internals;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * References and the proxies that stand for what they lead to. Owns that a reference leads to its object or to nothing: to the
 * object of its generation, wherever that was moved.
 */
abstract class HeapReferences extends HeapObjects {
    private final ThreadLocal<Map<Long, PersistentObject>> resurrecting = new ThreadLocal<>() {
        @Override
        protected Map<Long, PersistentObject> initialValue() {
            return new HashMap<>();
        }
    };

    /** Set while objects of changed classes are migrated, which nobody may look up before. */
    Migrator migrator;
    /** Set as long as objects may be moved. */
    volatile boolean moving;
    /** Rounds of moves so far; grows before a block that waited for one begins. */
    volatile long moves;
    /** Held for writing from before the references to an object's new place are stored until its proxy stands for it. */
    private final ReentrantReadWriteLock relocation = new ReentrantReadWriteLock();

    HeapReferences(Engine engine, PHeapOptions options) {
        super(engine, options);
    }

    /** How often objects were moved: a block during which this is what it was before finds them where they were. */
    public final long moves() {
        return moves;
    }

    /** Whether blocks hold the objects they read, which who remembers what it read must not get around. */
    public final boolean locksObjects() {
        return objectLocks != null;
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
        PersistentObject p = proxies.get(ref);
        if (p != null) {
            return p;
        }
        long o = Header.offset(ref);
        return resurrect(ref, o, header(o));
    }

    final PObject resurrect(long ref, long o, long h) {
        if (Header.classId(h) == 0 || Header.generation(h) != Header.refGeneration(ref)) {
            long n = forwarding.get(ref);
            if (n != 0) {
                return deref(n);
            }
            throw new PersistException.Dangling(name() + ": a reference leads to offset " + o + ", where the object was freed");
        }
        return resurrect(o, h);
    }

    private PObject resurrect(long o, long h) {
        ClassInfo c = classes.byId(Header.classId(h));
        if (migrator != null) {
            migrator.lookedUp(o, c);
        }
        classes.bound(c);
        if (!c.resurrects()) {
            return enter(o, h, c.resurrect(self(), o));
        }
        // The proxy is seen by others only after resurrect() is done; by this thread, in a cycle of references, before.
        Map<Long, PersistentObject> mine = resurrecting.get();
        PersistentObject half = mine.get(o);
        if (half != null) {
            return half;
        }
        PersistentObject fresh = c.resurrect(self(), o);
        mine.put(o, fresh);
        Object[] current = CURRENT.get();
        Object outer = current[0];
        current[0] = this;
        try {
            fresh.resurrect();
        } finally {
            current[0] = outer;
            mine.remove(o);
        }
        return enter(o, h, fresh);
    }

    /** Makes a proxy the object's, unless it has one; the object may have been moved while the proxy was made. */
    private PersistentObject enter(long o, long h, PersistentObject fresh) {
        long ref = Header.ref(o, h);
        // Who read a reference to the new place of an object saw this set before.
        boolean exclude = moving;
        if (exclude) {
            relocation.readLock().lock();
        }
        try {
            // Looked at before as well: what is entered for a moment is found by others.
            if (Header.generation(header(o)) == Header.generation(h)) {
                PersistentObject p = proxies.putIfAbsent(ref, fresh);
                if (Header.generation(header(o)) == Header.generation(h) || Internals.rawOffset(p) != o) {
                    return p;
                }
                proxies.remove(ref);
            }
        } finally {
            if (exclude) {
                relocation.readLock().unlock();
            }
        }
        long n = forwarding.get(ref);
        if (n != 0) {
            return (PersistentObject) deref(n);
        }
        throw new PersistException.Dangling(name() + ": the object at offset " + o + " was freed or moved while it was looked up");
    }

    /** Moves an object and its proxy as one step for who makes proxies meanwhile; nobody's code runs within. */
    final void relocate(Runnable move) {
        relocation.writeLock().lock();
        try {
            move.run();
        } finally {
            relocation.writeLock().unlock();
        }
    }

    public void putRef(long o, long off, PObject v) {
        putLong(o, off, refTo(v));
    }

    /** Takes a lock for the rest of the current block; a block that cannot get it in time runs again. */
    public void lockUntilEnd(ReentrantLock lock) {
        if (!lock.isHeldByCurrentThread()) {
            ObjectLocks.take(requireBlock(), lock);
        }
    }
}
