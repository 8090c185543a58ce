package dev.concord.persist.core;

import dev.concord.persist.DurabilityReport;
import dev.concord.persist.PersistException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The heap's identity and the anchor of recovery. Owns the invariant that one of two copies verifies at all times:
 * copies are written in turn, each with a higher sequence number and its own checksum, and synced before anything relies
 * on them.
 *
 * <p>Layout of a copy, little endian, in the first sector of file offset 0 or 4096: magic 8, version 4, state 4, uuid 16,
 * sequence 8, epoch 4, segment shift 4, segments 4, engine 4, log offset 8, log size 8, data offset 8, checkpoint lsn 8,
 * creation time 8, zeros, crc32c 4 at byte 508.
 */
public final class Superblock {
    static final long MAGIC = 0x50_41_45_48_4d_56_4e_4aL; // "JNVMHEAP"
    /** What is written; 2 since records may be marked instead of checksummed ({@link DirectEngine}) and classes have inline fields. */
    static final int VERSION = 2;
    private static final int OLDEST = 1;
    static final int STRIDE = 4096;
    static final int BYTES = 512;
    static final long LOG_OFFSET = 2L * STRIDE;

    /** Whether the file was closed after its last change. */
    enum State { CLEAN, OPEN }

    /** Of the copy that was read, until the next one is written. */
    int version = VERSION;
    /** Who writes the log: 1 DIRECT, 2 LOGGED, 0 not told, as in format 1. */
    private int writer;
    State state = State.CLEAN;
    UUID uuid;
    long sequence;
    int epoch;
    int segmentShift;
    int segments;
    long logSize;
    long dataOffset;
    long checkpointLsn;
    long created;

    private Superblock() {
    }

    static Superblock fresh(int segmentShift, long logSize) {
        Superblock s = new Superblock();
        s.uuid = UUID.randomUUID();
        s.segmentShift = segmentShift;
        s.logSize = logSize;
        s.dataOffset = (LOG_OFFSET + logSize + 0xFFFF) & ~0xFFFFL;
        s.created = System.currentTimeMillis();
        return s;
    }

    /** The superblock of a copy of this heap that needs no recovery. */
    Superblock ofCopy() {
        Superblock s = new Superblock();
        s.uuid = uuid;
        s.sequence = sequence;
        s.epoch = epoch;
        s.segmentShift = segmentShift;
        s.segments = segments;
        s.logSize = logSize;
        s.dataOffset = dataOffset;
        s.checkpointLsn = checkpointLsn;
        s.created = created;
        return s;
    }

    void writtenBy(DurabilityReport.Engine engine) {
        writer = engine == DurabilityReport.Engine.DIRECT ? 1 : 2;
    }

    /** The engine that wrote the log, or null if that is not told. */
    DurabilityReport.Engine writer() {
        return writer == 1 ? DurabilityReport.Engine.DIRECT : writer == 2 ? DurabilityReport.Engine.LOGGED : null;
    }

    long segmentSize() {
        return 1L << segmentShift;
    }

    long fileSize() {
        return dataOffset + segments * segmentSize();
    }

    long segmentPosition(int index) {
        return dataOffset + index * segmentSize();
    }

    void write(Medium medium) throws IOException {
        sequence++;
        version = VERSION;
        ByteBuffer b = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        b.putLong(MAGIC).putInt(VERSION).putInt(state.ordinal());
        b.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
        b.putLong(sequence).putInt(epoch).putInt(segmentShift).putInt(segments).putInt(writer);
        b.putLong(LOG_OFFSET).putLong(logSize).putLong(dataOffset).putLong(checkpointLsn).putLong(created);
        b.putInt(BYTES - 4, crc(b));
        b.position(0).limit(BYTES);
        medium.write((sequence & 1) * STRIDE, b);
        medium.force();
    }

    private static int crc(ByteBuffer b) {
        CRC32C c = new CRC32C();
        c.update(b.array(), 0, BYTES - 4);
        return (int) c.getValue();
    }

    /** The newer of the copies that verify. */
    static Superblock read(Medium medium) throws IOException {
        long size = medium.size();
        Superblock best = null;
        StringBuilder why = new StringBuilder();
        for (int copy = 0; copy < 2; copy++) {
            long pos = (long) copy * STRIDE;
            if (size < pos + BYTES) {
                why.append("; copy ").append(copy).append(" lies past the end of the file");
                continue;
            }
            ByteBuffer b = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
            medium.readNamed(pos, b);
            b.flip();
            Superblock s = parse(b, medium.name(), why.append("; copy ").append(copy).append(": "));
            if (s != null && (best == null || s.sequence > best.sequence)) {
                best = s;
            }
        }
        if (best == null) {
            throw new PersistException.Corrupt(medium.name(), 0, "no superblock verifies" + why);
        }
        return best;
    }

    private static Superblock parse(ByteBuffer b, String name, StringBuilder why) {
        if (b.getLong() != MAGIC) {
            why.append("not a persistent heap (magic differs)");
            return null;
        }
        int version = b.getInt();
        int state = b.getInt();
        if (b.getInt(BYTES - 4) != crc(b)) {
            why.append("checksum differs");
            return null;
        }
        if (version < OLDEST || version > VERSION) {
            throw new PersistException.Incompatible(name + " has format version " + version + ", this build reads versions " + OLDEST + " to " + VERSION);
        }
        Superblock s = new Superblock();
        s.version = version;
        s.state = state == 0 ? State.CLEAN : State.OPEN;
        s.uuid = new UUID(b.getLong(), b.getLong());
        s.sequence = b.getLong();
        s.epoch = b.getInt();
        s.segmentShift = b.getInt();
        s.segments = b.getInt();
        s.writer = b.getInt();
        b.getLong();
        s.logSize = b.getLong();
        s.dataOffset = b.getLong();
        s.checkpointLsn = b.getLong();
        s.created = b.getLong();
        why.append("verifies");
        return s;
    }
}
