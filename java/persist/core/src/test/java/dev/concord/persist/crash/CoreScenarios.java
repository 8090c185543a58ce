package dev.concord.persist.crash;

import dev.concord.persist.PHeap;
import dev.concord.persist.collections.PByteArray;
import dev.concord.persist.sim.CrashExplorer.Scenario;
import java.util.Random;

/** Scenarios over plain objects: blocks, the low-level interface, allocation, roots. */
public final class CoreScenarios {
    private CoreScenarios() {
    }

    private abstract static class Chain implements Scenario {
        @Override
        public void setUp(PHeap heap) {
            heap.root("head", Cell.class, Cell::new);
        }

        static Cell head(PHeap heap) {
            return (Cell) heap.root("head");
        }

        @Override
        public String observe(PHeap heap) {
            return Cell.text(head(heap)) + heap.rootNames();
        }
    }

    /** Random blocks of stores, allocations, frees and values over a chain. */
    public static Scenario blocks(long seed, int operations) {
        return new Chain() {
            @Override
            public int operations() {
                return operations;
            }

            @Override
            public void operate(PHeap heap, int i) {
                Random r = new Random(seed * 31 + i);
                heap.atomic(() -> {
                    for (int k = 1 + r.nextInt(4); k > 0; k--) {
                        step(heap, r);
                    }
                });
            }

            private void step(PHeap heap, Random r) {
                Cell h = head(heap);
                switch (r.nextInt(6)) {
                    case 0 -> {
                        Cell c = new Cell(r.nextInt(100));
                        c.name("n" + r.nextInt(1000));
                        c.next(h.next());
                        h.next(c);
                    }
                    case 1 -> {
                        Cell c = h.next();
                        if (c != null) {
                            h.next(c.next());
                            heap.free(c);
                        }
                    }
                    case 2 -> h.amount(h.amount() + 1);
                    case 3 -> h.name(r.nextBoolean() ? null : "x".repeat(r.nextInt(300)));
                    case 4 -> {
                        h.small((byte) r.nextInt());
                        h.flag(r.nextInt());
                    }
                    default -> {
                        for (Cell c = h; c != null; c = c.next()) {
                            c.amount(c.amount() + 1);
                            c.tiny((byte) r.nextInt(9));
                        }
                    }
                }
            }
        };
    }

    /** Blocks over two objects: what one block moves, no crash may lose or double. */
    public static Scenario transfers(int operations) {
        return new Scenario() {
            @Override
            public void setUp(PHeap heap) {
                heap.root("a", Cell.class, () -> new Cell(100));
                heap.root("b", Cell.class, () -> new Cell(100));
            }

            @Override
            public int operations() {
                return operations;
            }

            @Override
            public void operate(PHeap heap, int i) {
                heap.atomic(() -> {
                    Cell a = (Cell) heap.root("a");
                    Cell b = (Cell) heap.root("b");
                    a.amount(a.amount() - i);
                    b.amount(b.amount() + i);
                });
            }

            @Override
            public String observe(PHeap heap) {
                return ((Cell) heap.root("a")).amount() + " " + ((Cell) heap.root("b")).amount();
            }
        };
    }

    /** Blocks of one field and of one range, which take no record or no collecting, between blocks of several words. */
    public static Scenario singles(int operations) {
        return new Scenario() {
            @Override
            public void setUp(PHeap heap) {
                heap.root("a", Cell.class, () -> new Cell(100));
                heap.root("bytes", PByteArray.class, () -> new PByteArray(40));
            }

            @Override
            public int operations() {
                return operations;
            }

            @Override
            public void operate(PHeap heap, int i) {
                Cell a = (Cell) heap.root("a");
                switch (i % 5) {
                    case 0 -> heap.atomic(() -> {
                        a.amount(a.amount() + 1);
                        a.flag(i);
                        a.small((byte) i);
                    });
                    case 1 -> heap.atomic(() -> a.amount(a.amount() + 10));
                    case 2 -> heap.atomic(() -> a.small((byte) (i + 50)));
                    default -> { // twice in a row, over different bytes
                        byte[] b = new byte[21];
                        java.util.Arrays.fill(b, (byte) i);
                        ((PByteArray) heap.root("bytes")).write(3 + i % 8, b, 0, b.length);
                    }
                }
            }

            @Override
            public String observe(PHeap heap) {
                return Cell.text((Cell) heap.root("a")) + java.util.Arrays.toString(((PByteArray) heap.root("bytes")).toArray());
            }
        };
    }

