package dev.concord.persist.infinispan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Who is taken to wait for its writes, and who never. */
class CallersTest {
    private final Callers callers = new Callers();

    /** A write that becomes durable while this thread is parked on its future. */
    private void waitedFor() throws InterruptedException {
        CompletableFuture<Void> durable = new CompletableFuture<>();
        CompletableFuture<Void> stage = callers.watch(durable);
        Thread me = Thread.currentThread();
        Thread medium = new Thread(() -> {
            while (LockSupport.getBlocker(me) == null) {
                Thread.onSpinWait();
            }
            durable.complete(null);
        });
        medium.start();
        stage.join();
        medium.join();
    }

    private int waits(int writes) throws InterruptedException {
        int n = 0;
        for (int i = 0; i < writes; i++) {
            if (callers.shallWait()) {
                n++;
            } else {
                waitedFor();
            }
        }
        return n;
    }

    @Test
    void aThreadThatWaitsForItsWritesIsMadeToWaitAndAskedAgainNowAndThen() throws InterruptedException {
        assertEquals(0, waits(Callers.SURE / 2));
        assertEquals(10 * Callers.PROBE - 10, waits(10 * Callers.PROBE));
    }

    @Test
    void aThreadThatComesBackWithAWriteUnderWayIsNotAndNeitherIsOneThatDoesSomethingElse() throws InterruptedException {
        ArrayDeque<CompletableFuture<Void>> window = new ArrayDeque<>();
        for (int i = 0; i < 200; i++) {
            assertFalse(callers.shallWait(), "after " + i + " writes with others under way");
            CompletableFuture<Void> durable = new CompletableFuture<>();
            callers.watch(durable);
            window.add(durable);
            if (window.size() > 3) {
                window.poll().complete(null);
            }
        }
        window.forEach(f -> f.complete(null));
        for (int i = 0; i < 200; i++) {
            assertFalse(callers.shallWait(), "after " + i + " writes that ended while it was busy");
            CompletableFuture<Void> durable = new CompletableFuture<>();
            callers.watch(durable);
            durable.complete(null);
        }
    }

    @Test
    void aThreadThatStopsWaitingIsFoundOutByTheNextProbe() throws InterruptedException {
        waits(Callers.SURE + 1);
        CompletableFuture<Void> probe = null;
        int waits = 0;
        for (; probe == null; waits++) {
            if (!callers.shallWait()) {
                probe = new CompletableFuture<>();
                callers.watch(probe);
            }
        }
        assertTrue(waits <= Callers.PROBE, waits + " writes until it was asked again");
        assertFalse(callers.shallWait(), "its write is under way");
        probe.complete(null);
        assertFalse(callers.shallWait(), "it was seen not to wait");
    }

    @Test
    void oneThreadsWaitingIsNoOthers() throws InterruptedException {
        waits(Callers.SURE);
        assertTrue(callers.shallWait());
        boolean[] other = {true};
        Thread t = new Thread(() -> other[0] = callers.shallWait());
        t.start();
        t.join();
        assertFalse(other[0]);
    }
}
