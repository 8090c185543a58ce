package dev.concord.persist.crash;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.core.Medium;
import dev.concord.persist.sim.CrashExplorer;
import dev.concord.persist.sim.CrashExplorer.Scenario;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every crash of the core's operations on the simulated medium, under both engines. */
class CoreCrashTest {
    static final int SCALE = Integer.getInteger("persist.crash.scale", 1);

    private static void explore(Scenario s, boolean direct, long seed) throws IOException {
        explore(s, direct ? Medium.Mapping.SYNC : null, seed);
    }

    private static void explore(Scenario s, Medium.Mapping direct, long seed) throws IOException {
        long images = new CrashExplorer(s, direct, seed, 3 * SCALE).explore();
        assertTrue(images > 10, "only " + images + " crash images were tried");
    }

    @ParameterizedTest(name = "direct={0}")
    @ValueSource(booleans = {true, false})
    void transfers(boolean direct) throws IOException {
        explore(CoreScenarios.transfers(6), direct, 1);
    }

    @ParameterizedTest(name = "direct={0}")
    @ValueSource(booleans = {true, false})
    void blocksOfOneStore(boolean direct) throws IOException {
        explore(CoreScenarios.singles(12), direct, 7);
    }

    @ParameterizedTest(name = "direct={0}")
    @ValueSource(booleans = {true, false})
    void randomBlocks(boolean direct) throws IOException {
        for (int seed = 0; seed < 4 * SCALE; seed++) {
            explore(CoreScenarios.blocks(seed, 12), direct, seed);
        }
    }

    @ParameterizedTest(name = "direct={0}")
    @ValueSource(booleans = {true, false})
    void lowLevelPublication(boolean direct) throws IOException {
        explore(CoreScenarios.lowLevel(), direct, 2);
    }

    @ParameterizedTest(name = "direct={0}")
    @ValueSource(booleans = {true, false})
    void blocksAndLowLevelStoresToTheSameWords(boolean direct) throws IOException {
        explore(CoreScenarios.mixed(), direct, 3);
    }

    @Test
    void checkpointsAndTheEndOfTheLog() throws IOException {
        explore(CoreScenarios.checkpoints(24), false, 5);
        explore(CoreScenarios.checkpoints(24), false, 6);
    }

    @Test
    void theEndOfTheProcessBetweenAnyTwoStores() throws IOException {
        explore(CoreScenarios.transfers(6), Medium.Mapping.SHARED, 1);
        explore(CoreScenarios.singles(12), Medium.Mapping.SHARED, 7);
        explore(CoreScenarios.mixed(), Medium.Mapping.SHARED, 3);
        explore(CoreScenarios.lowLevel(), Medium.Mapping.SHARED, 2);
        explore(CoreScenarios.compactions(), Medium.Mapping.SHARED, 6);
        for (int seed = 0; seed < 4 * SCALE; seed++) {
            explore(CoreScenarios.blocks(seed, 12), Medium.Mapping.SHARED, seed);
        }
    }

    @Test
    void inlineValues() throws IOException {
        for (Medium.Mapping direct : new Medium.Mapping[] {Medium.Mapping.SYNC, Medium.Mapping.SHARED, null}) {
            explore(CoreScenarios.inline(14), direct, 5);
        }
    }

    @ParameterizedTest(name = "direct={0}")
    @ValueSource(booleans = {true, false})
    void roots(boolean direct) throws IOException {
        explore(CoreScenarios.roots(), direct, 4);
    }

    @ParameterizedTest(name = "direct={0}")
    @ValueSource(booleans = {true, false})
    void compactions(boolean direct) throws IOException {
        explore(CoreScenarios.compactions(), direct, 6);
    }
}
