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
import org.infinispan.commons.test.TestResourceTracker;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.persistence.BaseNonBlockingStoreTest;
import org.infinispan.persistence.spi.NonBlockingStore;
import org.junit.jupiter.api.DynamicTest;
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

        Base(Durability level) throws Exception {
            this.level = level;
            directory = Files.createTempDirectory("jnvm-infinispan");
        }

        @Override
        protected NonBlockingStore<Object, Object> createStore() {
            return new PersistStore<>();
        }

        @Override
        protected Configuration buildConfig(ConfigurationBuilder builder) {
            return builder.persistence().addStore(PersistStoreConfigurationBuilder.class).location(directory.toString()).durability(level).build();
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

    @TestFactory
    List<DynamicTest> baseTests() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Method m : BaseNonBlockingStoreTest.class.getDeclaredMethods()) {
            if (m.getName().startsWith("test") && Modifier.isPublic(m.getModifiers()) && m.getParameterCount() == 0) {
                for (Durability level : List.of(Durability.POWER, Durability.PROCESS)) {
                    tests.add(DynamicTest.dynamicTest(m.getName() + " " + level, () -> new Base(level).run(m)));
                }
            }
        }
        assertTrue(tests.size() >= 34, "only " + tests.size() + " base tests were found");
        return tests;
    }
}
