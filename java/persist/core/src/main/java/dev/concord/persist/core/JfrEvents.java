package dev.concord.persist.core;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The events themselves; loaded only where the flight recorder is. {@link Events} is the door. */
final class JfrEvents implements Events {
    /** What every event says. */
    @Category("Persistent objects")
    @StackTrace(false)
    abstract static class HeapEvent extends Event {
        @Label("Heap")
        String heap;
    }

    /** One write and sync of the log. */
    @Name("dev.concord.persist.Sync")
    @Label("Log Sync")
    @Description("A group of commits was written to the log and synced")
    static final class Sync extends HeapEvent {
        @Label("Bytes")
        @DataAmount
        long bytes;
    }

    /** One checkpoint. */
    @Name("dev.concord.persist.Checkpoint")
    @Label("Checkpoint")
    @Description("Changed pages were written to their place and the log was cut")
    static final class Checkpoint extends HeapEvent {
        @Label("Bytes")
        @DataAmount
        long bytes;
    }

    /** One opening. */
    @Name("dev.concord.persist.Open")
    @Label("Heap Open")
    @Description("A heap was opened, and recovered if it had not been closed")
    static final class Open extends HeapEvent {
        @Label("Closed Before")
        boolean clean;
        @Label("Replayed Records")
        int replayed;
        @Label("Freed Objects")
        long freed;
        @Label("Migrated Objects")
        long migrated;
    }

    /** A block that was rolled back. */
    @Name("dev.concord.persist.Rollback")
    @Label("Rollback")
    @Description("A failure-atomic block was rolled back")
    @StackTrace(true)
    static final class Rollback extends HeapEvent {
        @Label("Cause")
        String cause;
    }

    /** One compaction. */
    @Name("dev.concord.persist.Compaction")
    @Label("Compaction")
    @Description("Objects were moved together")
    static final class Compaction extends HeapEvent {
        @Label("Moved Objects")
        long objects;
        @Label("Freed")
        @DataAmount
        long freed;
        @Label("Longest Pause")
        @Timespan(Timespan.MILLISECONDS)
        long longestPause;
    }

    /** One backup. */
    @Name("dev.concord.persist.Backup")
    @Label("Backup")
    @Description("The heap was copied while in use")
    static final class Copy extends HeapEvent {
        @Label("Bytes")
        @DataAmount
        long bytes;
    }

    @Override
    public Span begin(Kind kind, String heap) {
        HeapEvent e = switch (kind) {
            case SYNC -> new Sync();
            case CHECKPOINT -> new Checkpoint();
            case OPEN -> new Open();
            case ROLLBACK -> new Rollback();
            case COMPACTION -> new Compaction();
            case BACKUP -> new Copy();
        };
        if (!e.isEnabled()) {
            return Events.IGNORED;
        }
        e.heap = heap;
        e.begin();
        return (a, b, c, text) -> end(e, a, b, c, text);
    }

    private static void end(HeapEvent e, long a, long b, long c, String text) {
        e.end();
        if (e instanceof Sync s) {
            s.bytes = a;
        } else if (e instanceof Checkpoint s) {
            s.bytes = a;
        } else if (e instanceof Copy s) {
            s.bytes = a;
        } else if (e instanceof Rollback s) {
            s.cause = text;
        } else if (e instanceof Compaction s) {
            s.objects = a;
            s.freed = b;
            s.longestPause = c;
        } else if (e instanceof Open s) {
            s.clean = text.equals("clean");
            s.replayed = (int) a;
            s.freed = b;
            s.migrated = c;
        }
        e.commit();
    }
}
