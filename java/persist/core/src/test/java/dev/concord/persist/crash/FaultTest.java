package dev.concord.persist.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.PHeap;
import dev.concord.persist.PersistException;
import dev.concord.persist.collections.PByteArray;
import dev.concord.persist.core.Medium;
import dev.concord.persist.sim.CrashExplorer;
import dev.concord.persist.sim.SimMedium;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors of the file below the heap, and files that were changed behind its back. */
class FaultTest {
    private final CrashExplorer logged = new CrashExplorer(CoreScenarios.transfers(1), false, 1, 1);

    private static void pay(PHeap h) {
        h.atomic(() -> {
            Cell a = (Cell) h.root("a");
            Cell b = (Cell) h.root("b");
            a.amount(a.amount() - 1);
            b.amount(b.amount() + 1);
        });
    }

    private PHeap fresh(SimMedium m) throws IOException {
        PHeap h = logged.open(m, true);
        CoreScenarios.transfers(1).setUp(h);
        return h;
    }

    private static byte[] durable(SimMedium m) {
        return m.image(new int[0], new int[0]);
    }

    private void require(SimMedium m, long least, long most) throws IOException {
        for (byte[] image : new byte[][] {durable(m), m.processCrash()}) {
            PHeap h = logged.open(new SimMedium(image), false);
            long a = ((Cell) h.root("a")).amount();
            assertEquals(200, a + ((Cell) h.root("b")).amount());
            assertTrue(100 - a >= least && 100 - a <= most, "recovered " + (100 - a) + " payments, acknowledged " + least);
            h.core().abandon();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"force", "write", "short"})
    void aFailedWriteOrSyncPoisonsAndLosesNothingAcknowledged(String what) throws IOException {
        for (int after = 0; after < 5; after++) {
            SimMedium m = new SimMedium();
            PHeap h = fresh(m);
            SimMedium.FaultPlan f = new SimMedium.FaultPlan();
            if (what.equals("force")) {
                f.forcesLeft = after;
            } else {
                f.writesLeft = after;
                f.shortWrite = what.equals("short");
            }
            m.faults(f);
            int acknowledged = 0;
            PersistException.Poisoned first = null;
            while (first == null) {
                try {
                    pay(h);
                    acknowledged++;
                } catch (PersistException.Poisoned e) {
                    first = e;
                }
            }
            assertEquals(after, acknowledged);
            assertTrue(first.getMessage().contains("simulated"), first.getMessage());
            m.faults(new SimMedium.FaultPlan());
            // The medium works again, but what the failed sync lost is unknown: nothing may be accepted.
            assertThrows(PersistException.Poisoned.class, () -> pay(h));
            h.close();
            require(m, acknowledged, acknowledged + 1);
        }
    }

    @Test
    void aDiskWithoutRoomForASegmentLeavesTheHeapUsable() throws IOException {
        SimMedium m = new SimMedium();
        PHeap h = fresh(m);
        SimMedium.FaultPlan f = new SimMedium.FaultPlan();
        f.maxSize = m.size();
        m.faults(f);
        PersistException.Full e = assertThrows(PersistException.Full.class, () -> {
            for (;;) {
                h.atomic(() -> {
                    Cell c = new Cell(1);
                    c.name("x".repeat(2000));
                    c.next(((Cell) h.root("a")).next());
                    ((Cell) h.root("a")).next(c);
                });
            }
        });
        assertTrue(e.getMessage().contains("No space left"), e.getMessage());
        pay(h);
        h.close();
        require(m, 1, 1);
    }

    /** Whatever the moment: either the block did not happen and the heap goes on, or it may have, and the heap takes nothing more. */
    @ParameterizedTest
    @ValueSource(strings = {"SYNC", "SHARED"})
    void anErrorBehindTheMarkOfARecordEndsTheUseOfTheHeap(Medium.Mapping way) throws IOException {
        CrashExplorer direct = new CrashExplorer(CoreScenarios.singles(1), way, 1, 1);
        Random random = new Random(9);
        for (boolean block : new boolean[] {false, true}) {
            boolean reached = true;
            for (int at = 0; reached; at++) {
                SimMedium m = new SimMedium();
                PHeap h = direct.open(m, true);
                PByteArray bytes = h.root("bytes", PByteArray.class, () -> new PByteArray(400));
                Cell other = h.root("a", Cell.class, () -> new Cell(0));
                byte[] ones = new byte[400];
                Arrays.fill(ones, (byte) 1);
                int[] left = {at};
                m.onOrdering(() -> {
                    if (left[0]-- == 0) {
                        throw new StackOverflowError("injected");
                    }
                });
                Throwable thrown = null;
                try {
                    if (block) {
                        h.atomic(() -> {
                            other.name("with it");
                            bytes.write(0, ones, 0, 400);
                        });
                    } else {
                        bytes.write(0, ones, 0, 400);
                    }
                } catch (Throwable e) {
                    thrown = e;
                }
                m.onOrdering(() -> { });
                reached = thrown != null;
                boolean poisoned = thrown instanceof PersistException.Poisoned;
                if (poisoned) {
                    assertThrows(PersistException.Poisoned.class, () -> h.atomic(() -> other.amount(7)));
                    assertThrows(PersistException.Poisoned.class, () -> bytes.write(0, new byte[40], 0, 40));
                }
                for (int n = 0; n < 20; n++) {
                    int[] units = m.undecided();
                    int[] keep = Arrays.stream(units).map(u -> random.nextInt(m.changes(u) + 1)).toArray();
                    PHeap r = direct.open(new SimMedium(m.image(units, keep)), false);
                    byte[] found = ((PByteArray) r.root("bytes")).toArray();
                    boolean happened = Arrays.equals(ones, found);
                    assertTrue(happened || Arrays.equals(new byte[400], found), "half of it after an error at ordering " + at);
                    assertTrue(poisoned || happened == !reached, "the error at ordering " + at + " did not tell what became of the block");
                    r.core().abandon();
                }
                h.core().abandon();
            }
        }
    }

