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

    Span IGNORED = new Ignored();
    Events TO = new Door();

    Span begin(Kind kind, String heap);

    /** Nobody listens. */
    final class Ignored implements Span {
        private Ignored() {
        }

        @Override
        public void end(long a, long b, long c, String text) {
        }
    }

    /** Waits for the recorder to be in use: to load it for nobody takes longer than to open a heap. */
    final class Door implements Events {
        /** The module may be left out of a runtime image. */
        private final boolean present = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

        private Door() {
        }

        @Override
        public Span begin(Kind kind, String heap) {
            return present && jdk.jfr.FlightRecorder.isInitialized() ? Recorded.TO.begin(kind, heap) : IGNORED;
        }
    }

    /** Made when the first recording has begun. */
    final class Recorded {
        private static final Events TO = new JfrEvents();

        private Recorded() {
        }
    }
}
