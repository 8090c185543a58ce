package dev.concord.persist.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.DurabilityReport;
import dev.concord.persist.sim.SimMedium;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Groups that are rounded up to whole blocks: wherever they end, replay passes over what fills them. */
class LogWriterTest {
    private static final int SIZE = 64 << 10;
    private static final int BLOCK = 512;

    private final SimMedium medium = new SimMedium();
    private final Superblock superblock = Superblock.fresh(18, SIZE);
    private final Engine engine = new LoggedEngine(medium, superblock, false);

    private LogWriter open(long start) throws IOException {
        superblock.checkpointLsn = start;
        superblock.writtenBy(DurabilityReport.Engine.LOGGED);
        medium.extend(Superblock.LOG_OFFSET + SIZE);
        return new LogWriter(medium, superblock, start);
    }

    private static Redo record(long off, int bytes) {
        Redo r = new Redo();
        r.addBytes(off, new byte[bytes], 0, bytes);
        r.seal();
        return r;
    }

    private void reserveAndAppend(LogWriter log, Redo r) {
        log.lock.lock();
        try {
            log.reserve(r.total(), engine, () -> {
                throw new IllegalStateException("full");
            });
            log.append(r);
        } finally {
            log.lock.unlock();
        }
    }

    private void write(LogWriter log, boolean round) throws IOException {
        LogWriter.Group g;
        log.lock.lock();
        try {
            g = log.cut(round);
            assertFalse(round && log.sharesBlock(), "the next group begins within a block of the last, at " + log.cut());
        } finally {
            log.lock.unlock();
        }
        log.write(g);
    }

    /** Where the records store to that are found, but for those that store nothing. */
    private List<Long> replayed() throws IOException {
        List<Long> found = new ArrayList<>();
        new LogReplay(medium, superblock).run(r -> r.forEach(Redo.HEADER, new Redo.Sink() {
            @Override
            public void bytes(long off, byte[] src, int pos, int len) {
                if (len > 0) {
                    found.add(off);
                }
            }

            @Override
            public void fill(long off, int len, long pattern) {
                assertEquals(0, len);
            }
        }));
        return found;
    }

    @Test
    void whereverAGroupEndsTheNextIsFound() throws IOException {
        for (int first = SIZE - 4 * BLOCK; first <= SIZE; first += 8) {
            for (long lap : new long[] {0, 3L * SIZE}) {
                LogWriter log = open(lap + first);
                reserveAndAppend(log, record(1000, 30));
                write(log, true);
                reserveAndAppend(log, record(2000, 700));
                write(log, true);
                reserveAndAppend(log, record(3000, 3));
                write(log, false);
                assertEquals(List.of(1000L, 2000L, 3000L), replayed(), "beginning at " + first + " of lap " + lap);
                superblock.epoch++;
            }
        }
    }

    @Test
    void aFullLogHoldsAllThatWasReservedForHoweverItsGroupsEnd() throws IOException {
        for (int bytes = 1; bytes < 1200; bytes += 7) {
            long start = 8L * bytes;
            LogWriter log = open(start);
            List<Long> expected = new ArrayList<>();
            for (long n = 1; ; n++) {
                try {
                    reserveAndAppend(log, record(n, bytes));
                } catch (IllegalStateException full) {
                    break;
                }
                expected.add(n);
                write(log, true);
            }
            assertTrue(expected.size() > 20, expected.size() + " groups");
            assertEquals(expected, replayed(), "groups of one record of " + bytes + " bytes");
            superblock.epoch++;
        }
    }
}
