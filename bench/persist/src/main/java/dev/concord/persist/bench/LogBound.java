package dev.concord.persist.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * No store, but the bound of any that syncs each acknowledged update: records in an array, and a log in a file of fixed
 * size to which updates are appended, as many as are waiting by one write and one sync. Cannot recover, checks nothing.
 */
final class LogBound implements Store {
    private static final int LOG = 32 << 20;
    private static final int HEADER = 16;
    private final FileChannel file;
    private final byte[][] records;
    private ByteBuffer filling = ByteBuffer.allocateDirect(1 << 20);
    private ByteBuffer spare = ByteBuffer.allocateDirect(1 << 20);
    private long appended;
    private long durable;
    private long position;
    private boolean flushing;
    private long syncs;
    private boolean loaded;

    LogBound(Path dir, int n) {
        records = new byte[n * 2][];
        try {
            file = FileChannel.open(dir.resolve("log"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 20);
            for (int at = 0; at < LOG; at += zeros.capacity()) {
                file.write(zeros.clear(), at);
            }
            file.force(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void insert(int key, byte[] record) {
        records[key] = record.clone();
        if (loaded) {
            log(record);
        }
    }

    @Override
    public void loaded() {
        loaded = true;
    }

    @Override
    public boolean read(int key, byte[] record) {
        byte[] b = records[key];
        if (b != null) {
            System.arraycopy(b, 0, record, 0, RECORD);
        }
        return b != null;
    }

    @Override
    public void update(int key, int field, byte[] content) {
        System.arraycopy(content, 0, records[key], field * FIELD, FIELD);
        log(content);
    }

    private void log(byte[] content) {
        long mine;
        synchronized (this) {
            filling.position(filling.position() + HEADER);
            filling.put(content);
            mine = ++appended;
        }
        for (;;) {
            ByteBuffer batch;
            long upTo;
            synchronized (this) {
                while (flushing && durable < mine) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
                if (durable >= mine) {
                    return;
                }
                flushing = true;
                batch = filling;
                upTo = appended;
                filling = spare;
                filling.clear();
            }
            flush(batch);
            synchronized (this) {
                spare = batch;
                durable = upTo;
                flushing = false;
                syncs++;
                notifyAll();
            }
        }
    }

    private void flush(ByteBuffer batch) {
        try {
            batch.flip();
            if (position + batch.limit() > LOG) {
                position = 0;
            }
            position += file.write(batch, position);
            file.force(false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized double syncs() {
        return syncs;
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