    /** Inline values: made with their object, stored alone and with others, replaced by longer, shorter and none. */
    public static Scenario inline(int operations) {
        return new Scenario() {
            @Override
            public void setUp(PHeap heap) {
                heap.root("packed", Packed.class, Packed::new);
            }

            @Override
            public int operations() {
                return operations;
            }

            private byte[] bytes(int n, int i) {
                byte[] b = new byte[n];
                java.util.Arrays.fill(b, (byte) i);
                return b;
            }

            @Override
            public void operate(PHeap heap, int i) {
                Packed p = (Packed) heap.root("packed");
                switch (i % 6) {
                    case 0 -> p.b(bytes(70, i + 1));
                    case 1 -> heap.atomic(() -> {
                        p.a(bytes(i * 5 % 22, i));
                        p.name(i % 12 == 1 ? null : "name" + i);
                        p.mark(i);
                    });
                    case 2 -> p.a(bytes(3 + i % 18, i));
                    case 3 -> heap.atomic(() -> {
                        Packed q = new Packed();
                        q.a(bytes(9, i));
                        q.b(bytes(i, i));
                        q.name("new" + i);
                        heap.bindRoot("packed", q);
                        heap.free(p);
                    });
                    case 4 -> heap.atomic(() -> p.b(i % 12 == 4 ? null : bytes(61, i)));
                    default -> p.name("\u0416".repeat(i % 7));
                }
            }

            @Override
            public String observe(PHeap heap) {
                return ((Packed) heap.root("packed")).text();
            }
        };
    }

    /** The paper's low-level publication: write back, validate, fence, store; then unlink and free. */
    public static Scenario lowLevel() {
        return new Chain() {
            @Override
            public int operations() {
                return 8;
            }

            @Override
            public void operate(PHeap heap, int i) {
                heap.with(() -> {
                    Cell h = head(heap);
                    switch (i % 4) {
                        case 0, 1 -> {
                            Cell c = new Cell(i + 1);
                            c.next(h.next());
                            c.pwb();
                            c.pfence();
                            h.updateNext(c);
                            h.psync();
                        }
                        case 2 -> {
                            Cell c = h.next();
                            h.next(c.next());
                            h.pwbNext();
                            h.pfence();
                            heap.free(c);
                            h.psync();
                        }
                        default -> {
                            h.amount(h.amount() + 7);
                            h.pwbAmount();
                            h.psync();
                        }
                    }
                    return null;
                });
            }
        };
    }

    /** Blocks and low-level stores to the same words in turn: neither may undo the other. */
    public static Scenario mixed() {
        return new Chain() {
            @Override
            public int operations() {
                return 8;
            }

            @Override
            public void operate(PHeap heap, int i) {
                Cell h = head(heap);
                if (i % 2 == 0) {
                    heap.atomic(() -> {
                        h.amount(1000 + i);
                        h.flag(i);
                    });
                } else {
                    heap.with(() -> {
                        h.amount(2000 + i);
                        h.pwbAmount();
                        h.psync();
                        return null;
                    });
                }
            }
        };
    }

