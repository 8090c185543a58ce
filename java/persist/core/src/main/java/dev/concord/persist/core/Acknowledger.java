package dev.concord.persist.core;

import dev.concord.persist.PersistException;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;

/** Completes the futures of asynchronous blocks, in commit order, from one daemon thread that starts at first need. */
final class Acknowledger {
    private record Waiting(long lsn, CompletableFuture<Void> future) {
    }

    private final HeapCore heap;
    private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
    private Thread thread;
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
        queue.add(new Waiting(lsn, f));
        if (thread == null) {
            thread = new Thread(this::run, "jnvm-acknowledge " + heap.name());
            thread.setDaemon(true);
            thread.start();
        }
        notifyAll();
        return f;
    }

    private void run() {
        for (;;) {
            Waiting w;
            synchronized (this) {
                while (queue.isEmpty() && !stop) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        stop = true;
                    }
                }
                w = queue.poll();
                if (w == null) {
                    return;
                }
            }
            try {
                heap.engine.await(w.lsn);
                w.future.complete(null);
            } catch (RuntimeException | Error e) {
                w.future.completeExceptionally(e);
            }
        }
    }

    /** Completes everything submitted, then ends the thread; unless that is who calls, from a future's continuation. */
    void close() {
        Thread t;
        synchronized (this) {
            stop = true;
            t = thread;
            notifyAll();
        }
        if (t == Thread.currentThread()) {
            run();
            return;
        }
        boolean interrupted = false;
        while (t != null && t.isAlive()) {
            try {
                t.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
