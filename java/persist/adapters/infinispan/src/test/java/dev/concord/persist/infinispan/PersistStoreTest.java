package dev.concord.persist.infinispan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.Durability;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.infinispan.Cache;
import org.infinispan.commons.executors.NonBlockingResource;
import org.infinispan.commons.test.TestResourceTracker;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.persistence.BaseNonBlockingStoreTest;
import org.infinispan.persistence.spi.NonBlockingStore;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Infinispan's own base tests of a store, every one of them. They are written for TestNG, whose only part here would be to
 * find them, which this does: public methods whose names begin with "test".
 */
class PersistStoreTest {
    /** The base tests over our store; segmented, durable to power loss. */
    static class Base extends BaseNonBlockingStoreTest {
        private final Path directory;
        private final Durability level;
        private final boolean callerSyncs;

        Base(Durability level, boolean callerSyncs) throws Exception {
            this.level = level;
            this.callerSyncs = callerSyncs;
            directory = Files.createTempDirectory("jnvm-infinispan");
        }

        @Override
        protected NonBlockingStore<Object, Object> createStore() {
            return new PersistStore<>();
        }

        @Override
        protected Configuration buildConfig(ConfigurationBuilder builder) {
            return builder.persistence().addStore(PersistStoreConfigurationBuilder.class).location(directory.toString()).durability(level)
                    .callerSyncs(callerSyncs).build();
        }

        void run(Method m) throws Throwable {
            TestResourceTracker.testStarted(getClass().getName());
            setUp();
            try {
                m.invoke(this);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            } finally {
                tearDown();
                TestResourceTracker.testFinished(getClass().getName());
                try (var files = Files.walk(directory)) {
                    for (Path p : files.sorted(Comparator.reverseOrder()).toList()) {
                        Files.delete(p);
                    }
                }
            }
        }
    }

    /** Whether a write is durable, hence its stage complete, when the call returns that leads it to the medium. */
    @Test
    void theCallersThreadSyncsIfItShall() throws Exception {
        for (boolean callerSyncs : new boolean[] {true, false}) {
            Path directory = Files.createTempDirectory(Path.of("target"), "jnvm-caller");
            try (DefaultCacheManager manager = new DefaultCacheManager()) {
                ConfigurationBuilder b = new ConfigurationBuilder();
                b.persistence().addStore(PersistStoreConfigurationBuilder.class).location(directory.toString()).durability(Durability.POWER).callerSyncs(callerSyncs);
                manager.defineConfiguration("c", b.build());
                Cache<String, String> c = manager.getCache("c");
                int done = completeAtOnce(c, "v");
                assertTrue(callerSyncs ? done == 50 : done < 50, done + " of 50 stages were complete at once");
                // A thread of Infinispan's must not wait for a medium, whatever the application wants of its own.
                int[] there = new int[1];
                Thread t = new Thread(new Nonblocking(), () -> there[0] = completeAtOnce(c, "w"));
                t.start();
                t.join();
                assertTrue(there[0] < 50, there[0] + " of 50 stages were complete at once");
            } finally {
                try (var files = Files.walk(directory)) {
                    for (Path p : files.sorted(Comparator.reverseOrder()).toList()) {
                        Files.delete(p);
                    }
                }
            }
        }
    }

    /** Of values that are not there yet: one that is there is durable at once. */
    private static int completeAtOnce(Cache<String, String> c, String value) {
        int done = 0;
        for (int i = 0; i < 50; i++) {
            CompletableFuture<String> f = c.putAsync("k" + i, value + i);
            done += f.isDone() ? 1 : 0;
            f.join();
        }
        return done;
    }

    private static final class Nonblocking extends ThreadGroup implements NonBlockingResource {
        Nonblocking() {
            super("non-blocking");
        }
    }

    @TestFactory
    List<DynamicTest> baseTests() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Method m : BaseNonBlockingStoreTest.class.getDeclaredMethods()) {
            if (m.getName().startsWith("test") && Modifier.isPublic(m.getModifiers()) && m.getParameterCount() == 0) {
                for (Durability level : List.of(Durability.POWER, Durability.PROCESS)) {
                    tests.add(DynamicTest.dynamicTest(m.getName() + " " + level, () -> new Base(level, false).run(m)));
                }
                tests.add(DynamicTest.dynamicTest(m.getName() + " by the caller", () -> new Base(Durability.POWER, true).run(m)));
            }
        }
        assertTrue(tests.size() >= 51, "only " + tests.size() + " base tests were found");
        return tests;
    }
}
