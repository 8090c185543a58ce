package dev.concord.persist.sim;

import dev.concord.persist.Durability;
import dev.concord.persist.DurabilityReport;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.core.CheckReport;
import dev.concord.persist.core.HeapCore;
import dev.concord.persist.core.Medium;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Runs a scenario on the simulated medium and, before every fence and sync, opens the heap that a crash there could
 * leave. Owns the oracle: the recovered state is that after all acknowledged operations, or after one more; every
 * invariant of the heap holds; opening it again changes nothing; the next operation works on it; and a crash during
 * recovery leads to the same state.
 */
public final class CrashExplorer {
    private static final int EXHAUSTIVE = 48;

    /** What is explored; operations must be deterministic. */
    public interface Scenario {
        void setUp(PHeap heap);

        int operations();

        void operate(PHeap heap, int i);

        /** The state a reader sees, as text. */
        String observe(PHeap heap);

        /** Whether objects may exist that nothing refers to, as low-level code leaves them until the next recovery. */
        default boolean mayLeak() {
            return false;
        }
    }

    private final Scenario scenario;
    private final Medium.Mapping direct;
    private final Random random;
    private final int samples;
    private final boolean unaligned;
    private final List<String> states = new ArrayList<>();
    private long images;

    public CrashExplorer(Scenario scenario, boolean direct, long seed, int samples) {
        this(scenario, direct ? Medium.Mapping.SYNC : null, seed, samples);
    }

    /**
     * Explores what a power failure leaves, or the end of the process where the mapping is SHARED; without one, under the
     * log. Under an odd seed the medium takes writes of any position and length, else of
     * whole sectors.
     */
    public CrashExplorer(Scenario scenario, Medium.Mapping direct, long seed, int samples) {
        this.scenario = scenario;
        this.direct = direct;
        this.random = new Random(seed);
        this.samples = samples;
        this.unaligned = (seed & 1) != 0;
    }

    /** Runs it all; returns the number of crash images opened. */
    public long explore() throws IOException {
        SimMedium reference = new SimMedium();
        PHeap plain = open(reference, true);
        scenario.setUp(plain);
        states.add(scenario.observe(plain));
        for (int i = 0; i < scenario.operations(); i++) {
            scenario.operate(plain, i);
            states.add(scenario.observe(plain));
        }
        plain.close();

        SimMedium medium = new SimMedium();
        if (unaligned) {
            medium.unaligned();
        }
        PHeap heap = open(medium, true);
        scenario.setUp(heap);
        int[] acknowledged = {0};
        Throwable[] failure = new Throwable[1];
        Thread me = Thread.currentThread();
        medium.onOrdering(() -> {
            if (failure[0] != null || Thread.currentThread() != me) {
                return;
            }
            try {
                crashHere(medium, acknowledged[0], true);
            } catch (Throwable t) {
                failure[0] = t;
            }
        });
        for (int i = 0; i < scenario.operations(); i++) {
            scenario.operate(heap, i);
            acknowledged[0] = i + 1;
            raise(failure[0]);
        }
        crashHere(medium, scenario.operations(), true);
        heap.close();
        raise(failure[0]);
        medium.onOrdering(() -> { });
        PHeap again = open(medium, false);
        require(states.get(scenario.operations()), again, "after a clean close");
        again.close();
        return images;
    }

    private static void raise(Throwable t) {
        if (t != null) {
            throw t instanceof AssertionError a ? a : new AssertionError(t.toString(), t);
        }
    }

    public PHeap open(SimMedium medium, boolean create) throws IOException {
        PHeapOptions o = PHeapOptions.defaults().segmentSize(256 << 10).logSize(64 << 10).recoveryThreads(1);
        HeapCore core = HeapCore.open(medium, direct, create, o);
        return new PHeap(core, new DurabilityReport(direct == Medium.Mapping.SHARED ? Durability.PROCESS : Durability.POWER, direct != null ? DurabilityReport.Engine.DIRECT : DurabilityReport.Engine.LOGGED, List.of("simulated")));
    }

