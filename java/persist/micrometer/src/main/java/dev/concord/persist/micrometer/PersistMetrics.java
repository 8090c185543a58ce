package dev.concord.persist.micrometer;

import dev.concord.persist.HeapStatistics;
import dev.concord.persist.PHeap;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/**
 * Shows an open heap's {@link HeapStatistics} as meters named {@code jnvm.*}, tagged with the heap. A closed heap keeps its
 * last counts and shows nothing for what it takes now.
 */
public final class PersistMetrics implements MeterBinder {
    private final PHeap heap;
    private final Iterable<Tag> tags;

    /** @param name value of the tag {@code heap} */
    public PersistMetrics(PHeap heap, String name) {
        this.heap = heap;
        this.tags = Tags.of("heap", name);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        counter(registry, "jnvm.commits", "Failure-atomic blocks committed", null, s -> s.commits());
        counter(registry, "jnvm.commit.size", "Log records of committed blocks", "bytes", s -> s.committedBytes());
        counter(registry, "jnvm.syncs", "Syncs of the log; many commits share one", null, s -> s.syncs());
        counter(registry, "jnvm.rollbacks", "Failure-atomic blocks rolled back", null, s -> s.rollbacks());
        counter(registry, "jnvm.checkpoints", "Checkpoints", null, s -> s.checkpoints());
        gauge(registry, "jnvm.log.used", "Log that recovery would replay", "bytes", s -> s.logUsedBytes());
        gauge(registry, "jnvm.memory.private", "Memory that differs from the file", "bytes", s -> s.privateBytes());
        gauge(registry, "jnvm.file.size", "Length of the heap file", "bytes", s -> s.fileBytes());
        gauge(registry, "jnvm.units.free", "Space in whole free units", "bytes", s -> s.freeUnitBytes());
        gauge(registry, "jnvm.proxies", "Java objects that stand for persistent ones", null, s -> s.proxies());
    }

    private void counter(MeterRegistry r, String name, String text, String unit, ToDoubleFunction<HeapStatistics> value) {
        FunctionCounter.builder(name, heap, h -> value.applyAsDouble(h.statistics())).description(text).baseUnit(unit).tags(tags).register(r);
    }

    private void gauge(MeterRegistry r, String name, String text, String unit, ToDoubleFunction<HeapStatistics> value) {
        Gauge.builder(name, heap, h -> h.isOpen() ? value.applyAsDouble(h.statistics()) : Double.NaN).description(text).baseUnit(unit).tags(tags).register(r);
    }
}
