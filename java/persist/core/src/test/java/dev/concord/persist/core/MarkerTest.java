package dev.concord.persist.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.Durability;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.PObject;
import dev.concord.persist.PersistentObject;
import dev.concord.persist.PersistentObject.Internals;
import dev.concord.persist.collections.PArray;
import dev.concord.persist.collections.PByteArray;
import dev.concord.persist.collections.PLongArray;
import dev.concord.persist.crash.Cell;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recovery's marking and sweeping of damaged heaps against a rule that looks at one reference at a time. */
class MarkerTest {
    @TempDir
    Path dir;

    private PHeap open(int threads) {
        return PHeap.open(dir.resolve("h"), PHeapOptions.defaults().durability(Durability.PROCESS).segmentSize(4 << 20).logSize(2 << 20).recoveryThreads(threads));
    }

    /** Makes objects, most of one class and size, and arrays that lead to them in order, backwards, at random and more than once. */
    private static final class Made {
        final List<Long> objects = new ArrayList<>();
        final List<PArray<Object>> arrays = new ArrayList<>();
        private final PHeap heap;
        private final Random r;

        Made(PHeap heap, long seed, boolean mixed) {
            this.heap = heap;
            this.r = new Random(seed);
            List<PObject> all = new ArrayList<>();
            for (int k = 0; k < 12; k++) {
                heap.atomic(() -> {
                    for (int i = 0; i < 500; i++) {
                        all.add(make(mixed ? r.nextInt(12) : 11));
                    }
                });
            }
            all.forEach(o -> objects.add(Internals.offset((PersistentObject) o)));
            List<PObject> some = new ArrayList<>(all.subList(0, 5000));
            array("in order", some);
            Collections.reverse(some);
            array("backwards", some.subList(0, 1500));
            Collections.shuffle(some, r);
            array("at random", some.subList(0, 1500));
            array("again", all.subList(1000, 2000));
            // Stale references: the arrays do not hear of it, and some of the places serve again.
            heap.atomic(() -> {
                for (int i = 0; i < 5000; i += 1 + r.nextInt(60)) {
                    heap.free(all.get(i));
                }
            });
            List<PObject> later = new ArrayList<>();
            heap.atomic(() -> {
                for (int i = 0; i < 80; i++) {
                    later.add(make(11));
                }
            });
            later.forEach(o -> objects.add(Internals.offset((PersistentObject) o)));
            array("later", later);
        }

        private PObject make(int kind) {
            return switch (kind) {
                case 0 -> new Cell(5);
                case 1 -> new PLongArray(3);
                case 2 -> new PByteArray(17 + r.nextInt(30));
                default -> new PByteArray(24);
            };
        }

        private void array(String name, List<PObject> to) {
            heap.atomic(() -> {
                PArray<Object> a = new PArray<>(to.size() + 20);
                for (int i = 0; i < to.size(); i++) {
                    a.set(i + i * 19 / to.size(), to.get(i));
                }
                heap.bindRoot(name, a);
                arrays.add(a);
            });
        }

        /** Changes references and headers as a broken medium would. */
        void damage() {
            HeapCore h = heap.core();
            for (PArray<Object> a : arrays) {
                long o = Internals.offset(a);
                for (int i = 0; i < 40; i++) {
                    long at = o + 8L * r.nextInt(a.length());
                    long ref = h.memory.getLong(at);
                    if (ref != 0) {
                        h.memory.putLong(at, switch (r.nextInt(7)) {
                            case 0 -> ref + 8;
                            case 1 -> ref ^ 1L << 48;
                            case 2 -> ref | 1L << 60;
                            case 3 -> ref | 1L << 63;
                            case 4 -> ref & 0xFFFFL << 48 | 1L << 46;
                            case 5 -> ref + 32 * 5000;
                            default -> ref & 0xFFFFL << 48 | Header.offset(ref) & -SizeClasses.SLAB_BYTES;
                        });
                    }
                }
            }
            for (int i = 0; i < 60; i++) {
                long o = objects.get(r.nextInt(objects.size()));
                long at = h.units.headerOffset(o);
                long was = h.memory.getLong(at);
                h.memory.putLong(at, switch (i % 6) {
                    case 0 -> was ^ 1L << 26 + r.nextInt(20);
                    case 1 -> 0;
                    case 2 -> -1;
                    case 3 -> Header.of(Header.classId(was), false, Header.generation(was), Header.bytes(was));
                    case 4 -> Header.of(60_000, true, Header.generation(was), Header.bytes(was));
                    default -> Header.of(Header.classId(was), true, Header.generation(was) + 1, Header.bytes(was));
                });
            }
        }
    }

    private static boolean isGood(HeapCore h, long ref) {
        long at = h.units.headerOffsetChecked(Header.offset(ref));
        long x = at < 0 ? 0 : h.memory.getLong(at);
        ClassInfo c = Header.sound(x) && Header.valid(x) ? h.classes.byIdOrNull(Header.classId(x)) : null;
        return c != null && Header.generation(x) == Header.refGeneration(ref) && (c.kind != Layout.Kind.FIXED || Header.bytes(x) >= c.size);
    }

    @ParameterizedTest
    @CsvSource({"1,false,false", "2,false,false", "1,true,false", "2,true,false", "1,false,true", "2,false,true", "1,true,true", "2,true,true"})
    void whatIsGoodStaysAndNothingElse(int threads, boolean mixed, boolean damaged) throws Exception {
        for (int seed = 0; seed < 3; seed++) {
            Path file = dir.resolve("h");
            java.nio.file.Files.deleteIfExists(file);
            List<Long> wanted = new ArrayList<>();
            List<Long> places = new ArrayList<>();
            Set<Long> live = new HashSet<>();
            long bad = 0;
            PHeap h = open(threads);
            Made made = new Made(h, seed, mixed);
            if (damaged) {
                made.damage();
            }
            HeapCore core = h.core();
            for (PArray<Object> a : made.arrays) {
                long o = Internals.offset(a);
                for (int i = 0; i < a.length(); i++) {
                    long ref = core.memory.getLong(o + 8L * i);
                    boolean good = ref != 0 && isGood(core, ref);
                    places.add(o + 8L * i);
                    wanted.add(good ? ref : 0);
                    bad += ref != 0 && !good ? 1 : 0;
                    if (good) {
                        live.add(Header.offset(ref));
                    }
                }
            }
            assertTrue(bad > 50 && live.size() > 4000, bad + " bad references, " + live.size() + " objects");
            core.abandon();
            try (PHeap again = open(threads)) {
                HeapCore now = again.core();
                assertEquals(bad, again.recovery().nulledCount());
                for (int i = 0; i < places.size(); i++) {
                    assertEquals(wanted.get(i), now.memory.getLong(places.get(i)));
                }
                for (long o : made.objects) {
                    assertEquals(live.contains(o), Header.classId(now.memory.getLong(now.units.headerOffset(o))) != 0, "the object at " + o);
                }
                assertTrue(now.check().sound(), () -> now.check().problems().toString());
                assertTrue(now.check().unreachable().isEmpty());
            }
        }
    }
}
