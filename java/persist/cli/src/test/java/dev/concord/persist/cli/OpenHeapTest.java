package dev.concord.persist.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.collections.PHashMap;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What each command says about a heap that another process changes all the while. */
class OpenHeapTest {
    private static final PHeapOptions OPTIONS = PHeapOptions.defaults().segmentSize(1 << 20).logSize(256 << 10);
    @TempDir
    Path dir;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private String run(int code, String... args) {
        bytes.reset();
        PrintStream p = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        assertEquals(code, new Main(p, p, false).run(args), () -> bytes.toString(StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private interface Commands {
        void run(long pid) throws Exception;
    }

    private void whileHeld(Path file, boolean management, Commands commands) throws Exception {
        Process holder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), Holder.class.getName(), file.toString(), String.valueOf(management))
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader said = holder.inputReader()) {
            assertEquals("open", said.readLine());
            commands.run(holder.pid());
            holder.getOutputStream().write('\n');
            holder.getOutputStream().flush();
            assertEquals("closed", said.readLine());
            assertEquals(0, holder.waitFor());
        } finally {
            holder.destroyForcibly();
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void theProcessThatHasItOpenIsAsked() throws Exception {
        Path file = dir.resolve("h");
        Path copy = dir.resolve("copy");
        PHeap.open(file, OPTIONS).close();
        whileHeld(file, true, pid -> {
            String info = run(0, "info", file.toString());
            assertTrue(info.contains("roots: [m]") && info.contains("open: by process " + pid + ", "), info);
            assertTrue(run(0, "check", file.toString()).contains("sound: "));
            assertTrue(run(0, "stat", file.toString()).contains("PHashMap"));
            assertTrue(run(0, "top", file.toString()).contains("<value>"));
            assertTrue(run(0, "log", file.toString()).contains("checkpointLsn: "));
            assertTrue(run(0, "dump", file.toString()).contains("\"class\":"));
            assertTrue(run(0, "leaks", file.toString()).contains("no leaks"));
            assertTrue(run(0, "compact", file.toString()).contains("when process " + pid + " closes it"));
            assertTrue(run(0, "backup", file.toString(), copy.toString()).contains("sound: "));
            assertTrue(run(1, "backup", file.toString(), copy.toString()).contains(copy + " exists"));
            assertTrue(run(1, "restore", copy.toString(), file.toString()).contains("is open in another process"));
        });
        try (PHeap h = PHeap.open(copy, OPTIONS)) {
            PHashMap<String, Object> m = h.root("m", PHashMap.class, PHashMap::new);
            assertTrue(h.recovery().clean());
            assertEquals(m.get("n"), m.get("twin"), "a block is in the copy as a whole or not at all");
        }
        try (Stream<Path> left = Files.list(dir)) {
            assertEquals(List.of(), left.filter(p -> p.toString().contains(".look")).toList());
        }
    }

    @Test
    void aProcessThatOffersNothingIsNamed() throws Exception {
        Path file = dir.resolve("h");
        PHeap.open(file, OPTIONS).close();
        whileHeld(file, false, pid -> {
            String said = run(1, "check", file.toString());
            assertTrue(said.contains("is open in another process, " + pid + ": it does not offer management of it"), said);
        });
    }
}
