package dev.concord.persist.collections;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.Durability;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** Values of byte arrays that are changed where they lie. */
@SuppressWarnings("unchecked")
class PIndexMapTest {
    private static final int LENGTH = 10_003;
    /** Not where temporary files are, which may be in memory: values are changed where they lie only if there is a log. */
    @TempDir(factory = InTarget.class)
    Path dir;

    static final class InTarget implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
            return Files.createTempDirectory(Files.createDirectories(Path.of("target")), "jnvm-index");
        }
    }

    private PHeap open() {
        return PHeap.open(dir.resolve("h"), PHeapOptions.defaults().durability(Durability.POWER).segmentSize(1 << 20));
    }

    private static PIndexMap<String, byte[]> map(PHeap h) {
        return h.root("m", PIndexMap.class, PIndexMap::new);
    }

    private static byte[] random(int seed) {
        byte[] b = new byte[LENGTH];
        new Random(seed).nextBytes(b);
        return b;
    }

    private static byte[] changed(byte[] b, int from, int n) {
        byte[] c = b.clone();
        for (int i = from; i < from + n; i++) {
            c[i]++;
        }
        return c;
    }

    private static long logged(PHeap h, Runnable r) {
        long before = h.statistics().committedBytes();
        r.run();
        return h.statistics().committedBytes() - before;
    }

    @Test
    void theLogGetsWhatDiffersIfThatIsLittle() {
        byte[] first = random(1);
        for (int from : new int[] {0, 1, 4999, LENGTH - 1000}) {
            byte[] second = changed(first, from, 1000);
            try (PHeap h = open()) {
                PIndexMap<String, byte[]> m = map(h);
                m.set("k", first);
                long n = logged(h, () -> m.set("k", second));
                assertTrue(n > 1000 && n < 1200, n + " bytes for 1000 of " + LENGTH + " from " + from);
                assertArrayEquals(second, m.get("k"));
                assertEquals(0, logged(h, () -> m.set("k", second.clone())), "the same again");
            }
            try (PHeap h = open()) {
                assertArrayEquals(second, map(h).get("k"), "from " + from);
            }
        }
        try (PHeap h = open()) {
            long n = logged(h, () -> map(h).set("k", random(2)));
            assertTrue(n > LENGTH && n < LENGTH + 1000, n + " bytes for another value");
            map(h).set("k", changed(random(2), 0, 1).clone());
            assertArrayEquals(changed(random(2), 0, 1), map(h).get("k"));
            map(h).set("k", new byte[LENGTH - 1]);
            assertArrayEquals(new byte[LENGTH - 1], map(h).get("k"));
        }
    }

    @Test
    void aBlockSeesItsChangesAndRollsThemBack() {
        byte[] first = random(1);
        byte[] second = changed(first, 77, 9);
        byte[] third = changed(second, 80, 20);
        try (PHeap h = open()) {
            PIndexMap<String, byte[]> m = map(h);
            m.set("k", first);
            assertThrows(IllegalStateException.class, () -> h.atomic(() -> {
                m.set("k", second);
                assertArrayEquals(second, m.get("k"));
                throw new IllegalStateException();
            }));
            assertArrayEquals(first, m.get("k"));
            h.atomic(() -> {
                m.set("k", second);
                m.set("k", third);
                assertArrayEquals(third, m.put("k", first));
                m.set("k", second);
                assertArrayEquals(second, m.get("k"));
                m.set("k", third);
            });
            assertArrayEquals(third, m.get("k"));
            h.atomic(() -> {
                m.set("k", first);
                m.remove("k");
                assertNull(m.get("k"));
            });
            byte[] other = random(3);
            m.set("other", other);
            assertNull(m.get("k"));
            assertArrayEquals(other, m.get("other"));
        }
    }

    /** Of any length and alignment, one or several times in a block; the array that a value is part of may be used again at once. */
    @Test
    void whateverChangesIsThere() {
        Random r = new Random(11);
        byte[] reused = new byte[6000];
        byte[] expected = new byte[0];
        for (int round = 0; round < 20; round++) {
            try (PHeap h = open()) {
                PIndexMap<String, byte[]> m = map(h);
                if (round > 0) {
                    assertArrayEquals(expected, m.get("k"), "round " + round);
                }
                for (int i = 0; i < 50; i++) {
                    byte[][] values = new byte[1 + r.nextInt(3)][];
                    for (int v = 0; v < values.length; v++) {
                        expected = r.nextInt(8) == 0 ? new byte[r.nextInt(r.nextBoolean() ? 40 : 5000)] : expected.clone();
                        for (int runs = r.nextInt(4); runs > 0 && expected.length > 0; runs--) {
                            int from = r.nextInt(expected.length);
                            int to = Math.min(expected.length, from + 1 + r.nextInt(r.nextBoolean() ? 20 : 1500));
                            for (int k = from; k < to; k++) {
                                expected[k] = (byte) r.nextInt();
                            }
                        }
                        values[v] = expected;
                    }
                    h.atomic(() -> {
                        for (byte[] v : values) {
                            int pos = r.nextInt(1000);
                            System.arraycopy(v, 0, reused, pos, v.length);
                            PIndexMap.setBytes(m, "k", reused, pos, v.length);
                            r.nextBytes(reused);
                            assertArrayEquals(v, m.get("k"));
                        }
                    });
                    assertArrayEquals(expected, m.get("k"));
                }
            }
        }
    }

    /** It may be another's, visible and not yet durable. */
    @Test
    void aBlockThatFindsItsValueThereIsDurableWhenThatIs() {
        try (PHeap h = open()) {
            PIndexMap<String, byte[]> m = map(h);
            for (byte[] v : List.of(random(1), new byte[] {1, 2, 3}, new byte[0])) {
                long first = h.atomicVisible(() -> m.set("k", v));
                long second = h.atomicVisible(() -> m.set("k", v.clone()));
                assertTrue(first > 0 && second >= first, second + " after " + first);
                assertEquals(0, h.atomicVisible(() -> m.get("k")), "a block that only reads");
                assertTrue(h.lastPlace() >= second);
            }
        }
    }

    /** Eight words far apart, changed together. */
    @Test
    void aReaderSeesAllOfAChangeOrNothing() throws InterruptedException {
        try (PHeap h = open()) {
            PIndexMap<String, byte[]> m = map(h);
            m.set("k", new byte[LENGTH]);
            AtomicBoolean over = new AtomicBoolean();
            Throwable[] failure = new Throwable[1];
            Thread writer = new Thread(() -> {
                byte[] b = new byte[LENGTH];
                for (byte n = 0; !over.get(); n++) {
                    for (int i = 0; i < 8; i++) {
                        b[i * 1250] = n;
                    }
                    m.set("k", b);
                }
            });
            writer.setUncaughtExceptionHandler((t, e) -> failure[0] = e);
            writer.start();
            try {
                long end = System.nanoTime() + 300_000_000;
                while (System.nanoTime() < end && failure[0] == null) {
                    byte[] b = m.get("k");
                    for (int i = 1; i < 8; i++) {
                        assertEquals(b[0], b[i * 1250]);
                    }
                }
            } finally {
                over.set(true);
                writer.join();
            }
            assertNull(failure[0]);
        }
    }
}
