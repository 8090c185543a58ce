package dev.concord.persist;

/**
 * Counters of an open heap since it was opened, and what it takes now.
 *
 * @param commits failure-atomic blocks and fences that changed something
 * @param committedBytes log records they made
 * @param syncs how often the log was synced; many commits share one
 * @param rollbacks blocks that were rolled back
 * @param checkpoints how often the log was cut
 * @param logUsedBytes log that the next recovery would replay
 * @param privateBytes memory that differs from the file
 * @param fileBytes length of the file
 * @param freeUnitBytes space for any object, in whole units
 * @param proxies Java objects that stand for persistent ones now
 */
public record HeapStatistics(long commits, long committedBytes, long syncs, long rollbacks, long checkpoints, long logUsedBytes, long privateBytes,
        long fileBytes, long freeUnitBytes, long proxies) {
}
