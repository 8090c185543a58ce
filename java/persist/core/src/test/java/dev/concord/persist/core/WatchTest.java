package dev.concord.persist.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.PHeap;
import dev.concord.persist.crash.Cell;
import dev.concord.persist.crash.CoreScenarios;
import dev.concord.persist.sim.CrashExplorer;
import dev.concord.persist.sim.SimMedium;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who waits for a sync of a tenth of a millisecond stays awake, who waits for one of a millisecond sleeps; and which it is. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WatchTest {
    private static final int THREADS = 4;
    private static final int WRITES = 400;

    /** How often threads that write at once slept for each write, where a sync keeps a processor busy for so long. */
    private static double sleeps(long syncNanos) throws Exception {
        SimMedium medium = new SimMedium();
        PHeap h = new CrashExplorer(CoreScenarios.transfers(1), false, 1, 1).open(medium, true);
        Cell[] cells = new Cell[THREADS];
        for (int k = 0; k < THREADS; k++) {
            cells[k] = h.root("c" + k, Cell.class, () -> new Cell(0));
        }
        medium.onOrdering(() -> {
            for (long end = System.nanoTime() + syncNanos; System.nanoTime() < end;) {
                Thread.onSpinWait();
            }
        });
        Thread[] all = new Thread[THREADS];
        long[] slept = new long[THREADS];
        for (int k = 0; k < THREADS; k++) {
            int me = k;
            all[k] = new Thread(() -> {
                for (int i = 0; i < WRITES; i++) {
                    h.atomic(() -> cells[me].amount(cells[me].amount() + 1));
                }
                slept[me] = ManagementFactory.getThreadMXBean().getThreadInfo(Thread.currentThread().getId()).getWaitedCount();
            });
            all[k].start();
        }
        long sum = 0;
        for (int k = 0; k < THREADS; k++) {
            all[k].join();
            sum += slept[k];
        }
        h.core().abandon();
        return (double) sum / THREADS / WRITES;
    }

    @Test
    void shortSyncsAreWaitedForAwake() throws Exception {
        double shortly = sleeps(100_000);
        double longer = sleeps(1_000_000);
        assertTrue(shortly < longer / 2, "sleeps for each write: " + shortly + " with syncs of 0.1 ms, " + longer + " with syncs of 1 ms");
        assertTrue(longer > 0.3, "sleeps for each write: " + longer + " with syncs of 1 ms");
    }

    @Test
    void oneSyncThatTookLongerChangesLittle() {
        long sync = GroupCommit.ownTime(1L << 40, 100_000);
        assertEquals(100_000, sync, "the first counts as it is");
        sync = GroupCommit.ownTime(sync, 1_000_000);
        assertTrue(sync > 100_000 && sync < 105_000, "one that waited for a processor: " + sync);
        assertEquals(90_000, GroupCommit.ownTime(sync, 90_000), "a shorter one counts at once");
        for (int i = 0; i < 100; i++) {
            sync = GroupCommit.ownTime(sync, 1_000_000);
        }
        assertEquals(1_000_000, sync, "a medium that became slower");
        for (int i = 0; i < 1000; i++) {
            assertTrue(GroupCommit.ownTime(i, 1_000_000) > i, "it must not stay at " + i);
        }
    }
}
