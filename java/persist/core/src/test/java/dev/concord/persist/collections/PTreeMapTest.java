package dev.concord.persist.collections;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.Durability;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.PersistException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tree against the JDK's, with enough keys to split, borrow and merge at every level. */
@SuppressWarnings("unchecked")
class PTreeMapTest {
    @TempDir
    Path dir;

    /** A comparator that persists. */
    enum Order implements Comparator<String> {
        BY_LENGTH {
            @Override
            public int compare(String a, String b) {
                return a.length() != b.length() ? Integer.compare(a.length(), b.length()) : a.compareTo(b);
            }
        }
    }

    private PHeap open() {
        return PHeap.open(dir.resolve("h"), PHeapOptions.defaults().segmentSize(1 << 20).logSize(1 << 20).durability(Durability.PROCESS));
    }

    private <K> void compare(String name, IntFunction<K> key, int range, Comparator<? super K> order) {
        TreeMap<K, Integer> model = new TreeMap<>(order);
        Random r = new Random(range);
        PHeap heap = open();
        PTreeMap<K, Integer> map = heap.root(name, PTreeMap.class, () -> new PTreeMap<>(order));
        for (int step = 0; step < 6000; step++) {
            K k = key.apply(r.nextInt(range));
            // Growing, then shrinking to nothing, then growing again.
            boolean add = r.nextInt(10) < (step < 2500 || step > 5000 ? 8 : 1);
            if (add) {
                assertEquals(model.put(k, step), map.put(k, step));
            } else {
                assertEquals(model.remove(k), map.remove(k));
                assertEquals(model.isEmpty() ? null : model.pollFirstEntry(), map.pollFirstEntry());
            }
            if (step % 100 == 0) {
                map.verify();
                K x = key.apply(r.nextInt(range));
                assertEquals(model.floorEntry(x), map.floorEntry(x));
                assertEquals(model.higherEntry(x), map.higherEntry(x));
                assertEquals(new ArrayList<>(model.headMap(x, true).descendingMap().entrySet()), new ArrayList<>(map.headMap(x, true).descendingMap().entrySet()));
                assertEquals(model.tailMap(x, false), map.tailMap(x, false));
            }
        }
        heap.close();
        try (PHeap again = open()) {
            PTreeMap<K, Integer> m = (PTreeMap<K, Integer>) again.root(name);
            assertEquals(new ArrayList<>(model.entrySet()), new ArrayList<>(m.entrySet()));
            m.verify();
            assertTrue(again.core().check().sound(), () -> again.core().check().problems().toString());
            again.bindRoot(name, null);
            again.free(m);
            assertTrue(again.core().check().unreachable().isEmpty(), () -> again.core().check().unreachable().toString());
        }
    }

    @Test
    void integers() {
        compare("i", i -> i - 500, 3000, null);
    }

    @Test
    void stringsWithCommonPrefixes() {
        compare("s", i -> i % 3 == 0 ? "k" + i : i % 3 == 1 ? "key-" + i : "\uffff\u0000" + i, 3000, null);
    }

    @Test
    void otherKeysAndComparators() {
        compare("d", i -> i / 7.0, 2000, null);
        compare("o", i -> "x".repeat(i % 5) + i, 2000, Order.BY_LENGTH);
    }

    @Test
    void keysThatCannotBeComparedAreRefused() {
        try (PHeap heap = open()) {
            PTreeMap<Object, String> m = heap.root("m", PTreeMap.class, PTreeMap::new);
            m.put(1, "one");
            assertThrows(ClassCastException.class, () -> m.put("two", "two"));
            assertThrows(ClassCastException.class, () -> m.get(2L));
            m.clear();
            m.put("two", "two");
            assertEquals("{two=two}", m.toString());
            PersistException e = assertThrows(PersistException.Misuse.class,
                    () -> heap.atomic(() -> new PTreeMap<String, String>(Comparator.comparing(String::length))));
            assertTrue(e.getMessage().contains("comparator"), e.getMessage());
        }
    }

