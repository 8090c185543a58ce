package dev.concord.persist;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Objects that no root reaches.
 *
 * @param leaked objects by class name that nothing leads to, neither a root nor a Java object
 * @param leakedBytes their payload bytes by class name
 * @param held objects by class name that only Java objects lead to: made and not bound yet, or unbound and still in use
 * @param tops where leaked graphs begin: leaked objects that no other leaked object refers to, at most a hundred, as text;
 *     a ring of objects has none
 */
public record LeakReport(Map<String, Long> leaked, Map<String, Long> leakedBytes, Map<String, Long> held, List<String> tops) {
    public boolean isEmpty() {
        return leaked.isEmpty();
    }

    /** A line for each class that leaked and for each place where a leaked graph begins. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        leaked.forEach((c, n) -> lines.add(n + " of " + c + ", " + leakedBytes.get(c) + " bytes"));
        tops.forEach(t -> lines.add("begins at: " + t));
        return lines;
    }
}
