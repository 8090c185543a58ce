package dev.concord.persist.bench;

import dev.concord.persist.Durability;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.collections.PArray;
import dev.concord.persist.collections.PLongArray;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WriteOptions;

/**
 * Transfers between accounts of 140 bytes, each atomic, isolated and durable to power loss before it counts; RocksDB with
 * pessimistic transactions and a synced log. Arguments: accounts, threads, seconds per round, rounds, directory.
 */
public final class Tpcb {
    private static final int WORDS = 17;

    private interface Bank extends AutoCloseable {
        void transfer(int from, int to, long amount) throws Exception;

        long sum() throws Exception;
    }

    private Tpcb() {
    }

    public static void main(String[] args) throws Exception {
        int accounts = Integer.parseInt(args[0]);
        int threads = Integer.parseInt(args[1]);
        double seconds = Double.parseDouble(args[2]);
        int rounds = Integer.parseInt(args[3]);
        Path dir = Files.createTempDirectory(Path.of(args[4]), "bench-tpcb");
        try (Bank ours = new Ours(dir.resolve("heap"), accounts); Bank rocks = new Rocks(dir.resolve("rocks"), accounts)) {
            double[][] ops = new double[2][rounds];
            double[][] cpu = new double[2][rounds];
            for (int r = -1; r < rounds; r++) {
                for (int b = 0; b < 2; b++) {
                    double[] x = round(b == 0 ? ours : rocks, accounts, threads, r < 0 ? seconds / 2 : seconds);
                    if (r >= 0) {
                        ops[b][r] = x[0];
                        cpu[b][r] = x[1];
                    }
                }
            }
            for (Bank b : List.of(ours, rocks)) {
                if (b.sum() != 0) {
                    throw new IllegalStateException("money was made or lost: " + b.sum());
                }
            }
            double[] ratios = new double[rounds];
            for (int r = 0; r < rounds; r++) {
                ratios[r] = ops[0][r] / ops[1][r];
            }
            for (double[] a : new double[][] {ops[0], ops[1], cpu[0], cpu[1], ratios}) {
                Arrays.sort(a);
            }
            int m = rounds / 2;
            System.out.printf("figure tpcb-power-%dt %.0f ops/s ref=rocksdb-txn %.0f ratio=%.2f spread=%.2f..%.2f%n", threads, ops[0][m], ops[1][m], ratios[m],
                    ratios[0], ratios[rounds - 1]);
            System.out.printf("figure tpcb-power-%dt-cpu %.2f us/op ref=rocksdb-txn %.2f ratio=%.2f spread=-%n", threads, cpu[0][m], cpu[1][m],
                    cpu[0][m] / cpu[1][m]);
        } finally {
            try (var s = Files.walk(dir)) {
                for (Path p : s.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(p);
                }
            }
        }
    }

    private static double[] round(Bank bank, int accounts, int threads, double seconds) throws Exception {
        LongAdder done = new LongAdder();
        var os = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpu = os.getProcessCpuTime();
        long begin = System.nanoTime();
        long end = begin + (long) (seconds * 1e9);
        List<Thread> all = new ArrayList<>();
        Throwable[] failure = new Throwable[1];
        for (int t = 0; t < threads; t++) {
            SplittableRandom r = new SplittableRandom(begin + t);
            Thread x = new Thread(() -> {
                try {
                    while (System.nanoTime() < end) {
                        int from = r.nextInt(accounts);
                        bank.transfer(from, (from + 1 + r.nextInt(accounts - 1)) % accounts, r.nextInt(100));
                        done.increment();
                    }
                } catch (Exception e) {
                    failure[0] = e;
                }
            });
            x.start();
            all.add(x);
        }
        for (Thread x : all) {
            x.join();
        }
        if (failure[0] != null) {
            throw new IllegalStateException("a worker failed", failure[0]);
        }
        return new double[] {done.sum() / ((System.nanoTime() - begin) / 1e9), (os.getProcessCpuTime() - cpu) / 1e3 / done.sum()};
    }

    /** An account is a persistent array whose first word is the balance. */
    private static final class Ours implements Bank {
        private final PHeap heap;
        private final PArray<PLongArray> accounts;

        @SuppressWarnings("unchecked")
        Ours(Path file, int n) {
            heap = PHeap.open(file, PHeapOptions.defaults().durability(Durability.POWER));
            accounts = heap.root("accounts", PArray.class, () -> new PArray<>(n));
            for (int i = 0; i < n; i += 1000) {
                int from = i;
                heap.atomic(() -> {
                    for (int k = from; k < Math.min(n, from + 1000); k++) {
                        accounts.set(k, new PLongArray(WORDS));
                    }
                });
            }
        }

        @Override
        public void transfer(int from, int to, long amount) {
            PLongArray a = accounts.get(from);
            PLongArray b = accounts.get(to);
            long lsn;
            synchronized (from < to ? a : b) {
                synchronized (from < to ? b : a) {
                    lsn = heap.core().atomicVisible(() -> {
                        a.set(0, a.get(0) - amount);
                        b.set(0, b.get(0) + amount);
                        return null;
                    }, null);
                }
            }
            heap.core().await(lsn);
        }

        @Override
        public long sum() {
            long s = 0;
            for (int i = 0; i < accounts.length(); i++) {
                s += accounts.get(i).get(0);
            }
            return s;
        }

        @Override
        public void close() {
            heap.close();
        }
    }

    /** An account is a value of 140 bytes under its number. */
    private static final class Rocks implements Bank {
        private final TransactionDB db;
        private final WriteOptions sync;
        private final ReadOptions read;
        private final int n;

        Rocks(Path dir, int n) throws Exception {
            this.n = n;
            org.rocksdb.RocksDB.loadLibrary();
            sync = new WriteOptions().setSync(true);
            read = new ReadOptions();
            Files.createDirectories(dir);
            db = TransactionDB.open(new Options().setCreateIfMissing(true), new TransactionDBOptions(), dir.toString());
            for (int i = 0; i < n; i++) {
                db.put(key(i), new byte[WORDS * 8 + 4]);
            }
        }

        private static byte[] key(int i) {
            return ByteBuffer.allocate(4).putInt(i).array();
        }

        @Override
        public void transfer(int from, int to, long amount) throws RocksDBException {
            try (Transaction t = db.beginTransaction(sync)) {
                int first = Math.min(from, to);
                int second = Math.max(from, to);
                byte[] a = t.getForUpdate(read, key(first), true);
                byte[] b = t.getForUpdate(read, key(second), true);
                ByteBuffer.wrap(a).putLong(0, ByteBuffer.wrap(a).getLong(0) + (first == from ? -amount : amount));
                ByteBuffer.wrap(b).putLong(0, ByteBuffer.wrap(b).getLong(0) + (first == from ? amount : -amount));
                t.put(key(first), a);
                t.put(key(second), b);
                t.commit();
            }
        }

        @Override
        public long sum() throws RocksDBException {
            long s = 0;
            for (int i = 0; i < n; i++) {
                s += ByteBuffer.wrap(db.get(key(i))).getLong(0);
            }
            return s;
        }

        @Override
        public void close() {
            db.close();
        }
    }
}
