package dev.concord.persist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.collections.PArray;
import dev.concord.persist.crash.Cell;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Freeing whole graphs, and the report of what nobody reaches. */
@SuppressWarnings("unchecked")
class GraphTest {
    @TempDir
    Path dir;

    private PHeap open() {
        return PHeap.open(dir.resolve("h"), PHeapOptions.defaults().segmentSize(1 << 20).logSize(256 << 10));
    }

    private static Cell chain(int n, Cell end) {
        Cell c = end;
        for (int i = 0; i < n; i++) {
            Cell x = new Cell(i);
            x.name("cell " + i);
            x.next(c);
            c = x;
        }
        return c;
    }

    @Test
    void aGraphIsFreedAndWhatOthersShareStays() {
        try (PHeap h = open()) {
            Cell kept = h.root("kept", Cell.class, () -> new Cell(7));
            Cell top = h.root("top", Cell.class, () -> chain(550, null));
            h.atomic(() -> {
                Cell end = top;
                while (end.next() != null) {
                    end = end.next();
                }
                end.next(kept);
            });
            PersistException e = assertThrows(PersistException.Misuse.class, () -> h.freeGraph(top));
            assertTrue(e.getMessage().contains("still reached"), e.getMessage());
            Cell second = top.next();
            h.bindRoot("top", null);
            assertThrows(PersistException.Misuse.class, () -> h.atomic(() -> h.freeGraph(top)));
            assertEquals(1100, h.freeGraph(top));
            assertThrows(PersistException.Dangling.class, second::amount);
            assertThrows(PersistException.Dangling.class, top::amount);
            assertEquals(7, kept.amount());
            assertTrue(h.core().check().sound());
            assertTrue(h.core().check().unreachable().isEmpty());
        }
    }

    @Test
    void leaksAreReportedApartFromWhatJavaHolds() throws Exception {
        try (PHeap h = open()) {
            h.root("head", Cell.class, Cell::new);
            PArray<Cell>[] array = new PArray[1];
            h.atomic(() -> array[0] = new PArray<>(3));
            leak(h);
            LeakReport r = leakedOnly(h);
            assertEquals(10, r.leaked().get(Cell.class.getName()));
            assertEquals(1, r.held().get(PArray.class.getName()));
            assertEquals(1, r.tops().size());
            assertTrue(r.tops().get(0).startsWith(Cell.class.getName() + " at offset "), r.tops().toString());
            assertEquals(20, h.reclaim());
            assertTrue(h.leaks().isEmpty());
            h.bindRoot("array", array[0]);
            assertEquals(3, array[0].length());
            assertNull(array[0].get(1));
        }
    }

    private static void leak(PHeap h) {
        h.root("gone", Cell.class, () -> chain(10, null));
        h.bindRoot("gone", null);
    }

    /** Waits until the collector has taken the proxies. */
    private static LeakReport leakedOnly(PHeap h) throws InterruptedException {
        for (int i = 0;; i++) {
            System.gc();
            LeakReport r = h.leaks();
            if (r.leaked().getOrDefault(Cell.class.getName(), 0L) == 10 || i == 100) {
                return r;
            }
            Thread.sleep(20);
        }
    }

    @Test
    void workThatExcludesBlocksWaitsForThemAndMakesThemWait() throws Exception {
        try (PHeap h = open()) {
            Cell a = h.root("a", Cell.class, Cell::new);
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            Thread t = new Thread(() -> h.atomic(() -> {
                a.amount(1);
                inside.countDown();
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }));
            t.start();
            inside.await();
            Thread report = new Thread(h::leaks);
            report.start();
            report.join(50);
            assertTrue(report.isAlive(), "it did not wait for the open block");
            go.countDown();
            t.join();
            report.join(TimeUnit.SECONDS.toMillis(5));
            assertTrue(!report.isAlive());
            h.atomic(() -> a.amount(2));
            assertEquals(2, a.amount());
        }
    }
}
