package dev.concord.persist.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.collections.PHashMap;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What each command says about a small heap. */
class MainTest {
    private static final PHeapOptions OPTIONS = PHeapOptions.defaults().segmentSize(1 << 20).logSize(256 << 10);
    @TempDir
    Path dir;
    private Path file;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @BeforeEach
    @SuppressWarnings("unchecked")
    void makeHeap() {
        file = dir.resolve("h");
        try (PHeap h = PHeap.open(file, OPTIONS)) {
            PHashMap<String, Object> m = h.root("m", PHashMap.class, PHashMap::new);
            m.put("k\"ey", 42);
        }
    }

    private String run(int code, String... args) {
        bytes.reset();
        PrintStream p = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        assertEquals(code, new Main(p, p, false).run(args), () -> bytes.toString(StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void commandsReadWithoutTheUsersClasses() {
        assertTrue(run(0, "info", file.toString()).contains("roots: [m]"));
        assertTrue(run(0, "check", file.toString()).contains("sound: "));
        assertTrue(run(0, "stat", file.toString()).contains("PHashMap"));
        assertTrue(run(0, "top", file.toString()).contains("<value>"));
        assertTrue(run(0, "log", file.toString()).contains("checkpointLsn: "));
        String dump = run(0, "dump", file.toString());
        assertTrue(dump.contains("\"elements\":[\"k\\\"ey\",42,null"), dump);
        run(2, "frobnicate", file.toString());
        run(1, "info", dir.resolve("absent").toString());
    }

    @Test
    @SuppressWarnings("unchecked")
    void aBackupIsAHeapAndCanBeRestored() {
        Path copy = dir.resolve("copy");
        run(0, "backup", file.toString(), copy.toString());
        run(1, "backup", file.toString(), copy.toString());
        try (PHeap h = PHeap.open(file, OPTIONS)) {
            h.root("m", PHashMap.class, PHashMap::new).put("k\"ey", 43);
            run(1, "restore", copy.toString(), file.toString());
        }
        run(0, "restore", copy.toString(), file.toString());
        try (PHeap h = PHeap.open(file, OPTIONS)) {
            assertEquals(42, h.root("m", PHashMap.class, PHashMap::new).get("k\"ey"));
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void compactShortensAHeapAndLeaksAreListed() throws Exception {
        try (PHeap h = PHeap.open(file, OPTIONS)) {
            PHashMap<Object, Object> m = h.root("m", PHashMap.class, PHashMap::new);
            for (int i = 0; i < 25; i++) {
                m.put(i, "x".repeat(9000 - i));
            }
            for (int i = 0; i < 40; i++) {
                m.put("last", new long[1000 + 100 * i]);
            }
            m.clear();
        }
        long before = java.nio.file.Files.size(file);
        assertTrue(run(0, "leaks", file.toString()).contains("no leaks"));
        assertTrue(run(0, "compact", file.toString()).contains("the file had " + before));
        assertTrue(java.nio.file.Files.size(file) <= before);
        assertTrue(run(0, "check", file.toString()).contains("sound: "));
        assertEquals("copy     [###############               ]  50 %  3 s", ProgressBar.line("copy", 5, 10, 3));
        assertEquals("mark     1,234  3 s", ProgressBar.line("mark", 1234, -1, 3));
    }

    @Test
    void aDamagedHeapIsFound() throws Exception {
        try (RandomAccessFile f = new RandomAccessFile(file.toFile(), "rw")) {
            for (int copy = 0; copy < 2; copy++) {
                f.seek(copy * 4096L + 40);
                f.write(0xA5);
            }
        }
        assertTrue(run(1, "check", file.toString()).contains("checksum differs"));
    }
}
