package dev.concord.persist.bench;

import dev.concord.persist.Durability;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.collections.PArray;
import dev.concord.persist.collections.PLongArray;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WriteOptions;

/** The banks that {@link Tpcb} compares; a transfer is atomic, isolated and durable to power loss when it returns. */
final class Banks {
    private static final int WORDS = 17;

    private Banks() {
    }

    interface Bank extends AutoCloseable {
        void transfer(int from, int to, long amount) throws Exception;

        long sum() throws Exception;
    }

    /** An account is a persistent array whose first word is the balance. */
    static final class Ours implements Bank {
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
    static final class Rocks implements Bank {
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

    /** An account is a row; each thread has a connection, and a transfer is one transaction of two updates in one batch. */
    static final class Postgres implements Bank {
        private final String url;
        private final List<Connection> open = new CopyOnWriteArrayList<>();
        private final ThreadLocal<PreparedStatement> update = ThreadLocal.withInitial(this::connect);

        Postgres(int port, int n) throws SQLException {
            url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=bench";
            try (Connection c = DriverManager.getConnection(url); java.sql.Statement s = c.createStatement()) {
                s.execute("CREATE TABLE accounts (id int PRIMARY KEY, balance bigint NOT NULL, filler char(124) NOT NULL)");
                s.execute("INSERT INTO accounts SELECT i, 0, '' FROM generate_series(0, " + (n - 1) + ") i");
                s.execute("VACUUM ANALYZE accounts");
            }
        }

        private PreparedStatement connect() {
            try {
                Connection c = DriverManager.getConnection(url);
                open.add(c);
                c.setAutoCommit(false);
                return c.prepareStatement("UPDATE accounts SET balance = balance + ? WHERE id = ?");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void transfer(int from, int to, long amount) throws SQLException {
            PreparedStatement s = update.get();
            add(s, Math.min(from, to), from < to ? -amount : amount);
            add(s, Math.max(from, to), from < to ? amount : -amount);
            s.executeBatch();
            s.getConnection().commit();
        }

        private static void add(PreparedStatement s, int account, long amount) throws SQLException {
            s.setLong(1, amount);
            s.setInt(2, account);
            s.addBatch();
        }

        @Override
        public long sum() throws SQLException {
            try (Connection c = DriverManager.getConnection(url); ResultSet r = c.createStatement().executeQuery("SELECT sum(balance) FROM accounts")) {
                r.next();
                return r.getLong(1);
            }
        }

        @Override
        public void close() throws SQLException {
            for (Connection c : open) {
                c.close();
            }
        }
    }
}
