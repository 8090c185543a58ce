package dev.concord.persist.collections;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import junit.framework.TestFailure;
import junit.framework.TestResult;
import org.junit.jupiter.api.Test;

/** Runs {@link GuavaSuites} as one test: they are some ten thousand, too many to report one by one. */
class GuavaTest {
    @Test
    void everyCollectionKeepsItsContract() {
        TestResult result = new TestResult();
        GuavaSuites.suite().run(result);
        List<TestFailure> failures = new ArrayList<>(Collections.list(result.failures()));
        failures.addAll(Collections.list(result.errors()));
        StringBuilder s = new StringBuilder();
        for (TestFailure f : failures.subList(0, Math.min(15, failures.size()))) {
            s.append('\n').append(f.failedTest()).append(": ").append(f.trace().lines().filter(l -> !l.contains("at com.google") && !l.contains("at junit.")
                    && !l.contains("at java.")).limit(9).reduce("", (a, b) -> a + "\n    " + b));
        }
        assertEquals(0, failures.size(), () -> failures.size() + " of " + result.runCount() + " failed:" + s);
        assertTrue(result.runCount() > 5000, "only " + result.runCount() + " tests ran");
        System.out.println(result.runCount() + " conformance tests passed");
    }
}
