package dev.concord.persist;

/**
 * What a compaction did.
 *
 * @param movedObjects objects that have another place now
 * @param movedBytes their payload
 * @param freedBytes space that any object may use again
 * @param retainedBytes space that becomes free when the heap is closed: a thread may still look at it
 * @param pauses how often blocks had to wait
 * @param longestPauseMillis the longest of these waits
 */
public record CompactionReport(long movedObjects, long movedBytes, long freedBytes, long retainedBytes, int pauses, long longestPauseMillis) {
}
