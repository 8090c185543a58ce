package dev.concord.persist;

import dev.concord.persist.core.HeapCore;
import dev.concord.persist.core.HeapOpener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A heap of persistent objects in one file. Any number may be open; each holds its file exclusively.
 *
 * <pre>{@code
 * try (PHeap heap = PHeap.open(Path.of("bank.heap"), PHeapOptions.defaults())) {
 *     Bank bank = heap.root("bank", Bank.class, Bank::new);
 *     heap.atomic(() -> bank.transfer(1, 2, 100));
 * }
 * }</pre>
 */
public final class PHeap implements AutoCloseable {
    private final HeapCore core;
    private final DurabilityReport durability;

    /** Called by the library only. */
    public PHeap(HeapCore core, DurabilityReport durability) {
        this.core = core;
        this.durability = durability;
        core.facade(this);
    }

    public static PHeap open(Path file) {
        return open(file, PHeapOptions.defaults());
    }

    /** Opens or makes the heap, recovers it if it was not closed, and tells what it found in {@link #recovery()}. */
    public static PHeap open(Path file, PHeapOptions options) {
        return HeapOpener.open(file, options);
    }

    /** What a commit that was acknowledged survives here, and why. */
    public DurabilityReport durability() {
        return durability;
    }

    public RecoveryReport recovery() {
        return core.recovery();
    }

    /** The object bound to the name; if there is none, makes one in a block and binds it. */
    public <T> T root(String name, Class<T> type, Supplier<? extends T> ifAbsent) {
        PObject p = core.roots().get(name);
        if (p == null) {
            // In a block first, then the monitor: who closes the gate takes the monitor behind it.
            p = core.atomic(() -> {
                synchronized (core.roots()) {
                    PObject there = core.roots().get(name);
                    if (there != null) {
                        return there;
                    }
                    PObject made = persistent(ifAbsent.get());
                    core.roots().put(name, made);
                    return made;
                }
            });
        }
        if (!type.isInstance(p)) {
            throw new PersistException.Misuse("root " + name + " is a " + p.getClass().getName() + ", not a " + type.getName());
        }
        return type.cast(p);
    }

    private static PObject persistent(Object o) {
        if (o instanceof PObject p) {
            return p;
        }
        throw new PersistException.Misuse((o == null ? "null" : o.getClass().getName()) + " is not persistent: it was not woven, or lacks @Persistent");
    }

    /** The object bound to the name, or null. */
    public Object root(String name) {
        return core.roots().get(name);
    }

    public void bindRoot(String name, Object target) {
        core.roots().put(name, target == null ? null : persistent(target));
    }

    public List<String> rootNames() {
        return core.roots().names();
    }

    /**
     * Runs the body as one failure-atomic block: after a crash all of it is there or nothing. Returns when it is durable; a
     * block that changes nothing returns at once, and may have read what is not durable yet, unless an operation of a
     * collection in it found done what it was to do. An exception rolls everything back. A block inside a block is part of it.
     */
    public void atomic(Runnable body) {
        core.atomic(body);
    }

    /** As {@link #atomic(Runnable)}, with a result. */
    public <T> T atomicGet(Supplier<T> body) {
        return core.atomic(body);
    }

    /** Runs the body as a block that is visible on return; the future completes when it is durable. */
    public CompletableFuture<Void> atomicAsync(Runnable body) {
        return core.whenDurable(atomicVisible(body));
    }

    /**
     * As {@link #atomicAsync}, without a thread that waits: {@code told} is called once, with null when the block is durable or with why
     * it never will be, by whatever thread writes the log, or by this one. So it is to be short, wait for nothing and throw nothing.
     */
    public void atomicThen(Runnable body, Consumer<Throwable> told) {
        whenDurable(atomicVisible(body), told);
    }

