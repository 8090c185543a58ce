package dev.concord.persist.infinispan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.eviction.EvictionStrategy;
import org.infinispan.manager.DefaultCacheManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cache over the store, as users have it: evicting, and started again. */
class CacheTest {
    @TempDir
    Path dir;

    private DefaultCacheManager manager(boolean segmented) {
        DefaultCacheManager m = new DefaultCacheManager(new GlobalConfigurationBuilder().nonClusteredDefault().build());
        ConfigurationBuilder b = new ConfigurationBuilder();
        b.memory().maxCount(10).whenFull(EvictionStrategy.REMOVE);
        b.persistence().addStore(PersistStoreConfigurationBuilder.class).segmented(segmented).location(dir.toString());
        m.defineConfiguration("c" + segmented, b.build());
        return m;
    }

    @Test
    void whatWasEvictedOrSavedBeforeAStartIsRead() throws Exception {
        for (boolean segmented : new boolean[] {true, false}) {
            try (DefaultCacheManager m = manager(segmented)) {
                Cache<String, byte[]> c = m.getCache("c" + segmented);
                for (int i = 0; i < 100; i++) {
                    c.put("k" + i, new byte[] {(byte) i});
                }
                c.remove("k7");
                for (int i = 8; i < 100; i++) {
                    assertEquals(i, c.get("k" + i)[0]);
                }
            }
            try (DefaultCacheManager m = manager(segmented)) {
                Cache<String, byte[]> c = m.getCache("c" + segmented);
                assertEquals(99, c.size());
                assertEquals(42, c.get("k42")[0]);
                assertNull(c.get("k7"));
                c.clear();
                assertEquals(0, c.size());
            }
        }
    }
}
