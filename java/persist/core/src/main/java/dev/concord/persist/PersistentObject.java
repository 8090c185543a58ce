package dev.concord.persist;

import dev.concord.persist.core.HeapCore;

/**
 * Base of every proxy: the heap and the offset of the data structure it stands for. The weaver makes it the superclass
 * of annotated classes; the accessors below are what it compiles field accesses to.
 */
public abstract class PersistentObject implements PObject {
    /** What a resurrect constructor is given; a type of its own, so that the signature cannot collide with a user's. */
    public static final class Resurrection {
        final HeapCore heap;
        final long offset;
        final boolean atomic;

        public Resurrection(HeapCore heap, long offset, boolean atomic) {
            this.heap = heap;
            this.offset = offset;
            this.atomic = atomic;
        }
    }

    private final HeapCore jnvm$heap;
    private long jnvm$offset;
    /** Whether a store outside any failure-atomic block is one of its own. */
    private final boolean jnvm$atomic;

    /** Allocates the data structure of a class with fixed fields in the thread's current heap. */
    protected PersistentObject() {
        jnvm$heap = HeapCore.current();
        jnvm$atomic = jnvm$heap.isAtomic(getClass());
        jnvm$offset = jnvm$heap.allocate(this, -1);
    }

    /** Allocates an array payload of this many bytes in the thread's current heap. */
    protected PersistentObject(long bytes) {
        jnvm$heap = HeapCore.current();
        jnvm$atomic = jnvm$heap.isAtomic(getClass());
        jnvm$offset = jnvm$heap.allocate(this, bytes);
    }

    protected PersistentObject(Resurrection r) {
        jnvm$heap = r.heap;
        jnvm$offset = r.offset;
        jnvm$atomic = r.atomic;
    }

    @Override
    public final PHeap heap() {
        return jnvm$heap.facade();
    }

    @Override
    public final long persistentSize() {
        return jnvm$heap.payloadBytes(jnvm$live());
    }

    @Override
    public void pwb() {
        jnvm$heap.pwbObject(jnvm$live());
    }

    @Override
    public final void validate() {
        jnvm$heap.validate(jnvm$live());
    }

    @Override
    public final void pfence() {
        jnvm$heap.pfence();
    }

    @Override
    public final void psync() {
        jnvm$heap.psync();
    }

    /** Offset of the data structure; throws if it was freed. */
    protected final long jnvm$live() {
        long off = jnvm$offset;
        if (off == 0) {
            throw new PersistException.Dangling(getClass().getName() + ": this object was freed, or the block that made it was rolled back");
        }
        return off;
    }

    /** Frees what only this object refers to; called before it is freed itself. */
    protected void jnvm$freeParts() {
    }

    protected final HeapCore jnvm$core() {
        return jnvm$heap;
    }

    protected final boolean jnvm$getBoolean(int off) {
        return jnvm$heap.getByte(jnvm$live(), off) != 0;
    }

    protected final byte jnvm$getByte(int off) {
        return jnvm$heap.getByte(jnvm$live(), off);
    }

    protected final short jnvm$getShort(int off) {
        return jnvm$heap.getShort(jnvm$live(), off);
    }

    protected final char jnvm$getChar(int off) {
        return (char) jnvm$heap.getShort(jnvm$live(), off);
    }

    protected final int jnvm$getInt(int off) {
        return jnvm$heap.getInt(jnvm$live(), off);
    }

    protected final long jnvm$getLong(int off) {
        return jnvm$heap.getLong(jnvm$live(), off);
    }

    protected final float jnvm$getFloat(int off) {
        return Float.intBitsToFloat(jnvm$heap.getInt(jnvm$live(), off));
    }

    protected final double jnvm$getDouble(int off) {
        return Double.longBitsToDouble(jnvm$heap.getLong(jnvm$live(), off));
    }

    protected final PObject jnvm$getRef(int off) {
        return jnvm$heap.getRef(jnvm$live(), off);
    }

    protected final Object jnvm$getValue(int off) {
        return jnvm$heap.getValue(jnvm$live(), off);
    }

    /** A value or a persistent object, for fields typed by an interface or a type variable. */
    protected final Object jnvm$getAny(int off) {
        return jnvm$heap.getAny(jnvm$live(), off);
    }

    protected final void jnvm$putAny(Object v, int off) {
        if (jnvm$atomic && !jnvm$heap.inBlock()) {
            jnvm$heap.atomic(() -> jnvm$heap.putAny(jnvm$live(), off, v));
            return;
        }
        jnvm$heap.putAny(jnvm$live(), off, v);
    }

    protected final void jnvm$putBoolean(boolean v, int off) {
        if (jnvm$atomic && !jnvm$heap.inBlock()) {
            jnvm$heap.atomic(() -> jnvm$heap.putByte(jnvm$live(), off, v ? (byte) 1 : 0));
            return;
        }
        jnvm$heap.putByte(jnvm$live(), off, v ? (byte) 1 : 0);
    }

