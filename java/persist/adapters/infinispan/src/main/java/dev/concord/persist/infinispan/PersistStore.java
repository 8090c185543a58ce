package dev.concord.persist.infinispan;

import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.collections.PHashMap;
import dev.concord.persist.collections.PIndexMap;
import io.reactivex.rxjava3.core.Flowable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.infinispan.commons.configuration.ConfiguredBy;
import org.infinispan.commons.executors.NonBlockingResource;
import org.infinispan.commons.util.IntSet;
import org.infinispan.commons.util.IntSets;
import org.infinispan.persistence.spi.InitializationContext;
import org.infinispan.persistence.spi.MarshallableEntry;
import org.infinispan.persistence.spi.MarshallableEntryFactory;
import org.infinispan.persistence.spi.NonBlockingStore;
import org.infinispan.persistence.spi.PersistenceException;
import org.reactivestreams.Publisher;

/**
 * An Infinispan store in a persistent heap: one persistent index per segment, from the key's bytes to the entry's. A write
 * is visible when the call returns. Its stage completes when it is durable, or the command that it belongs to does, with the
 * key's lock given back before ({@link EarlyRelease}); so writes of many callers share a sync without any thread waiting for it, but
 * those of {@link Callers} that would wait anyway. Nothing is kept in memory per entry, and starting takes no time whatever the
 * size.
 */
@ConfiguredBy(PersistStoreConfiguration.class)
public final class PersistStore<K, V> implements NonBlockingStore<K, V> {
    /** What a key's bytes are taken to be at first; left to guess, a marshaller makes buffers of eight kilobytes. */
    private static final int KEY_BYTES = 128;
    private InitializationContext context;
    private MarshallableEntryFactory<K, V> entries;
    private PHeap heap;
    private Handover handover;
    private Path file;
    private PHashMap<Integer, PIndexMap<byte[], byte[]>> segments;
    private PIndexMap<byte[], byte[]>[] bySegment;
    private boolean callerSyncs;
    private final Callers callers = new Callers();
    /** Absent if keys stay locked until a write is durable. */
    private EarlyRelease early;
    private volatile boolean installed;

