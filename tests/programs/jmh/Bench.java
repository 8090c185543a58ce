package measured;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.*;
import org.openjdk.jmh.infra.Blackhole;

@State(Scope.Benchmark)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Bench {
    @Param({"10", "100"})
    int size;
    int[] data;
    final AtomicLong shared = new AtomicLong();

    @State(Scope.Thread)
    public static class Own {
        long count;

        @Setup(Level.Iteration)
        public void reset() {
            count = 0;
        }

        @TearDown(Level.Trial)
        public void check() {
            if (count <= 0) throw new IllegalStateException("never ran");
        }
    }

    @Setup
    public void fill() {
        data = new int[size];
        for (int i = 0; i < size; i++) data[i] = i * 31;
    }

    @Benchmark
    @BenchmarkMode({Mode.Throughput, Mode.AverageTime})
    public long sum(Own own) {
        own.count++;
        long s = 0;
        for (int x : data) s += x;
        return s;
    }

    @Benchmark
    @BenchmarkMode(Mode.SampleTime)
    @Threads(2)
    public void add(Own own, Blackhole b) {
        own.count++;
        b.consume(shared.incrementAndGet());
        b.consume(new byte[16]);
    }

    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @Fork(value = 2, jvmArgsAppend = {"-Xmx64m", "-Dgiven=yes"})
    public String once() {
        if (!"yes".equals(System.getProperty("given"))) throw new IllegalStateException("the fork's options are lost");
        return "x".repeat(size);
    }

    @Benchmark
    @Group("pair")
    @GroupThreads(1)
    public long writer() {
        return shared.incrementAndGet();
    }

    @Benchmark
    @Group("pair")
    @GroupThreads(1)
    public long reader() {
        return shared.get();
    }
}
