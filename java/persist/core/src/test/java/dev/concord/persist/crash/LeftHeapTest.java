package dev.concord.persist.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.PHeap;
import dev.concord.persist.core.Medium.Mapping;
import dev.concord.persist.sim.CrashExplorer;
import dev.concord.persist.sim.SimMedium;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Heaps that one engine, or an older format, left and another one opens. */
class LeftHeapTest {
    private static final Mapping[] WAYS = {Mapping.SYNC, Mapping.SHARED, null};
    private static final int[] NONE = {};

    private static CrashExplorer explorer(Mapping way) {
        return new CrashExplorer(CoreScenarios.transfers(1), way, 1, 1);
    }

    @Test
    void aHeapOfTheFirstVersionIsRecoveredAndBecomesOneOfTheSecond() throws IOException {
        // Left by a death in the middle of a block, with a checksummed record in a log that marked ones use as well.
        CrashExplorer direct = explorer(Mapping.SYNC);
        CrashExplorer shared = explorer(Mapping.SHARED);
        SimMedium m = new SimMedium();
        PHeap h = direct.open(m, true);
        Cell c = h.root("a", Cell.class, () -> new Cell(1));
        byte[][] crashed = new byte[1][];
        int[] fences = {0};
        m.onOrdering(() -> {
            if (fences[0]++ == 1) { // the record is written back, nothing of it applied
                crashed[0] = m.image(NONE, NONE);
            }
        });
        h.atomic(() -> {
            c.amount(7);
            c.tiny((byte) 3);
        });
        h.core().abandon();
        byte[] image = FaultTest.withVersion(untold(crashed[0]), 1);
        SimMedium old = new SimMedium(image);
        PHeap r = shared.open(old, false);
        Cell found = (Cell) r.root("a");
        assertEquals(7, found.amount());
        r.atomic(() -> {
            found.amount(8);
            found.tiny((byte) 4);
        });
        r.core().abandon();
        PHeap again = direct.open(new SimMedium(old.processCrash()), false);
        assertEquals(8, ((Cell) again.root("a")).amount());
        again.close();
    }

    @Test
    void aHeapIsRecoveredByTheLogItWasLeftWithWhicheverEngineOpensIt() throws IOException {
        for (Mapping left : WAYS) {
            for (Mapping opened : WAYS) {
                recovered(left, opened, false);
                recovered(left, opened, true);
            }
        }
    }

    /** @param untold whether the superblock does not say who wrote, as before format 2 */
    private static void recovered(Mapping left, Mapping opened, boolean untold) throws IOException {
        SimMedium m = new SimMedium();
        PHeap h = explorer(left).open(m, true);
        Cell c = h.root("a", Cell.class, () -> new Cell(1));
        byte[][] crashed = new byte[1][];
        for (int i = 0; i < 30; i++) {
            int k = i;
            int[] orderings = {0};
            m.onOrdering(() -> {
                if (k == 29 && left != null && orderings[0]++ == (left == Mapping.SHARED ? 4 : 2)) {
                    crashed[0] = m.image(NONE, NONE); // the record is there, nothing of it applied
                }
            });
            h.atomic(() -> {
                c.amount(k);
                c.tiny((byte) k);
                c.name("n" + k);
            });
        }
        String expected = Cell.text(c);
        byte[] image = crashed[0] != null ? crashed[0] : m.image(NONE, NONE);
        h.core().abandon();
        SimMedium after = new SimMedium(untold ? untold(image) : image);
        CrashExplorer opener = explorer(opened);
        PHeap r = opener.open(after, false);
        assertEquals(expected, Cell.text((Cell) r.root("a")), left + " then " + opened + (untold ? ", untold" : ""));
        assertTrue(r.core().check().sound());
        r.atomic(() -> ((Cell) r.root("a")).name("last"));
        r.core().abandon();
        PHeap again = opener.open(new SimMedium(after.image(NONE, NONE)), false);
        assertEquals("last", ((Cell) again.root("a")).name());
        again.close();
    }

