package dev.concord.persist.core;

import dev.concord.persist.PersistException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Completes the futures of asynchronous blocks once they are durable, those of one sync in commit order. Owns as many daemon threads
 * as groups may be written at once: while one waits for a group, the next leads what came behind it. They start at need.
 */
final class Acknowledger {
    private record Waiting(long lsn, CompletableFuture<Void> future) {
    }

    private final HeapCore heap;
    private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
    private final List<Thread> threads = new ArrayList<>();
    private int idle;
    /** The furthest position that was submitted, and the furthest that a thread waits for. */
    private long submitted;
    private long awaited;
    private boolean stop;

    Acknowledger(HeapCore heap) {
        this.heap = heap;
    }

    synchronized CompletableFuture<Void> submit(long lsn) {
        CompletableFuture<Void> f = new CompletableFuture<>();
        if (stop) {
            f.completeExceptionally(new PersistException.Misuse(heap.name() + " is closed"));
            return f;
        }
        if (lsn <= awaited && (heap.engine.isDurable(lsn) || heap.engine.isPoisoned())) {
            end(new Waiting(lsn, f)); // the thread that waited for it may have looked through the queue already
            return f;
        }
        queue.add(new Waiting(lsn, f));
        lead(lsn);
        return f;
    }

    /** Has a thread wait for this position, and lead what must be written for it. */
    synchronized void lead(long lsn) {
        if (lsn <= submitted || stop) {
            return; // one does already, or the heap's last checkpoint will
        }
        submitted = lsn;
        if (idle > 0) {
            notify();
        } else if (threads.size() < GroupCommit.FLIGHTS) {
            Thread t = new Thread(this::run, "jnvm-acknowledge-" + threads.size() + " " + heap.name());
            t.setDaemon(true);
            threads.add(t);
            t.start();
        }
    }

    private void run() {
        for (long target = next(); target != 0; target = next()) {
            try {
                heap.engine.await(target); // before any future is taken: another thread may wait for the first ones
            } catch (RuntimeException | Error e) {
                // Each future is told for itself: what came before the failure may be durable.
            }
            complete(target);
        }
    }

    private void complete(long target) {
        for (Waiting w = poll(target); w != null; w = poll(target)) {
            end(w);
        }
    }

    private void end(Waiting w) {
        try {
            heap.engine.await(w.lsn);
            w.future.complete(null);
        } catch (RuntimeException | Error e) {
            w.future.completeExceptionally(e);
        }
    }

    /** What to wait for: everything submitted, if no other thread does already. Zero to end. */
    private synchronized long next() {
        while (submitted <= awaited) {
            if (stop && queue.isEmpty()) {
                return 0;
            }
            idle++;
            try {
                wait();
            } catch (InterruptedException e) {
                stop = true;
            } finally {
                idle--;
            }
        }
        awaited = submitted;
        return awaited;
    }

    /** The first that was submitted, if it ends at this position or before. */
    private synchronized Waiting poll(long target) {
        Waiting w = queue.peek();
        if (w == null || w.lsn > target) {
            return null;
        }
        queue.poll();
        if (stop && queue.isEmpty()) {
            notifyAll();
        }
        return w;
    }

    /** Completes everything submitted, then ends the threads; unless it is one of them that calls, from a future's continuation. */
    void close() {
        List<Thread> all;
        synchronized (this) {
            stop = true;
            all = List.copyOf(threads);
            notifyAll();
        }
        if (all.contains(Thread.currentThread())) {
            complete(Long.MAX_VALUE);
            return;
        }
        boolean interrupted = false;
        for (Thread t : all) {
            while (t.isAlive()) {
                try {
                    t.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
