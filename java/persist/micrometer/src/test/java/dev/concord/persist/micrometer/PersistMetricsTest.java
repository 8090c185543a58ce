package dev.concord.persist.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.collections.PHashMap;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The meters follow what the heap does. */
class PersistMetricsTest {
    @TempDir
    Path dir;

    @Test
    void metersFollowTheHeap() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        PHeap h = PHeap.open(dir.resolve("h"), PHeapOptions.defaults().segmentSize(1 << 20).logSize(256 << 10));
        new PersistMetrics(h, "test").bindTo(registry);
        PHashMap<?, ?> m = h.root("m", PHashMap.class, PHashMap::new);
        put(m); // enters classes and makes room
        double before = registry.get("jnvm.commits").tag("heap", "test").functionCounter().count();
        put(m);
        assertEquals(before + 5, registry.get("jnvm.commits").functionCounter().count());
        assertTrue(registry.get("jnvm.syncs").functionCounter().count() >= 5);
        assertTrue(registry.get("jnvm.commit.size").functionCounter().count() > 100);
        assertEquals(h.statistics().fileBytes(), registry.get("jnvm.file.size").gauge().value());
        assertTrue(registry.get("jnvm.proxies").gauge().value() > 0);
        h.close();
        assertTrue(Double.isNaN(registry.get("jnvm.log.used").gauge().value()));
    }

    @SuppressWarnings("unchecked")
    private static void put(PHashMap<?, ?> m) {
        for (int i = 0; i < 5; i++) {
            ((PHashMap<Integer, Integer>) m).put(1, i);
        }
    }
}
