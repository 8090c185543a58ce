package dev.concord.persist.collections;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.concord.persist.Durability;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the values that a mirror keeps must not change. */
class PHashMapTest {
    @TempDir
    Path dir;
    private PHeap heap;
    private PHashMap<String, Object> map;

    @BeforeEach
    void open() {
        heap = PHeap.open(dir.resolve("h"), PHeapOptions.defaults().segmentSize(1 << 20).logSize(1 << 20).durability(Durability.PROCESS));
    }

    @AfterEach
    void close() {
        heap.close();
    }

    private void make(MirrorMap.Caching caching) {
        map = heap.root("m", PHashMap.class, () -> new PHashMap<>(caching));
        map.put("a", "old");
        assertEquals("old", map.get("a"));
    }

    private Object seenByOthers(String key) {
        return CompletableFuture.supplyAsync(() -> map.get(key)).join();
    }

    @ParameterizedTest
    @EnumSource(MirrorMap.Caching.class)
    void aBlockSeesWhatItPutAndOthersDoNotYet(MirrorMap.Caching caching) {
        make(caching);
        PByteArray[] made = new PByteArray[1];
        heap.atomic(() -> {
            made[0] = new PByteArray(8);
            map.put("a", made[0]);
            assertSame(made[0], map.get("a"));
            assertEquals("old", seenByOthers("a"));
            map.remove("a");
            assertNull(map.get("a"));
            assertFalse(map.containsKey("a"));
            assertEquals("old", seenByOthers("a"));
            map.put("a", made[0]);
        });
        assertSame(made[0], map.get("a"));
        assertSame(made[0], seenByOthers("a"));
    }

    @ParameterizedTest
    @EnumSource(MirrorMap.Caching.class)
    void aRollbackBringsTheOldValueBack(MirrorMap.Caching caching) {
        make(caching);
        assertThrows(IllegalStateException.class, () -> heap.atomic(() -> {
            map.put("a", new PByteArray(8));
            map.put("b", "never");
            throw new IllegalStateException();
        }));
        assertEquals("old", map.get("a"));
        assertNull(map.get("b"));
        // The place of the object that never was goes to another.
        PByteArray other = heap.atomicGet(() -> new PByteArray(8));
        map.put("c", other);
        assertEquals("old", map.get("a"));
        assertSame(other, map.get("c"));
    }

    @ParameterizedTest
    @EnumSource(MirrorMap.Caching.class)
    void anIteratorNeverShowsAKeyWithTheValueOfAnother(MirrorMap.Caching caching) {
        make(caching);
        map.put("b", "second");
        Iterator<Map.Entry<String, Object>> walk = map.entrySet().iterator();
        map.remove("a");
        map.put("c", "third"); // in the place of the first
        while (walk.hasNext()) {
            Map.Entry<String, Object> e = walk.next();
            assertEquals(map.get(e.getKey()), e.getValue(), e.getKey());
        }
    }
}
