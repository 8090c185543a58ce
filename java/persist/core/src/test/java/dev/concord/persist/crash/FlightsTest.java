package dev.concord.persist.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.PHeap;
import dev.concord.persist.PersistException;
import dev.concord.persist.sim.CrashExplorer;
import dev.concord.persist.sim.SimMedium;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two groups of the log under way at once: whatever reaches the medium of either, the heap holds a prefix of the log, and what is
 * acknowledged is in it. Writes are held at the moment before the medium promises them.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FlightsTest {
    private static final int WRITERS = 3;
    private final CrashExplorer logged = new CrashExplorer(CoreScenarios.transfers(1), false, 1, 1);
    private final SimMedium medium = new SimMedium();
    private final Random random = new Random(11);
    /** Writes that are held, by the thread that leads them, each with its fate once it has one: to land, or to fail. */
    private final Map<Thread, Boolean> held = new LinkedHashMap<>();
    private boolean holding;

    private static void until(BooleanSupplier b) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!b.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, "it does not come");
            Thread.yield();
        }
    }

    private PHeap fresh(boolean aligned) throws IOException {
        if (!aligned) {
            medium.unaligned();
        }
        PHeap h = logged.open(medium, true);
        for (int k = 0; k < WRITERS; k++) {
            h.root("w" + k, Cell.class, () -> new Cell(0));
            amount(h, k, 0);
        }
        medium.onOrdering(this::hold);
        return h;
    }

    private synchronized void hold() {
        Thread me = Thread.currentThread();
        if (!holding || !(me instanceof Writer)) {
            return;
        }
        held.put(me, null);
        notifyAll();
        while (held.get(me) == null) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        if (!held.remove(me)) {
            throw new UncheckedIOException(new IOException("Input/output error"));
        }
    }

    private synchronized void release(Writer w, boolean lands) {
        assertTrue(held.containsKey(w), "its write is not under way");
        held.put(w, lands);
        notifyAll();
    }

    private synchronized boolean isHeld(Thread t) {
        return held.containsKey(t);
    }

    /** A record longer than a sector, always of one length. */
    private static void amount(PHeap h, int k, long v) {
        h.atomic(() -> {
            Cell c = (Cell) h.root("w" + k);
            c.amount(v);
            c.name("x".repeat(700));
        });
    }

    private static String show(PHeap h) {
        StringBuilder b = new StringBuilder();
        for (int k = 0; k < WRITERS; k++) {
            b.append(((Cell) h.root("w" + k)).amount());
        }
        return b.toString();
    }

    /** A thread that stores 1 to a cell of its own and waits until that is durable. */
    private static final class Writer extends Thread {
        private volatile boolean acknowledged;
        private volatile Throwable failure;

        Writer(PHeap h, int k) {
            super(() -> {
                Writer me = (Writer) Thread.currentThread();
                try {
                    amount(h, k, 1);
                    me.acknowledged = true;
                } catch (Throwable e) {
                    me.failure = e;
                }
            });
            start();
        }

        boolean parked() {
            return getState() == State.WAITING && Arrays.stream(getStackTrace()).anyMatch(f -> f.getClassName().endsWith("GroupCommit"))
                    && Arrays.stream(getStackTrace()).noneMatch(f -> f.getMethodName().equals("writeThrough"));
        }
    }

    /** What crashes now may leave; each heap is used, too, and crashes again. */
    private Set<String> crashes() throws IOException {
        Set<String> seen = new HashSet<>();
        int[] units = medium.undecided();
        for (int i = 0; i < 60; i++) {
            int way = i;
            int[] keep = Arrays.stream(units).map(u -> way == 0 ? 0 : way == 1 ? medium.changes(u) : random.nextInt(medium.changes(u) + 1)).toArray();
            SimMedium after = new SimMedium(medium.image(units, keep));
            if (i % 2 == 0) {
                after.unaligned();
            }
            PHeap h = logged.open(after, false);
            String found = show(h);
            seen.add(found);
            assertTrue(h.core().check().sound());
            // As long as the record that was lost: what came behind that one now lies exactly behind this.
            amount(h, 0, 2);
            PHeap again = logged.open(new SimMedium(after.processCrash()), false);
            assertEquals("2" + found.substring(1), show(again), "a record of an earlier life came back");
            again.core().abandon();
            h.core().abandon();
        }
        return seen;
    }

    /** Three writers: the first has come back, the second and the third are held, each with a group of its own. */
    private Writer[] twoHeld(PHeap h, boolean aligned) throws InterruptedException {
        synchronized (this) {
            holding = true;
        }
        Writer first = new Writer(h, 0);
        until(() -> isHeld(first));
        Writer second = new Writer(h, 1);
        if (aligned) {
            // The first was alone, its group ends within a block: nobody may write this block beside it.
            until(second::parked);
            assertFalse(isHeld(second));
        } else {
            until(() -> isHeld(second));
        }
        release(first, true);
        first.join();
        assertTrue(first.acknowledged);
        until(() -> isHeld(second));
        Writer third = new Writer(h, 2);
        until(() -> isHeld(third));
        return new Writer[] {first, second, third};
    }

    @ParameterizedTest(name = "aligned={0}")
    @ValueSource(booleans = {true, false})
    void whoLandsFirstIsAcknowledgedAfterThoseBeforeIt(boolean aligned) throws Exception {
        PHeap h = fresh(aligned);
        Writer[] w = twoHeld(h, aligned);
        assertEquals(Set.of("100", "110", "111"), crashes(), "either, both or none");
        release(w[2], true);
        until(() -> !isHeld(w[2]));
        until(w[2]::parked);
        assertFalse(w[2].acknowledged, "what is behind a group that is under way was acknowledged");
        assertEquals(Set.of("100", "111"), crashes(), "the third is there, the second in doubt");
        release(w[1], true);
        w[1].join();
        w[2].join();
        assertTrue(w[1].acknowledged && w[2].acknowledged);
        assertEquals(Set.of("111"), crashes());
        synchronized (this) {
            holding = false;
        }
        h.close();
        PHeap again = logged.open(new SimMedium(medium.image(new int[0], new int[0])), false);
        assertEquals("111", show(again));
        assertEquals(0, again.recovery().replayedRecords(), "the last checkpoint has it all");
        again.core().abandon();
    }

    @Test
    void whoLandsInOrderIsAcknowledgedAtOnce() throws Exception {
        PHeap h = fresh(true);
        Writer[] w = twoHeld(h, true);
        release(w[1], true);
        w[1].join();
        assertTrue(w[1].acknowledged);
        assertTrue(isHeld(w[2]) && !w[2].acknowledged);
        release(w[2], true);
        w[2].join();
        assertTrue(w[2].acknowledged);
        h.core().abandon();
    }

    @ParameterizedTest(name = "the later one lands first={0}")
    @ValueSource(booleans = {true, false})
    void aGroupBehindOneThatFailedIsNotAcknowledged(boolean laterFirst) throws Exception {
        PHeap h = fresh(true);
        Writer[] w = twoHeld(h, true);
        if (laterFirst) {
            release(w[2], true);
            until(() -> !isHeld(w[2]));
            until(w[2]::parked);
        }
        release(w[1], false);
        w[1].join();
        if (!laterFirst) {
            release(w[2], true);
        }
        w[2].join();
        for (Writer x : List.of(w[1], w[2])) {
            assertFalse(x.acknowledged);
            assertInstanceOf(PersistException.Poisoned.class, x.failure);
        }
        assertNull(w[0].failure);
        assertThrows(PersistException.Poisoned.class, () -> amount(h, 0, 5));
        assertEquals(Set.of("100", "111"), crashes(), "the medium may have kept what failed");
        h.close();
    }

    /** Many threads, a log of a few dozen groups that wraps and is cut all the time, and groups of any length and order. */
    @ParameterizedTest(name = "aligned={0}")
    @ValueSource(booleans = {true, false})
    void aCrashLeavesAPrefixWithAllThatWasAcknowledged(boolean aligned) throws Exception {
        int threads = 6;
        PHeap h = fresh(aligned);
        Cell[] cells = new Cell[threads];
        for (int k = 0; k < threads; k++) {
            cells[k] = h.root("c" + k, Cell.class, () -> new Cell(0));
        }
        // Who made the block of which number; numbers are in the order of the log.
        AtomicInteger number = new AtomicInteger();
        byte[] maker = new byte[1 << 20];
        AtomicLong acknowledged = new AtomicLong();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger flying = new AtomicInteger();
        Throwable[] failure = new Throwable[1];
        Random jitter = new Random(5);
        int[] crashes = new int[1];
        medium.onOrdering(() -> {
            most.accumulateAndGet(flying.incrementAndGet(), Math::max);
            try {
                int dice;
                synchronized (jitter) {
                    dice = jitter.nextInt(40);
                }
                if (dice < 20) {
                    java.util.concurrent.locks.LockSupport.parkNanos(50_000L * dice);
                }
                if (dice == 0) {
                    synchronized (crashes) {
                        crashes[0]++;
                        prefixAfterCrash(threads, acknowledged.get(), number, maker);
                    }
                }
            } catch (Throwable e) {
                failure[0] = e;
            } finally {
                flying.decrementAndGet();
            }
        });
        Object order = new Object();
        Thread[] all = new Thread[threads];
        for (int k = 0; k < threads; k++) {
            int me = k;
            all[k] = new Thread(() -> {
                Random r = new Random(me);
                try {
                    for (int i = 0; i < 400 && failure[0] == null; i++) {
                        int n;
                        java.util.concurrent.CompletableFuture<Void> later = null;
                        long lsn;
                        synchronized (order) {
                            n = number.get() + 1;
                            maker[n] = (byte) me;
                            number.set(n);
                            Runnable block = () -> {
                                cells[me].amount(n);
                                cells[me].name("x".repeat(r.nextInt(300)));
                            };
                            if (me % 2 == 0) {
                                later = h.atomicAsync(block);
                                lsn = 0;
                            } else {
                                lsn = h.core().atomicVisible(() -> {
                                    block.run();
                                    return null;
                                }, null);
                            }
                        }
                        if (later != null) {
                            later.join();
                        } else {
                            h.core().await(lsn);
                        }
                        acknowledged.accumulateAndGet(n, Math::max);
                    }
                } catch (Throwable e) {
                    failure[0] = e;
                }
            });
            all[k].start();
        }
        for (Thread t : all) {
            t.join();
        }
        medium.onOrdering(() -> { });
        if (failure[0] != null) {
            throw new AssertionError(failure[0]);
        }
        assertTrue(crashes[0] > 10, "only " + crashes[0] + " crashes");
        assertTrue(most.get() >= 2, "never two groups at once");
        assertTrue(h.statistics().checkpoints() > 5, "the log was never cut");
        h.close();
        prefixAfterCrash(threads, number.get(), number, maker);
    }

    /** Without anything to wait for, threads meet at every step of leading and following. */
    @Test
    void nobodyIsForgotten() throws Exception {
        PHeap h = fresh(true);
        AtomicInteger done = new AtomicInteger();
        Thread[] all = new Thread[8];
        for (int k = 0; k < all.length; k++) {
            Cell c = h.root("c" + k, Cell.class, () -> new Cell(0));
            all[k] = new Thread(() -> {
                for (int i = 0; i < 4000; i++) {
                    h.atomic(() -> c.amount(c.amount() + 1));
                    done.incrementAndGet();
                }
            });
        }
        for (Thread t : all) {
            t.setDaemon(true);
            t.start();
        }
        for (Thread t : all) {
            t.join(60_000);
        }
        assertEquals(4000 * all.length, done.get());
        h.close();
    }

    private void prefixAfterCrash(int threads, long acknowledged, AtomicInteger number, byte[] maker) throws IOException {
        byte[] image;
        synchronized (medium) {
            int[] units = medium.undecided();
            image = medium.image(units, Arrays.stream(units).map(u -> random.nextInt(medium.changes(u) + 1)).toArray());
        }
        int issued = number.get();
        PHeap r = logged.open(new SimMedium(image), false);
        long last = 0;
        for (int k = 0; k < threads; k++) {
            last = Math.max(last, ((Cell) r.root("c" + k)).amount());
        }
        assertTrue(last >= acknowledged && last <= issued, "block " + last + " is the last, " + acknowledged + " was acknowledged");
        long[] expected = new long[threads];
        for (int n = 1; n <= last; n++) {
            expected[maker[n]] = n;
        }
        for (int k = 0; k < threads; k++) {
            assertEquals(expected[k], ((Cell) r.root("c" + k)).amount(), "what thread " + k + " did up to block " + last);
        }
        r.core().abandon();
    }
}
