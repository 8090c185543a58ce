package dev.concord.persist.core;

import dev.concord.persist.PersistException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The right to use a heap file: one writer, or any number of readers, in this process and among all. Owns the advisory locks
 * on {@code <file>.lock}, which the kernel drops with the process however it dies. It also drops them when the process closes
 * any descriptor of the lock file, so there is one channel per heap here, opened for the first user and closed by the last.
 */
public final class HeapLock implements Closeable {
    private static final Map<Path, HeapLock> HELD = new HashMap<>();
    /** Lock files that another copy of this library in this process has locked: to close a channel of them would free the lock. */
    private static final List<FileChannel> LEFT_OPEN = new ArrayList<>();
    private final Path key;
    private final FileChannel channel;
    private final boolean shared;
    private int users = 1;

    private HeapLock(Path key, FileChannel channel, boolean shared) {
        this.key = key;
        this.channel = channel;
        this.shared = shared;
    }

    /** @param shared for a reader */
    static HeapLock acquire(Path path, boolean shared) throws IOException {
        Path key = keyOf(path);
        synchronized (HELD) {
            HeapLock held = HELD.get(key);
            if (held == null) {
                held = new HeapLock(key, lock(path, shared), shared);
                HELD.put(key, held);
            } else if (shared && held.shared) {
                held.users++;
            } else {
                throw new PersistException.Locked(path + " is open in this process already");
            }
            return held;
        }
    }

    private static FileChannel lock(Path path, boolean shared) throws IOException {
        FileChannel c = FileChannel.open(fileOf(path), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (c.tryLock(0, Long.MAX_VALUE, shared) == null) {
                throw new PersistException.Locked(path + " is open in another process");
            }
            return c;
        } catch (OverlappingFileLockException e) {
            LEFT_OPEN.add(c);
            throw new PersistException.Locked(path + " is open in this process already, by another copy of this library");
        } catch (RuntimeException | IOException e) {
            c.close();
            throw e;
        }
    }

    /** The heap's path with links of its folder resolved. */
    static Path keyOf(Path heap) throws IOException {
        return heap.toAbsolutePath().getParent().toRealPath().resolve(heap.getFileName());
    }

    /** The file beside the heap that carries its locks. */
    public static Path fileOf(Path heap) {
        return heap.resolveSibling(heap.getFileName() + ".lock");
    }

    /** Gives one user's right back; each does it once. */
    @Override
    public void close() throws IOException {
        synchronized (HELD) {
            if (--users == 0) {
                HELD.remove(key);
                channel.close();
            }
        }
    }
}
