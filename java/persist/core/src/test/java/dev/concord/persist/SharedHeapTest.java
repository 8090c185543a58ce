package dev.concord.persist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.collections.PArray;
import dev.concord.persist.collections.PArrayList;
import dev.concord.persist.collections.PHashMap;
import dev.concord.persist.collections.PIndexMap;
import dev.concord.persist.crash.Cell;
import dev.concord.persist.crash.CoreScenarios;
import dev.concord.persist.sim.CrashExplorer;
import dev.concord.persist.sim.SimMedium;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What one thread does to a heap while others use it: closing, interrupts, errors, backups, compaction. */
@SuppressWarnings("unchecked")
@Timeout(120)
class SharedHeapTest {
    private static final PHeapOptions SMALL = PHeapOptions.defaults().segmentSize(1 << 20).logSize(1 << 20);
    @TempDir
    Path dir;

    private PHeap open(String name) {
        return PHeap.open(dir.resolve(name), SMALL);
    }

    /** Threads that run a step until it throws; what they threw, if it was no word of the heap's end. */
    private static final class Crew {
        final List<Thread> threads = new ArrayList<>();
        final AtomicReference<Throwable> failure = new AtomicReference<>();

        interface Step {
            void run() throws Exception;
        }

        void add(Step s) {
            Thread t = new Thread(() -> {
                try {
                    for (;;) {
                        s.run();
                    }
                } catch (PersistException.Misuse | Stop e) {
                    // The heap was closed, or the test is over.
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            });
            threads.add(t);
            t.start();
        }

        void join() throws Exception {
            for (Thread t : threads) {
                t.join();
            }
            if (failure.get() != null) {
                throw new AssertionError("a thread failed", failure.get());
            }
        }
    }

    private static final class Stop extends RuntimeException {
        static void when(AtomicBoolean over) {
            if (over.get()) {
                throw new Stop();
            }
        }
    }

    @Test
    void closingLosesNothingThatWasAcknowledged() throws Exception {
        for (int round = 0; round < 25; round++) {
            int n = 8;
            long[] acknowledged = new long[n];
            String name = "close" + round;
            PHeap h = open(name);
            PArray<Cell> cells = h.root("cells", PArray.class, () -> new PArray<>(2 * n));
            h.atomic(() -> {
                for (int i = 0; i < 2 * n; i++) {
                    cells.set(i, new Cell(0));
                }
            });
            Crew crew = new Crew();
            for (int i = 0; i < n; i++) {
                int at = i;
                Cell a = cells.get(2 * i);
                Cell b = cells.get(2 * i + 1);
                crew.add(() -> {
                    h.atomic(() -> {
                        a.amount(a.amount() + 1);
                        b.amount(b.amount() + 1);
                    });
                    acknowledged[at]++;
                });
            }
            Thread.sleep(10);
            h.close();
            crew.join();
            try (PHeap again = open(name)) {
                PArray<Cell> found = (PArray<Cell>) again.root("cells");
                for (int i = 0; i < n; i++) {
                    assertTrue(found.get(2 * i).amount() >= acknowledged[i], "round " + round + ": " + found.get(2 * i).amount() + " of " + acknowledged[i]);
                    assertEquals(found.get(2 * i).amount(), found.get(2 * i + 1).amount());
                }
            }
        }
    }

    @Test
    void interruptsAreNobodysFailure() throws Exception {
        try (PHeap h = open("interrupts")) {
            Cell c = h.root("c", Cell.class, () -> new Cell(0));
            Thread.currentThread().interrupt();
            h.atomic(() -> c.amount(1));
            assertTrue(Thread.interrupted());
            AtomicBoolean over = new AtomicBoolean();
            long[] acknowledged = new long[1];
            Crew crew = new Crew();
            for (int i = 0; i < 3; i++) {
                PArrayList<String> own = h.root("list" + i, PArrayList.class, PArrayList::new);
                crew.add(() -> {
                    Stop.when(over);
                    h.atomic(() -> {
                        c.amount(c.amount() + 1);
                        own.add("x".repeat(3000)); // the heap grows meanwhile
                    });
                    synchronized (acknowledged) {
                        acknowledged[0]++;
                    }
                    Thread.interrupted();
                });
            }
            long end = System.nanoTime() + 1_500_000_000L;
            while (System.nanoTime() < end) {
                for (Thread t : crew.threads) {
                    t.interrupt();
                }
                Thread.sleep(1);
            }
            over.set(true);
            crew.join();
            h.checkpoint();
            assertTrue(acknowledged[0] > 0);
        }
    }