    private void crashHere(SimMedium medium, int acknowledged, boolean again) throws IOException {
        int[] units = medium.undecided();
        int[] max = new int[units.length];
        double combinations = 1;
        for (int i = 0; i < units.length; i++) {
            max[i] = medium.changes(units[i]);
            combinations *= max[i] + 1;
        }
        if (combinations <= EXHAUSTIVE) {
            int[] keep = new int[units.length];
            do {
                check(medium.image(units, keep), acknowledged, again);
            } while (next(keep, max));
            return;
        }
        check(medium.image(units, new int[units.length]), acknowledged, again);
        check(medium.image(units, max), acknowledged, again);
        int step = Math.max(1, units.length / samples);
        for (int i = random.nextInt(step); i < units.length; i += step) {
            int[] alone = new int[units.length];
            alone[i] = max[i];
            check(medium.image(units, alone), acknowledged, again);
            int[] without = max.clone();
            without[i] = 0;
            check(medium.image(units, without), acknowledged, again);
        }
        for (int s = 0; s < samples; s++) {
            int[] keep = new int[units.length];
            for (int i = 0; i < keep.length; i++) {
                keep[i] = random.nextInt(max[i] + 1);
            }
            check(medium.image(units, keep), acknowledged, again);
        }
    }

    private static boolean next(int[] keep, int[] max) {
        for (int i = 0; i < keep.length; i++) {
            if (keep[i]++ < max[i]) {
                return true;
            }
            keep[i] = 0;
        }
        return false;
    }

    private void check(byte[] image, int acknowledged, boolean again) throws IOException {
        images++;
        SimMedium medium = new SimMedium(image);
        int[] crashes = {0};
        Throwable[] inner = new Throwable[1];
        if (again) {
            int chosen = random.nextInt(4);
            medium.onOrdering(() -> {
                if (crashes[0]++ == chosen && inner[0] == null) {
                    try {
                        int[] units = medium.undecided();
                        int[] keep = new int[units.length];
                        for (int i = 0; i < keep.length; i++) {
                            keep[i] = random.nextInt(medium.changes(units[i]) + 1);
                        }
                        check(medium.image(units, keep), acknowledged, false);
                    } catch (Throwable t) {
                        inner[0] = t;
                    }
                }
            });
        }
        PHeap heap = open(medium, false);
        medium.onOrdering(() -> { });
        try {
            raise(inner[0]);
            boolean only = images % 3 == 1;
            int at = checkRecovered(medium, heap, acknowledged, only);
            if (only || images % 3 == 0) {
                // Closed means durable: the file without anything that was not written back must open to the same.
                heap.close();
                PHeap closed = open(new SimMedium(medium.image(new int[0], new int[0])), false);
                require(states.get(at), closed, "after a close and the loss of everything that was not written back");
                sound(closed, only && !scenario.mayLeak());
                closed.core().abandon();
            }
        } finally {
            heap.core().abandon();
        }
    }

    private int checkRecovered(SimMedium medium, PHeap heap, int acknowledged, boolean only) throws IOException {
        String seen = scenario.observe(heap);
        int at = acknowledged;
        if (!seen.equals(states.get(at))) {
            at++;
            if (at >= states.size() || !seen.equals(states.get(at))) {
                throw new AssertionError("after a crash with " + acknowledged + " operations acknowledged the heap holds\n  " + seen
                        + "\nbut must hold\n  " + states.get(acknowledged) + (at < states.size() ? "\nor\n  " + states.get(at) : ""));
            }
        }
        sound(heap, !scenario.mayLeak());
        if (only) {
            return at;
        }
        if (at < scenario.operations()) {
            scenario.operate(heap, at);
            require(states.get(at + 1), heap, "after one more operation on the recovered heap");
            sound(heap, false);
        }
        // A second crash that loses nothing must show the same again.
        PHeap third = open(new SimMedium(medium.processCrash()), false);
        require(states.get(Math.min(at + 1, scenario.operations())), third, "after recovery ran twice");
        third.core().abandon();
        return Math.min(at + 1, scenario.operations());
    }

    private void require(String expected, PHeap heap, String when) {
        String seen = scenario.observe(heap);
        if (!seen.equals(expected)) {
            throw new AssertionError(when + " the heap holds\n  " + seen + "\nbut must hold\n  " + expected);
        }
    }

    private void sound(PHeap heap, boolean noLeak) {
        CheckReport r = heap.core().check();
        if (!r.sound()) {
            throw new AssertionError("invariants violated: " + r.problems());
        }
        if (noLeak && !r.unreachable().isEmpty()) {
            throw new AssertionError("recovery left garbage: " + r.unreachable());
        }
    }
}
