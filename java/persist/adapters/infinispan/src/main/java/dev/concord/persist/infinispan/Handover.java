package dev.concord.persist.infinispan;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Completes stages on the threads of an executor. Owns the rule that what becomes durable by one sync is handed over by one
 * task: a task each would wake a thread each, for a few microseconds of work.
 */
final class Handover {
    private final Executor executor;
    private final Queue<Runnable> completions = new ConcurrentLinkedQueue<>();
    /** Completions that were added and not run; a task runs while there are any. */
    private final AtomicInteger outstanding = new AtomicInteger();

    Handover(Executor executor) {
        this.executor = executor;
    }

    /** A stage that ends as {@code durable} does, on a thread of the executor. */
    CompletionStage<Void> complete(CompletableFuture<Void> durable) {
        CompletableFuture<Void> stage = new CompletableFuture<>();
        durable.whenComplete((v, failure) -> {
            completions.add(() -> {
                if (failure == null) {
                    stage.complete(null);
                } else {
                    stage.completeExceptionally(failure);
                }
            });
            if (outstanding.getAndIncrement() == 0) {
                try {
                    executor.execute(this::drain);
                } catch (RejectedExecutionException e) {
                    drain(); // the executor has ended; who waits for a stage must not wait for ever
                }
            }
        });
        return stage;
    }

    private void drain() {
        int left;
        do {
            int n = outstanding.get();
            for (int i = 0; i < n; i++) {
                completions.remove().run();
            }
            left = outstanding.addAndGet(-n);
        } while (left != 0);
    }
}
