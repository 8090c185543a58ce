package dev.concord.persist.crash;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.PHeap;
import dev.concord.persist.collections.PArray;
import dev.concord.persist.collections.PArrayList;
import dev.concord.persist.collections.PByteArray;
import dev.concord.persist.collections.PHashMap;
import dev.concord.persist.collections.PHashSet;
import dev.concord.persist.collections.PIndexMap;
import dev.concord.persist.collections.PLongArray;
import dev.concord.persist.collections.PQueue;
import dev.concord.persist.collections.PSkipListMap;
import dev.concord.persist.collections.PString;
import dev.concord.persist.collections.PTreeMap;
import dev.concord.persist.collections.PTreeSet;
import dev.concord.persist.sim.CrashExplorer;
import dev.concord.persist.sim.CrashExplorer.Scenario;
import dev.concord.persist.sim.SimMedium;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every crash of the collections' operations on the simulated medium, under both engines. */
class CollectionCrashTest {
    private static final int SCALE = CoreCrashTest.SCALE;

    private static Object make(String kind) {
        return switch (kind) {
            case "hash" -> new PHashMap<String, Integer>();
            case "hash-cached" -> new PHashMap<String, Integer>(PHashMap.Caching.CACHED);
            case "hash-eager" -> new PHashMap<String, Integer>(PHashMap.Caching.EAGER);
            case "skiplist" -> new PSkipListMap<String, Integer>();
            case "index" -> new PIndexMap<String, Integer>();
            case "index-bytes" -> new PIndexMap<String, byte[]>();
            case "tree" -> new PTreeMap<String, Integer>();
            case "tree-objects" -> new PTreeMap<String, PString>();
            case "treeset" -> new PTreeSet<String>();
            case "list" -> new PArrayList<String>();
            case "set" -> new PHashSet<String>();
            case "queue" -> new PQueue<String>();
            case "array" -> new PArray<Object>(12);
            case "bytes" -> new PByteArray(100);
            case "longs" -> new PLongArray(20);
            default -> throw new IllegalArgumentException(kind);
        };
    }

    /** A heap with one structure of the kind, filled. */
    static void fill(PHeap heap, String kind) {
        new Operations(kind, 3, 0).setUp(heap);
    }

    static String show(PHeap heap) {
        return new Operations("", 0, 0).observe(heap);
    }

    static String show(byte[] image, CrashExplorer opener) throws IOException {
        PHeap h = opener.open(new SimMedium(image), false);
        try {
            return show(h);
        } finally {
            h.core().abandon();
        }
    }

    private record Operations(String kind, long seed, int operations) implements Scenario {
        @Override
        public void setUp(PHeap heap) {
            Supplier<Object> s = () -> make(kind);
            heap.root("c", Object.class, s);
            // Beyond the first chunk of the table, so that growth is among what crashes.
            Random r = new Random(seed);
            for (int i = 0; i < 13; i++) {
                step(heap.root("c"), r, true);
            }
        }

        @Override
        public void operate(PHeap heap, int i) {
            Random r = new Random(seed * 1000 + i);
            if (i % 4 == 3) {
                heap.atomic(() -> {
                    for (int k = 0; k < 3; k++) {
                        step(heap.root("c"), r, false);
                    }
                });
            } else {
                step(heap.root("c"), r, i % 3 == 0);
            }
        }

        @SuppressWarnings("unchecked")
        private void step(Object c, Random r, boolean grow) {
            String x = "k" + r.nextInt(40);
            if (kind.equals("tree-objects")) {
                PTreeMap<String, PString> t = (PTreeMap<String, PString>) c;
                stepObjects(t, r, grow ? 0 : r.nextInt(6), grow || t.isEmpty() ? x : t.ceilingKey(x) != null ? t.ceilingKey(x) : t.firstKey());
            } else if (kind.equals("index-bytes")) {
                stepBytes((PIndexMap<String, byte[]>) c, r, grow ? 0 : r.nextInt(8), "k" + r.nextInt(6));
            } else if (c instanceof Map<?, ?> m) {
                stepMap((Map<String, Integer>) m, r, grow ? 0 : r.nextInt(12), x);
            } else if (c instanceof Queue<?> q) {
                stepQueue((Queue<String>) q, grow ? 0 : r.nextInt(8), x);
            } else if (c instanceof List<?> l) {
                stepList((List<String>) l, r, grow || l.isEmpty() ? 0 : r.nextInt(9), x);
            } else if (c instanceof Collection<?> s) {
                stepSet((Collection<String>) s, grow ? 0 : r.nextInt(8), x);
            } else {
                stepArray(c, r, x);
            }
        }

