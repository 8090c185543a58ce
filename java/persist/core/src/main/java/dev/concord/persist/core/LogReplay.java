package dev.concord.persist.core;

import dev.concord.persist.DurabilityReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * Finds the committed records of a log that a crash left. Owns that a heap is recovered by the log it was left with, whichever
 * engine opens it: records are after-images, the same for both, but {@link DirectEngine} keeps one at the log's beginning and
 * {@link LoggedEngine} a ring of them from the checkpoint on.
 */
final class LogReplay {
    private final Medium medium;
    private final Superblock superblock;
    private final long uuidLow;
    private final CRC32C crc = new CRC32C();
    private int records;
    private boolean torn;
    /** The position after the last record. */
    long end;

    LogReplay(Medium medium, Superblock superblock) {
        this.medium = medium;
        this.superblock = superblock;
        this.uuidLow = superblock.uuid.getLeastSignificantBits();
        this.end = superblock.checkpointLsn;
    }

    /**
     * Calls back with every committed record in order. Where the superblock does not tell who wrote the log, the log does: a
     * ring of this life has a record or a pad exactly at the checkpoint, and without one there is nothing in it to replay.
     */
    Engine.Replay run(Consumer<Redo> apply) throws IOException {
        DurabilityReport.Engine writer = superblock.writer();
        if (writer != DurabilityReport.Engine.DIRECT && ring(apply) || writer == DurabilityReport.Engine.LOGGED) {
            return new Engine.Replay(records, torn);
        }
        single(apply);
        return new Engine.Replay(records, torn);
    }

    private byte[] read(long pos, int len) throws IOException {
        byte[] b = new byte[len];
        medium.readNamed(Superblock.LOG_OFFSET + pos, ByteBuffer.wrap(b));
        return b;
    }

    private void single(Consumer<Redo> apply) throws IOException {
        byte[] head = read(0, Redo.HEADER);
        int marked = Redo.markedLength(head, uuidLow, superblock.epoch);
        int len = marked >= 0 ? marked : Redo.verifyHeader(head, Redo.MAGIC, -1, uuidLow, superblock.epoch, crc);
        if (len < 0 || len > superblock.logSize - Redo.HEADER) {
            return;
        }
        byte[] record = read(0, Redo.HEADER + len);
        Redo r = Redo.of(record);
        if (marked >= 0 ? !r.wellFormed(superblock.segmentShift, superblock.segments) : !Redo.verifyPayload(record, crc)) {
            torn = true;
            return;
        }
        if (Redo.lsn(record) < superblock.checkpointLsn) {
            return; // of a ring, and the checkpoint contains it: the single record's numbers begin at this opening's
        }
        end = Redo.lsn(record) + 1;
        records++;
        apply.accept(r);
    }

    /** Whether anything verified. */
    private boolean ring(Consumer<Redo> apply) throws IOException {
        long size = superblock.logSize;
        boolean any = false;
        for (;;) {
            long pos = end % size;
            if (size - pos < Redo.HEADER) {
                end += size - pos;
                continue;
            }
            byte[] head = read(pos, Redo.HEADER);
            if (Redo.verifyHeader(head, Redo.PAD_MAGIC, end, uuidLow, superblock.epoch, crc) == 0) {
                end += size - pos;
                any = true;
                continue;
            }
            int len = Redo.verifyHeader(head, Redo.MAGIC, end, uuidLow, superblock.epoch, crc);
            if (len < 0 || len > size - pos - Redo.HEADER) {
                return any;
            }
            byte[] record = read(pos, Redo.HEADER + len);
            if (!Redo.verifyPayload(record, crc)) {
                torn = true;
                return true;
            }
            any = true;
            Redo r = Redo.of(record);
            records++;
            end += r.total();
            apply.accept(r);
        }
    }
}