    @Test
    void aCleanlyClosedHeapIsNotTakenBackByAnotherEngine() throws IOException {
        for (Mapping first : WAYS) {
            for (Mapping second : WAYS) {
                SimMedium m = new SimMedium();
                for (int i = 0; i < 6; i++) {
                    int k = i;
                    PHeap h = explorer(i % 2 == 0 ? first : second).open(m, i == 0);
                    Cell c = h.root("a", Cell.class, () -> new Cell(0));
                    assertEquals(20L * i, c.amount(), first + " and " + second);
                    for (int n = 1; n <= 20; n++) {
                        int add = n;
                        h.atomic(() -> {
                            c.amount(20L * k + add);
                            c.flag(add);
                        });
                    }
                    h.close();
                    m = new SimMedium(m.image(NONE, NONE));
                }
            }
        }
    }

    @Test
    void aRecordThatTheCheckpointContainsIsNotReplayedByTheOtherEngine() throws IOException {
        for (Mapping opened : WAYS) {
            SimMedium m = new SimMedium();
            PHeap h = explorer(null).open(m, true);
            Cell c = h.root("a", Cell.class, () -> new Cell(1));
            for (int i = 0; i < 3; i++) {
                int k = i;
                h.atomic(() -> c.amount(k + 2));
            }
            h.checkpoint();
            byte[] image = untold(m.image(NONE, NONE));
            h.core().abandon();
            PHeap r = explorer(opened).open(new SimMedium(image), false);
            assertEquals(4, ((Cell) r.root("a")).amount(), "opened by " + opened);
            r.close();
        }
    }

    @Test
    void whatWasAcknowledgedForPowerLossOutlivesOneWhileAnEngineThatDoesNotPromiseItOpens() throws IOException {
        powerFailsDuringReplay();
    }

    /** Left by the log, opened by way of a shared mapping of an ordinary file, whose pages reach the disk when the kernel likes. */
    static void powerFailsDuringReplay() throws IOException {
        SimMedium m = new SimMedium();
        PHeap h = explorer(null).open(m, true);
        Cell c = h.root("a", Cell.class, () -> new Cell(1));
        for (int i = 0; i < 10; i++) {
            int k = i;
            h.atomic(() -> {
                c.amount(k);
                c.name("n" + k);
            });
        }
        String expected = Cell.text(c);
        byte[] image = m.image(NONE, NONE);
        h.core().abandon();
        SimMedium opened = new SimMedium(image);
        opened.pagesNeedSync();
        List<byte[]> crashes = new ArrayList<>();
        Random random = new Random(3);
        opened.onOrdering(() -> {
            int[] units = opened.undecided();
            for (int n = 0; n < 6; n++) {
                int[] keep = new int[units.length];
                for (int i = 0; i < keep.length; i++) {
                    // Sectors that were written, and here and there a line that was stored.
                    keep[i] = units[i] < 0 && n > 0 || random.nextInt(6) < n ? opened.changes(units[i]) : 0;
                }
                crashes.add(opened.image(units, keep));
            }
        });
        PHeap r = explorer(Mapping.SHARED).open(opened, false);
        r.core().abandon();
        crashes.add(opened.image(NONE, NONE));
        for (int i = 0; i < crashes.size(); i++) {
            PHeap again = explorer(null).open(new SimMedium(crashes.get(i)), false);
            assertEquals(expected, Cell.text((Cell) again.root("a")), "crash " + i + " of " + crashes.size());
            again.core().abandon();
        }
    }

    private static byte[] untold(byte[] content) {
        byte[] image = content.clone();
        for (int copy = 0; copy < 2; copy++) {
            ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN).putInt(copy * 4096 + 52, 0);
        }
        return FaultTest.withVersion(image, 2);
    }
}
