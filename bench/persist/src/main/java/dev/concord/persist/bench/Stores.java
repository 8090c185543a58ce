package dev.concord.persist.bench;

import dev.concord.persist.Durability;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.collections.PByteArray;
import dev.concord.persist.collections.PHashMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import net.openhft.chronicle.map.ChronicleMap;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.HTreeMap;
import org.mapdb.Serializer;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** The contenders. Each says how much its acknowledged update survives; only equals are compared. */
final class Stores {
    private Stores() {
    }

    /** How to open one. */
    record Contender(String name, Durability durability, Opener opener) {
    }

    /** Opens a store in an empty directory. */
    interface Opener {
        Store open(Path dir, int records);
    }

    static final Contender[] ALL = {
        new Contender("concord", Durability.POWER, (d, n) -> new Concord(d, Durability.POWER)),
        new Contender("rocksdb-sync", Durability.POWER, (d, n) -> new Rocks(d, true)),
        new Contender("mvstore-sync", Durability.POWER, (d, n) -> new Mv(d)),
        new Contender("mapdb-txn", Durability.POWER, (d, n) -> new Mapdb(d)),
        new Contender("lmdb", Durability.POWER, (d, n) -> new Lmdb(d, n)),
        new Contender("log-bound", Durability.POWER, LogBound::new),
        new Contender("concord", Durability.PROCESS, (d, n) -> new Concord(d, Durability.PROCESS)),
        new Contender("chronicle-map", Durability.PROCESS, Chronicle::new),
        new Contender("rocksdb-wal", Durability.PROCESS, (d, n) -> new Rocks(d, false)),
        new Contender("hashmap-copy", Durability.NONE, (d, n) -> new Volatile()),
    };

    /** Ours: a map from key to byte array, which keeps the proxies; an update is one block that writes a tenth of the array. */
    static final class Concord implements Store {
        private final PHeap heap;
        private final PHashMap<Integer, PByteArray> map;

        @SuppressWarnings("unchecked")
        Concord(Path dir, Durability level) {
            heap = PHeap.open(dir.resolve("heap"), PHeapOptions.defaults().durability(level).logSize(64L << 20));
            map = heap.root("map", PHashMap.class, () -> new PHashMap<>(PHashMap.Caching.CACHED));
        }

        /** A record that is there is written over, as every store does that keeps them by key. */
        @Override
        public void insert(int key, byte[] record) {
            PByteArray there = map.get(key);
            if (there != null) {
                there.write(0, record, 0, RECORD);
            } else {
                heap.atomic(() -> map.put(key, new PByteArray(record)));
            }
        }

        @Override
        public boolean read(int key, byte[] record) {
            PByteArray a = map.get(key);
            if (a == null) {
                return false;
            }
            a.read(0, record, 0, RECORD);
            return true;
        }

        @Override
        public void update(int key, int field, byte[] content) {
            map.get(key).write(field * FIELD, content, 0, FIELD);
        }

        @Override
        public double syncs() {
            return heap.statistics().syncs();
        }

        @Override
        public void close() {
            heap.close();
        }
    }

    /** What nothing survives: the yardstick of the memory. */
    static final class Volatile implements Store {
        private final Map<Integer, byte[]> map = new ConcurrentHashMap<>();

        @Override
        public void insert(int key, byte[] record) {
            map.put(key, record.clone());
        }

        @Override
        public boolean read(int key, byte[] record) {
            byte[] b = map.get(key);
            if (b != null) {
                System.arraycopy(b, 0, record, 0, RECORD);
            }
            return b != null;
        }

        @Override
        public void update(int key, int field, byte[] content) {
            map.compute(key, (k, old) -> {
                byte[] b = old.clone();
                System.arraycopy(content, 0, b, field * FIELD, FIELD);
                return b;
            });
        }

        @Override
        public void close() {
            map.clear();
        }
    }

    /** RocksDB with and without a sync of its log at each write. */
    static final class Rocks implements Store {
        private final org.rocksdb.Statistics statistics = new org.rocksdb.Statistics();
        private final Options options = new Options().setCreateIfMissing(true).setStatistics(statistics);
        private final WriteOptions write;
        private final RocksDB db;