    @Test
    void aBlockThatFailsLeavesTheTreeAsItWas() {
        try (PHeap heap = open()) {
            PTreeMap<Integer, Integer> m = heap.root("m", PTreeMap.class, PTreeMap::new);
            for (int i = 0; i < 100; i++) {
                m.put(i, i);
            }
            assertThrows(IllegalStateException.class, () -> heap.atomic(() -> {
                for (int i = 0; i < 100; i++) {
                    m.remove(i);
                    m.put(1000 + i, i);
                }
                assertEquals(100, m.size());
                assertNull(m.get(5));
                throw new IllegalStateException();
            }));
            m.verify();
            assertEquals(100, m.size());
            assertEquals(5, m.get(5));
            assertEquals(99, m.lastKey());
        }
    }

    @Test
    void readersSeeWholeBlocksWhileAnotherThreadWrites() throws InterruptedException {
        try (PHeap heap = open()) {
            PTreeMap<Integer, Integer> m = heap.root("m", PTreeMap.class, PTreeMap::new);
            for (int i = 0; i < 500; i++) {
                m.put(2 * i, 0);
            }
            AtomicReference<Throwable> failure = new AtomicReference<>();
            boolean[] stop = new boolean[1];
            List<Thread> readers = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                Thread x = new Thread(() -> {
                    Random r = new Random();
                    while (!stop[0]) {
                        int k = 2 * r.nextInt(500);
                        if (m.get(k) == null || m.ceilingKey(k) != k) {
                            throw new AssertionError(k + " is always there");
                        }
                    }
                });
                x.setUncaughtExceptionHandler((th, e) -> failure.set(e));
                x.start();
                readers.add(x);
            }
            Random r = new Random(1);
            for (int i = 0; i < 1500; i++) {
                heap.atomic(() -> {
                    for (int k = 0; k < 4; k++) {
                        int odd = 2 * r.nextInt(500) + 1;
                        if (m.remove(odd) == null) {
                            m.put(odd, k);
                        }
                    }
                });
            }
            stop[0] = true;
            for (Thread x : readers) {
                x.join();
            }
            assertNull(failure.get());
            m.verify();
        }
    }

    /** What the map remembers of its lookups is what it holds, whatever became of the pair or of its place meanwhile. */
    private <K> void recalls(String name, IntFunction<K> key) {
        TreeMap<K, PString> model = new TreeMap<>();
        Random r = new Random(5);
        PHeap heap = open();
        PTreeMap<K, PString> map = heap.root(name, PTreeMap.class, PTreeMap::new);
        for (int step = 0; step < 4000; step++) {
            int base = r.nextInt(400);
            TreeMap<K, PString> before = new TreeMap<>(model);
            boolean fails = r.nextInt(4) == 0;
            try {
                heap.atomic(() -> {
                    for (int i = 0; i < 1 + base % 3; i++) {
                        K k = key.apply(base + i);
                        switch (r.nextInt(8)) {
                            case 0 -> assertSame(model.remove(k), map.remove(k));
                            case 1 -> assertSame(model.get(k), map.get(k));
                            default -> {
                                PString v = model.isEmpty() || r.nextBoolean() ? new PString("v" + base) : model.firstEntry().getValue();
                                assertSame(model.put(k, v), map.put(k, v));
                            }
                        }
                        assertSame(model.get(k), map.get(k));
                    }
                    if (fails) {
                        throw new IllegalStateException();
                    }
                });
            } catch (IllegalStateException e) {
                model.clear();
                model.putAll(before);
            }
            for (int i = 0; i < 6; i++) {
                K k = key.apply(r.nextInt(400));
                assertSame(model.get(k), map.get(k));
            }
            if (step % 500 == 499) {
                for (int i = 0; i < 300; i++) {
                    K k = key.apply(r.nextInt(400));
                    assertSame(model.remove(k), map.remove(k));
                }
                heap.compact();
                map.verify();
            }
        }
        assertEquals(new ArrayList<>(model.entrySet()), new ArrayList<>(map.entrySet()));
        for (K k : new ArrayList<>(model.keySet())) {
            assertSame(model.get(k), map.get(k));
            PString v = heap.core().atomic(() -> new PString("last " + k));
            assertSame(model.put(k, v), map.put(k, v));
            assertSame(v, map.get(k));
        }
        map.verify();
        TreeMap<K, String> text = new TreeMap<>();
        model.forEach((k, v) -> text.put(k, v.toString()));
        heap.close();
        try (PHeap again = open()) {
            PTreeMap<K, PString> m = (PTreeMap<K, PString>) again.root(name);
            text.forEach((k, v) -> assertEquals(v, m.get(k).toString()));
            assertEquals(text.size(), m.size());
            assertTrue(again.core().check().sound(), () -> again.core().check().problems().toString());
        }
    }

    @Test
    void lookupsRememberWhatTheMapHolds() {
        recalls("i", i -> i * 3);
        recalls("l", i -> (long) i << 33);
        recalls("s", i -> "key " + i);
        recalls("d", i -> i / 3.0);
    }

    @Test
    void placesAreForgottenWhenNodesMove() {
        try (PHeap heap = open()) {
            PTreeMap<Integer, PString> m = heap.root("m", PTreeMap.class, PTreeMap::new);
            PArray<PString> all = heap.root("values", PArray.class, () -> new PArray<>(2));
            heap.atomic(() -> {
                all.set(0, new PString("old"));
                all.set(1, new PString("new"));
            });
            for (int i = 0; i < 8000; i++) {
                m.put(i, all.get(0));
            }
            for (int i = 0; i < 8000; i++) {
                if (i % 20 != 0) {
                    m.remove(i);
                }
            }
            m.keySet().forEach(m::get);
            assertTrue(heap.compact().movedObjects() > 50);
            for (int i = 0; i < 8000; i += 20) {
                assertSame(all.get(0), m.put(i, all.get(1)));
            }
            assertTrue(m.values().stream().allMatch(v -> v == all.get(1)));
            assertEquals(400, m.values().size());
            assertTrue(heap.core().check().sound(), () -> heap.core().check().problems().toString());
        }
    }

    @Test
    void aFreedValueIsNotRemembered() {
        try (PHeap heap = open()) {
            PTreeMap<Integer, PString> m = heap.root("m", PTreeMap.class, PTreeMap::new);
            PString v = heap.core().atomic(() -> new PString("v"));
            m.put(1, v);
            assertSame(v, m.get(1));
            heap.free(v);
            assertThrows(PersistException.Dangling.class, () -> m.get(1));
            assertThrows(ClassCastException.class, () -> m.get(1L));
        }
    }

    /** A lookup gives nothing older than what was stored, and seen, before it began. */
    @Test
    void readersNeverSeeAnOlderValue() throws InterruptedException {
        try (PHeap heap = open()) {
            PTreeMap<Integer, PLongArray> m = heap.root("m", PTreeMap.class, PTreeMap::new);
            int keys = 20;
            PLongArray[] versions = new PLongArray[200];
            heap.atomic(() -> {
                PArray<PLongArray> all = new PArray<>(versions.length);
                heap.bindRoot("all", all);
                for (int i = 0; i < versions.length; i++) {
                    versions[i] = new PLongArray(1);
                    versions[i].set(0, i);
                    all.set(i, versions[i]);
                }
            });
            java.util.concurrent.atomic.AtomicIntegerArray stored = new java.util.concurrent.atomic.AtomicIntegerArray(keys);
            for (int k = 0; k < keys; k++) {
                m.put(k, versions[0]);
            }
            AtomicReference<Throwable> failure = new AtomicReference<>();
            boolean[] stop = new boolean[1];
            List<Thread> readers = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                int seed = t;
                Thread x = new Thread(() -> {
                    Random r = new Random(seed);
                    while (!stop[0]) {
                        int k = r.nextInt(keys);
                        int least = stored.get(k);
                        long v = m.get(k).get(0);
                        if (v < least) {
                            throw new AssertionError("key " + k + " had " + least + " and is " + v);
                        }
                    }
                });
                x.setUncaughtExceptionHandler((th, e) -> failure.set(e));
                x.start();
                readers.add(x);
            }
            Random r = new Random(1);
            for (int version = 1; version < versions.length; version++) {
                for (int i = 0; i < 60; i++) {
                    int k = r.nextInt(keys);
                    int now = version;
                    if (i % 10 == 9) {
                        // Elsewhere in the tree, so that remembered places move.
                        m.put(keys + r.nextInt(1000), versions[0]);
                        m.remove(keys + r.nextInt(1000));
                    } else if (i % 10 == 8) {
                        assertThrows(IllegalStateException.class, () -> heap.atomic(() -> {
                            m.put(k, versions[0]);
                            throw new IllegalStateException();
                        }));
                    } else {
                        m.put(k, versions[now]);
                        stored.set(k, now);
                    }
                }
            }
            stop[0] = true;
            for (Thread x : readers) {
                x.join();
            }
            assertNull(failure.get(), () -> failure.get().toString());
            m.verify();
        }
    }
}
