package dev.concord.persist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.crash.Cell;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What monitoring sees: the flight recorder's events and the counters. */
class EventsTest {
    @TempDir
    Path dir;

    private void work() {
        try (PHeap h = PHeap.open(dir.resolve("h"), PHeapOptions.defaults().segmentSize(1 << 20).logSize(256 << 10))) {
            Cell a = h.root("a", Cell.class, () -> new Cell(1));
            HeapStatistics before = h.statistics();
            for (int i = 0; i < 10; i++) {
                h.atomic(() -> a.amount(a.amount() + 1));
            }
            assertThrows(IllegalStateException.class, () -> h.atomic(() -> {
                throw new IllegalStateException("on purpose");
            }));
            HeapStatistics s = h.statistics();
            assertEquals(before.commits() + 10, s.commits());
            assertEquals(before.syncs() + 10, s.syncs());
            assertEquals(1, s.rollbacks());
            assertTrue(s.committedBytes() > before.committedBytes() && s.logUsedBytes() > 0 && s.privateBytes() > 0 && s.fileBytes() > 1 << 20, s.toString());
            h.checkpoint();
            assertEquals(s.checkpoints() + 1, h.statistics().checkpoints());
            h.compact();
            h.backup(dir.resolve("copy"));
        }
    }

    @Test
    void countersCount() {
        work();
    }

    @Test
    void theFlightRecorderIsTold() throws Exception {
        Assumptions.assumeTrue(FlightRecorder.isAvailable(), "this VM has no flight recorder");
        Path file = dir.resolve("r.jfr");
        try (Recording r = new Recording()) {
            for (String e : new String[] {"Sync", "Checkpoint", "Open", "Rollback", "Compaction", "Backup"}) {
                r.enable("dev.concord.persist." + e);
            }
            r.start();
            work();
            r.stop();
            r.dump(file);
        }
        // Heaps of tests that run beside this one are recorded too.
        var events = RecordingFile.readAllEvents(file).stream().filter(e -> dir.resolve("h").toString().equals(e.getString("heap"))).toList();
        Set<String> names = events.stream().map(e -> e.getEventType().getName().replace("dev.concord.persist.", "")).collect(Collectors.toSet());
        assertEquals(Set.of("Sync", "Checkpoint", "Open", "Rollback", "Compaction", "Backup"), names);
        assertTrue(events.stream().anyMatch(e -> e.getEventType().getName().endsWith("Rollback") && e.getString("cause").contains("on purpose")));
        assertTrue(events.stream().anyMatch(e -> e.getEventType().getName().endsWith("Sync") && e.getLong("bytes") > 0));
    }
}
