package dev.concord.persist.core;

import dev.concord.persist.PHeapOptions;
import dev.concord.persist.PObject;
import dev.concord.persist.PersistException;
import dev.concord.persist.PersistentObject;
import dev.concord.persist.PersistentObject.Internals;
import java.lang.invoke.VarHandle;

/**
 * Values, and slots that hold a value or a reference: what a word leads to, as a Java object, and what word a Java object is
 * stored as. Owns that a value belongs to the one slot that leads to it: what stores another there, or frees its holder, frees it.
 */
abstract class HeapValues extends HeapReferences {
    final Values values;

    HeapValues(Engine engine, PHeapOptions options) {
        super(engine, options);
        this.values = new Values(classes);
    }

    public Object getValue(long o, long off) {
        return valueAt(getLong(o, off));
    }

    /** The value a reference leads to, null for 0. Arrays of bytes are copied once, whatever they hold. */
    public Object valueAt(long ref) {
        if (ref == 0) {
            return null;
        }
        long v = Header.offset(ref);
        long h = header(v);
        if (Header.classId(h) != ClassInfo.VALUE || Header.generation(h) != Header.refGeneration(ref)) {
            long n = forwarding.get(ref);
            if (n != 0) {
                return valueAt(n);
            }
            throw new PersistException.Dangling(name() + ": a reference to a value leads to offset " + v + ", where there is none");
        }
        int len = (int) Header.bytes(h);
        int skip = len >= Values.BYTE_ARRAY && Values.isByteArray(memory.getShort(v)) ? Values.BYTE_ARRAY : 0;
        byte[] b = new byte[len - skip];
        Tx t = tx();
        if (t != null && t.rewritesValues) {
            t.readBytes(v + skip, b, 0, b.length);
        } else {
            memory.getBytes(v + skip, b, 0, b.length);
        }
        return skip > 0 ? b : decode(b, v);
    }

    private Object decode(byte[] b, long at) {
        try {
            return values.decode(b);
        } catch (PersistException e) {
            throw e;
        } catch (RuntimeException e) {
            // The encoding was ours: what does not follow it was changed behind our back.
            throw corrupt(at, "the value of " + b.length + " bytes here does not decode: " + e);
        }
    }

    /** The bytes of an inline value, null for null; {@link Layout} has the format. */
    public byte[] inlineBytes(long o, int off, int room) {
        int n = getShort(o, off) & 0xFFFF;
        if (n == 0) {
            return null;
        }
        if (n - 1 > room) {
            throw corrupt(o + off, "an inline value of " + (n - 1) + " bytes has room for " + room);
        }
        byte[] b = new byte[n - 1];
        getBytes(o, off + 2, b, 0, b.length);
        return b;
    }

    public Object inlineValue(long o, int off, int room) {
        byte[] b = inlineBytes(o, off, room);
        return b == null ? null : decode(b, o + off);
    }

    Object getInline(long o, Layout.FieldInfo f) {
        return f.raw() ? inlineBytes(o, f.offset(), f.room()) : inlineValue(o, f.offset(), f.room());
    }

    /** Stores an inline value by its bytes, in the current block or as one of its own. */
    public void putInline(PersistentObject p, int off, int room, byte[] value) {
        byte[] b = new byte[value == null ? 2 : 2 + value.length];
        if (value != null) {
            if (value.length > room) {
                throw new PersistException.Misuse("a value of " + value.length + " bytes does not fit an inline field of " + p.getClass().getName()
                        + " with room for " + room);
            }
            int n = value.length + 1;
            b[0] = (byte) n;
            b[1] = (byte) (n >> 8);
            System.arraycopy(value, 0, b, 2, value.length);
        }
        if (inBlock()) {
            putBytes(Internals.offset(p), off, b, 0, b.length);
        } else {
            putBytesAtomic(p, off, b, 0, b.length);
        }
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

    /**
     * As {@link #putAny} in a block, for a place whose readers take nothing for true that they read while a block became visible:
     * a {@code byte[]} of the same length that differs little from the one there changes it where it lies, if a log would get
     * all of a new one.
     */
    public void putAnyInPlace(long o, long off, Object v) {
        if (v instanceof byte[] b) {
            putBytesInPlace(o, off, b, 0, b.length);
        } else {
            putAny(o, off, v);
        }
    }

    /** As {@link #putAnyInPlace}, for a {@code byte[]} that holds a part of another; nothing but the heap keeps its bytes. */
    public void putBytesInPlace(long o, long off, byte[] src, int pos, int len) {
        long old = getLong(o, off);
        if (!engine.logsFresh() || !Rewrite.inPlace(this, requireBlock(), old, src, pos, len)) {
            putLong(o, off, newBytes(src, pos, len));
            drop(old);
        }
    }

    /** Makes a value object in the current block and returns the reference to it, 0 for null. */
    public long newValue(Object v) {
        return v == null ? 0 : v instanceof byte[] b ? newBytes(b, 0, b.length) : newEncoded(values.encode(v));
    }

    /** As {@link #newValue} for a {@code byte[]}, which goes from where it lies to its place in one copy. */
    public long newBytes(byte[] src, int pos, int len) {
        long n = allocateUnfilled(ClassInfo.VALUE, Values.BYTE_ARRAY + len);
        memory.putShort(n, Values.BYTE_ARRAY_HEAD);
        memory.putBytes(n + Values.BYTE_ARRAY, src, pos, len);
        return refTo(n);
    }

    public byte[] encode(Object v) {
        return values.encode(v);
    }

    public long newEncoded(byte[] b) {
        long n = allocateUnfilled(ClassInfo.VALUE, b.length);
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
        PersistentObject p = proxies.get(ref);
        if (p != null) {
            return p;
        }
        long o = Header.offset(ref);
        long h = header(o);
        if (Header.classId(h) == 0) {
            long n = forwarding.get(ref);
            if (n != 0) {
                return fetch(n);
            }
        }
        return Header.classId(h) == ClassInfo.VALUE ? valueAt(ref) : resurrect(ref, o, h);
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

    /** Frees what a slot led to if the slot owned it. */
    public void drop(long ref) {
        if (ref != 0 && Header.classId(header(Header.offset(ref))) == ClassInfo.VALUE) {
            freeValue(ref);
        }
    }

    private void freeValue(long ref) {
        freeRaw(Header.offset(ref));
    }

    /** Frees an object and the values its fields own; proxies of it become unusable. */
    public void free(PObject v) {
        PersistentObject p = (PersistentObject) v;
        long ref = refTo(v);
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
        proxies.remove(ref);
        Internals.setOffset(p, 0);
        if (t != null) {
            t.onRollback(() -> {
                Internals.setOffset(p, o);
                proxies.putIfAbsent(ref, p);
            });
            t.onCommit(() -> {
                PersistentObject late = proxies.remove(ref); // made by another thread meanwhile
                if (late != null) {
                    Internals.setOffset(late, 0);
                }
            });
        }
    }
}