        /** Most values are those that are there with a few bytes changed. */
        private static void stepBytes(PIndexMap<String, byte[]> map, Random r, int what, String x) {
            byte[] there = map.get(x);
            if (there == null || what == 0) {
                byte[] b = new byte[200 + r.nextInt(2)];
                r.nextBytes(b);
                map.set(x, b);
            } else if (what < 7) {
                int from = r.nextInt(there.length - 30);
                for (int i = 0; i < what * 3; i++) {
                    there[from + i]++;
                }
                there[there.length - 1] += (byte) (what & 1);
                map.set(x, there);
            } else {
                map.remove(x);
            }
        }

        private static void stepMap(Map<String, Integer> map, Random r, int what, String x) {
            switch (what) {
                case 0, 1 -> map.put(x, r.nextInt(100));
                case 2, 3 -> map.remove(x);
                case 4 -> map.merge(x, 1, Integer::sum);
                case 5 -> map.putIfAbsent(x, 7);
                case 6 -> map.replace(x, 8);
                case 7 -> map.computeIfPresent(x, (k, v) -> v % 2 == 0 ? null : v + 1);
                case 8 -> map.putAll(Map.of(x, 1, x + "a", 2));
                case 9 -> map.values().removeIf(v -> v % 5 == 0);
                case 10 -> {
                    if (map instanceof NavigableMap<String, Integer> n) {
                        n.pollFirstEntry();
                        n.pollLastEntry();
                    } else {
                        map.entrySet().stream().min(Map.Entry.comparingByKey()).ifPresent(e -> e.setValue(9));
                    }
                }
                default -> {
                    if (map.size() > 14) {
                        map.clear();
                    }
                }
            }
        }

        /** Values are objects of their own; they are looked up before, so that the tree remembers where they are. */
        private static void stepObjects(PTreeMap<String, PString> map, Random r, int what, String x) {
            PString seen = map.get(x);
            map.get(map.isEmpty() ? x : map.firstKey());
            map.heap().atomic(() -> {
                switch (what) {
                    case 0, 1, 2 -> map.put(x, new PString(x + " is " + r.nextInt(100)));
                    case 3 -> map.put(map.firstKey(), map.put(x, map.firstEntry().getValue()));
                    case 4 -> map.remove(x);
                    default -> {
                        map.put(x, new PString("for a moment"));
                        map.heap().free(map.put(x, new PString(x + " again")));
                    }
                }
                if (seen != null && map.values().stream().noneMatch(v -> v == seen)) {
                    map.heap().free(seen);
                }
            });
            if (map.get(x) != map.entrySet().stream().filter(e -> e.getKey().equals(x)).findFirst().map(Map.Entry::getValue).orElse(null)) {
                throw new IllegalStateException("the tree remembers another value of " + x);
            }
        }

        private static void stepQueue(Queue<String> q, int what, String x) {
            switch (what) {
                case 0, 1, 2 -> q.add(x);
                case 3, 4 -> q.poll();
                case 5 -> q.remove(x);
                case 6 -> q.addAll(List.of(x, "y"));
                default -> q.removeIf(s -> s.endsWith("7"));
            }
        }

        private static void stepList(List<String> list, Random r, int what, String x) {
            switch (what) {
                case 0, 1 -> list.add(r.nextInt(list.size() + 1), x);
                case 2, 3 -> list.remove(r.nextInt(list.size()));
                case 4 -> list.set(r.nextInt(list.size()), x);
                case 5 -> list.addAll(r.nextInt(list.size() + 1), List.of(x, "y", x));
                case 6 -> list.subList(list.size() / 2, list.size()).clear();
                case 7 -> list.sort(null);
                default -> list.removeIf(s -> s.endsWith("7"));
            }
        }

