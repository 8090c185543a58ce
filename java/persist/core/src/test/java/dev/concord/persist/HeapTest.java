package dev.concord.persist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.collections.PArrayList;
import dev.concord.persist.collections.PByteArray;
import dev.concord.persist.collections.PHashMap;
import dev.concord.persist.crash.Cell;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The API's rules on a real file. */
@SuppressWarnings("unchecked")
class HeapTest {
    private static final PHeapOptions SMALL = PHeapOptions.defaults().segmentSize(1 << 20).logSize(256 << 10);
    @TempDir
    Path dir;

    private PHeap open() {
        return PHeap.open(dir.resolve("h"), SMALL);
    }

    @Test
    void durabilityIsToldAndDemandsAreMetOrRefused() {
        try (PHeap h = open()) {
            DurabilityReport d = h.durability();
            assertFalse(d.evidence().isEmpty());
            assertEquals(Durability.POWER, d.level(), d.toString());
            assertEquals(DurabilityReport.Engine.LOGGED, d.engine());
        }
        Path memory = Path.of("/dev/shm");
        if (java.nio.file.Files.isDirectory(memory)) {
            Path f = memory.resolve("jnvm-test-" + ProcessHandle.current().pid());
            PersistException e = assertThrows(PersistException.DurabilityUnavailable.class, () -> PHeap.open(f, SMALL.durability(Durability.POWER)));
            assertTrue(e.getMessage().contains("tmpfs"), e.getMessage());
            f.resolveSibling(f.getFileName() + ".new").toFile().delete();
            f.resolveSibling(f.getFileName() + ".lock").toFile().delete();
        }
    }

    @Test
    void anExceptionUndoesStoresAllocationsFreesAndMirrors() {
        try (PHeap h = open()) {
            Cell a = h.root("a", Cell.class, () -> new Cell(1));
            PHashMap<String, Integer> m = h.root("m", PHashMap.class, PHashMap::new);
            PArrayList<String> l = h.root("l", PArrayList.class, PArrayList::new);
            h.atomic(() -> a.next(new Cell(2)));
            m.put("kept", 1);
            Cell kept = a.next();
            List<Cell> made = new ArrayList<>();
            assertThrows(IllegalStateException.class, () -> h.atomic(() -> {
                a.amount(100);
                a.name("changed");
                made.add(new Cell(3));
                h.free(a.next());
                a.next(made.get(0));
                m.put("lost", 2);
                m.remove("kept");
                assertEquals(1, m.size());
                assertNull(m.get("kept"));
                l.add("lost");
                throw new IllegalStateException();
            }));
            assertEquals(1, a.amount());
            assertNull(a.name());
            assertSame(kept, a.next());
            assertEquals(2, kept.amount());
            assertEquals("{kept=1}", m.toString());
            assertEquals(1, m.size());
            assertFalse(m.containsKey("lost"));
            assertTrue(l.isEmpty());
            assertThrows(PersistException.Dangling.class, () -> made.get(0).amount());
            assertTrue(h.core().check().unreachable().isEmpty(), "the allocation stayed");
        }
    }

    @Test
    void twoDereferencesGiveOneObject() {
        try (PHeap h = open()) {
            Cell a = h.root("a", Cell.class, () -> new Cell(1));
            h.atomic(() -> a.next(new Cell(0)));
            h.atomic(() -> {
                a.next().amount(a.next().amount() + 1);
                a.next().amount(a.next().amount() + 1);
            });
            assertEquals(2, a.next().amount());
            assertSame(a.next(), a.next());
        }
    }

    @Test
    void nestedBlocksAreOneAndAFailedInnerOneCondemnsAll() {
        try (PHeap h = open()) {
            Cell a = h.root("a", Cell.class, () -> new Cell(1));
            h.faStart();
            a.amount(2);
            h.atomic(() -> a.amount(3));
            h.faAbort();
            assertEquals(1, a.amount());
            PersistException.Aborted e = assertThrows(PersistException.Aborted.class, () -> h.atomic(() -> {
                a.amount(5);
                try {
                    h.atomic(() -> {
                        throw new IllegalStateException("inner");
                    });
                } catch (IllegalStateException expected) {
                    a.amount(6);
                }
            }));
            assertEquals("inner", e.getCause().getMessage());
            assertEquals(1, a.amount());
            assertThrows(PersistException.Misuse.class, h::faEnd);
        }
    }

