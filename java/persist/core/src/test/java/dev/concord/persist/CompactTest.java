package dev.concord.persist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.collections.PArrayList;
import dev.concord.persist.collections.PByteArray;
import dev.concord.persist.collections.PHashMap;
import dev.concord.persist.collections.PIndexMap;
import dev.concord.persist.collections.PQueue;
import dev.concord.persist.collections.PTreeMap;
import dev.concord.persist.crash.Cell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compaction and backup of a heap that is in use, with both engines. */
@SuppressWarnings("unchecked")
class CompactTest {
    @TempDir
    Path dir;

    private PHeap open(String name, Durability level) {
        return PHeap.open(dir.resolve(name), PHeapOptions.defaults().segmentSize(1 << 20).logSize(1 << 20).durability(level));
    }

    /** Runs steps in blocks of forty, so that the test does not wait for the disk at every one. */
    private static void steps(PHeap h, int n, java.util.function.IntConsumer step) {
        for (int from = 0; from < n; from += 40) {
            int first = from;
            h.atomic(() -> {
                for (int i = first; i < Math.min(n, first + 40); i++) {
                    step.accept(i);
                }
            });
        }
    }

    private static void sound(PHeap heap) {
        assertTrue(heap.core().check().sound(), () -> heap.core().check().problems().toString());
        assertTrue(heap.core().check().unreachable().isEmpty(), () -> heap.core().check().unreachable().toString());
    }

    @ParameterizedTest
    @EnumSource(names = {"POWER", "PROCESS"})
    void everythingIsWhereItWasAndTheFileIsShorter(Durability level) throws Exception {
        Map<String, String> model = new TreeMap<>();
        Random r = new Random(3);
        long before;
        try (PHeap h = open("h", level)) {
            Map<String, String>[] maps = new Map[] {h.root("hash", PHashMap.class, () -> new PHashMap<>(PHashMap.Caching.CACHED)),
                h.root("index", PIndexMap.class, PIndexMap::new), h.root("tree", PTreeMap.class, PTreeMap::new)};
            PArrayList<Cell> list = h.root("list", PArrayList.class, PArrayList::new);
            PQueue<String> queue = h.root("queue", PQueue.class, PQueue::new);
            // Low-level objects, which stay where they are: made first, they do not keep the end of the file.
            steps(h, 600, i -> list.add(new Cell(i)));
            steps(h, 6000, i -> {
                String v = "v".repeat(r.nextInt(200)) + i;
                for (Map<String, String> m : maps) {
                    m.put("key" + i, v);
                }
                if (i % 10 == 0) {
                    queue.add("x".repeat(9000) + queue.size());
                }
            });
            steps(h, 6000, i -> {
                String k = "key" + i;
                if (r.nextInt(8) == 0) {
                    model.put(k, maps[0].get(k));
                    return;
                }
                for (Map<String, String> m : maps) {
                    m.remove(k);
                }
            });
            steps(h, 580, i -> queue.poll());
            before = Files.size(dir.resolve("h"));
            Cell held = list.get(17);
            List<String> said = new ArrayList<>();
            CompactionReport c = h.compact((what, done, total) -> said.add(what));
            assertTrue(c.movedObjects() > 100 && c.freedBytes() > 1 << 20, c.toString());
            assertEquals(0, c.retainedBytes(), c.toString());
            assertTrue(said.contains("compact"));
            assertSame(held, list.get(17));
            assertEquals(17, held.amount());
            sound(h);
            check(maps, model, list, queue);
            h.atomic(() -> held.name("still usable"));
            maps[0].put("after", "1");
            assertEquals("1", maps[0].remove("after"));
            long again = h.compact().movedObjects();
            assertTrue(again < c.movedObjects() / 10, "a second one moved " + again + " after " + c.movedObjects());
        }
        assertTrue(Files.size(dir.resolve("h")) < before / 2, Files.size(dir.resolve("h")) + " of " + before);
        try (PHeap h = open("h", level)) {
            assertTrue(h.recovery().clean());
            sound(h);
            check(new Map[] {(Map<String, String>) h.root("hash"), (Map<String, String>) h.root("index"), (Map<String, String>) h.root("tree")}, model,
                    (PArrayList<Cell>) h.root("list"), (PQueue<String>) h.root("queue"));
            assertEquals("still usable", ((PArrayList<Cell>) h.root("list")).get(17).name());
        }
    }

