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

    private static Events find() {
        // The module may be left out of a runtime image, and a VM may have it without the recorder behind it.
        if (ModuleLayer.boot().findModule("jdk.jfr").isEmpty()) {
            return NOBODY;
        }
        try {
            return jdk.jfr.FlightRecorder.isAvailable() ? new JfrEvents() : NOBODY;
        } catch (LinkageError | IllegalStateException e) {
            System.getLogger("dev.concord.persist").log(System.Logger.Level.DEBUG, "no flight recorder here", e);
            return NOBODY;
        }
    }
}
