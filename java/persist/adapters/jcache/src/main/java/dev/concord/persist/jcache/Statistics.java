package dev.concord.persist.jcache;

import java.util.concurrent.atomic.LongAdder;
import javax.cache.management.CacheStatisticsMXBean;

/** The counters JCache asks for; they count only while statistics are enabled. */
final class Statistics implements CacheStatisticsMXBean {
    final LongAdder hits = new LongAdder();
    final LongAdder misses = new LongAdder();
    final LongAdder puts = new LongAdder();
    final LongAdder removals = new LongAdder();
    private final LongAdder getNanos = new LongAdder();
    private final LongAdder putNanos = new LongAdder();
    private final LongAdder removeNanos = new LongAdder();

    void tookGet(long begin) {
        getNanos.add(System.nanoTime() - begin);
    }

    void tookPut(long begin) {
        putNanos.add(System.nanoTime() - begin);
    }

    void tookRemove(long begin) {
        removeNanos.add(System.nanoTime() - begin);
    }

    @Override
    public void clear() {
        for (LongAdder a : new LongAdder[] {hits, misses, puts, removals, getNanos, putNanos, removeNanos}) {
            a.reset();
        }
    }

    private static float percent(long part, long whole) {
        return whole == 0 ? 0 : 100f * part / whole;
    }

    private static float micros(LongAdder nanos, long n) {
        return n == 0 ? 0 : nanos.sum() / 1000f / n;
    }

    @Override
    public long getCacheHits() {
        return hits.sum();
    }

    @Override
    public float getCacheHitPercentage() {
        return percent(getCacheHits(), getCacheGets());
    }

    @Override
    public long getCacheMisses() {
        return misses.sum();
    }

    @Override
    public float getCacheMissPercentage() {
        return percent(getCacheMisses(), getCacheGets());
    }

    @Override
    public long getCacheGets() {
        return getCacheHits() + getCacheMisses();
    }

    @Override
    public long getCachePuts() {
        return puts.sum();
    }

    @Override
    public long getCacheRemovals() {
        return removals.sum();
    }

    @Override
    public long getCacheEvictions() {
        return 0; // a heap has room, or says that it is full
    }

    @Override
    public float getAverageGetTime() {
        return micros(getNanos, getCacheGets());
    }

    @Override
    public float getAveragePutTime() {
        return micros(putNanos, getCachePuts());
    }

    @Override
    public float getAverageRemoveTime() {
        return micros(removeNanos, getCacheRemovals());
    }
}
