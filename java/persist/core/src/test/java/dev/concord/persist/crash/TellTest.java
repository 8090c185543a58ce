package dev.concord.persist.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.PHeap;
import dev.concord.persist.PersistException;
import dev.concord.persist.sim.CrashExplorer;
import dev.concord.persist.sim.SimMedium;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Blocks whose durability is told instead of waited for: once, by who wrote it, never before it is so, and also where nobody else
 * writes. Writes are held at the moment before the medium promises them.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Isolated("it looks at all threads there are")
class TellTest {
    private final CrashExplorer logged = new CrashExplorer(CoreScenarios.transfers(1), false, 1, 1);
    private final SimMedium medium = new SimMedium();
    /** Writes that are held, by the thread that leads them, each with what lets it go on. */
    private final Map<Thread, Semaphore> held = new ConcurrentHashMap<>();
    private volatile boolean holding = true;
    private volatile boolean failing;
    /** Of heaps that other tests left as a crash would. */
    private final Set<Thread> before = acknowledgers();
    private final List<Cell> cells = new ArrayList<>();

    /** What somebody was told. */
    private static final class Told {
        final AtomicInteger times = new AtomicInteger();
        volatile Throwable failure;
        volatile Thread by;

        void tell(Throwable t) {
            failure = t;
            by = Thread.currentThread();
            times.incrementAndGet();
        }

