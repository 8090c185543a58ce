package dev.concord.persist.collections;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What finds places by key: against the JDK's maps, and while one thread changes it and others look. */
class PlacesTest {
    /** Compares with integers too, so that keys of two kinds can be in one map. */
    private record Half(int twice) implements Comparable<Object> {
        @Override
        public int compareTo(Object o) {
            return Integer.compare(twice, o instanceof Half h ? h.twice : 2 * (Integer) o);
        }
    }

    /** All with one hash. */
    private record Alike(int n) implements Comparable<Alike> {
        @Override
        public int hashCode() {
            return 7;
        }

        @Override
        public int compareTo(Alike o) {
            return Integer.compare(n, o.n);
        }
    }

    static Stream<Arguments> keys() {
        List<Arguments> all = new ArrayList<>();
        Map<String, IntFunction<Object>> kinds = new TreeMap<>(Map.of("int", i -> i - 300, "long", i -> (long) i, "negative long", i -> i - 300L,
                "large long", i -> (long) i << 29, "short string", i -> "" + i, "string", i -> "user" + i, "alike", Alike::new, "double", i -> i / 3.0));
        for (Map.Entry<String, IntFunction<Object>> k : kinds.entrySet()) {
            all.add(Arguments.of("hash", k.getKey(), (Supplier<Places>) HashPlaces::new, k.getValue()));
            all.add(Arguments.of("skip", k.getKey(), (Supplier<Places>) SkipPlaces::new, k.getValue()));
        }
        all.add(Arguments.of("hash", "mixed", (Supplier<Places>) HashPlaces::new, (IntFunction<Object>) i -> i % 3 == 0 ? (Object) i : i % 3 == 1 ? (long) i : "" + i));
        return all.stream();
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("keys")
    void findsWhatAMapFinds(String how, String kind, Supplier<Places> make, IntFunction<Object> key) {
        Places places = make.get();
        Map<Object, Slot> model = how.equals("skip") ? new TreeMap<>() : new HashMap<>();
        Random r = new Random(5);
        for (int step = 0; step < 40_000; step++) {
            // Fewer and fewer keys, then more again: tables are made anew in both directions.
            int range = 20 + Math.abs(2_000 - step / 10);
            Object k = key.apply(r.nextInt(range));
            Slot s = model.get(k);
            assertSame(s, places.find(k), () -> how + " " + kind + " " + k);
            if (s == null) {
                s = places.add(k, step);
                model.put(k, s);
                assertEquals(step, s.index);
            } else if (r.nextInt(4) != 0) {
                places.remove(s);
                model.remove(k);
            } else {
                s.value("value of " + k);
            }
            if (places instanceof HashPlaces h) {
                Object other = key.apply(r.nextInt(range));
                Slot o = model.get(other);
                assertEquals(o == null ? null : o.value(), h.value(other), () -> kind + " " + other);
            }
            if (step % 1_000 == 0) {
                assertEquals(new ArrayList<>(model.values()), inOrder(places, model));
            }
        }
    }

    private static List<Slot> inOrder(Places places, Map<Object, Slot> model) {
        List<Slot> seen = new ArrayList<>();
        places.walk().forEachRemaining(seen::add);
        if (model instanceof TreeMap) {
            return seen;
        }
        assertEquals(seen.size(), new HashSet<>(seen).size());
        Set<Slot> set = new HashSet<>(seen);
        List<Slot> sorted = new ArrayList<>(model.values());
        assertTrue(set.containsAll(sorted) && seen.size() == sorted.size());
        return sorted;
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("keys")
    void aWalkShowsOnceWhatIsThereAllTheTime(String how, String kind, Supplier<Places> make, IntFunction<Object> key) {
        Places places = make.get();
        Set<Slot> stay = new HashSet<>();
        List<Slot> go = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            Slot s = places.add(key.apply(i), i);
            if (i % 2 == 0) {
                stay.add(s);
            } else {
                go.add(s);
            }
        }
        Iterator<Slot> walk = places.walk();
        Collections.shuffle(go, new Random(3));
        int added = 600;
        while (walk.hasNext()) {
            Slot s = walk.next();
            assertTrue(s.index % 2 == 1 || stay.remove(s), "twice: " + s.key);
            if (!go.isEmpty()) {
                places.remove(go.remove(go.size() - 1));
            }
            for (int i = 0; i < 5 && added < 4_000; i++) {
                places.add(key.apply(added), 2 * added++ + 1);
            }
        }
        assertEquals(Set.of(), stay);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("keys")
    void othersFindWhatStaysAndNeverTheValueOfAnother(String how, String kind, Supplier<Places> make, IntFunction<Object> key) {
        Places places = make.get();
        Slot[] slots = new Slot[400];
        for (int i = 0; i < slots.length; i += 2) {
            slots[i] = places.add(key.apply(i), i);
            slots[i].value(key.apply(i));
        }
        boolean[] stop = new boolean[1];
        List<CompletableFuture<Void>> readers = new ArrayList<>();
        for (int t = 0; t < 2; t++) {
            readers.add(CompletableFuture.runAsync(() -> {
                while (!stop[0]) {
                    look(places, slots.length, key);
                    Thread.yield();
                }
            }));
        }
        Random r = new Random(11);
        long end = System.nanoTime() + 150_000_000;
        while (System.nanoTime() < end && readers.stream().noneMatch(CompletableFuture::isDone)) {
            int i = r.nextInt(slots.length) | 1;
            if (slots[i] == null) {
                slots[i] = places.add(key.apply(i), i);
                slots[i].value(key.apply(i));
            } else {
                slots[i].value(null);
                places.remove(slots[i]);
                slots[i] = null;
            }
        }
        stop[0] = true;
        readers.forEach(CompletableFuture::join);
    }

    private static void look(Places places, int n, IntFunction<Object> key) {
        for (int i = 0; i < 100; i++) {
            int k = ThreadLocalRandom.current().nextInt(n);
            Slot s = places.find(key.apply(k));
            assertTrue(s == null ? k % 2 == 1 : s.index == k);
            if (places instanceof HashPlaces h) {
                Object v = h.value(key.apply(k));
                assertTrue(v == null ? k % 2 == 1 : v.equals(key.apply(k)));
            }
        }
        int[] seen = new int[n];
        places.walk().forEachRemaining(s -> seen[s.index]++);
        for (int k = 0; k < n; k += 2) {
            assertEquals(1, seen[k]);
        }
    }

    @Test
    void theKeysWhoseTagIsTheSameAreDifferent() {
        HashPlaces places = new HashPlaces();
        for (int i = 0; i < 3; i++) {
            places.add(i, i).value("value " + i);
        }
        for (int i = 0; i < 3; i++) {
            assertEquals("value " + i, places.value(i));
            assertEquals(i, places.find(i).index);
        }
        assertNull(places.find(0L));
        assertNull(places.value(2L));
    }

    @Test
    void theNeighboursOfEveryKeyAreThoseOfATreeMap() {
        SkipPlaces places = new SkipPlaces();
        NavigableMap<Integer, Slot> model = new TreeMap<>();
        Random r = new Random(1);
        for (int i = 0; i < 3_000; i++) {
            int k = r.nextInt(1_000);
            Slot s = model.remove(k);
            if (s == null) {
                model.put(k, places.add(k, i));
            } else {
                places.remove(s);
            }
            int at = r.nextInt(1_000);
            assertSame(value(model.ceilingEntry(at)), places.from(at, true, false));
            assertSame(value(model.higherEntry(at)), places.from(at, false, false));
            assertSame(value(model.floorEntry(at)), places.from(at, true, true));
            assertSame(value(model.lowerEntry(at)), places.from(at, false, true));
            assertSame(value(model.firstEntry()), places.from(null, true, false));
            assertSame(value(model.lastEntry()), places.from(null, true, true));
            // Also after a slot that is no longer there.
            if (s != null) {
                assertSame(value(model.lowerEntry(k)), places.after(s, true));
                assertSame(value(model.higherEntry(k)), places.after(s, false));
            }
        }
    }

    private static Slot value(Map.Entry<Integer, Slot> e) {
        return e == null ? null : e.getValue();
    }

    @Test
    void keysOfTwoKindsAreOrderedByThemselves() {
        SkipPlaces places = new SkipPlaces();
        boolean[] stop = new boolean[1];
        for (int i = 0; i < 200; i++) {
            places.add(i, 2 * i);
        }
        CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> {
            while (!stop[0]) {
                int k = ThreadLocalRandom.current().nextInt(200);
                assertEquals(2 * k, places.find(new Half(2 * k)).index);
            }
        });
        List<Slot> halves = new ArrayList<>();
        for (int i = 1; i < 400; i += 2) {
            halves.add(places.add(new Half(i), i));
        }
        for (int i = 0; i < 400; i++) {
            Slot s = places.find(new Half(i));
            assertNotNull(s, "" + i);
            assertEquals(i, s.index);
        }
        halves.forEach(places::remove);
        for (int i = 0; i < 400; i++) {
            assertEquals(i % 2 == 0, places.find(new Half(i)) != null);
            assertEquals(i < 200, places.find(i) != null);
        }
        stop[0] = true;
        reader.join();
    }

    @Test
    void whatDoesNotCompareIsRefusedBeforeAnythingChanges() {
        SkipPlaces places = new SkipPlaces();
        assertThrows(ClassCastException.class, () -> places.find(new Object()));
        assertThrows(ClassCastException.class, () -> places.add(new Object(), 0));
        assertFalse(places.walk().hasNext());
        places.add(1, 0);
        assertThrows(ClassCastException.class, () -> places.find("a"));
        assertThrows(ClassCastException.class, () -> places.find(1L));
        assertThrows(ClassCastException.class, () -> places.add("a", 1));
        assertEquals(0, places.find(1).index);
        assertNull(places.find(2));
    }
}
