import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

public class T12ParallelWork {
    static class Sort extends RecursiveAction {
        final int[] a;
        final int lo, hi;

        Sort(int[] a, int lo, int hi) {
            this.a = a;
            this.lo = lo;
            this.hi = hi;
        }

        protected void compute() {
            if (hi - lo < 200) {
                Arrays.sort(a, lo, hi);
                return;
            }
            int m = (lo + hi) >>> 1;
            invokeAll(new Sort(a, lo, m), new Sort(a, m, hi));
            int[] t = Arrays.copyOfRange(a, lo, m);
            for (int i = 0, j = m, k = lo; i < t.length; k++)
                a[k] = j == hi || t[i] <= a[j] ? t[i++] : a[j++];
        }
    }

    public static void main(String[] args) throws Exception {
        int[] a = new Random(1).ints(20000).toArray(), b = a.clone(), c = a.clone();
        new ForkJoinPool(4).invoke(new Sort(a, 0, a.length));
        Arrays.parallelSort(b);
        Arrays.sort(c);
        System.out.println(Arrays.equals(a, c) + " " + Arrays.equals(b, c));
        System.out.println(
                new TreeMap<>(
                        IntStream.range(0, 5000)
                                .parallel()
                                .boxed()
                                .collect(
                                        Collectors.groupingByConcurrent(
                                                (Integer x) -> x % 7, Collectors.counting()))));
        System.out.println(
                Stream.iterate(1L, x -> x + 1).parallel().limit(3000).reduce(0L, Long::sum)
                        + " "
                        + IntStream.range(0, 100000)
                                .parallel()
                                .mapToObj(Integer::toString)
                                .mapToInt(String::length)
                                .sum()
                        + " "
                        + Arrays.stream(c)
                                .parallel()
                                .map(x -> x & 15)
                                .distinct()
                                .sorted()
                                .boxed()
                                .collect(Collectors.toList()));
        long[] p = new long[5000];
        Arrays.parallelSetAll(p, i -> i);
        Arrays.parallelPrefix(p, Long::sum);
        System.out.println(p[4999]);
        CompletableFuture<Integer> f = CompletableFuture.completedFuture(0);
        for (int i = 0; i < 500; i++) {
            int k = i;
            f = f.thenApplyAsync(x -> x + k);
        }
        System.out.println(f.get());
        List<CompletableFuture<String>> fs =
                IntStream.range(0, 50)
                        .mapToObj(i -> CompletableFuture.supplyAsync(() -> "r" + i))
                        .collect(Collectors.toList());
        System.out.println(
                CompletableFuture.allOf(fs.toArray(new CompletableFuture[0]))
                        .thenApply(
                                v ->
                                        fs.stream()
                                                .map(CompletableFuture::join)
                                                .collect(Collectors.joining())
                                                .hashCode())
                        .get());
        try {
            IntStream.range(0, 1000)
                    .parallel()
                    .forEach(
                            i -> {
                                if (i == 777) throw new IllegalStateException("in parallel");
                            });
        } catch (IllegalStateException e) {
            System.out.println("thrown");
        }
        SubmissionPublisher<Integer> pub = new SubmissionPublisher<>();
        int[] sum = new int[1];
        CompletableFuture<Void> done = pub.consume(x -> sum[0] += x);
        for (int i = 0; i < 1000; i++) pub.submit(i);
        pub.close();
        done.get();
        System.out.println(sum[0]);
        DelayQueue<Delayed> dq = new DelayQueue<>();
        System.out.println(dq.poll(1, TimeUnit.MILLISECONDS));
        LinkedTransferQueue<Integer> ltq = new LinkedTransferQueue<>();
        Thread t =
                new Thread(
                        () -> {
                            try {
                                ltq.transfer(5);
                            } catch (InterruptedException e) {
                            }
                        });
        t.start();
        System.out.println(ltq.take());
        t.join();
    }
}
