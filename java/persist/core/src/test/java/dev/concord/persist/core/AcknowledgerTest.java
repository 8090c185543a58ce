package dev.concord.persist.core;

import dev.concord.persist.PHeapOptions;
import dev.concord.persist.collections.PLongArray;
import dev.concord.persist.sim.SimMedium;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What asynchronous blocks meet between their commit and their end. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AcknowledgerTest {
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

    /** Two threads commit in one order and are submitted in the other. */
    @Test
    void whoIsSubmittedAfterTheGroupThatHeldItEnds() throws Exception {
        HeapCore h = open();
        long first = block(h);
        long second = block(h);
        h.acks.submit(second).get(20, TimeUnit.SECONDS);
        CompletableFuture<Void> late = h.acks.submit(first);
        late.get(20, TimeUnit.SECONDS);
        h.close();
    }
}
