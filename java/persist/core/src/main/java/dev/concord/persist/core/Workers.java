package dev.concord.persist.core;

import java.util.ArrayList;
import java.util.List;

/**
 * The calling thread and some helpers at one piece of work. Owns the rule that all have ended when the call returns, and
 * that what one of them throws is thrown to the caller.
 */
abstract class Workers {
    private volatile Throwable failure;

    /** What each thread does; it gives up soon after {@link #failed} says so. */
    abstract void work();

    final boolean failed() {
        return failure != null;
    }

    final void run(int threads, String name) {
        List<Thread> helpers = new ArrayList<>();
        for (int i = 1; i < threads; i++) {
            Thread t = new Helper(name + "-" + i);
            t.setDaemon(true);
            t.start();
            helpers.add(t);
        }
        catching();
        boolean interrupted = false;
        for (Thread t : helpers) {
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
        if (failure != null) {
            throw new IllegalStateException(name + " failed: " + failure, failure);
        }
    }

    private void catching() {
        try {
            work();
        } catch (Throwable t) {
            failure = t;
        }
    }

    private final class Helper extends Thread {
        Helper(String name) {
            super(name);
        }

        @Override
        public void run() {
            catching();
        }
    }
}
