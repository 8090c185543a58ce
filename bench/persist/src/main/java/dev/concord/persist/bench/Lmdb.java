package dev.concord.persist.bench;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.Txn;

/** LMDB as it comes: one writer, a sync at each commit.. */
final class Lmdb implements Store {
    private final Env<ByteBuffer> env;
    private final Dbi<ByteBuffer> db;
    private final ThreadLocal<ByteBuffer> keys = ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(4));
    private final ThreadLocal<ByteBuffer> values = ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(RECORD));

    /** Records of the loading phase, which one transaction writes; null once it is over. */
    private java.util.Map<Integer, byte[]> loading = new java.util.HashMap<>();

    Lmdb(Path dir, int records) {
        env = Env.create().setMapSize(records * 6000L + (64 << 20)).setMaxReaders(256).open(dir.toFile());
        db = env.openDbi((String) null, DbiFlags.MDB_CREATE);
    }

    private ByteBuffer key(int k) {
        return keys.get().clear().putInt(k).flip();
    }

    @Override
    public synchronized void insert(int key, byte[] record) {
        if (loading != null) {
            loading.put(key, record);
            return;
        }
        try (Txn<ByteBuffer> t = env.txnWrite()) {
            db.put(t, key(key), values.get().clear().put(record).flip());
            t.commit();
        }
    }

    @Override
    public boolean read(int key, byte[] record) {
        try (Txn<ByteBuffer> t = env.txnRead()) {
            ByteBuffer b = db.get(t, key(key));
            if (b != null) {
                b.get(record, 0, RECORD);
            }
            return b != null;
        }
    }

    @Override
    public synchronized void update(int key, int field, byte[] content) {
        try (Txn<ByteBuffer> t = env.txnWrite()) {
            ByteBuffer b = values.get().clear().put(db.get(t, key(key))).flip();
            b.put(field * FIELD, content);
            db.put(t, key(key), b);
            t.commit();
        }
    }

    @Override
    public synchronized void loaded() {
        try (Txn<ByteBuffer> t = env.txnWrite()) {
            loading.forEach((k, r) -> db.put(t, key(k), values.get().clear().put(r).flip()));
            t.commit();
        }
        loading = null;
    }

    @Override
    public void close() {
        env.close();
    }
}