    @Test
    void anErrorOfOneThreadEndsTheWaitOfAll() throws Exception {
        CrashExplorer logged = new CrashExplorer(CoreScenarios.transfers(1), false, 1, 1);
        SimMedium m = new SimMedium();
        PHeap h = logged.open(m, true);
        CoreScenarios.transfers(1).setUp(h);
        AtomicBoolean armed = new AtomicBoolean(true);
        m.onOrdering(() -> {
            if (armed.get()) {
                // Until others have come to wait behind this sync.
                try {
                    Thread.sleep(100);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                armed.set(false);
                throw new StackOverflowError("injected");
            }
        });
        List<CompletableFuture<Throwable>> ends = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            CompletableFuture<Throwable> f = new CompletableFuture<>();
            ends.add(f);
            Thread t = new Thread(() -> {
                try {
                    h.atomic(() -> {
                        Cell a = (Cell) h.root("a");
                        a.amount(a.amount() + 1);
                    });
                    f.complete(null);
                } catch (Throwable e) {
                    f.complete(e);
                }
            });
            t.setDaemon(true);
            t.start();
        }
        for (CompletableFuture<Throwable> f : ends) {
            assertTrue(f.get(10, TimeUnit.SECONDS) instanceof PersistException.Poisoned, () -> String.valueOf(f.join()));
        }
        assertThrows(PersistException.Poisoned.class, () -> h.atomic(() -> ((Cell) h.root("a")).amount(7)));
    }

    @Test
    void anErrorInACheckpointDropsNothing() throws Exception {
        CrashExplorer logged = new CrashExplorer(CoreScenarios.transfers(1), false, 1, 1);
        SimMedium m = new SimMedium();
        PHeap h = logged.open(m, true);
        CoreScenarios.transfers(1).setUp(h);
        h.atomic(() -> ((Cell) h.root("a")).amount(4711));
        m.onOrdering(() -> {
            m.onOrdering(() -> { });
            throw new OutOfMemoryError("injected");
        });
        assertThrows(PersistException.Poisoned.class, h::checkpoint);
        h.close();
        PHeap again = logged.open(new SimMedium(m.image(new int[0], new int[0])), false);
        assertEquals(4711, ((Cell) again.root("a")).amount());
    }

    @Test
    void anErrorAfterACommitLeavesTheThreadClean() {
        try (PHeap h = open("after")) {
            Cell a = h.root("a", Cell.class, () -> new Cell(1));
            Cell b = h.root("b", Cell.class, () -> new Cell(1));
            assertThrows(StackOverflowError.class, () -> h.atomic(() -> {
                a.amount(2);
                h.core().requireBlock().onCommit(() -> {
                    throw new StackOverflowError("injected");
                });
            }));
            CompletableFuture.runAsync(() -> h.atomic(() -> a.amount(3))).join();
            h.atomic(() -> b.amount(2));
            assertEquals(3, a.amount());
        }
    }

    @Test
    void twoBackupsAtOnceAreBothWhole() throws Exception {
        try (PHeap h = open("bank")) {
            int n = 1000;
            PArray<Cell> cells = h.root("cells", PArray.class, () -> new PArray<>(n));
            h.atomic(() -> {
                for (int i = 0; i < n; i++) {
                    cells.set(i, new Cell(100));
                }
            });
            AtomicBoolean over = new AtomicBoolean();
            Crew writer = new Crew();
            java.util.SplittableRandom r = new java.util.SplittableRandom(1);
            writer.add(() -> {
                Stop.when(over);
                h.core().atomicVisible(() -> {
                    for (int k = 0; k < 20; k++) {
                        Cell from = cells.get(r.nextInt(n));
                        Cell to = cells.get(r.nextInt(n));
                        from.amount(from.amount() - 1);
                        to.amount(to.amount() + 1);
                    }
                    return null;
                }, null);
            });
            for (int round = 0; round < 5; round++) {
                List<Path> copies = List.of(dir.resolve("copy-a" + round), dir.resolve("copy-b" + round));
                Crew backups = new Crew();
                for (Path p : copies) {
                    backups.add(() -> {
                        h.backup(p);
                        throw new Stop();
                    });
                }
                backups.join();
                for (Path p : copies) {
                    try (PHeap copy = PHeap.open(p, SMALL)) {
                        long sum = 0;
                        PArray<Cell> found = (PArray<Cell>) copy.root("cells");
                        for (int i = 0; i < n; i++) {
                            sum += found.get(i).amount();
                        }
                        assertEquals(100L * n, sum, "round " + round);
                    }
                }
            }
            over.set(true);
            writer.join();
        }
    }