        Rocks(Path dir, boolean sync) {
            RocksDB.loadLibrary();
            write = new WriteOptions().setSync(sync);
            try {
                db = RocksDB.open(options, dir.toString());
            } catch (RocksDBException e) {
                throw new IllegalStateException(e);
            }
        }

        private static byte[] key(int k) {
            return new byte[] {(byte) (k >>> 24), (byte) (k >>> 16), (byte) (k >>> 8), (byte) k};
        }

        @Override
        public void insert(int key, byte[] record) {
            try {
                db.put(write, key(key), record);
            } catch (RocksDBException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public boolean read(int key, byte[] record) {
            try {
                return db.get(key(key), record) != RocksDB.NOT_FOUND;
            } catch (RocksDBException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void update(int key, int field, byte[] content) {
            byte[] b = new byte[RECORD];
            read(key, b);
            System.arraycopy(content, 0, b, field * FIELD, FIELD);
            insert(key, b);
        }

        @Override
        public double syncs() {
            return statistics.getTickerCount(org.rocksdb.TickerType.WAL_FILE_SYNCED);
        }

        @Override
        public void close() {
            db.close();
            write.close();
            options.close();
        }
    }

    /** H2's MVStore, committed and synced at each update. */
    static final class Mv implements Store {
        private final MVStore store;
        private final MVMap<Integer, byte[]> map;
        private boolean durable;

        Mv(Path dir) {
            store = new MVStore.Builder().fileName(dir.resolve("mv").toString()).autoCommitDisabled().open();
            map = store.openMap("m");
        }

        private void commit() {
            if (durable) {
                store.commit();
                store.sync();
            }
        }

        @Override
        public void insert(int key, byte[] record) {
            map.put(key, record.clone());
            commit();
        }

        @Override
        public boolean read(int key, byte[] record) {
            byte[] b = map.get(key);
            if (b != null) {
                System.arraycopy(b, 0, record, 0, RECORD);
            }
            return b != null;
        }

        @Override
        public void update(int key, int field, byte[] content) {
            byte[] b = map.get(key).clone();
            System.arraycopy(content, 0, b, field * FIELD, FIELD);
            map.put(key, b);
            commit();
        }

        @Override
        public void loaded() {
            durable = true;
            commit();
        }

        @Override
        public void close() {
            store.close();
        }
    }

    /** MapDB with its write-ahead log, committed at each update. */
    static final class Mapdb implements Store {
        private final DB db;
        private final HTreeMap<Integer, byte[]> map;
        private boolean durable;

        Mapdb(Path dir) {
            db = DBMaker.fileDB(dir.resolve("mapdb").toFile()).fileMmapEnable().transactionEnable().make();
            map = db.hashMap("m", Serializer.INTEGER, Serializer.BYTE_ARRAY).create();
        }

        @Override
        public void insert(int key, byte[] record) {
            map.put(key, record);
            if (durable) {
                db.commit();
            }
        }

        @Override
        public boolean read(int key, byte[] record) {
            byte[] b = map.get(key);
            if (b != null) {
                System.arraycopy(b, 0, record, 0, RECORD);
            }
            return b != null;
        }

        @Override
        public void update(int key, int field, byte[] content) {
            byte[] b = map.get(key).clone();
            System.arraycopy(content, 0, b, field * FIELD, FIELD);
            insert(key, b);
        }

        @Override
        public void loaded() {
            durable = true;
            db.commit();
        }

        @Override
        public void close() {
            db.close();
        }
    }

    /** Chronicle Map over a mapped file. */
    static final class Chronicle implements Store {
        private final ChronicleMap<Integer, byte[]> map;

        Chronicle(Path dir, int records) {
            try {
                map = ChronicleMap.of(Integer.class, byte[].class).name("m").entries(records * 2L).averageValueSize(RECORD)
                        .createPersistedTo(dir.resolve("chronicle").toFile());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void insert(int key, byte[] record) {
            map.put(key, record);
        }

        @Override
        public boolean read(int key, byte[] record) {
            byte[] b = map.getUsing(key, record);
            return b != null;
        }

        @Override
        public void update(int key, int field, byte[] content) {
            byte[] b = map.get(key);
            System.arraycopy(content, 0, b, field * FIELD, FIELD);
            map.put(key, b);
        }

        @Override
        public void close() {
            map.close();
        }
    }
}