        private static void stepSet(Collection<String> set, int what, String x) {
            switch (what) {
                case 0, 1, 2 -> set.add(x);
                case 3, 4 -> set.remove(x);
                case 5 -> set.addAll(List.of(x, x + "a"));
                case 6 -> set.retainAll(set.stream().filter(s -> !s.endsWith("3")).toList());
                default -> {
                    if (set instanceof NavigableSet<String> n) {
                        n.pollFirst();
                    } else {
                        set.removeIf(s -> s.endsWith("7"));
                    }
                }
            }
        }

        @SuppressWarnings("unchecked")
        private static void stepArray(Object c, Random r, String x) {
            if (c instanceof PByteArray b) {
                int at = r.nextInt(60);
                if (r.nextBoolean()) {
                    b.write(at, x.repeat(8).getBytes(StandardCharsets.US_ASCII), 0, 1 + r.nextInt(16));
                } else {
                    b.set(at, (byte) r.nextInt());
                }
            } else if (c instanceof PLongArray l) {
                l.set(r.nextInt(l.length()), r.nextLong());
            } else {
                PArray<Object> a = (PArray<Object>) c;
                int at = r.nextInt(a.length());
                int what = r.nextInt(3);
                a.heap().atomic(() -> {
                    Object old = a.get(at);
                    a.set(at, what == 0 ? x : what == 1 ? null : new PString(x + "\u4e2d"));
                    if (old instanceof PString s) {
                        a.heap().free(s); // an object of its own, not the array's
                    }
                });
            }
        }

        private static String elements(Object c) {
            if (c == null) {
                return "nothing";
            }
            List<Object> l = new ArrayList<>();
            if (c instanceof PByteArray b) {
                return Arrays.toString(b.toArray());
            }
            if (c instanceof PLongArray a) {
                for (int i = 0; i < a.length(); i++) {
                    l.add(a.get(i));
                }
            } else {
                PArray<?> a = (PArray<?>) c;
                for (int i = 0; i < a.length(); i++) {
                    Object o = a.get(i);
                    l.add(o instanceof PString ? "object " + o : o);
                }
            }
            return l.toString();
        }

        @Override
        public String observe(PHeap heap) {
            Object c = heap.root("c");
            if (c instanceof Map<?, ?> m) {
                if (m.size() != m.entrySet().stream().count()) {
                    return "size " + m.size() + " of " + m;
                }
                Map<Object, Object> shown = new TreeMap<>(m);
                shown.replaceAll((k, v) -> v instanceof byte[] b ? Arrays.toString(b) : v);
                return shown.toString();
            }
            if (!(c instanceof Collection<?> all)) {
                return elements(c);
            }
            List<Object> items = new ArrayList<>(all);
            if (items.size() != all.size()) {
                return "size " + all.size() + " of " + items;
            }
            return c instanceof List || c instanceof Queue ? new ArrayDeque<>(items).toString() : new TreeMap<>(items.stream().collect(
                    java.util.stream.Collectors.toMap(i -> i, i -> 1))).toString();
        }
    }

    @ParameterizedTest
    @CsvSource({"array,true", "array,false", "bytes,true", "bytes,false", "longs,true", "longs,false", "hash-cached,true", "hash-cached,false",
        "hash-eager,true", "hash-eager,false", "hash,true", "hash,false", "skiplist,true", "skiplist,false", "index,true", "index,false", "index-bytes,true", "index-bytes,false",
        "tree,true", "tree,false",
        "tree-objects,true", "tree-objects,false", "treeset,true", "treeset,false", "list,true", "list,false", "set,true",
        "set,false", "queue,true", "queue,false"})
    void operations(String kind, boolean direct) throws IOException {
        for (int seed = 0; seed < SCALE; seed++) {
            long images = new CrashExplorer(new Operations(kind, seed, 10), direct, seed, 2 * SCALE).explore();
            assertTrue(images > 10, "only " + images + " crash images were tried");
        }
    }
}
