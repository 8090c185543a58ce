package dev.concord.persist.infinispan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.infinispan.Cache;
import org.infinispan.commons.CacheException;
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

    private long fileAfterOneEntry(String name, Consumer<PersistStoreConfigurationBuilder> options) throws IOException {
        try (DefaultCacheManager m = new DefaultCacheManager(new GlobalConfigurationBuilder().nonClusteredDefault().build())) {
            ConfigurationBuilder b = new ConfigurationBuilder();
            options.accept(b.persistence().addStore(PersistStoreConfigurationBuilder.class).location(dir.toString()));
            m.defineConfiguration(name, b.build());
            m.<String, String>getCache(name).put("k", "v");
        }
        return Files.size(dir.resolve(name + ".heap"));
    }

    @Test
    void theLogHasTheSizeThatItWasMadeWith() throws Exception {
        long usual = fileAfterOneEntry("usual", b -> { });
        long small = fileAfterOneEntry("small", b -> b.logSize(1 << 20));
        assertEquals(127 << 20, usual - small);
        assertEquals(small, fileAfterOneEntry("small", b -> { }), "a heap that exists keeps its own");
    }

    private static Throwable root(Throwable t) {
        return t.getCause() == null ? t : root(t.getCause());
    }

    /** A store that never opened is stopped with the others: the log tells of why it did not, and of nothing else. */
    @Test
    void aStoreThatCannotOpenFailsForItsReasonAlone() {
        Set<String> logged = ConcurrentHashMap.newKeySet();
        Handler told = new Handler() {
            @Override
            public void publish(LogRecord r) {
                if (r.getThrown() != null) {
                    logged.add(root(r.getThrown()).toString());
                }
            }

            @Override
            public void flush() {
            }

            @Override
            public void close() {
            }
        };
        Logger all = Logger.getLogger("");
        all.addHandler(told);
        try {
            Throwable refused = root(assertThrows(CacheException.class, () -> fileAfterOneEntry("none", b -> b.logSize(1))));
            assertEquals("log size must be from 64 KiB to 1 GiB, not 1", refused.getMessage());
            assertEquals(Set.of(refused.toString()), logged);
        } finally {
            all.removeHandler(told);
        }
    }
}