    /**
     * Runs the body as a block that is visible on return, and returns its place in the log, for {@link #awaitDurable} and
     * {@link #whenDurable}. A block is durable only if all with lower places are; zero is the place of a block that
     * changed nothing, and that of the last block so far the place of one that only found done what it was to do.
     */
    public long atomicVisible(Runnable body) {
        if (core.inBlock()) {
            throw new PersistException.Misuse("atomicAsync, atomicThen or atomicVisible inside a block: its durability is that of the outer block");
        }
        return core.atomicVisible(() -> {
            body.run();
            return null;
        }, null);
    }

    /**
     * The place in the log of the last block so far: what was visible before the call has that or a lower one. Zero where there is
     * no log.
     */
    public long lastPlace() {
        return core.lastPlace();
    }

    /** Returns when the blocks up to a place in the log are durable. */
    public void awaitDurable(long place) {
        core.await(place);
    }

    /** Has {@code told} called as {@link #atomicThen} does, for the blocks up to a place in the log. */
    public void whenDurable(long place, Consumer<Throwable> told) {
        core.whenDurable(place, told);
    }

    /** Runs low-level code with this heap as the one new objects are made in, without a block. */
    public <T> T with(Supplier<T> body) {
        return core.with(body);
    }

    /** Begins a block; for code that cannot be a lambda. Every begin needs its {@link #faEnd} or {@link #faAbort}. */
    public void faStart() {
        core.begin();
    }

    /** Ends the innermost block of this thread; the outermost one commits and waits for durability. */
    public void faEnd() {
        core.await(core.end(core.requireBlock()));
    }

    /** Gives the thread's block up: everything since the outermost {@link #faStart} is rolled back. */
    public void faAbort() {
        core.fail(core.requireBlock(), null);
    }

    /** Frees an object; nothing may refer to it afterwards. */
    public void free(Object o) {
        core.free(persistent(o));
    }

    /**
     * Frees an object that no root reaches any more, and everything that only it kept alive. Refuses if a root still
     * reaches it. Marks the whole heap, so one call for a large graph, not one per object; no block may be open in this
     * thread, and blocks of others wait meanwhile.
     *
     * @return the number of objects freed
     */
    public long freeGraph(Object top) {
        return core.freeGraph(persistent(top));
    }

    /** What no root reaches: leaks, and objects that only Java variables hold. Marks the whole heap; blocks wait meanwhile. */
    public LeakReport leaks() {
        return core.leaks();
    }

    /** Frees what {@link #leaks} calls leaked, as the recovery after a crash would; returns the number of objects. */
    public long reclaim() {
        return core.reclaim();
    }

    /**
     * Moves objects together while the heap is in use, so that space freed in small pieces can serve again, and the file
     * is shorter after the next close. Blocks wait for moments only; objects keep their Java identity. Low-level code must
     * rest meanwhile.
     */
    public CompactionReport compact() {
        return core.compact(Progress.NONE);
    }

    public CompactionReport compact(Progress progress) {
        return core.compact(progress);
    }

    /** Copies the heap to a new file while it is in use: a heap of its own, as this one is when the method returns. */
    public void backup(Path target) {
        backup(target, Progress.NONE);
    }

    public void backup(Path target, Progress progress) {
        try {
            core.backup(target, progress);
        } catch (IOException e) {
            throw new PersistException(target + ": the backup failed: " + e.getMessage(), e);
        }
    }

    /** Counters for monitoring; cheap to read. */
    public HeapStatistics statistics() {
        return core.statistics();
    }

    public void pfence() {
        core.pfence();
    }

    /** Returns when everything committed or fenced so far is durable. */
    public void psync() {
        core.psync();
    }

    /** Carries the log's content to its place in the file, which shortens the next recovery. */
    public void checkpoint() {
        core.checkpoint();
    }

    /** Makes classes known whose persistent id differs from their name, so that references to them can be followed. */
    public void register(Class<?>... types) {
        for (Class<?> c : types) {
            core.registerClass(c);
        }
    }

    public boolean isOpen() {
        return !core.isClosed();
    }

    public HeapCore core() {
        return core;
    }

    @Override
    public void close() {
        try {
            core.close();
        } catch (IOException e) {
            throw new PersistException("closing failed", e);
        }
    }
}