    private static void check(Map<String, String>[] maps, Map<String, String> model, PArrayList<Cell> list, PQueue<String> queue) {
        for (Map<String, String> m : maps) {
            assertEquals(model, new TreeMap<>(m));
        }
        for (int i = 0; i < list.size(); i++) {
            assertEquals(i, list.get(i).amount());
        }
        assertEquals(20, queue.size());
        assertTrue(queue.peek().endsWith("x580"), queue.peek().substring(8990));
    }

    @ParameterizedTest
    @EnumSource(names = {"POWER", "PROCESS"})
    void threadsReadAndWriteWhileObjectsMove(Durability level) throws Exception {
        try (PHeap h = open("h", level)) {
            PIndexMap<Integer, String> index = h.root("index", PIndexMap.class, PIndexMap::new);
            PHashMap<Integer, Cell> hash = h.root("hash", PHashMap.class, PHashMap::new);
            PTreeMap<String, Integer> tree = h.root("tree", PTreeMap.class, PTreeMap::new);
            PTreeMap<Integer, Cell> cells = h.root("cells", PTreeMap.class, PTreeMap::new);
            steps(h, 3000, k -> {
                index.put(k, "value " + k);
                hash.put(k, new Cell(k));
                cells.put(k, new Cell(k));
                tree.put("t" + k, k);
            });
            steps(h, 3000, k -> {
                if (k % 6 != 0) {
                    index.remove(k);
                    h.free(hash.remove(k));
                    h.free(cells.remove(k));
                    tree.remove("t" + k);
                }
            });
            boolean[] stop = new boolean[1];
            AtomicReference<Throwable> failure = new AtomicReference<>();
            AtomicLong reads = new AtomicLong();
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                int me = t;
                Thread x = new Thread(() -> {
                    Random r = new Random(me);
                    while (!stop[0]) {
                        int k = 6 * r.nextInt(500);
                        assertEquals("value " + k, index.get(k));
                        assertEquals(k, hash.get(k).amount() % 10_000);
                        assertEquals(k, tree.get("t" + k));
                        assertEquals(k, cells.get(k).amount());
                        if (me == 1) {
                            cells.put(k, cells.get(k));
                        }
                        assertEquals("t" + k, tree.floorKey("t" + k + "!"));
                        if (me == 0) {
                            h.atomic(() -> hash.get(k).amount(hash.get(k).amount() + 10_000));
                            index.put(-1 - k, "more");
                            index.remove(-1 - k);
                        }
                        reads.incrementAndGet();
                    }
                });
                x.setUncaughtExceptionHandler((th, e) -> failure.compareAndSet(null, e));
                x.start();
                threads.add(x);
            }
            CompactionReport first = h.compact();
            assertTrue(first.movedObjects() > 100, first.toString());
            for (int i = 0; i < 5; i++) {
                int base = 10_000 * (i + 1);
                steps(h, 600, k -> tree.put("u" + (base + k), k));
                steps(h, 590, k -> tree.remove("u" + (base + k)));
                h.compact();
            }
            stop[0] = true;
            for (Thread x : threads) {
                x.join();
            }
            assertNull(failure.get(), () -> java.util.Arrays.toString(failure.get().getStackTrace()) + failure.get());
            assertTrue(reads.get() > 100);
            sound(h);
        }
    }

    /** Stores to arrays commit without a block where the medium lets them: they must stand aside for what needs the heap alone. */
    @ParameterizedTest
    @EnumSource(names = {"POWER", "PROCESS"})
    void arraysAreWrittenWhileTheHeapIsCopied(Durability level) throws Exception {
        Path copy = dir.resolve("copy");
        int threads = 3;
        int each = 40;
        try (PHeap h = open("h", level)) {
            PHashMap<Integer, PByteArray> arrays = h.root("arrays", PHashMap.class, PHashMap::new);
            steps(h, threads * each, k -> arrays.put(k, new PByteArray(300)));
            boolean[] stop = new boolean[1];
            AtomicReference<Throwable> failure = new AtomicReference<>();
            AtomicLong writes = new AtomicLong();
            List<Thread> writers = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int me = t;
                Thread x = new Thread(() -> {
                    byte[] content = new byte[300];
                    for (int n = 1; !stop[0]; n++) {
                        PByteArray a = arrays.get(me * each + n % each);
                        java.util.Arrays.fill(content, (byte) n);
                        if (n % 16 == 0) {
                            h.atomic(() -> a.write(0, content, 0, 300));
                        } else {
                            a.write(0, content, 0, 300);
                        }
                        assertEquals((byte) n, a.get(n % 300));
                        writes.incrementAndGet();
                    }
                });
                x.setUncaughtExceptionHandler((th, e) -> failure.compareAndSet(null, e));
                x.start();
                writers.add(x);
            }
            while (writes.get() < 1000 && failure.get() == null) {
                assertTrue(h.leaks().isEmpty());
            }
            h.backup(copy);
            stop[0] = true;
            for (Thread x : writers) {
                x.join();
            }
            assertNull(failure.get(), () -> java.util.Arrays.toString(failure.get().getStackTrace()) + failure.get());
            sound(h);
        }
        try (PHeap c = open("copy", level)) {
            sound(c);
            for (PByteArray a : ((PHashMap<Integer, PByteArray>) c.root("arrays")).values()) {
                byte[] b = a.toArray();
                for (byte x : b) {
                    assertEquals(b[0], x, "a store is in the copy as a whole or not at all");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POWER", "PROCESS"})
    void aBackupIsTheHeapAtOneMoment(Durability level) throws Exception {
        Path copy = dir.resolve("copy");
        try (PHeap h = open("h", level)) {
            PArrayList<Cell> accounts = h.root("accounts", PArrayList.class, PArrayList::new);
            h.atomic(() -> {
                for (int i = 0; i < 50; i++) {
                    accounts.add(new Cell(1000));
                }
            });
            boolean[] stop = new boolean[1];
            AtomicLong done = new AtomicLong();
            Thread t = new Thread(() -> {
                Random r = new Random(9);
                while (!stop[0]) {
                    h.core().atomicVisible(() -> {
                        accounts.get(r.nextInt(50)).amount(accounts.get(0).amount());
                        return null;
                    }, null);
                    long d = done.incrementAndGet();
                    // All accounts hold one value at the end of each block; a torn copy shows two.
                    h.core().atomicVisible(() -> {
                        for (int i = 0; i < 50; i++) {
                            accounts.get(i).amount(d);
                            accounts.get(i).name("round " + d);
                        }
                        return null;
                    }, null);
                }
            });
            t.start();
            while (done.get() < 20) {
                Thread.onSpinWait();
            }
            long from = done.get();
            h.backup(copy);
            long to = done.get();
            stop[0] = true;
            t.join();
            assertThrows(PersistException.Misuse.class, () -> h.backup(copy));
            try (PHeap c = open("copy", level)) {
                assertTrue(c.recovery().clean());
                sound(c);
                PArrayList<Cell> copied = (PArrayList<Cell>) c.root("accounts");
                String name = copied.get(0).name();
                long value = Long.parseLong(name.substring(6));
                assertTrue(value >= from - 1 && value <= to, value + " of " + from + ".." + to);
                for (int i = 0; i < 50; i++) {
                    assertEquals(name, copied.get(i).name());
                }
            }
        }
    }

    @Test
    void aReadOnlyHeapIsNotCompacted() {
        open("h", Durability.PROCESS).close();
        try (PHeap h = PHeap.open(dir.resolve("h"), PHeapOptions.defaults().readOnly(true).durability(Durability.PROCESS))) {
            assertThrows(PersistException.Misuse.class, h::compact);
        }
    }
}