    @Test
    void anUnreadableFileIsAnErrorOfItsOwn() throws IOException {
        SimMedium m = new SimMedium();
        fresh(m).close();
        SimMedium broken = new SimMedium(durable(m));
        SimMedium.FaultPlan f = new SimMedium.FaultPlan();
        f.readsLeft = 0;
        broken.faults(f);
        assertThrows(IOException.class, () -> logged.open(broken, false));
    }

    @Test
    void aTruncatedFileIsRefusedByNameAndOffset() throws IOException {
        SimMedium m = new SimMedium();
        fresh(m).close();
        byte[] whole = durable(m);
        for (int keep : new int[] {0, 100, 4096, 8192, 70_000, whole.length / 2, whole.length - 1}) {
            PersistException.Corrupt e = assertThrows(PersistException.Corrupt.class, () -> logged.open(new SimMedium(Arrays.copyOf(whole, keep)), false));
            assertTrue(e.getMessage().startsWith("simulated at offset "), e.getMessage());
        }
    }

    @Test
    void oneDamagedSuperblockIsSurvivedTwoAreNamed() throws IOException {
        SimMedium m = new SimMedium();
        PHeap h = fresh(m);
        pay(h);
        h.close();
        for (int copy = 0; copy < 2; copy++) {
            byte[] image = durable(m);
            image[copy * 4096 + 30] ^= 4;
            PHeap r = logged.open(new SimMedium(image), false);
            // The older copy may say "open", then the log is replayed; either way the payment is there.
            assertEquals(99, ((Cell) r.root("a")).amount());
            r.core().abandon();
        }
        byte[] image = durable(m);
        image[30] ^= 4;
        image[4096 + 30] ^= 4;
        PersistException e = assertThrows(PersistException.Corrupt.class, () -> logged.open(new SimMedium(image), false));
        assertTrue(e.getMessage().contains("checksum"), e.getMessage());
    }

    @Test
    void anotherVersionIsRefused() throws IOException {
        SimMedium m = new SimMedium();
        fresh(m).close();
        byte[] image = withVersion(durable(m), 99);
        PersistException e = assertThrows(PersistException.Incompatible.class, () -> logged.open(new SimMedium(image), false));
        assertTrue(e.getMessage().contains("99"), e.getMessage());
    }

    static byte[] withVersion(byte[] content, int version) {
        byte[] image = content.clone();
        for (int copy = 0; copy < 2; copy++) {
            java.nio.ByteBuffer b = java.nio.ByteBuffer.wrap(image, copy * 4096, 512).slice().order(java.nio.ByteOrder.LITTLE_ENDIAN);
            b.putInt(8, version);
            java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
            crc.update(image, copy * 4096, 508);
            b.putInt(508, (int) crc.getValue());
        }
        return image;
    }

    @Test
    void flippedBitsInTheHeapsTablesAreReportedOrHarmless() throws IOException {
        SimMedium m = new SimMedium();
        PHeap h = fresh(m);
        for (int i = 0; i < 20; i++) {
            pay(h);
        }
        h.core().abandon();
        byte[] good = durable(m);
        Random r = new Random(5);
        int reported = 0;
        int data = (8192 + (64 << 10) + 0xFFFF) & ~0xFFFF;
        for (int i = 0; i < 600; i++) {
            byte[] image = good.clone();
            int at = switch (i % 3) {
                case 0 -> 8192 + r.nextInt(8192); // log
                case 1 -> data + r.nextInt(1024); // unit table
                default -> data + 8192 + r.nextInt(60_000); // meta, slabs
            };
            image[at] ^= (byte) (1 << r.nextInt(8));
            PHeap x = null;
            try {
                x = logged.open(new SimMedium(image), false);
                x.root("a");
                var found = x.recovery();
                if (!x.core().check().sound() || found.nulledCount() > 0 || !found.quarantined().isEmpty() || found.tornRecord()) {
                    reported++;
                }
            } catch (PersistException e) {
                reported++;
                assertTrue(e.getMessage() != null && e.getMessage().length() > 10);
            } finally {
                if (x != null) {
                    x.core().abandon();
                }
            }
        }
        assertTrue(reported > 0, "no flip was ever noticed");
    }

