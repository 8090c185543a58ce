package dev.concord.persist.crash;

import dev.concord.persist.core.Medium;
import dev.concord.persist.sim.CrashExplorer;
import dev.concord.persist.sim.CrashExplorer.Scenario;
import java.util.List;

/** What must fail when any ordering of the library is missing. Run in a class loader of its own by {@link MutationTest}. */
public final class MutationProbe implements Runnable {
    @Override
    public void run() {
        try {
            LeftHeapTest.powerFailsDuringReplay();
            for (Medium.Mapping direct : new Medium.Mapping[] {Medium.Mapping.SYNC, Medium.Mapping.SHARED, null}) {
                for (Scenario s : List.of(CoreScenarios.transfers(5), CoreScenarios.lowLevel(), CoreScenarios.mixed(), CoreScenarios.blocks(1, 10),
                        CoreScenarios.published(), CoreScenarios.singles(8), CoreScenarios.checkpoints(direct != null ? 2 : 20))) {
                    new CrashExplorer(s, direct, 8, 6).explore();
                }
            }
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
