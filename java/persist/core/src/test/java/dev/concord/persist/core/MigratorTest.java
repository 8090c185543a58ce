package dev.concord.persist.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.Durability;
import dev.concord.persist.DurabilityReport;
import dev.concord.persist.Migrate;
import dev.concord.persist.OldObject;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.Persistent;
import dev.concord.persist.PersistentObject;
import dev.concord.persist.collections.PArray;
import dev.concord.persist.sim.SimMedium;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Objects in any order that look each other up while they are migrated, with crashes in between and passes of any size. */
class MigratorTest {
    private static final int REFS = 3;

    /** A node of a graph without circles. */
    @Persistent(id = "graph")
    public static final class Before extends PersistentObject {
        static final String $jnvm$fields = "n:J,r0:L,r1:L,r2:L";
        static final int N = Layout.offset(Before.class, "n");
        static final int R0 = Layout.offset(Before.class, "r0");

        Before(long n) {
            jnvm$putLong(n, N);
        }

        Before(Resurrection r) {
            super(r);
        }

        void ref(int i, Before to) {
            jnvm$putRef(to, R0 + 8 * i);
        }
    }

    /** As large as before. */
    @Persistent(id = "graph")
    public static final class Flat extends PersistentObject {
        static final String $jnvm$fields = "sum:J,r0:L,r1:L,r2:L";
        static final int SUM = Layout.offset(Flat.class, "sum");
        static final int R0 = Layout.offset(Flat.class, "r0");

        Flat(Resurrection r) {
            super(r);
        }

        long sum() {
            return jnvm$getLong(SUM);
        }

        @Migrate
        void sum(OldObject old) {
            long s = old.getLong("n");
            for (int i = 0; i < REFS; i++) {
                Flat f = (Flat) jnvm$getRef(R0 + 8 * i);
                s += f == null ? 0 : f.sum();
            }
            jnvm$putLong(s, SUM);
        }
    }

    /** Outgrows its place. */
    @Persistent(id = "graph")
    public static final class Wide extends PersistentObject {
        static final String $jnvm$fields = "p:J,q:J,r0:L,r:J,r1:L,s:J,r2:L,sum:J,t:J";
        static final int SUM = Layout.offset(Wide.class, "sum");

        Wide(Resurrection r) {
            super(r);
        }

        long sum() {
            return jnvm$getLong(SUM);
        }

        @Migrate
        void sum(OldObject old) {
            long s = old.getLong("n");
            for (int i = 0; i < REFS; i++) {
                Wide w = (Wide) old.get("r" + i);
                s += w == null ? 0 : w.sum();
            }
            jnvm$putLong(s, SUM);
        }
    }

    private final int passBefore = Migrator.pass;

    @AfterEach
    void passAsBefore() {
        Migrator.pass = passBefore;
    }

    private static PHeap open(SimMedium m, boolean direct, boolean create, Class<?> c) throws IOException {
        HeapCore core = HeapCore.open(m, direct ? Medium.Mapping.SYNC : null, create,
                PHeapOptions.defaults().segmentSize(256 << 10).logSize(64 << 10).recoveryThreads(1).classes(c));
        return new PHeap(core, new DurabilityReport(Durability.POWER, DurabilityReport.Engine.DIRECT, List.of("simulated")));
    }

    /** Fills a heap, its nodes in an order of chance; returns what each will have as its sum. */
    private static long[] fill(PHeap h, int nodes, Random random) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            order.add(i);
        }
        Collections.shuffle(order, random);
        long[] sums = new long[nodes];
        h.atomic(() -> {
            Before[] all = new Before[nodes];
            order.forEach(i -> all[i] = new Before(i % 7));
            PArray<Before> a = new PArray<>(nodes);
            for (int i = 0; i < nodes; i++) {
                sums[i] = i % 7;
                for (int r = 0; r < REFS && i > 0; r++) {
                    int to = r == 0 ? i - 1 - random.nextInt(Math.min(i, 3)) : random.nextInt(i);
                    all[i].ref(r, all[to]);
                    sums[i] += sums[to];
                }
                a.set(i, all[i]);
            }
            h.bindRoot("all", a);
        });
        return sums;
    }

    private static void check(PHeap h, long[] sums, String what) {
        PArray<?> a = (PArray<?>) h.root("all");
        long[] found = new long[sums.length];
        for (int i = 0; i < found.length; i++) {
            found[i] = a.get(i) instanceof Wide w ? w.sum() : ((Flat) a.get(i)).sum();
        }
        assertEquals(Arrays.toString(sums), Arrays.toString(found), what);
        assertTrue(h.core().check().sound(), () -> what + h.core().check().problems());
        assertTrue(h.core().check().unreachable().isEmpty(), () -> what + h.core().check().unreachable());
    }

    @ParameterizedTest(name = "direct={0} wide={1} pass={2}")
    @CsvSource({"true,true,500000", "true,false,500000", "false,true,500000", "false,false,500000", "true,true,7", "false,true,1", "true,false,7"})
    void everyCrash(boolean direct, boolean wide, int pass) throws IOException {
        Migrator.pass = pass;
        Class<?> now = wide ? Wide.class : Flat.class;
        Random random = new Random(7);
        SimMedium m = new SimMedium();
        PHeap h = open(m, direct, true, Before.class);
        long[] sums = fill(h, 60, random);
        h.close();
        SimMedium n = new SimMedium(m.image(new int[0], new int[0]));
        List<byte[]> crashes = new ArrayList<>();
        n.onOrdering(() -> {
            int[] units = n.undecided();
            int[] keep = new int[units.length];
            for (int i = 0; i < keep.length; i++) {
                keep[i] = random.nextInt(n.changes(units[i]) + 1);
            }
            crashes.add(n.image(units, keep));
        });
        PHeap migrated = open(n, direct, false, now);
        check(migrated, sums, "");
        migrated.close();
        assertTrue(crashes.size() > (direct ? 60 : 5), crashes.size() + " crashes");
        int step = Math.max(1, crashes.size() / 40);
        for (int i = 0; i < crashes.size(); i += step) {
            PHeap again = open(new SimMedium(crashes.get(i)), direct, false, now);
            check(again, sums, "crash " + i + " ");
            again.core().abandon();
        }
    }

    @ParameterizedTest(name = "wide={0} pass={1}")
    @CsvSource({"true,500000", "false,500000", "true,10", "true,100"})
    void anyGraphInAnyOrder(boolean wide, int pass) throws IOException {
        Migrator.pass = pass;
        for (int seed = 0; seed < 10; seed++) {
            SimMedium m = new SimMedium();
            PHeap h = open(m, true, true, Before.class);
            long[] sums = fill(h, 300, new Random(seed));
            h.close();
            PHeap migrated = open(m, true, false, wide ? Wide.class : Flat.class);
            assertEquals(Map.of("graph", (long) sums.length), migrated.recovery().migrated());
            check(migrated, sums, "seed " + seed);
            migrated.close();
        }
    }
}