    @Test
    void checkReportsABadHeaderAndOthersStayReadable() throws IOException {
        SimMedium m = new SimMedium();
        PHeap h = fresh(m);
        h.close();
        byte[] image = durable(m);
        // The reference of root b's cell: break the header it leads to, found by searching its payload's amount 100.
        PHeap clean = logged.open(new SimMedium(image), false);
        assertTrue(clean.core().check().sound());
        long ref = clean.core().ref((Cell) clean.root("b"));
        long offset = dev.concord.persist.core.HeapCore.offsetOf(ref);
        clean.core().abandon();
        int data = (8192 + (64 << 10) + 0xFFFF) & ~0xFFFF;
        int slab = (int) (offset & ~0xFFFFL);
        int broken = 0;
        for (int s = 0; s < 1000 && broken == 0; s++) {
            int at = data + slab + 8 * s + 3;
            byte[] candidate = image.clone();
            candidate[at] ^= 1;
            PHeap x = logged.open(new SimMedium(candidate), false);
            var report = x.core().check();
            if (!report.sound() && report.problems().toString().contains("to " + offset)) {
                broken++;
                assertEquals(100, ((Cell) x.root("a")).amount(), "an undamaged object");
                assertThrows(PersistException.class, () -> ((Cell) x.root("b")).amount());
            }
            x.core().abandon();
        }
        assertEquals(1, broken);
    }

    /** Every structure: what is damaged is refused by an exception of this library or reads as it was; nothing else is thrown. */
    @ParameterizedTest
    @ValueSource(strings = {"hash", "skiplist", "index", "tree", "treeset", "set", "list", "queue", "array", "bytes", "longs"})
    void flippedBitsAndCutsInEveryStructureAreNamed(String kind) throws IOException {
        SimMedium m = new SimMedium();
        PHeap h = logged.open(m, true);
        CollectionCrashTest.fill(h, kind);
        Cell beside = h.root("beside", Cell.class, () -> new Cell(77));
        assertEquals(77, beside.amount());
        h.close();
        byte[] good = durable(m);
        String whole = CollectionCrashTest.show(good, logged);
        Random r = new Random(kind.hashCode());
        int data = (8192 + (64 << 10) + 0xFFFF) & ~0xFFFF;
        int refused = 0;
        int reported = 0;
        int besideRead = 0;
        for (int i = 0; i < 150; i++) {
            byte[] image = good.clone();
            int at = data + 4096 + r.nextInt(good.length - data - 4096);
            while (good[at] == 0) {
                at = data + 4096 + r.nextInt(good.length - data - 4096);
            }
            image[at] ^= (byte) (1 << r.nextInt(8));
            PHeap x = null;
            try {
                x = logged.open(new SimMedium(image), false);
                reported += x.core().check().sound() ? 0 : 1;
                besideRead += x.root("beside") instanceof Cell c && c.amount() == 77 ? 1 : 0;
                CollectionCrashTest.show(x);
            } catch (PersistException e) {
                refused++;
                assertTrue(e.getMessage() != null && e.getMessage().contains("simulated"), String.valueOf(e));
            } finally {
                if (x != null) {
                    x.core().abandon();
                }
            }
        }
        assertTrue(refused + reported > 0, "no flip was ever refused, or reported by check");
        assertTrue(besideRead > 75, "only " + besideRead + " of 150 heaps let an object elsewhere be read");
        for (int keep = good.length - 1; keep > 0; keep -= 1 + r.nextInt(good.length / 20)) {
            byte[] cut = Arrays.copyOf(good, keep);
            PersistException.Corrupt e = assertThrows(PersistException.Corrupt.class, () -> logged.open(new SimMedium(cut), false));
            assertTrue(e.getMessage().startsWith("simulated at offset "), e.getMessage());
        }
        assertEquals(whole, CollectionCrashTest.show(good, logged), "the file itself is as it was");
    }

    @Test
    void aReadErrorAnywhereDuringRecoveryIsAnErrorOfItsOwn() throws IOException {
        SimMedium m = new SimMedium();
        PHeap h = fresh(m);
        for (int i = 0; i < 5; i++) {
            pay(h);
        }
        byte[] image = m.processCrash();
        h.core().abandon();
        int failures = 0;
        for (int reads = 0; failures == reads; reads++) {
            SimMedium broken = new SimMedium(image);
            SimMedium.FaultPlan f = new SimMedium.FaultPlan();
            f.readsLeft = reads;
            broken.faults(f);
            try {
                PHeap again = logged.open(broken, false);
                assertEquals(95, ((Cell) again.root("a")).amount());
                again.core().abandon();
            } catch (IOException e) {
                failures++;
                assertTrue(e.getMessage().startsWith("simulated at offset "), e.getMessage());
            }
        }
        assertTrue(failures > 5, "only " + failures + " reads were tried");
    }
}