    private static <T> CompletionStage<T> done(T v) {
        return CompletableFuture.completedFuture(v);
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"})
    public CompletionStage<Void> start(InitializationContext c) {
        context = c;
        entries = c.getMarshallableEntryFactory();
        PersistStoreConfiguration config = c.getConfiguration();
        callerSyncs = config.callerSyncs();
        // Nobody waits for what is written behind.
        early = config.earlyRelease() && !config.async().enabled() ? new EarlyRelease(this::durable, () -> heap.lastPlace()) : null;
        int count = c.getCache().getCacheConfiguration().clustering().hash().numSegments();
        return c.getBlockingManager().runBlocking(() -> {
            try {
                Path dir = Path.of(config.location() != null ? config.location() : c.getGlobalConfiguration().globalState().persistentLocation());
                Files.createDirectories(dir);
                file = dir.resolve(c.getCache().getName() + ".heap");
                heap = PHeap.open(file, PHeapOptions.defaults().durability(config.durability()).logSize(config.logSize()));
            } catch (IOException e) {
                throw new PersistenceException("the heap cannot be opened", e);
            }
            segments = heap.root("segments", PHashMap.class, PHashMap::new);
            bySegment = new PIndexMap[config.segmented() ? count : 1];
            handover = new Handover(context.getNonBlockingExecutor());
            heap.atomic(() -> {
                for (int i = 0; i < bySegment.length; i++) {
                    bySegment[i] = segments.computeIfAbsent(i, k -> new PIndexMap<>());
                }
            });
        }, "jnvm-start");
    }

    /** There is no heap if it could not be opened. */
    private void close() {
        if (heap != null) {
            heap.close();
        }
    }

    @Override
    public CompletionStage<Void> stop() {
        return context.getBlockingManager().runBlocking(this::close, "jnvm-stop");
    }

    @Override
    public CompletionStage<Void> destroy() {
        return context.getBlockingManager().runBlocking(() -> {
            close();
            try {
                Files.deleteIfExists(file);
                Files.deleteIfExists(file.resolveSibling(file.getFileName() + ".lock"));
            } catch (IOException e) {
                throw new PersistenceException("the heap cannot be deleted", e);
            }
        }, "jnvm-destroy");
    }

    @Override
    public Set<Characteristic> characteristics() {
        // Infinispan takes away what the configuration does not use.
        return EnumSet.of(Characteristic.SEGMENTABLE, Characteristic.EXPIRATION, Characteristic.BULK_READ);
    }

    @Override
    public CompletionStage<Boolean> isAvailable() {
        return done(heap != null && heap.isOpen());
    }

    PHeap heap() {
        return heap;
    }

    private PIndexMap<byte[], byte[]> map(int segment) {
        return bySegment[bySegment.length == 1 ? 0 : segment];
    }

    private byte[] keyBytes(Object key) {
        try {
            return context.getPersistenceMarshaller().objectToByteBuffer(key, KEY_BYTES);
        } catch (IOException e) {
            throw new PersistenceException("key " + key + " cannot be marshalled", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PersistenceException("interrupted", e);
        }
    }

    private Object key(byte[] bytes) {
        try {
            return context.getPersistenceMarshaller().objectFromByteBuffer(bytes);
        } catch (IOException | ClassNotFoundException e) {
            throw new PersistenceException("a key cannot be unmarshalled", e);
        }
    }

    private long now() {
        return context.getTimeService().wallClockTime();
    }

    /** The block is visible on return; the stage completes when it is durable, or at once if the command's answer waits for that. */
    private CompletionStage<Void> durably(Object key, Runnable body) {
        if (early != null && !installed) {
            installed = early.install(context.getCache());
        }
        long place = commit(body);
        return early != null && early.answersFor(key, place) ? done(null) : durable(place);
    }

    /** Returns what to await; who changed nothing found what another may have written just now. */
    private long commit(Runnable body) {
        long place = heap.atomicVisible(body);
        return place != 0 ? place : heap.lastPlace();
    }

    /** Ends when everything up to that place is durable, on Infinispan's threads unless the caller has waited. */
    private CompletionStage<Void> durable(long place) {
        if (place == 0) {
            return done(null);
        }
        if (!(Thread.currentThread().getThreadGroup() instanceof NonBlockingResource) && (callerSyncs || callers.shallWait())) {
            heap.awaitDurable(place);
            return done(null);
        }
        CompletableFuture<Void> durable = new CompletableFuture<>();
        heap.whenDurable(place, failure -> {
            if (failure == null) {
                durable.complete(null);
            } else {
                durable.completeExceptionally(failure);
            }
        });
        return durable.isDone() ? durable : handover.complete(callers.watch(durable));
    }

    private MarshallableEntry<K, V> entry(Object key, byte[] stored, boolean withValue) {
        return StoredEntry.decode(key, stored, withValue, entries, context.getByteBufferFactory());
    }

    @Override
    public CompletionStage<MarshallableEntry<K, V>> load(int segment, Object key) {
        byte[] b = map(segment).get(keyBytes(key));
        return done(b == null || StoredEntry.isExpired(b, now()) ? null : entry(key, b, true));
    }

    @Override
    public CompletionStage<Boolean> containsKey(int segment, Object key) {
        byte[] b = map(segment).get(keyBytes(key));
        return done(b != null && !StoredEntry.isExpired(b, now()));
    }

    @Override
    public CompletionStage<Void> write(int segment, MarshallableEntry<? extends K, ? extends V> e) {
        byte[] k = keyBytes(e.getKey());
        try (EntryBuffer v = encoded(e)) {
            return durably(e.getKey(), () -> PIndexMap.setBytes(map(segment), k, v.bytes(), 0, v.length()));
        }
    }

    /** The caller closes it once the heap has the bytes. */
    private EntryBuffer encoded(MarshallableEntry<?, ?> e) {
        EntryBuffer b = EntryBuffer.take();
        boolean ok = false;
        try {
            StoredEntry.encode(e, context.getPersistenceMarshaller(), b);
            ok = true;
            return b;
        } catch (IOException failure) {
            throw new PersistenceException("the value of " + e.getKey() + " cannot be marshalled", failure);
        } finally {
            if (!ok) {
                b.close();
            }
        }
    }

    @Override
    public CompletionStage<Boolean> delete(int segment, Object key) {
        byte[] k = keyBytes(key);
        boolean[] there = new boolean[1];
        return durably(key, () -> there[0] = map(segment).remove(k) != null).thenApply(v -> there[0]);
    }

    /** One block for the whole batch: after a crash all of it is there, or nothing. */
    @Override
    public CompletionStage<Void> batch(int publishers, Publisher<SegmentedPublisher<Object>> removals,
            Publisher<SegmentedPublisher<MarshallableEntry<K, V>>> writes) {
        List<Runnable> steps = new ArrayList<>();
        Flowable<Runnable> removing = Flowable.fromPublisher(removals).concatMapEager(p -> Flowable.fromPublisher(p).map(key -> {
            byte[] k = keyBytes(key);
            return () -> map(p.getSegment()).remove(k);
        }), publishers, publishers);
        Flowable<Runnable> writing = Flowable.fromPublisher(writes).concatMapEager(p -> Flowable.fromPublisher(p).map(e -> {
            byte[] k = keyBytes(e.getKey());
            try (EntryBuffer b = encoded(e)) {
                byte[] v = b.toArray(); // the block that takes it comes later
                return () -> map(p.getSegment()).set(k, v);
            }
        }), publishers, publishers);
        // Both have to be subscribed to at once: Infinispan feeds them from one stream.
        return Flowable.merge(removing, writing).collect(() -> steps, List::add).toCompletionStage()
                .thenCompose(all -> all.isEmpty() ? done(null) : durable(commit(() -> all.forEach(Runnable::run))));
    }

    @Override
    public CompletionStage<Void> clear() {
        return context.getBlockingManager().runBlocking(() -> {
            for (PIndexMap<byte[], byte[]> m : bySegment) {
                m.clear();
            }
        }, "jnvm-clear");
    }

    @Override
    public CompletionStage<Void> addSegments(IntSet added) {
        return done(null); // every segment has its index from the start
    }

    @Override
    public CompletionStage<Void> removeSegments(IntSet removed) {
        return context.getBlockingManager().runBlocking(() -> {
            for (int s : removed) {
                map(s).clear();
            }
        }, "jnvm-remove-segments");
    }

    private IntSet all(IntSet wanted) {
        return bySegment.length == 1 ? IntSets.immutableSet(0) : wanted;
    }

    /** Segments a store without segmentation does not know are judged by the key. */
    private Predicate<Object> wanted(IntSet segments) {
        return bySegment.length > 1 || segments == null ? k -> true : k -> segments.contains(context.getKeyPartitioner().getSegment(k));
    }

    private Flowable<MarshallableEntry<K, V>> live(IntSet segments, Predicate<? super K> filter, boolean withValues) {
        Predicate<Object> wanted = wanted(segments);
        return Flowable.fromIterable(all(segments)).concatMap(s -> Flowable.fromIterable(map(s).entrySet())).concatMapMaybe(e -> {
            @SuppressWarnings("unchecked")
            K k = (K) key(e.getKey());
            return StoredEntry.isExpired(e.getValue(), now()) || !wanted.test(k) || filter != null && !filter.test(k)
                    ? io.reactivex.rxjava3.core.Maybe.empty() : io.reactivex.rxjava3.core.Maybe.just(entry(k, e.getValue(), withValues));
        });
    }

    @Override
    public Publisher<MarshallableEntry<K, V>> publishEntries(IntSet segments, Predicate<? super K> filter, boolean includeValues) {
        return live(segments, filter, includeValues);
    }

    @Override
    public Publisher<K> publishKeys(IntSet segments, Predicate<? super K> filter) {
        return live(segments, filter, false).map(MarshallableEntry::getKey);
    }

    @Override
    public CompletionStage<Long> size(IntSet segments) {
        return live(segments, null, false).count().toCompletionStage();
    }

    @Override
    public CompletionStage<Long> approximateSize(IntSet segments) {
        long n = 0;
        for (int s : all(segments)) {
            n += map(s).size();
        }
        return done(n);
    }

    @Override
    public Publisher<MarshallableEntry<K, V>> purgeExpired() {
        return Flowable.defer(() -> {
            List<MarshallableEntry<K, V>> gone = new ArrayList<>();
            for (PIndexMap<byte[], byte[]> m : bySegment) {
                for (Map.Entry<byte[], byte[]> e : m.entrySet()) {
                    if (StoredEntry.isExpired(e.getValue(), now())) {
                        // Asked again: the key may have been written since it was seen.
                        m.compute(e.getKey(), (k, there) -> {
                            if (there != null && StoredEntry.isExpired(there, now())) {
                                gone.add(entry(key(k), there, true));
                                return null;
                            }
                            return there;
                        });
                    }
                }
            }
            return Flowable.fromIterable(gone);
        });
    }
}
