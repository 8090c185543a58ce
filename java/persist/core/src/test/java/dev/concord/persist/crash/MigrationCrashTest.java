package dev.concord.persist.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.Durability;
import dev.concord.persist.DurabilityReport;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.Persistent;
import dev.concord.persist.PersistException;
import dev.concord.persist.PersistentObject;
import dev.concord.persist.core.HeapCore;
import dev.concord.persist.core.Layout;
import dev.concord.persist.core.Medium;
import dev.concord.persist.sim.SimMedium;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A crash at any moment of a migration is made good by the next opening: every object old or new, none lost or doubled. */
class MigrationCrashTest {
    private static final int OBJECTS = 40;

    /** The class as it was. */
    @Persistent(id = "node")
    public static final class Before extends PersistentObject {
        static final String $jnvm$fields = "next:L,name:V,amount:I";
        static final int NEXT = Layout.offset(Before.class, "next");
        static final int NAME = Layout.offset(Before.class, "name");
        static final int AMOUNT = Layout.offset(Before.class, "amount");

        Before(int i, Before next) {
            jnvm$putInt(i, AMOUNT);
            jnvm$putValue("n" + i, NAME);
            jnvm$putRef(next, NEXT);
        }

        Before(Resurrection r) {
            super(r);
        }
    }

    /** The class as it is: longer, so that every object moves. */
    @Persistent(id = "node")
    public static final class After extends PersistentObject {
        static final String $jnvm$fields = "amount:J,next:L,pad:J,owner:V::name,fill:J";
        static final int NEXT = Layout.offset(After.class, "next");
        static final int OWNER = Layout.offset(After.class, "owner");
        static final int AMOUNT = Layout.offset(After.class, "amount");

        After(Resurrection r) {
            super(r);
        }

        String text() {
            StringBuilder s = new StringBuilder();
            for (After a = this; a != null; a = (After) a.jnvm$getRef(NEXT)) {
                s.append(a.jnvm$getLong(AMOUNT)).append(a.jnvm$getValue(OWNER)).append(' ');
            }
            return s.toString();
        }
    }

    private static PHeap open(SimMedium m, boolean direct, boolean create, Class<?> c) throws IOException {
        HeapCore core = HeapCore.open(m, direct ? Medium.Mapping.SYNC : null, create,
                PHeapOptions.defaults().segmentSize(256 << 10).logSize(64 << 10).recoveryThreads(1).classes(c));
        return new PHeap(core, new DurabilityReport(Durability.POWER, DurabilityReport.Engine.DIRECT, List.of("simulated")));
    }

    @ParameterizedTest(name = "direct={0}")
    @ValueSource(booleans = {true, false})
    void everyCrash(boolean direct) throws IOException {
        SimMedium m = new SimMedium();
        PHeap h = open(m, direct, true, Before.class);
        StringBuilder expected = new StringBuilder();
        Before[] last = new Before[1];
        for (int i = 0; i < OBJECTS; i++) {
            int k = i;
            h.atomic(() -> {
                last[0] = new Before(k, last[0]);
                h.bindRoot("top", last[0]);
            });
            expected.insert(0, i + "n" + i + " ");
        }
        PersistException e = assertThrows(PersistException.Incompatible.class, () -> h.register(After.class));
        assertTrue(e.getMessage().contains("field amount was int and is long"), e.getMessage());
        h.close();
        byte[] old = m.image(new int[0], new int[0]);
        List<byte[]> crashes = new ArrayList<>();
        SimMedium n = new SimMedium(old);
        Random random = new Random(4);
        n.onOrdering(() -> {
            int[] units = n.undecided();
            int[] keep = new int[units.length];
            for (int i = 0; i < keep.length; i++) {
                keep[i] = random.nextInt(n.changes(units[i]) + 1);
            }
            crashes.add(n.image(units, keep));
        });
        PHeap migrated = open(n, direct, false, After.class);
        assertEquals(expected.toString(), ((After) migrated.root("top")).text());
        migrated.close();
        assertTrue(crashes.size() > (direct ? OBJECTS : 5), crashes.size() + " crashes");
        int step = Math.max(1, crashes.size() / (30 * CoreCrashTest.SCALE));
        for (int i = 0; i < crashes.size(); i += step) {
            PHeap again = open(new SimMedium(crashes.get(i)), direct, false, After.class);
            assertEquals(expected.toString(), ((After) again.root("top")).text(), "crash " + i);
            assertTrue(again.core().check().sound(), () -> again.core().check().problems().toString());
            assertTrue(again.core().check().unreachable().isEmpty(), () -> again.core().check().unreachable().toString());
            again.core().abandon();
        }
    }
}
