package dev.concord.persist.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.PHeap;
import dev.concord.persist.collections.PHashMap;
import dev.concord.persist.collections.PHashSet;
import dev.concord.persist.collections.PIndexMap;
import dev.concord.persist.collections.PQueue;
import dev.concord.persist.collections.PSkipListMap;
import dev.concord.persist.collections.PTreeMap;
import dev.concord.persist.collections.PTreeSet;
import dev.concord.persist.sim.CrashExplorer;
import dev.concord.persist.sim.SimMedium;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Operations that find done what they were to do. Another's block did it, is visible and not durable; who returns from the
 * operation may tell of it, so a crash after that must not take it back.
 */
class ConfirmTest {
    private final CrashExplorer logged = new CrashExplorer(CoreScenarios.transfers(1), false, 1, 1);
    private SimMedium medium = new SimMedium();
    private final List<PHeap> opened = new ArrayList<>();

    enum Kind {
        HASH(PHashMap.class, PHashMap::new), INDEX(PIndexMap.class, PIndexMap::new), TREE(PTreeMap.class, PTreeMap::new), SKIP_LIST(PSkipListMap.class, PSkipListMap::new);

        final Class<?> type;
        final Supplier<?> make;

        Kind(Class<?> type, Supplier<?> make) {
            this.type = type;
            this.make = make;
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <T> T root(PHeap h, Class<?> type, Supplier<?> make) {
        return (T) h.root("it", (Class) type, (Supplier) make);
    }

    private PHeap open(SimMedium medium, boolean create) throws IOException {
        PHeap h = logged.open(medium, create);
        opened.add(h);
        return h;
    }

    private PHeap fresh() throws IOException {
        return open(medium, true);
    }

    /** The heap as the least that a crash now may leave has it. */
    private PHeap crash() throws IOException {
        return open(new SimMedium(medium.image(new int[0], new int[0])), false);
    }

    @AfterEach
    void leave() throws IOException {
        for (PHeap h : opened) {
            h.core().abandon();
        }
    }

    private static final List<Consumer<ConcurrentMap<String, Integer>>> FOUND = List.of(
            m -> assertEquals(1, m.putIfAbsent("k", 2)),
            m -> assertFalse(m.replace("k", 5, 2)),
            m -> assertFalse(m.remove("k", 5)),
            m -> assertFalse(m.remove("k", null)),
            m -> assertTrue(m.replace("k", 1, 1)),
            m -> assertEquals(1, m.compute("k", (k, v) -> v)));

    private static final List<Consumer<ConcurrentMap<String, Integer>>> NOT_FOUND = List.of(
            m -> assertNull(m.remove("k")),
            m -> assertFalse(m.remove("k", 1)),
            m -> assertNull(m.replace("k", 2)),
            m -> assertFalse(m.replace("k", 1, 2)),
            m -> assertNull(m.compute("k", (k, v) -> null)));

    @ParameterizedTest
    @EnumSource
    void whoFindsAPairThereFindsItAgain(Kind kind) throws IOException {
        findAgain(kind, FOUND, m -> m.remove("k"), m -> m.put("k", 1), 1);
    }

    @ParameterizedTest
    @EnumSource
    void whoFindsNoPairFindsNoneAgain(Kind kind) throws IOException {
        findAgain(kind, NOT_FOUND, m -> m.put("k", 1), m -> m.remove("k"), null);
    }

    /** For each operation: one change is durable, the next one visible only; a crash after the operation leaves both. */
    private void findAgain(Kind kind, List<Consumer<ConcurrentMap<String, Integer>>> operations, Consumer<ConcurrentMap<String, Integer>> durable,
            Consumer<ConcurrentMap<String, Integer>> visible, Integer found) throws IOException {
        PHeap h = fresh();
        ConcurrentMap<String, Integer> m = root(h, kind.type, kind.make);
        for (Consumer<ConcurrentMap<String, Integer>> operation : operations) {
            durable.accept(m);
            h.atomicVisible(() -> visible.accept(m));
            assertNotEquals(found, found(kind).get("k"), "it was durable before");
            operation.accept(m);
            assertEquals(found, found(kind).get("k"));
        }
    }

    private ConcurrentMap<String, Integer> found(Kind kind) throws IOException {
        return root(crash(), kind.type, kind.make);
    }

    /** What the operation is a part of waits as it would alone: a block, one that is awaited, one that is told of. */
    @Test
    void blocksThatFindTellWhenItIsDurable() throws IOException {
        PHeap h = fresh();
        ConcurrentMap<String, Integer> m = root(h, PHashMap.class, PHashMap::new);
        h.atomicVisible(() -> m.put("a", 1));
        h.atomic(() -> assertEquals(1, m.putIfAbsent("a", 2)));
        assertEquals(1, found(Kind.HASH).get("a"));
        h.atomicVisible(() -> m.put("b", 1));
        h.atomicAsync(() -> assertEquals(1, m.putIfAbsent("b", 2))).join();
        assertEquals(1, found(Kind.HASH).get("b"));
        h.atomicVisible(() -> m.put("c", 1));
        h.awaitDurable(h.atomicVisible(() -> assertEquals(1, m.putIfAbsent("c", 2))));
        assertEquals(1, found(Kind.HASH).get("c"));
    }

    /** Reads wait for nothing: they are not what somebody is told to have been done. */
    @Test
    void readsDoNotWait() throws IOException {
        PHeap h = fresh();
        ConcurrentMap<String, Integer> m = root(h, PHashMap.class, PHashMap::new);
        h.atomicVisible(() -> m.put("k", 1));
        long syncs = h.statistics().syncs();
        assertEquals(1, m.get("k"));
        assertTrue(m.containsKey("k"));
        assertEquals(1, m.computeIfAbsent("k", k -> 2));
        assertEquals(1, m.size());
        h.atomic(() -> assertEquals(1, m.get("k")));
        assertEquals(syncs, h.statistics().syncs());
    }

    @Test
    void setsAndQueues() throws IOException {
        for (Supplier<?> make : List.<Supplier<?>>of(PHashSet::new, PTreeSet::new, PQueue::new)) {
            medium = new SimMedium();
            PHeap h = fresh();
            Collection<String> c = root(h, Object.class, make);
            if (!(c instanceof PQueue)) {
                h.atomicVisible(() -> c.add("e"));
                assertFalse(c.add("e"));
                assertTrue(((Collection<?>) root(crash(), Object.class, make)).contains("e"));
            } else {
                c.add("e");
            }
            h.atomicVisible(() -> c.remove("e"));
            assertFalse(c.remove("e"));
            assertFalse(((Collection<?>) root(crash(), Object.class, make)).contains("e"));
        }
    }
}
