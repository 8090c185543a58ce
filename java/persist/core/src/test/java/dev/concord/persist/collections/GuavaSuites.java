package dev.concord.persist.collections;

import com.google.common.collect.testing.ConcurrentMapTestSuiteBuilder;
import com.google.common.collect.testing.ConcurrentNavigableMapTestSuiteBuilder;
import com.google.common.collect.testing.ListTestSuiteBuilder;
import com.google.common.collect.testing.NavigableSetTestSuiteBuilder;
import com.google.common.collect.testing.QueueTestSuiteBuilder;
import com.google.common.collect.testing.SetTestSuiteBuilder;
import com.google.common.collect.testing.TestStringListGenerator;
import com.google.common.collect.testing.TestStringMapGenerator;
import com.google.common.collect.testing.TestStringQueueGenerator;
import com.google.common.collect.testing.TestStringSetGenerator;
import com.google.common.collect.testing.TestStringSortedMapGenerator;
import com.google.common.collect.testing.TestStringSortedSetGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.ListFeature;
import com.google.common.collect.testing.features.MapFeature;
import dev.concord.persist.Durability;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Supplier;
import junit.framework.Test;
import junit.framework.TestSuite;

/** Guava's conformance suites over every collection and caching variant. */
public final class GuavaSuites {
    private static final PHeap HEAP = open();

    private GuavaSuites() {
    }

    private static PHeap open() {
        try {
            Path dir = Files.createTempDirectory(Path.of(System.getProperty("java.io.tmpdir")), "jnvm-guava");
            Path file = dir.resolve("heap");
            PHeap heap = PHeap.open(file, PHeapOptions.defaults().durability(Durability.PROCESS));
            for (Path p : new Path[] {file, dir.resolve("heap.lock"), dir}) {
                p.toFile().deleteOnExit();
            }
            return heap;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> T make(Supplier<T> s) {
        return HEAP.with(s);
    }

    public static Test suite() {
        TestSuite all = new TestSuite("persistent collections");
        for (MirrorMap.Caching c : MirrorMap.Caching.values()) {
            all.addTest(ConcurrentMapTestSuiteBuilder.using(new TestStringMapGenerator() {
                @Override
                protected Map<String, String> create(Map.Entry<String, String>[] entries) {
                    return fill(make(() -> new PHashMap<>(c)), entries);
                }
            }).named("PHashMap " + c).withFeatures(MapFeature.GENERAL_PURPOSE, MapFeature.ALLOWS_NULL_ENTRY_QUERIES, CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                    CollectionSize.ANY).createTestSuite());
            all.addTest(ConcurrentNavigableMapTestSuiteBuilder.using(new TestStringSortedMapGenerator() {
                @Override
                protected SortedMap<String, String> create(Map.Entry<String, String>[] entries) {
                    return fill(make(() -> new PSkipListMap<String, String>(c)), entries);
                }
            }).named("PSkipListMap " + c).withFeatures(MapFeature.GENERAL_PURPOSE, MapFeature.ALLOWS_NULL_ENTRY_QUERIES, CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                    CollectionFeature.KNOWN_ORDER, CollectionSize.ANY).createTestSuite());
        }
        all.addTest(ConcurrentMapTestSuiteBuilder.using(new TestStringMapGenerator() {
            @Override
            protected Map<String, String> create(Map.Entry<String, String>[] entries) {
                return fill(make(PIndexMap::new), entries);
            }
        }).named("PIndexMap").withFeatures(MapFeature.GENERAL_PURPOSE, MapFeature.ALLOWS_NULL_ENTRY_QUERIES, CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                CollectionSize.ANY).createTestSuite());
        all.addTest(ConcurrentNavigableMapTestSuiteBuilder.using(new TestStringSortedMapGenerator() {
            @Override
            protected SortedMap<String, String> create(Map.Entry<String, String>[] entries) {
                return fill(make(() -> new PTreeMap<String, String>()), entries);
            }
        }).named("PTreeMap").withFeatures(MapFeature.GENERAL_PURPOSE, MapFeature.ALLOWS_NULL_ENTRY_QUERIES, CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                CollectionFeature.KNOWN_ORDER, CollectionSize.ANY).createTestSuite());
        all.addTest(NavigableSetTestSuiteBuilder.using(new TestStringSortedSetGenerator() {
            @Override
            protected SortedSet<String> create(String[] elements) {
                SortedSet<String> s = make(PTreeSet::new);
                s.addAll(Arrays.asList(elements));
                return s;
            }
        }).named("PTreeSet").withFeatures(CollectionFeature.GENERAL_PURPOSE, CollectionFeature.KNOWN_ORDER, CollectionSize.ANY).createTestSuite());
        all.addTest(ListTestSuiteBuilder.using(new TestStringListGenerator() {
            @Override
            protected List<String> create(String[] elements) {
                return make(() -> new PArrayList<>(Arrays.asList(elements)));
            }
        }).named("PArrayList").withFeatures(ListFeature.GENERAL_PURPOSE, CollectionFeature.FAILS_FAST_ON_CONCURRENT_MODIFICATION, CollectionSize.ANY)
                .createTestSuite());
        all.addTest(SetTestSuiteBuilder.using(new TestStringSetGenerator() {
            @Override
            protected Set<String> create(String[] elements) {
                Set<String> s = make(PHashSet::new);
                s.addAll(Arrays.asList(elements));
                return s;
            }
        }).named("PHashSet").withFeatures(CollectionFeature.GENERAL_PURPOSE, CollectionSize.ANY).createTestSuite());
        all.addTest(QueueTestSuiteBuilder.using(new TestStringQueueGenerator() {
            @Override
            protected Queue<String> create(String[] elements) {
                Queue<String> q = make(PQueue::new);
                q.addAll(Arrays.asList(elements));
                return q;
            }
        }).named("PQueue").withFeatures(CollectionFeature.GENERAL_PURPOSE, CollectionFeature.KNOWN_ORDER, CollectionSize.ANY).createTestSuite());
        return all;
    }

    private static <M extends Map<String, String>> M fill(M m, Map.Entry<String, String>[] entries) {
        for (Map.Entry<String, String> e : entries) {
            m.put(e.getKey(), e.getValue());
        }
        return m;
    }
}
