package dev.concord.persist.core;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A second channel to a heap file, for its log. Owns the promise that a write has reached the medium when it returns, and
 * waits for nothing else: a sync of the whole file would also wait for the pages that a checkpoint writes meanwhile.
 *
 * <p>Past the page cache (O_DIRECT) where the file system can, which takes less time and less of the processor; else through
 * it (O_DSYNC alone).
 */
final class ThroughChannel implements Closeable {
    private static final int BLOCK = 4096;
    private final SteadyChannel channel;
    private final int alignment;

    private ThroughChannel(SteadyChannel.Opener opener, FileChannel channel, int alignment) {
        this.channel = new SteadyChannel(channel, opener);
        this.alignment = alignment;
    }

    /**
     * Opens a heap file whose superblock and log exist.
     *
     * @param name tells the file's present name
     */
    static ThroughChannel open(Supplier<Path> name) throws IOException {
        OpenOption direct = direct();
        FileChannel c = null;
        try {
            if (direct != null && Files.getFileStore(name.get()).getBlockSize() <= BLOCK) {
                SteadyChannel.Opener past = () -> FileChannel.open(name.get(), Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DSYNC, direct));
                c = past.open();
                // Some file systems accept the option and refuse the access.
                if (c.read(ByteBuffer.allocateDirect(2 * BLOCK).alignedSlice(BLOCK).limit(BLOCK), 0) == BLOCK) {
                    return new ThroughChannel(past, c, BLOCK);
                }
            }
        } catch (IOException | UnsupportedOperationException e) {
            // Not past the page cache, then.
        }
        if (c != null) {
            c.close();
        }
        SteadyChannel.Opener cached = () -> FileChannel.open(name.get(), StandardOpenOption.WRITE, StandardOpenOption.DSYNC);
        return new ThroughChannel(cached, cached.open(), 1);
    }

    private static OpenOption direct() {
        try {
            return (OpenOption) Class.forName("com.sun.nio.file.ExtendedOpenOption").getField("DIRECT").get(null);
        } catch (ReflectiveOperationException e) {
            return null; // a run-time image without that module
        }
    }

    int alignment() {
        return alignment;
    }

    void write(long pos, ByteBuffer src) throws IOException {
        while (src.hasRemaining()) {
            long at = pos;
            int n = channel.run(c -> c.write(src, at));
            if (n % alignment != 0) {
                throw new IOException("a write of whole blocks ended inside one, after " + n + " bytes");
            }
            pos += n;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