    /** Blocks between checkpoints, enough of them to go round a small log more than once. */
    public static Scenario checkpoints(int operations) {
        return new Chain() {
            @Override
            public int operations() {
                return operations;
            }

            @Override
            public void operate(PHeap heap, int i) {
                Cell h = head(heap);
                if (i % 4 == 3) {
                    heap.checkpoint();
                    return;
                }
                heap.atomic(() -> {
                    h.amount(i);
                    // Incompressible, so that the record is as long as it looks.
                    byte[] b = new byte[6000];
                    new Random(i).nextBytes(b);
                    h.name(new String(b, java.nio.charset.StandardCharsets.ISO_8859_1));
                });
            }

            @Override
            public String observe(PHeap heap) {
                Cell h = head(heap);
                return h.amount() + "/" + (h.name() == null ? 0 : h.name().hashCode());
            }
        };
    }

    /** Low-level objects bound weakly and validated after one fence, as in the paper; and an update that frees the old one. */
    public static Scenario published() {
        return new Chain() {
            @Override
            public int operations() {
                return 6;
            }

            @Override
            public boolean mayLeak() {
                return true; // what a freed object referred to is left for the next recovery
            }

            @Override
            public String observe(PHeap heap) {
                PByteArray large = (PByteArray) heap.root("large");
                return Cell.text(head(heap)) + (large == null ? 0 : java.util.Arrays.hashCode(large.toArray()));
            }

            @Override
            public void operate(PHeap heap, int i) {
                heap.with(() -> {
                    Cell h = head(heap);
                    if (i >= 4) {
                        publishLarge(heap, i);
                        return null;
                    }
                    Cell c = new Cell(10 + i);
                    c.pwb();
                    if (i % 2 == 0) {
                        c.pfence();
                        h.updateNextFree(c);
                    } else {
                        h.next().next(c);
                        h.next().pwbNext();
                        c.pfence();
                        c.validate();
                    }
                    c.psync();
                    return null;
                });
            }
        };
    }

    /** An array of its own extent: its descriptor counts as well as its header. */
    private static void publishLarge(PHeap heap, int i) {
        byte[] content = new byte[40_000];
        new Random(i).nextBytes(content);
        PByteArray a = new PByteArray(content.length);
        a.writeLowLevel(0, content, 0, content.length);
        a.pwb();
        a.pfence();
        a.validate();
        a.pfence();
        heap.core().roots().wput("large", a);
        a.psync();
    }

    /** Names bound, rebound and unbound; more than one array of roots. */
    public static Scenario roots() {
        return new Scenario() {
            @Override
            public void setUp(PHeap heap) {
                heap.root("r0", Cell.class, Cell::new);
            }

            @Override
            public int operations() {
                return 12;
            }

            @Override
            public void operate(PHeap heap, int i) {
                heap.atomic(() -> heap.bindRoot("r" + i, i % 5 == 4 ? null : new Cell(i)));
            }

            @Override
            public boolean mayLeak() {
                return true;
            }

            @Override
            public String observe(PHeap heap) {
                StringBuilder s = new StringBuilder();
                for (String n : heap.rootNames()) {
                    s.append(n).append('=').append(((Cell) heap.root(n)).amount()).append(' ');
                }
                return s.toString();
            }
        };
    }

    /** Objects freed between objects that stay, then compacted: whatever the crash, the chain is what it was. */
    public static Scenario compactions() {
        return new Chain() {
            @Override
            public void setUp(PHeap heap) {
                super.setUp(heap);
                for (int i = 0; i < 500; i++) {
                    int k = i;
                    heap.atomic(() -> {
                        Cell c = new Cell(k);
                        c.name("n".repeat(150) + k);
                        c.next(head(heap).next());
                        head(heap).next(c);
                    });
                }
                for (Cell c = head(heap); c != null; c = c.next()) {
                    Cell before = c;
                    heap.atomic(() -> {
                        for (int n = 0; n < 7 && before.next() != null && before.next().next() != null; n++) {
                            Cell gone = before.next();
                            before.next(gone.next());
                            heap.free(gone);
                        }
                    });
                }
            }

            @Override
            public int operations() {
                return 2;
            }

            @Override
            public void operate(PHeap heap, int i) {
                if (i == 0) {
                    heap.compact();
                } else {
                    heap.atomic(() -> head(heap).amount(head(heap).amount() + 1));
                }
            }
        };
    }
}
