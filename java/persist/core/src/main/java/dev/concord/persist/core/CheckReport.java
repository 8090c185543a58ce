package dev.concord.persist.core;

import java.util.List;
import java.util.Map;

/**
 * What a check found.
 *
 * @param problems violated invariants, at most a hundred, as text with offsets
 * @param problemCount how many there are
 * @param live objects by class name
 * @param liveBytes payload bytes by class name
 * @param unreachable objects by class name that are owned but not reachable from a root: leaks
 */
public record CheckReport(List<String> problems, long problemCount, Map<String, Long> live, Map<String, Long> liveBytes, Map<String, Long> unreachable) {
    public boolean sound() {
        return problemCount == 0;
    }
}
