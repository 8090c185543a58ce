package dev.concord.persist.core;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;

/**
 * A file channel that outlives interrupts. The JDK closes a channel when a thread that is interrupted uses it. Owns the rule that
 * one thread's interrupt is nobody's failure: the channel is opened anew, the operation is done again, and the interrupt is
 * kept for the caller. That is right for reads, for writes at a position and for questions; a sync must not be done again.
 */
final class SteadyChannel implements Closeable {
    /** Opens the file, which exists. */
    interface Opener {
        FileChannel open() throws IOException;
    }

    /** One operation; may run more than once. */
    interface Operation<T> {
        T on(FileChannel channel) throws IOException;
    }

    private final Opener opener;
    private volatile FileChannel channel;
    private volatile boolean closed;

    SteadyChannel(FileChannel channel, Opener opener) {
        this.channel = channel;
        this.opener = opener;
    }

    <T> T run(Operation<T> operation) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            for (;;) {
                FileChannel c = channel;
                if (!c.isOpen()) {
                    reopen(c);
                    continue;
                }
                try {
                    return operation.on(c);
                } catch (ClosedChannelException e) {
                    if (e instanceof ClosedByInterruptException) {
                        interrupted |= Thread.interrupted();
                    }
                    reopen(c);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized void reopen(FileChannel broken) throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        if (channel == broken) {
            channel = opener.open();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        channel.close();
    }
}
