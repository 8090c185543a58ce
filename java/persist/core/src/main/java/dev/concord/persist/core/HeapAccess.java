package dev.concord.persist.core;

import dev.concord.persist.PHeapOptions;
import dev.concord.persist.PersistException;

/**
 * Loads and stores of persistent data. Owns the rule that each of them goes through here, and decides in one place
 * whether it is mediated by the thread's failure-atomic block or goes to memory.
 */
public abstract class HeapAccess extends BlockScope {
    final Memory memory;
    final boolean readOnly;
    final ObjectLocks objectLocks;

    HeapAccess(Memory memory, PHeapOptions options) {
        this.memory = memory;
        this.readOnly = options.readOnly();
        this.objectLocks = options.objectLocks() ? new ObjectLocks() : null;
    }

    abstract String name();

    final void lock(Tx t, long object) {
        if (objectLocks != null) {
            objectLocks.acquire(t, object);
        }
    }

    public byte getByte(long o, int off) {
        Tx t = tx();
        if (t == null) {
            return memory.getByte(o + off);
        }
        lock(t, o);
        return (byte) t.read(o + off);
    }

    public short getShort(long o, int off) {
        Tx t = tx();
        if (t == null) {
            return memory.getShort(o + off);
        }
        lock(t, o);
        return (short) t.read(o + off);
    }

    public int getInt(long o, int off) {
        Tx t = tx();
        if (t == null) {
            return memory.getInt(o + off);
        }
        lock(t, o);
        return (int) t.read(o + off);
    }

    public long getLong(long o, long off) {
        Tx t = tx();
        if (t == null) {
            return memory.getLong(o + off);
        }
        lock(t, o);
        return t.readWord(o + off);
    }

    /** Index of the first of {@code n} ascending longs in an object that is not less than the key. */
    public int lowerBound(long o, long off, int n, long key) {
        if (tx() == null) {
            return memory.lowerBound(o + off, n, key);
        }
        int i = 0;
        while (i < n && getLong(o, off + 8L * i) < key) {
            i++;
        }
        return i;
    }

    public void getBytes(long o, long off, byte[] dst, int pos, int len) {
        Tx t = tx();
        if (t == null) {
            memory.getBytes(o + off, dst, pos, len);
        } else {
            lock(t, o);
            t.readBytes(o + off, dst, pos, len);
        }
    }

    final boolean inPlace(Tx t, long o) {
        if (t == null) {
            writable();
            return true;
        }
        lock(t, o);
        return t.isFresh(o);
    }

    void requireWritable() {
        writable();
    }

    final void writable() {
        checkOpen();
        if (readOnly) {
            throw new PersistException.Misuse(name() + " is open read-only");
        }
    }

    public void putByte(long o, int off, byte v) {
        Tx t = tx();
        if (inPlace(t, o)) {
            memory.putByte(o + off, v);
        } else {
            t.write(o + off, 1, v);
        }
    }

    public void putShort(long o, int off, short v) {
        Tx t = tx();
        if (inPlace(t, o)) {
            memory.putShort(o + off, v);
        } else {
            t.write(o + off, 2, v);
        }
    }

    public void putInt(long o, int off, int v) {
        Tx t = tx();
        if (inPlace(t, o)) {
            memory.putInt(o + off, v);
        } else {
            t.write(o + off, 4, v);
        }
    }

    public void putLong(long o, long off, long v) {
        Tx t = tx();
        if (inPlace(t, o)) {
            memory.putLong(o + off, v);
        } else {
            t.write(o + off, 8, v);
        }
    }

    public void putBytes(long o, long off, byte[] src, int pos, int len) {
        Tx t = tx();
        if (inPlace(t, o)) {
            memory.putBytes(o + off, src, pos, len);
        } else {
            t.writeBytes(o + off, src, pos, len);
        }
    }
}
