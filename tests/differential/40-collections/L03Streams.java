import java.util.*;
import java.util.function.*;
import java.util.stream.*;

public class L03Streams {
    record P(String n, int a, String c) {}

    static void p(Object o) {
        System.out.println(o);
    }

    public static void main(String[] args) {
        List<P> ps =
                List.of(
                        new P("ann", 30, "x"),
                        new P("bob", 25, "y"),
                        new P("cid", 35, "x"),
                        new P("dan", 25, "z"),
                        new P("eve", 41, "y"));
        p(ps.stream().filter(p -> p.a() > 26).map(P::n).collect(Collectors.toList()));
        p(
                new TreeMap<>(
                        ps.stream()
                                .collect(
                                        Collectors.groupingBy(
                                                P::c, Collectors.averagingInt(P::a)))));
        p(ps.stream().collect(Collectors.partitioningBy(p -> p.a() > 30, Collectors.counting())));
        p(
                ps.stream()
                        .sorted(
                                Comparator.comparingInt(P::a)
                                        .thenComparing(P::n, Comparator.reverseOrder()))
                        .map(P::n)
                        .collect(Collectors.joining(",", "[", "]")));
        p(ps.stream().mapToInt(P::a).summaryStatistics());
        p(
                IntStream.rangeClosed(1, 20)
                        .filter(i -> i % 3 == 0)
                        .boxed()
                        .map(String::valueOf)
                        .reduce("", String::concat));
        p(Stream.iterate(1, x -> x * 3).limit(10).mapToLong(Integer::longValue).sum());
        p(
                Stream.of("a b", "c d e")
                        .flatMap(s -> Arrays.stream(s.split(" ")))
                        .skip(1)
                        .collect(Collectors.toCollection(ArrayDeque::new)));
        p(IntStream.range(0, 100).parallel().map(x -> x * x).sum());
        p(
                IntStream.range(0, 10000)
                        .parallel()
                        .filter(x -> x % 7 == 0)
                        .mapToObj(x -> "n" + x)
                        .collect(Collectors.toList())
                        .hashCode());
        p(
                Stream.of(5, 3, 8).max(Comparator.naturalOrder()).get()
                        + " "
                        + Stream.empty().findFirst().isPresent()
                        + " "
                        + Stream.of(1, 2).anyMatch(x -> x == 2)
                        + Stream.of(1, 2).allMatch(x -> x == 2));
        p(
                DoubleStream.of(1.5, 2.5).average().getAsDouble()
                        + " "
                        + LongStream.range(0, 5).mapToObj(Long::toString).toList());
        p(
                Stream.of(1, 2, 3, 4, 5, 1)
                        .distinct()
                        .takeWhile(x -> x < 4)
                        .peek(x -> System.out.print("p" + x + " "))
                        .dropWhile(x -> x < 2)
                        .toList());
        p(ps.stream().collect(Collectors.toMap(P::c, P::a, Integer::sum, TreeMap::new)));
        try {
            ps.stream().collect(Collectors.toMap(P::c, P::a));
        } catch (IllegalStateException e) {
            p(e.getMessage());
        }
        Stream<Integer> used = Stream.of(1);
        used.count();
        try {
            used.count();
        } catch (IllegalStateException e) {
            p(e.getMessage());
        }
        p(
                ps.stream()
                        .collect(
                                Collectors.teeing(
                                        Collectors.counting(),
                                        Collectors.summingInt(P::a),
                                        (a, b) -> a + "/" + b)));
        Function<Integer, Integer> f = x -> x + 1;
        p(f.andThen(x -> x * 2).compose((Integer x) -> x - 3).apply(10));
        Supplier<Supplier<String>> ss = () -> () -> "nested";
        p(ss.get().get());
        BiFunction<Integer, Integer, Integer> add = Math::addExact;
        p(
                add.apply(2, 3)
                        + Optional.of(5).map(x -> x * 2).filter(x -> x > 100).orElseGet(() -> -1));
        p(
                Stream.of("x", "y")
                        .collect(StringBuilder::new, StringBuilder::append, StringBuilder::append));
        p(
                "hello world"
                        .chars()
                        .mapToObj(c -> (char) c)
                        .collect(
                                Collectors.groupingBy(
                                        Function.identity(), TreeMap::new, Collectors.counting())));
        p(new Random(5).ints(5, 0, 100).boxed().collect(Collectors.toList()));
        p(
                Stream.of(3, 1, 2)
                        .sorted()
                        .map(String::valueOf)
                        .collect(
                                Collectors.collectingAndThen(
                                        Collectors.toList(), Collections::unmodifiableList)));
    }
}
