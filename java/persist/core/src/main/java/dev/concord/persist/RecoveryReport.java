package dev.concord.persist;

import java.util.List;
import java.util.Map;

/**
 * What opening the heap found and did.
 *
 * @param clean the heap had been closed; nothing had to be recovered
 * @param replayedRecords log records applied
 * @param tornRecord a last record that did not verify was dropped (it was never acknowledged)
 * @param live objects reachable and valid, or -1 when no collection pass ran
 * @param freed objects dropped because nothing alive referred to them, by class name
 * @param nulledReferences references to invalid objects that were set to null, at most the first hundred, as text
 * @param nulledCount how many references were set to null
 * @param quarantined objects whose {@code recover()} threw, as text
 * @param migrated objects rewritten because their class changed, by class name
 * @param millis duration of the opening
 */
public record RecoveryReport(boolean clean, int replayedRecords, boolean tornRecord, long live, Map<String, Long> freed,
        List<String> nulledReferences, long nulledCount, List<String> quarantined, Map<String, Long> migrated, long millis) {
}