    @Test
    void namesAreBoundWhileObjectsMove() throws Exception {
        try (PHeap h = open("roots")) {
            PArrayList<Cell> list = h.root("list", PArrayList.class, PArrayList::new);
            assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
                AtomicBoolean over = new AtomicBoolean();
                Crew crew = new Crew();
                int[] made = new int[1];
                crew.add(() -> {
                    Stop.when(over);
                    int i = made[0]++ % 200;
                    assertEquals(i, h.root("r" + i, Cell.class, () -> new Cell(i)).amount());
                });
                for (int round = 0; round < 20; round++) {
                    fragment(h, list);
                    h.compact();
                }
                over.set(true);
                crew.join();
            });
            assertTrue(h.core().check().sound(), () -> h.core().check().problems().toString());
        }
    }

    @Test
    void anObjectHasOneProxyWhileItMoves() throws Exception {
        String name = "jnvm-proxies-" + ProcessHandle.current().pid();
        Path file = Path.of("/dev/shm").resolve(name);
        try (PHeap h = PHeap.open(file, SMALL)) {
            int n = 500;
            PArray<PArray<Object>> top = h.root("top", PArray.class, () -> new PArray<>(n));
            AtomicReference<Object[]> row = new AtomicReference<>(new Object[0]);
            AtomicBoolean over = new AtomicBoolean();
            Crew crew = new Crew();
            crew.add(() -> {
                Stop.when(over);
                Object[] held = row.get();
                for (int i = 0; i < held.length; i++) {
                    Object found;
                    try {
                        found = top.get(i);
                    } catch (PersistException.Dangling e) {
                        if (row.get() == held) {
                            throw e;
                        }
                        return; // this row is being freed
                    }
                    if (row.get() == held) {
                        assertSame(held[i], found);
                    }
                }
            });
            try {
                for (int round = 0; round < 30 && crew.failure.get() == null; round++) {
                    List<PObject> between = new ArrayList<>();
                    row.set(new Object[0]);
                    h.atomic(() -> {
                        for (int i = 0; i < n; i++) {
                            PArray<Object> old = top.get(i);
                            top.set(i, new PArray<>(3));
                            if (old != null) {
                                h.free(old);
                            }
                            for (int k = 0; k < 6; k++) {
                                between.add(new PArray<>(3));
                            }
                        }
                    });
                    Object[] held = new Object[n];
                    for (int i = 0; i < n; i++) {
                        held[i] = top.get(i);
                    }
                    row.set(held);
                    h.atomic(() -> between.forEach(h::free));
                    assertTrue(h.compact().movedObjects() > 0);
                }
            } finally {
                over.set(true);
                crew.join();
            }
        } finally {
            for (String s : new String[] {"", ".lock"}) {
                java.nio.file.Files.deleteIfExists(file.resolveSibling(name + s));
            }
        }
    }

    private static void fragment(PHeap h, PArrayList<Cell> list) {
        h.atomic(() -> {
            for (int i = 0; i < 400; i++) {
                list.add(new Cell(i));
            }
        });
        h.atomic(() -> {
            for (int i = list.size() - 1; i >= 0; i--) {
                if (i % 4 != 0) {
                    Cell c = list.remove(i);
                    h.free(c);
                }
            }
        });
    }

    @Test
    void aCollectionGrowsInABlockWhileTheGateCloses() throws Exception {
        try (PHeap h = open("gate")) {
            PHashMap<Integer, Integer> m = h.root("m", PHashMap.class, PHashMap::new);
            CompletableFuture<Void> backup = new CompletableFuture<>();
            long begin = System.nanoTime();
            h.atomic(() -> {
                new Thread(() -> {
                    try {
                        h.backup(dir.resolve("copy"));
                        backup.complete(null);
                    } catch (Throwable e) {
                        backup.completeExceptionally(e);
                    }
                }).start();
                try {
                    Thread.sleep(1500); // the backup has come to its last pages, and waits for this block
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                for (int i = 0; i < 2000; i++) {
                    m.put(i, i);
                }
            });
            backup.get(5, TimeUnit.SECONDS);
            assertTrue(System.nanoTime() - begin < 8_000_000_000L);
        }
    }

    @Test
    void aHeapIsClosedByTheContinuationOfAFuture() throws Exception {
        PHeap h = open("continuation");
        Cell c = h.root("c", Cell.class, () -> new Cell(0));
        CompletableFuture<Void> closed = h.atomicAsync(() -> c.amount(1)).thenRun(h::close);
        closed.get(20, TimeUnit.SECONDS);
        try (PHeap again = open("continuation")) {
            assertEquals(1, ((Cell) again.root("c")).amount());
        }
    }

    @Test
    void anIterationMeetsNoPairTwice() throws Exception {
        try (PHeap h = PHeap.open(Path.of("/dev/shm").resolve("jnvm-iterate-" + ProcessHandle.current().pid()), SMALL)) {
            PIndexMap<Integer, Integer> m = h.root("m", PIndexMap.class, PIndexMap::new);
            h.atomic(() -> {
                for (int i = 0; i < 300; i++) {
                    m.put(i, i);
                }
            });
            AtomicBoolean over = new AtomicBoolean();
            Crew crew = new Crew();
            crew.add(() -> {
                Stop.when(over);
                for (int i = 0; i < 300; i++) {
                    m.put(i, i);
                }
            });
            try {
                for (int round = 0; round < 300; round++) {
                    Set<Integer> seen = new HashSet<>();
                    m.forEach((k, v) -> {
                        assertEquals(k, v);
                        assertTrue(seen.add(k), () -> k + " comes twice");
                    });
                    assertEquals(300, seen.size());
                }
            } finally {
                over.set(true);
                crew.join();
            }
        } finally {
            for (String s : new String[] {"", ".lock"}) {
                java.nio.file.Files.deleteIfExists(Path.of("/dev/shm").resolve("jnvm-iterate-" + ProcessHandle.current().pid() + s));
            }
        }
    }
}
