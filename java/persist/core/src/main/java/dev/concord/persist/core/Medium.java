package dev.concord.persist.core;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One heap file, seen through the two doors that persistence has: the block door (read, write, force) and the memory
 * door (map, write back, fence). Owns no policy: engines decide what is written when. Tests stand a simulated disk and a
 * simulated persistent memory behind it.
 */
public abstract class Medium implements AutoCloseable {
    /** How a range of the file is mapped. */
    public enum Mapping { PRIVATE, SHARED, SYNC, READ_ONLY }

    /** Name for messages. */
    public abstract String name();

    public abstract long size() throws IOException;

    /** Makes the file this long by writing zeros, so that a full disk is an exception here and not a fault later. */
    public abstract void extend(long size) throws IOException;

    /** Cuts the file after this many bytes; nothing refers to what is cut. */
    public abstract void truncate(long size) throws IOException;

    /** Fills the buffer from this position; a short file is an error. */
    public abstract void read(long pos, ByteBuffer dst) throws IOException;

    /** As {@link #read}, with an error that says where. */
    final void readNamed(long pos, ByteBuffer dst) throws IOException {
        try {
            read(pos, dst);
        } catch (IOException e) {
            throw new IOException(name() + " at offset " + pos + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Writes the whole buffer at this position. */
    public abstract void write(long pos, ByteBuffer src) throws IOException;

    /** What {@link #writeThrough} wants positions and lengths to be multiples of; a power of two. */
    public int alignment() throws IOException {
        return 1;
    }

    /**
     * Writes the whole buffer at this position and returns when these bytes are on the medium, whatever becomes of other
     * writes. The buffer is direct and aligned as the position is.
     */
    public abstract void writeThrough(long pos, ByteBuffer src) throws IOException;

    /** Returns when everything written through this door is on the medium. */
    public abstract void force() throws IOException;

    /** An empty address space whose stores this medium can observe, if it wants to. */
    public Memory newMemory(int shift) {
        return new Memory(shift);
    }

    public abstract ByteBuffer map(long pos, int len, Mapping mapping) throws IOException;

    /** Schedules the write-back of the cache lines of a range that was mapped SHARED or SYNC. */
    public abstract void writeBack(Memory memory, long off, long len);

    /** Orders the calling thread's write-backs and stores before its later ones, and drains them. */
    public abstract void fence();

    @Override
    public abstract void close() throws IOException;
}
