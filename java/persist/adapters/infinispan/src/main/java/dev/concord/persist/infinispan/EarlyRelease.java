package dev.concord.persist.infinispan;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.infinispan.Cache;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.read.GetCacheEntryCommand;
import org.infinispan.commands.read.GetKeyValueCommand;
import org.infinispan.commands.write.WriteCommand;
import org.infinispan.context.InvocationContext;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.interceptors.AsyncInterceptor;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.DDAsyncInterceptor;
import org.infinispan.interceptors.impl.CacheWriterInterceptor;
import org.infinispan.interceptors.impl.InvocationContextInterceptor;
import org.infinispan.lifecycle.ComponentStatus;

/**
 * Has commands give the locks of their keys back before what they wrote is durable. Owns the rule that a command whose write
 * did not wait answers only when that write is durable: {@link Answers}, outside of the locks, waits for what {@link Writes}, right
 * around the store, was told of.
 *
 * <p>A write does not wait only if it is made within the call that a command that {@code Answers} knows makes to the store. What
 * comes another way waits for itself, with the lock held: what goes on later in another thread, what Infinispan writes without a
 * command.
 */
final class EarlyRelease {
    /** A command under way, and the place in the log of what it has written; zero if nothing. */
    private static final class Writing {
        final WriteCommand command;
        volatile long place;

        Writing(WriteCommand command) {
            this.command = command;
        }
    }

    /** Commands have equality of their own. */
    private record Key(VisitableCommand command) {
        @Override
        public boolean equals(Object o) {
            return o instanceof Key k && k.command == command;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(command);
        }
    }

    private final ConcurrentHashMap<Key, Writing> underWay = new ConcurrentHashMap<>();
    private final ThreadLocal<Writing> atStore = new ThreadLocal<>();
    private final LongFunction<CompletionStage<Void>> durable;
    private final LongSupplier last;

    /**
     * @param durable gives a stage that ends when everything up to a place in the log is durable
     * @param last the place of the last write so far
     */
    EarlyRelease(LongFunction<CompletionStage<Void>> durable, LongSupplier last) {
        this.durable = durable;
        this.last = last;
    }

    /**
     * Puts both interceptors into the chain of a cache that runs and writes to its store, if no other store of the cache has:
     * one store answers early, others wait. False if the cache does not run yet.
     */
    boolean install(Cache<?, ?> cache) {
        if (ComponentRegistry.of(cache).getStatus() != ComponentStatus.RUNNING) {
            return false;
        }
        AsyncInterceptorChain chain = ComponentRegistry.componentOf(cache, AsyncInterceptorChain.class);
        synchronized (chain) {
            CacheWriterInterceptor writer = chain.findInterceptorExtending(CacheWriterInterceptor.class);
            if (writer != null && !chain.containsInterceptorType(Answers.class)
                    && chain.addInterceptorAfter(answers(), InvocationContextInterceptor.class)) {
                chain.addInterceptorBefore(writes(), writer.getClass());
            }
        }
        return true;
    }

    AsyncInterceptor answers() {
        return new Answers();
    }

    AsyncInterceptor writes() {
        return new Writes();
    }

    /** Whether the answer of the command at the store waits for what was just written at that place, so that the store need not. */
    boolean answersFor(Object key, long place) {
        Writing w = atStore.get();
        // A listener of this command's may have let another go on: that one's answer does not know.
        if (w == null || !w.command.getAffectedKeys().contains(key)) {
            return false;
        }
        w.place = Math.max(w.place, place);
        return true;
    }

    /**
     * Acts on writes alone. Reads pass at once: what they cost here, a cache that holds its values pays for nothing. Of the kind that
     * all of Infinispan's are: a neighbour must not see its next interceptor change its kind under way.
     */
    private abstract static class OfWrites extends DDAsyncInterceptor {
        abstract Object handleWrite(InvocationContext context, WriteCommand command);

        @Override
        public Object visitGetKeyValueCommand(InvocationContext context, GetKeyValueCommand command) {
            return invokeNext(context, command);
        }

        @Override
        public Object visitGetCacheEntryCommand(InvocationContext context, GetCacheEntryCommand command) {
            return invokeNext(context, command);
        }

        @Override
        protected Object handleDefault(InvocationContext context, VisitableCommand command) {
            return command instanceof WriteCommand write ? handleWrite(context, write) : invokeNext(context, command);
        }
    }

    private final class Answers extends OfWrites {
        @Override
        Object handleWrite(InvocationContext context, WriteCommand command) {
            Key key = new Key(command);
            Writing w = new Writing(command);
            if (underWay.putIfAbsent(key, w) != null) {
                return invokeNext(context, command); // within itself; the outer one answers
            }
            return invokeNextAndHandle(context, command, (c, x, answer, failure) -> {
                underWay.remove(key);
                if (failure != null) {
                    throw failure;
                }
                // Who wrote nothing because it found what it wanted tells of another's write.
                return delayedValue(durable.apply(w.place == 0 ? last.getAsLong() : w.place), answer);
            });
        }
    }

    private final class Writes extends OfWrites {
        @Override
        Object handleWrite(InvocationContext context, WriteCommand command) {
            Writing before = atStore.get();
            atStore.set(underWay.get(new Key(command)));
            try {
                return invokeNext(context, command);
            } finally {
                atStore.set(before);
            }
        }
    }
}
