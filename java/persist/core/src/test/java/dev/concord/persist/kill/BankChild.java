package dev.concord.persist.kill;

import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.collections.PArray;
import dev.concord.persist.collections.PHashMap;
import dev.concord.persist.crash.Cell;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/** A bank under load that acknowledges each transfer on standard output, until it is killed. */
public final class BankChild {
    static final int ACCOUNTS = 100;
    static final int THREADS = 4;
    static final long START = 1000;

    private BankChild() {
    }

    static PHeap open(Path file) {
        return PHeap.open(file, PHeapOptions.defaults().segmentSize(1 << 20).logSize(256 << 10).objectLocks(true).recoveryThreads(1));
    }

    @SuppressWarnings("unchecked")
    static PArray<Cell> accounts(PHeap heap) {
        return heap.root("accounts", PArray.class, () -> {
            PArray<Cell> a = new PArray<>(ACCOUNTS + THREADS);
            for (int i = 0; i < ACCOUNTS + THREADS; i++) {
                a.set(i, new Cell(i < ACCOUNTS ? START : 0));
            }
            return a;
        });
    }

    @SuppressWarnings("unchecked")
    static PHashMap<Integer, String> journal(PHeap heap) {
        return heap.root("journal", PHashMap.class, PHashMap::new);
    }

    public static void main(String[] args) {
        PHeap heap = open(Path.of(args[0]));
        PArray<Cell> accounts = accounts(heap);
        PHashMap<Integer, String> journal = journal(heap);
        FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        for (int t = 0; t < THREADS; t++) {
            int me = t;
            new Thread(() -> {
                for (;;) {
                    long number = heap.atomicGet(() -> transfer(accounts, journal, me));
                    try {
                        // Twelve bytes in one write: the pipe never tears them.
                        out.write(ByteBuffer.allocate(12).putInt(me).putLong(number).array());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            }).start();
        }
    }

    /** Moves money, and counts the thread's transfers in the same block. */
    private static long transfer(PArray<Cell> accounts, PHashMap<Integer, String> journal, int me) {
        ThreadLocalRandom r = ThreadLocalRandom.current();
        Cell from = accounts.get(r.nextInt(ACCOUNTS));
        Cell to = accounts.get(r.nextInt(ACCOUNTS));
        long amount = r.nextInt(1, 50);
        from.amount(from.amount() - amount);
        to.amount(to.amount() + amount);
        Cell counter = accounts.get(ACCOUNTS + me);
        counter.amount(counter.amount() + 1);
        long n = counter.amount();
        if (n % 4 == 0) {
            // Allocation and freeing take part as well.
            journal.put(me, "transfer " + n + " of thread " + me);
        }
        return n;
    }
}
