package dev.concord.persist.crash;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.PHeap;
import dev.concord.persist.collections.PArrayList;
import dev.concord.persist.collections.PHashMap;
import dev.concord.persist.collections.PHashSet;
import dev.concord.persist.collections.PIndexMap;
import dev.concord.persist.collections.PQueue;
import dev.concord.persist.collections.PSkipListMap;
import dev.concord.persist.collections.PTreeMap;
import dev.concord.persist.collections.PTreeSet;
import dev.concord.persist.sim.CrashExplorer;
import dev.concord.persist.sim.CrashExplorer.Scenario;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
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
            case "skiplist" -> new PSkipListMap<String, Integer>();
            case "index" -> new PIndexMap<String, Integer>();
            case "tree" -> new PTreeMap<String, Integer>();
            case "treeset" -> new PTreeSet<String>();
            case "list" -> new PArrayList<String>();
            case "set" -> new PHashSet<String>();
            case "queue" -> new PQueue<String>();
            default -> throw new IllegalArgumentException(kind);
        };
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
        private static void step(Object c, Random r, boolean grow) {
            String x = "k" + r.nextInt(40);
            if (c instanceof Map<?, ?> m) {
                Map<String, Integer> map = (Map<String, Integer>) m;
                switch (grow ? 0 : r.nextInt(4)) {
                    case 0, 1 -> map.put(x, r.nextInt(100));
                    case 2 -> map.remove(x);
                    default -> map.merge(x, 1, Integer::sum);
                }
            } else if (c instanceof Queue<?> q) {
                if (grow || r.nextBoolean()) {
                    ((Queue<String>) q).add(x);
                } else {
                    q.poll();
                }
            } else if (c instanceof List<?> l) {
                List<String> list = (List<String>) l;
                if (grow || list.isEmpty() || r.nextBoolean()) {
                    list.add(r.nextInt(list.size() + 1), x);
                } else if (r.nextBoolean()) {
                    list.remove(r.nextInt(list.size()));
                } else {
                    list.set(r.nextInt(list.size()), x);
                }
            } else {
                Collection<String> set = (Collection<String>) c;
                if (grow || r.nextBoolean()) {
                    set.add(x);
                } else {
                    set.remove(x);
                }
            }
        }

        @Override
        public String observe(PHeap heap) {
            Object c = heap.root("c");
            if (c instanceof Map<?, ?> m) {
                if (m.size() != m.entrySet().stream().count()) {
                    return "size " + m.size() + " of " + m;
                }
                return new TreeMap<>(m).toString();
            }
            Collection<?> all = (Collection<?>) c;
            List<Object> items = new ArrayList<>(all);
            if (items.size() != all.size()) {
                return "size " + all.size() + " of " + items;
            }
            return c instanceof List || c instanceof Queue ? new ArrayDeque<>(items).toString() : new TreeMap<>(items.stream().collect(
                    java.util.stream.Collectors.toMap(i -> i, i -> 1))).toString();
        }
    }

    @ParameterizedTest
    @CsvSource({"hash,true", "hash,false", "skiplist,true", "skiplist,false", "index,true", "index,false", "tree,true", "tree,false",
        "treeset,true", "treeset,false", "list,true", "list,false", "set,true",
        "set,false", "queue,true", "queue,false"})
    void operations(String kind, boolean direct) throws IOException {
        for (int seed = 0; seed < SCALE; seed++) {
            long images = new CrashExplorer(new Operations(kind, seed, 10), direct, seed, 2 * SCALE).explore();
            assertTrue(images > 10, "only " + images + " crash images were tried");
        }
    }
}
