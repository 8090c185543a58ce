package dev.concord.persist.core;

/** Tells the JDK's flight recorder of work that takes time; tells nobody where there is none. */
interface Events {
    /** What can be told. */
    enum Kind { SYNC, CHECKPOINT, OPEN, ROLLBACK, COMPACTION, BACKUP }

    /** Work under way. */
    @FunctionalInterface
    interface Span {
        /** Ends it; what the numbers mean depends on the kind, see {@link JfrEvents}. */
        void end(long a, long b, long c, String text);

        default void end(long a) {
            end(a, 0, 0, "");
        }
    }

    Span IGNORED = (a, b, c, text) -> { };
    Events NOBODY = (kind, heap) -> IGNORED;
    Events TO = find();

    Span begin(Kind kind, String heap);

    /** Waits for the recorder to be in use: to load it for nobody takes longer than to open a heap. */
    private static Events find() {
        // The module may be left out of a runtime image.
        return ModuleLayer.boot().findModule("jdk.jfr").isEmpty() ? NOBODY
                : (kind, heap) -> jdk.jfr.FlightRecorder.isInitialized() ? Recorded.TO.begin(kind, heap) : IGNORED;
    }

    /** Made when the first recording has begun. */
    final class Recorded {
        private static final Events TO = new JfrEvents();

        private Recorded() {
        }
    }
}