        boolean yet() {
            return times.get() > 0;
        }
    }

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
        for (int k = 0; k < 8; k++) {
            cells.add(h.root("c" + k, Cell.class, () -> new Cell(0)));
        }
        medium.onOrdering(() -> {
            if (holding && !Thread.currentThread().getName().startsWith("jnvm-checkpoint")) {
                Semaphore s = new Semaphore(0);
                held.put(Thread.currentThread(), s);
                s.acquireUninterruptibly();
                if (failing) {
                    throw new UncheckedIOException(new IOException("Input/output error"));
                }
            }
        });
        return h;
    }

    private void release(Thread t) {
        held.remove(t).release();
    }

    private Thread acknowledger() {
        return held.keySet().stream().filter(t -> t.getName().startsWith("jnvm-acknowledge")).findAny().orElse(null);
    }

    private static Set<Thread> acknowledgers() {
        return Thread.getAllStackTraces().keySet().stream().filter(t -> t.getName().startsWith("jnvm-acknowledge")).collect(Collectors.toSet());
    }

    private boolean anyAcknowledger() {
        return !before.containsAll(acknowledgers());
    }

    /** Whether a thread has written and waits for what is before. */
    private static boolean waits(Thread t) {
        List<String> methods = Arrays.stream(t.getStackTrace()).map(f -> f.getClassName() + "." + f.getMethodName()).toList();
        return t.getState() == Thread.State.WAITING && methods.stream().anyMatch(m -> m.endsWith("GroupCommit.await"))
                && methods.stream().noneMatch(m -> m.endsWith("writeThrough"));
    }

    private Thread writer(PHeap h, int k) {
        Thread t = new Thread(() -> h.atomic(() -> cells.get(k).amount(1)));
        t.setUncaughtExceptionHandler((x, e) -> { });
        t.start();
        return t;
    }

    private Told told(PHeap h, int k) {
        Told t = new Told();
        h.atomicThen(() -> cells.get(k).amount(1), t::tell);
        return t;
    }

    private void end(PHeap h) throws IOException {
        holding = false;
        held.values().forEach(Semaphore::release);
        h.core().abandon();
    }

    @Test
    void aThreadThatWaitsWritesForWhoIsTold() throws Exception {
        PHeap h = fresh(true);
        Thread first = writer(h, 0);
        until(() -> held.containsKey(first));
        Thread second = writer(h, 1);
        until(() -> waits(second));
        Told told = told(h, 2);
        release(first);
        first.join();
        until(() -> held.containsKey(second));
        assertFalse(told.yet(), "before it was written");
        release(second);
        until(told::yet);
        assertSame(second, told.by);
        assertEquals(1, told.times.get());
        assertFalse(anyAcknowledger(), "a thread was made to wait");
        end(h);
    }

    @Test
    void whatNobodyWaitsForIsWrittenWhenTheFlightBeforeHasEnded() throws Exception {
        PHeap h = fresh(true);
        Thread first = writer(h, 0);
        until(() -> held.containsKey(first));
        Told told = told(h, 1);
        assertFalse(anyAcknowledger(), "its group shares a block with the one that is under way");
        release(first);
        first.join();
        until(() -> acknowledger() != null);
        assertFalse(told.yet(), "before it was written");
        release(acknowledger());
        until(told::yet);
        assertEquals(null, told.failure);
        end(h);
    }

    @Test
    void whatNobodyWaitsForIsWrittenAtOnceIfItMay() throws Exception {
        PHeap h = fresh(false);
        Thread first = writer(h, 0);
        until(() -> held.containsKey(first));
        Told told = told(h, 1);
        until(() -> acknowledger() != null);
        Thread leads = acknowledger();
        release(leads);
        until(() -> waits(leads));
        assertFalse(told.yet(), "what is behind a group that is under way was told");
        release(first);
        until(told::yet);
        assertSame(first, told.by, "the one that ended the prefix tells");
        end(h);
    }

    @ParameterizedTest(name = "while another writes={0}")
    @ValueSource(booleans = {true, false})
    void aFailureIsToldToo(boolean other) throws Exception {
        PHeap h = fresh(true);
        Thread first = null;
        if (other) {
            Thread t = writer(h, 0);
            until(() -> held.containsKey(t));
            first = t;
        }
        Told told = told(h, 1);
        if (first == null) {
            until(() -> acknowledger() != null);
            first = acknowledger();
        }
        failing = true;
        release(first);
        until(told::yet);
        assertInstanceOf(PersistException.Poisoned.class, told.failure);
        assertEquals(1, told.times.get());
        end(h);
    }

    @Test
    void whatWhoIsToldThrowsIsNoFailureOfTheBlockThatLed() throws Exception {
        PHeap h = fresh(true);
        Thread first = writer(h, 0);
        until(() -> held.containsKey(first));
        List<Throwable> uncaught = new ArrayList<>();
        boolean[] ended = new boolean[1];
        Thread second = new Thread(() -> {
            h.atomic(() -> cells.get(1).amount(1));
            ended[0] = true;
        });
        second.setUncaughtExceptionHandler((t, e) -> uncaught.add(e));
        second.start();
        until(() -> waits(second));
        h.atomicThen(() -> cells.get(2).amount(1), failure -> {
            throw new IllegalStateException("told");
        });
        Told other = told(h, 3);
        holding = false;
        release(first);
        second.join();
        until(other::yet);
        assertTrue(ended[0]);
        assertEquals("told", uncaught.get(0).getMessage());
        h.close();
    }

    /** Threads that wait and threads that are told meet at every step of leading and following. */
    @ParameterizedTest(name = "aligned={0}")
    @ValueSource(booleans = {true, false})
    void nobodyIsForgotten(boolean aligned) throws Exception {
        PHeap h = fresh(aligned);
        holding = false;
        int times = 3000;
        AtomicInteger done = new AtomicInteger();
        List<Throwable> failures = new ArrayList<>();
        List<Thread> all = new ArrayList<>();
        for (int k = 0; k < 8; k++) {
            Cell c = cells.get(k);
            boolean waits = k % 2 == 0;
            int window = k;
            Thread t = new Thread(() -> {
                Semaphore room = new Semaphore(window);
                for (int i = 0; i < times; i++) {
                    if (waits) {
                        h.atomic(() -> c.amount(c.amount() + 1));
                        done.incrementAndGet();
                    } else {
                        room.acquireUninterruptibly();
                        h.atomicThen(() -> c.amount(c.amount() + 1), failure -> {
                            done.addAndGet(failure == null ? 1 : -times * times);
                            room.release();
                        });
                    }
                }
                room.acquireUninterruptibly(window);
            });
            t.setUncaughtExceptionHandler((x, e) -> failures.add(e));
            t.setDaemon(true);
            t.start();
            all.add(t);
        }
        for (Thread t : all) {
            t.join(60_000);
        }
        assertEquals(8 * times, done.get(), failures.toString());
        h.close();
        PHeap again = logged.open(new SimMedium(medium.image(new int[0], new int[0])), false);
        for (int k = 0; k < 8; k++) {
            assertEquals(times, ((Cell) again.root("c" + k)).amount());
        }
        again.core().abandon();
    }
}