    @Test
    void otherThreadsSeeNothingBeforeTheCommit() throws Exception {
        try (PHeap h = open()) {
            Cell a = h.root("a", Cell.class, () -> new Cell(1));
            PHashMap<String, Integer> m = h.root("m", PHashMap.class, PHashMap::new);
            CountDownLatch stored = new CountDownLatch(1);
            CountDownLatch looked = new CountDownLatch(1);
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread t = new Thread(() -> h.atomic(() -> {
                a.amount(2);
                m.put("x", 1);
                stored.countDown();
                try {
                    if (!looked.await(10, TimeUnit.SECONDS)) {
                        throw new IllegalStateException("nobody looked");
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }));
            t.setUncaughtExceptionHandler((x, e) -> failure.set(e));
            t.start();
            assertTrue(stored.await(10, TimeUnit.SECONDS));
            assertEquals(1, a.amount());
            assertNull(m.get("x"));
            assertTrue(m.isEmpty());
            assertFalse(m.entrySet().iterator().hasNext());
            looked.countDown();
            t.join();
            assertNull(failure.get());
            assertEquals(2, a.amount());
            assertEquals(1, m.get("x"));
        }
    }

    @Test
    void objectLocksMakeBlocksSerialisable() throws Exception {
        try (PHeap h = PHeap.open(dir.resolve("locked"), SMALL.objectLocks(true).durability(Durability.PROCESS))) {
            Cell a = h.root("a", Cell.class, () -> new Cell(0));
            Cell b = h.root("b", Cell.class, () -> new Cell(0));
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                boolean forward = i % 2 == 0;
                Thread t = new Thread(() -> {
                    for (int k = 0; k < 500; k++) {
                        h.atomic(() -> {
                            Cell first = forward ? a : b;
                            Cell second = forward ? b : a;
                            first.amount(first.amount() + 1);
                            second.amount(second.amount() - 1);
                        });
                    }
                });
                t.start();
                threads.add(t);
            }
            for (Thread t : threads) {
                t.join();
            }
            assertEquals(0, a.amount());
            assertEquals(0, b.amount());
        }
    }

    @Test
    void asynchronousBlocksCompleteWhenDurable() throws Exception {
        try (PHeap h = open()) {
            Cell a = h.root("a", Cell.class, () -> new Cell(1));
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                all.add(h.atomicAsync(() -> a.amount(a.amount() + 1)));
                assertEquals(i + 2, a.amount());
            }
            CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0])).get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void theHeapGrowsBySegmentsAndLargeArraysAreContiguous() {
        byte[] content = new byte[300_000];
        new java.util.Random(1).nextBytes(content);
        PHeapOptions o = PHeapOptions.defaults().segmentSize(1 << 20).logSize(4 << 20);
        try (PHeap h = PHeap.open(dir.resolve("big"), o)) {
            PArrayList<Object> l = h.root("l", PArrayList.class, PArrayList::new);
            for (int i = 0; i < 12; i++) {
                content[0] = (byte) i;
                l.add(h.atomicGet(() -> new PByteArray(content)));
            }
            for (int i = 0; i < 12; i += 2) {
                Object old = l.get(i);
                int k = i;
                content[0] = (byte) (100 + i);
                h.atomic(() -> {
                    l.set(k, new PByteArray(content));
                    h.free(old);
                });
            }
            assertThrows(PersistException.Full.class, () -> h.atomicGet(() -> new PByteArray(2 << 20)));
        }
        try (PHeap h = PHeap.open(dir.resolve("big"), o)) {
            PArrayList<Object> l = h.root("l", PArrayList.class, PArrayList::new);
            for (int i = 0; i < 12; i++) {
                content[0] = (byte) (i % 2 == 0 ? 100 + i : i);
                assertTrue(java.util.Arrays.equals(content, ((PByteArray) l.get(i)).toArray()));
            }
            assertTrue(h.core().check().sound());
        }
    }

    @Test
    void aFullHeapSaysSoAndStaysUsable() {
        try (PHeap h = PHeap.open(dir.resolve("full"), PHeapOptions.defaults().segmentSize(256 << 10).maxSize(2 << 20))) {
            PArrayList<Object> l = h.root("l", PArrayList.class, PArrayList::new);
            PersistException.Full e = assertThrows(PersistException.Full.class, () -> {
                for (;;) {
                    h.atomic(() -> l.add(new PByteArray(5000)));
                }
            });
            assertTrue(e.getMessage().contains("full"), e.getMessage());
            int n = l.size();
            assertTrue(n > 50, n + " fit: " + e.getMessage());
            Object last = l.remove(n - 1);
            h.atomic(() -> h.free(last));
            h.atomic(() -> l.add(new PByteArray(5000)));
            assertEquals(n, l.size());
        }
    }

    @Test
    void referencesStayWithinTheirHeap() {
        try (PHeap h = open(); PHeap other = PHeap.open(dir.resolve("other"), SMALL)) {
            Cell a = h.root("a", Cell.class, () -> new Cell(1));
            Cell b = other.root("b", Cell.class, () -> new Cell(2));
            assertNotSame(a.heap(), b.heap());
            assertThrows(PersistException.Misuse.class, () -> h.atomic(() -> a.next(b)));
            assertNull(a.next());
            assertThrows(PersistException.Misuse.class, Cell::new);
        }
    }

    @Test
    void aFreedObjectIsRefusedThroughEveryWay() {
        try (PHeap h = open()) {
            Cell a = h.root("a", Cell.class, () -> new Cell(1));
            h.atomic(() -> a.next(new Cell(2)));
            Cell n = a.next();
            h.atomic(() -> h.free(n));
            assertThrows(PersistException.Dangling.class, n::amount);
            assertThrows(PersistException.Dangling.class, a::next);
            h.atomic(() -> {
                for (int i = 0; i < 100; i++) {
                    new Cell(i);
                }
            });
            assertThrows(PersistException.Dangling.class, a::next, "the place was used again, but the reference is of the old object");
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void oneWriterOrManyReaders() {
        try (PHeap h = open()) {
            h.root("a", Cell.class, () -> new Cell(1));
            ((Map<String, Integer>) h.root("m", PHashMap.class, PHashMap::new)).put("there", 1);
            assertThrows(PersistException.Locked.class, this::open);
            assertThrows(PersistException.Locked.class, () -> PHeap.open(dir.resolve("h"), SMALL.readOnly(true)));
        }
        try (PHeap r = PHeap.open(dir.resolve("h"), SMALL.readOnly(true))) {
            assertEquals(1, ((Cell) r.root("a")).amount());
            assertThrows(PersistException.Misuse.class, () -> r.atomic(() -> ((Cell) r.root("a")).amount(2)));
            assertThrows(PersistException.Misuse.class, () -> ((Cell) r.root("a")).amount(2));
            // What is read is durable, so who finds nothing to do waits for nothing.
            Map<String, Integer> m = (Map<String, Integer>) r.root("m");
            assertEquals(0, r.lastPlace());
            assertNull(m.remove("absent"));
            assertEquals(1, r.<Integer>atomicGet(() -> m.putIfAbsent("there", 2)));
            assertThrows(PersistException.Misuse.class, () -> m.remove("there"));
        }
        try (PHeap h = open()) {
            assertEquals(1, ((Cell) h.root("a")).amount());
            assertTrue(h.recovery().clean());
        }
    }

    /** The kernel drops a process's lock when any descriptor of the file closes: one reader less must not let a writer in. */
    @Test
    void theLockLastsAsLongAsAnybodyHere() throws Exception {
        Path file = dir.resolve("h");
        try (PHeap h = open()) {
            h.root("a", Cell.class, () -> new Cell(1));
            assertThrows(PersistException.Locked.class, () -> PHeap.open(file, SMALL.readOnly(true)));
            assertEquals("locked", lockByAnotherProcess(file), "the refused reader took the writer's lock away");
        }
        try (PHeap first = PHeap.open(file, SMALL.readOnly(true))) {
            try (PHeap second = PHeap.open(file, SMALL.readOnly(true))) {
                assertEquals(1, ((Cell) second.root("a")).amount());
            }
            assertThrows(PersistException.Locked.class, this::open);
            assertEquals("locked", lockByAnotherProcess(file), "the second reader took the first one's lock away");
            assertEquals(1, ((Cell) first.root("a")).amount());
        }
        assertEquals("free", lockByAnotherProcess(file));
    }

    /** What a process that wants to write finds. */
    private static String lockByAnotherProcess(Path file) throws Exception {
        Process p = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", System.getProperty("java.class.path"),
                Locker.class.getName(), file + ".lock").redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (java.io.BufferedReader said = p.inputReader()) {
            return said.readLine();
        } finally {
            p.waitFor();
        }
    }

    /** Tries the lock of a writer. */
    static final class Locker {
        public static void main(String[] args) throws Exception {
            try (java.nio.channels.FileChannel c = java.nio.channels.FileChannel.open(Path.of(args[0]), java.nio.file.StandardOpenOption.WRITE)) {
                System.out.println(c.tryLock() == null ? "locked" : "free");
            }
        }
    }

    @Test
    void thePapersFacade() {
        PHeap h = JNVM.init(dir.resolve("facade").toString(), 1 << 20);
        try {
            assertFalse(JNVM.root.exists("simple"));
            JNVM.root.put("simple", new PHashMap<String, String>());
            assertTrue(JNVM.root.exists("simple"));
            Cell c = new Cell();
            c.amount(3);
            c.pwb();
            JNVM.root.wput("cell", c);
            JNVM.pfence();
            c.validate();
            JNVM.psync();
            assertEquals(3, ((Cell) JNVM.root.get("cell")).amount());
            long c0 = c.persistentSize();
            JNVM.faStart();
            c.amount(4);
            JNVM.faEnd();
            JNVM.root.put("cell", null);
            JNVM.free(c);
            Cell d = JNVM.alloc(Cell.class, c0);
            assertEquals(0, d.amount());
            d.amount(5);
            d.pwb();
            JNVM.root.wput("d", d);
            JNVM.pfence();
            d.validate();
            JNVM.psync();
            assertSame(d, JNVM.root.get("d"));
            PByteArray bytes = JNVM.alloc(PByteArray.class, 77);
            assertEquals(77, bytes.length());
            assertThrows(PersistException.Misuse.class, () -> JNVM.alloc(Cell.class, c0 - 8));
            assertThrows(PersistException.Misuse.class, () -> JNVM.alloc(String.class, 8));
            assertSame(h, JNVM.heap());
        } finally {
            JNVM.close();
        }
        assertThrows(PersistException.Misuse.class, JNVM::heap);
    }

    @Test
    void manyObjectsSurviveAndTheLogIsReused() {
        try (PHeap h = open()) {
            PHashMap<Integer, String> m = h.root("m", PHashMap.class, PHashMap::new);
            for (int i = 0; i < 6000; i++) {
                int k = i;
                h.atomicAsync(() -> m.put(k, "value " + k));
            }
            for (int i = 0; i < 6000; i += 3) {
                int k = i;
                h.atomicAsync(() -> m.remove(k));
            }
            h.psync();
        }
        try (PHeap h = open()) {
            PHashMap<Integer, String> m = h.root("m", PHashMap.class, PHashMap::new);
            assertEquals(4000, m.size());
            for (int i = 0; i < 6000; i++) {
                assertEquals(i % 3 == 0 ? null : "value " + i, m.get(i));
            }
            assertTrue(h.core().check().sound());
        }
    }
}