    protected final void jnvm$putByte(byte v, int off) {
        if (jnvm$atomic && !jnvm$heap.inBlock()) {
            jnvm$heap.atomic(() -> jnvm$heap.putByte(jnvm$live(), off, v));
            return;
        }
        jnvm$heap.putByte(jnvm$live(), off, v);
    }

    protected final void jnvm$putShort(short v, int off) {
        if (jnvm$atomic && !jnvm$heap.inBlock()) {
            jnvm$heap.atomic(() -> jnvm$heap.putShort(jnvm$live(), off, v));
            return;
        }
        jnvm$heap.putShort(jnvm$live(), off, v);
    }

    protected final void jnvm$putChar(char v, int off) {
        if (jnvm$atomic && !jnvm$heap.inBlock()) {
            jnvm$heap.atomic(() -> jnvm$heap.putShort(jnvm$live(), off, (short) v));
            return;
        }
        jnvm$heap.putShort(jnvm$live(), off, (short) v);
    }

    protected final void jnvm$putInt(int v, int off) {
        if (jnvm$atomic && !jnvm$heap.inBlock()) {
            jnvm$heap.atomic(() -> jnvm$heap.putInt(jnvm$live(), off, v));
            return;
        }
        jnvm$heap.putInt(jnvm$live(), off, v);
    }

    protected final void jnvm$putLong(long v, int off) {
        if (jnvm$atomic && !jnvm$heap.inBlock()) {
            jnvm$heap.atomic(() -> jnvm$heap.putLong(jnvm$live(), off, v));
            return;
        }
        jnvm$heap.putLong(jnvm$live(), off, v);
    }

    protected final void jnvm$putFloat(float v, int off) {
        if (jnvm$atomic && !jnvm$heap.inBlock()) {
            jnvm$heap.atomic(() -> jnvm$heap.putInt(jnvm$live(), off, Float.floatToRawIntBits(v)));
            return;
        }
        jnvm$heap.putInt(jnvm$live(), off, Float.floatToRawIntBits(v));
    }

    protected final void jnvm$putDouble(double v, int off) {
        if (jnvm$atomic && !jnvm$heap.inBlock()) {
            jnvm$heap.atomic(() -> jnvm$heap.putLong(jnvm$live(), off, Double.doubleToRawLongBits(v)));
            return;
        }
        jnvm$heap.putLong(jnvm$live(), off, Double.doubleToRawLongBits(v));
    }

    protected final void jnvm$putRef(PObject v, int off) {
        if (jnvm$atomic && !jnvm$heap.inBlock()) {
            jnvm$heap.atomic(() -> jnvm$heap.putRef(jnvm$live(), off, v));
            return;
        }
        jnvm$heap.putRef(jnvm$live(), off, v);
    }

    protected final void jnvm$putValue(Object v, int off) {
        if (jnvm$atomic && !jnvm$heap.inBlock()) {
            jnvm$heap.atomic(() -> jnvm$heap.putValue(jnvm$live(), off, v));
            return;
        }
        jnvm$heap.putValue(jnvm$live(), off, v);
    }

    /** A {@code byte[]} within the object, for which there is room for so many bytes. */
    protected final byte[] jnvm$getInlineBytes(int off, int room) {
        return jnvm$heap.inlineBytes(jnvm$live(), off, room);
    }

    protected final void jnvm$putInlineBytes(byte[] v, int off, int room) {
        jnvm$heap.putInline(this, off, room, v);
    }

    /** As {@link #jnvm$getInlineBytes}, of any immutable value and with the room its encoding has. */
    protected final Object jnvm$getInlineValue(int off, int room) {
        return jnvm$heap.inlineValue(jnvm$live(), off, room);
    }

    protected final void jnvm$putInlineValue(Object v, int off, int room) {
        jnvm$heap.putInline(this, off, room, v == null ? null : jnvm$heap.encode(v));
    }

    /** Schedules the write-back of one field. */
    protected final void jnvm$pwb(int off, int width) {
        jnvm$heap.pwb(jnvm$live() + off, width);
    }

    /** The paper's atomic update of a reference, for low-level code: validate, fence, store. */
    protected final void jnvm$update(PObject v, int off) {
        jnvm$heap.update(jnvm$live(), off, v, false);
    }

    /** As {@link #jnvm$update}, and frees what the field referred to. */
    protected final void jnvm$updateFree(PObject v, int off) {
        jnvm$heap.update(jnvm$live(), off, v, true);
    }

    /** Called by the library only. */
    public static final class Internals {
        private Internals() {
        }

        public static long offset(PersistentObject p) {
            return p.jnvm$live();
        }

        public static long rawOffset(PersistentObject p) {
            return p.jnvm$offset;
        }

        public static void setOffset(PersistentObject p, long off) {
            p.jnvm$offset = off;
        }

        public static void freeParts(PersistentObject p) {
            p.jnvm$freeParts();
        }

        public static HeapCore heap(PersistentObject p) {
            return p.jnvm$heap;
        }
    }
}
