package dev.concord.persist.core;

import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A heap file of the operating system, held by a {@link HeapLock} as long as it is open. */
public final class FileMedium extends Medium {
    private static final int ZEROS = 1 << 20;
    private final Path path;
    /** The file's present name: a temporary one until it is published. */
    private volatile Path present;
    private final SteadyChannel channel;
    /** For syncs alone: no channel, so that no interrupt ends one, and open as long as the heap, so that it hears of every error. */
    private final RandomAccessFile syncs;
    private final HeapLock lock;
    /** Set once something is mapped for it: to look for it takes a while. */
    private Writeback writeback;
    /** For the log; opened by the engine that has one. */
    private ThroughChannel through;
    private boolean syncMapped;
    private boolean closed;

    private FileMedium(Path path, Path present, FileChannel channel, boolean readOnly, HeapLock lock) throws IOException {
        this.path = path;
        this.present = present;
        this.lock = lock;
        this.channel = new SteadyChannel(channel, () -> openExisting(this.present, readOnly));
        this.syncs = new RandomAccessFile(present.toFile(), Files.isWritable(present) ? "rw" : "r");
    }

    /**
     * Opens and locks.
     *
     * @param create makes a new, empty file under a temporary name; {@link #publish} gives it its own
     */
    public static FileMedium open(Path path, boolean create, boolean readOnly) throws IOException {
        HeapLock lock = HeapLock.acquire(path, readOnly);
        try {
            Path name = create ? temporary(path) : path;
            FileChannel file = create
                    ? FileChannel.open(name, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.READ, StandardOpenOption.WRITE)
                    : openExisting(name, readOnly);
            return new FileMedium(path, name, file, readOnly, lock);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static Path temporary(Path path) {
        return path.resolveSibling(path.getFileName() + ".new");
    }

    private static FileChannel openExisting(Path p, boolean readOnly) throws IOException {
        try {
            return FileChannel.open(p, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (AccessDeniedException e) {
            if (readOnly) {
                return FileChannel.open(p, StandardOpenOption.READ);
            }
            throw e;
        }
    }

    /** Gives a new heap its name; before that a crash leaves no half-made heap behind. */
    public void publish() throws IOException {
        force();
        Files.move(present, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        present = path;
        try (FileChannel dir = FileChannel.open(path.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            dir.force(true);
        }
    }

    /** Whether the file can be mapped so that stores to it need no file system to become durable. */
    public boolean supportsSync() throws IOException {
        FileChannel.MapMode mode = Writeback.syncMode();
        if (mode == null) {
            return false;
        }
        try {
            channel.run(c -> c.map(mode, 0, Math.min(4096, Math.max(1, c.size()))));
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    public Writeback writeback() {
        return Writeback.find();
    }

    @Override
    public String name() {
        return path.toString();
    }

    @Override
    public long size() throws IOException {
        return channel.run(FileChannel::size);
    }

    @Override
    public void extend(long size) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS);
        for (long at = size(); at < size;) {
            zeros.clear().limit((int) Math.min(ZEROS, size - at));
            write(at, zeros);
            at += zeros.position();
        }
        force();
    }

    @Override
    public void truncate(long size) throws IOException {
        if (size() > size) {
            channel.run(c -> c.truncate(size));
            force();
        }
    }

    @Override
    public void read(long pos, ByteBuffer dst) throws IOException {
        while (dst.hasRemaining()) {
            long at = pos;
            int n = channel.run(c -> c.read(dst, at));
            if (n < 0) {
                throw new EOFException(path + " ends at " + pos + ", " + dst.remaining() + " bytes more expected");
            }
            pos += n;
        }
    }

    @Override
    public void write(long pos, ByteBuffer src) throws IOException {
        while (src.hasRemaining()) {
            long at = pos;
            pos += channel.run(c -> c.write(src, at));
        }
    }

    @Override
    public synchronized int alignment() throws IOException {
        if (through == null) {
            through = ThroughChannel.open(() -> present);
        }
        return through.alignment();
    }

    @Override
    public void writeThrough(long pos, ByteBuffer src) throws IOException {
        through.write(pos, src);
    }

    @Override
    public void force() throws IOException {
        syncs.getFD().sync();
    }

    @Override
    public ByteBuffer map(long pos, int len, Mapping mapping) throws IOException {
        FileChannel.MapMode mode = switch (mapping) {
            case PRIVATE -> FileChannel.MapMode.PRIVATE;
            case SHARED -> FileChannel.MapMode.READ_WRITE;
            case READ_ONLY -> FileChannel.MapMode.READ_ONLY;
            case SYNC -> Writeback.syncMode();
        };
        if (mapping == Mapping.SYNC) {
            writeback = Writeback.find();
            syncMapped = true;
        }
        return channel.run(c -> c.map(mode, pos, len));
    }

    @Override
    public void writeBack(Memory memory, long off, long len) {
        if (!syncMapped) {
            return; // stores to a shared mapping survive the process by themselves; the kernel decides about the rest
        }
        int mask = (1 << memory.shift()) - 1;
        MappedByteBuffer b = (MappedByteBuffer) memory.segment((int) (off >>> memory.shift()));
        writeback.writeBack(b, (int) off & mask, (int) len);
    }

    @Override
    public void fence() {
        if (syncMapped) {
            writeback.fence();
        } else {
            // What survives the process is what it stored, in the order of its instructions: only the compiler must keep that.
            java.lang.invoke.VarHandle.releaseFence();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            channel.close();
            syncs.close();
            if (through != null) {
                through.close();
            }
        } finally {
            lock.close();
        }
    }
}
