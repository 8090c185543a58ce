package dev.concord.persist.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.PHeapOptions;
import dev.concord.persist.collections.PLongArray;
import dev.concord.persist.sim.SimMedium;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When the log is cut, and when not. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CheckpointTest {
    private final SimMedium medium = new SimMedium();

    private HeapCore open() throws Exception {
        HeapCore h = HeapCore.open(medium, null, true, PHeapOptions.defaults().segmentSize(256 << 10).logSize(64 << 10).recoveryThreads(1));
        h.atomic(() -> h.roots().put("numbers", new PLongArray(100)));
        return h;
    }

    private static long block(HeapCore h) {
        PLongArray numbers = (PLongArray) h.roots().get("numbers");
        return h.atomicVisible(() -> {
            for (int i = 0; i < numbers.length(); i++) {
                numbers.set(i, numbers.get(i) + 1);
            }
            return null;
        }, null);
    }

    /** A log that is half full asks for a checkpoint at each commit; what is asked for while one runs, it answers. */
    @Test
    void aCheckpointAnswersAllThatAskedForItMeanwhile() throws Exception {
        HeapCore h = open();
        long[] held = new long[1];
        Object monitor = new Object();
        boolean[] go = new boolean[1];
        medium.onOrdering(() -> {
            Thread me = Thread.currentThread();
            if (me.getName().startsWith("jnvm-checkpoint") && Arrays.stream(me.getStackTrace()).noneMatch(f -> f.getMethodName().equals("writeThrough"))) {
                synchronized (monitor) {
                    held[0]++;
                    monitor.notifyAll();
                    while (!go[0]) {
                        try {
                            monitor.wait();
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    }
                }
            }
        });
        while (h.statistics().logUsedBytes() <= 32 << 10) {
            h.await(block(h));
        }
        synchronized (monitor) {
            while (held[0] == 0) {
                monitor.wait();
            }
        }
        for (int i = 0; i < 5; i++) {
            h.await(block(h));
        }
        synchronized (monitor) {
            go[0] = true;
            monitor.notifyAll();
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (h.statistics().checkpoints() == 0) {
            assertTrue(System.nanoTime() < end);
            Thread.yield();
        }
        Thread.sleep(300);
        assertEquals(1, h.statistics().checkpoints(), "the log was nearly empty");
        h.close();
    }
}
