package dev.concord.persist.jcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.PHeap;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.cache.spi.CachingProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the conformance suite does not ask: that a cache in a file is still there after a restart. */
class RestartTest {
    @TempDir
    Path dir;

    @Test
    void aCacheInAFileIsStillThereAfterARestart() throws InterruptedException {
        URI uri = dir.resolve("shop.heap").toUri();
        CachingProvider provider = Caching.getCachingProvider(PersistCachingProvider.class.getName());
        Date day = new Date(12345);
        try (CacheManager m = provider.getCacheManager(uri, getClass().getClassLoader())) {
            Cache<Object, Object> c = m.createCache("c", new MutableConfiguration<>());
            c.put("a", 1);
            c.put(day, new ArrayList<>(List.of("x", "y")));
            c.put("gone", 2);
            c.remove("gone");
            Cache<String, String> brief = m.createCache("brief", new MutableConfiguration<String, String>()
                    .setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(new Duration(TimeUnit.MILLISECONDS, 1))));
            brief.put("k", "v");
        }
        Thread.sleep(5);
        try (CacheManager m = provider.getCacheManager(uri, getClass().getClassLoader())) {
            Cache<Object, Object> c = m.createCache("c", new MutableConfiguration<>());
            assertEquals(1, c.get("a"));
            assertEquals(List.of("x", "y"), c.get(new Date(12345)));
            assertFalse(c.containsKey("gone"));
            assertNull(m.createCache("brief", new MutableConfiguration<>()).get("k"));
            c.put("b", 2);
            m.destroyCache("c");
            assertFalse(m.createCache("c", new MutableConfiguration<>()).iterator().hasNext());
            PHeap heap = m.unwrap(PHeap.class);
            assertTrue(heap.core().check().sound());
            assertTrue(heap.core().check().unreachable().isEmpty(), () -> heap.core().check().unreachable().toString());
        }
    }
}
