package dev.concord.persist;

import java.util.List;

/**
 * What the open heap promises, and why it may.
 *
 * @param level what an acknowledged commit survives
 * @param engine how commits reach the medium
 * @param evidence the observations the level rests on, in the order they were made
 */
public record DurabilityReport(Durability level, Engine engine, List<String> evidence) {
    /** How commits reach the medium. */
    public enum Engine {
        /** Stores go straight to mapped memory; a one-record redo log makes a block atomic. */
        DIRECT,
        /** Stores go to a private image; a write-ahead log and checkpoints carry them to the file. */
        LOGGED
    }

    @Override
    public String toString() {
        return level + " by " + engine + " (" + String.join("; ", evidence) + ")";
    }
}
