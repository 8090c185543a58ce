import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Ten object-oriented programs: collections, strings, interfaces, exceptions, casts, closures,
 * streams, locks, as ordinary Java uses them. Each returns a checksum.
 */
final class Objects {
    static final String[] NAMES = {
        "words", "sorting", "trees", "visitors", "parser", "streams", "text", "casts", "bank", "lists"
    };

    /** Sizes for some ten milliseconds each in compiled code. */
    static final int[] SIZES = {450, 44, 120, 3_900, 10_500, 320, 2_100, 7_500, 75_000, 1_300};

    static Kernels.Kernel get(int index) {
        switch (index) {
            case 0:
                return Objects::words;
            case 1:
                return Objects::sorting;
            case 2:
                return Objects::trees;
            case 3:
                return Objects::visitors;
            case 4:
                return Objects::parser;
            case 5:
                return Objects::streams;
            case 6:
                return Objects::text;
            case 7:
                return Objects::casts;
            case 8:
                return Objects::bank;
            default:
                return Objects::lists;
        }
    }

    private static int random(int seed) {
        return seed * 1_103_515_245 + 12_345;
    }

    // Counting words.

    static long words(int rounds) {
        StringBuilder b = new StringBuilder();
        int seed = 5;
        for (int i = 0; i < 400; i++) {
            seed = random(seed);
            b.append("w").append((seed >>> 16) % 90).append(i % 9 == 0 ? ".\n" : " ");
        }
        String page = b.toString();
        long sum = 0;
        for (int r = 0; r < rounds; r++) {
            Map<String, Integer> counts = new HashMap<>();
            int start = 0;
            for (int i = 0; i < page.length(); i++) {
                char c = page.charAt(i);
                if (c == ' ' || c == '.' || c == '\n') {
                    if (i > start) {
                        counts.merge(page.substring(start, i), 1, Integer::sum);
                    }
                    start = i + 1;
                }
            }
            for (Map.Entry<String, Integer> e : counts.entrySet()) {
                sum += e.getKey().hashCode() * (long) e.getValue();
            }
        }
        return sum;
    }

    // Sorting by several keys.

    static final class Person {
        final String name;
        final int age;
        final double score;

        Person(String name, int age, double score) {
            this.name = name;
            this.age = age;
            this.score = score;
        }

        String name() {
            return name;
        }

        int age() {
            return age;
        }

        double score() {
            return score;
        }
    }

    static long sorting(int rounds) {
        List<Person> all = new ArrayList<>();
        int seed = 11;
        for (int i = 0; i < 800; i++) {
            seed = random(seed);
            all.add(new Person("p" + ((seed >>> 8) & 63), (seed >>> 16) & 31, (seed >>> 20) / 7.0));
        }
        Comparator<Person> order =
                Comparator.comparing(Person::name)
                        .thenComparingInt(Person::age)
                        .thenComparing(Comparator.comparingDouble(Person::score).reversed());
        long sum = 0;
        for (int r = 0; r < rounds; r++) {
            List<Person> copy = new ArrayList<>(all);
            Collections.rotate(copy, r * 37);
            copy.sort(order);
            sum += copy.get(r % copy.size()).age * 31L + copy.get(0).name.length();
        }
        return sum;
    }

    // Ordered maps and queues.

    static long trees(int rounds) {
        long sum = 0;
        int seed = 3;
        for (int r = 0; r < rounds; r++) {
            TreeMap<Integer, String> tree = new TreeMap<>();
            PriorityQueue<Long> queue = new PriorityQueue<>();
            ArrayDeque<Integer> window = new ArrayDeque<>();
            for (int i = 0; i < 300; i++) {
                seed = random(seed);
                int key = (seed >>> 12) & 511;
                tree.put(key, "v");
                queue.add((long) key << 3);
                window.addLast(key);
                if (window.size() > 16) {
                    sum += window.removeFirst();
                }
                Map.Entry<Integer, String> near = tree.floorEntry(key - 1);
                sum += near == null ? 1 : near.getKey();
            }
            for (Integer k : tree.keySet()) {
                sum ^= k;
            }
            while (!queue.isEmpty()) {
                sum += queue.poll();
            }
        }
        return sum;
    }

    // A tree of expressions, visited through an interface.

    interface Visitor<R> {
        R number(Number n);

        R sum(Sum s);

        R product(Product p);
    }

    interface Expression {
        <R> R accept(Visitor<R> v);
    }

    static final class Number implements Expression {
        final int value;

        Number(int value) {
            this.value = value;
        }

        public <R> R accept(Visitor<R> v) {
            return v.number(this);
        }
    }

    static final class Sum implements Expression {
        final Expression a;
        final Expression b;

        Sum(Expression a, Expression b) {
            this.a = a;
            this.b = b;
        }

        public <R> R accept(Visitor<R> v) {
            return v.sum(this);
        }
    }

    static final class Product implements Expression {
        final Expression a;
        final Expression b;

        Product(Expression a, Expression b) {
            this.a = a;
            this.b = b;
        }

        public <R> R accept(Visitor<R> v) {
            return v.product(this);
        }
    }

    static final class Evaluate implements Visitor<Integer> {
        public Integer number(Number n) {
            return n.value;
        }

        public Integer sum(Sum s) {
            return s.a.accept(this) + s.b.accept(this);
        }

        public Integer product(Product p) {
            return p.a.accept(this) * p.b.accept(this);
        }
    }

    static final class Depth implements Visitor<Integer> {
        public Integer number(Number n) {
            return 1;
        }

        public Integer sum(Sum s) {
            return 1 + Math.max(s.a.accept(this), s.b.accept(this));
        }

        public Integer product(Product p) {
            return 1 + Math.max(p.a.accept(this), p.b.accept(this));
        }
    }

    static Expression grow(int depth, int seed) {
        if (depth == 0) {
            return new Number(seed & 7);
        }
        Expression a = grow(depth - 1, random(seed));
        Expression b = grow(depth - 1, random(seed + 1));
        return (seed & 1 << depth) == 0 ? new Sum(a, b) : new Product(a, b);
    }

    static long visitors(int rounds) {
        Expression e = grow(7, 99);
        List<Visitor<Integer>> all = List.of(new Evaluate(), new Depth());
        long sum = 0;
        for (int r = 0; r < rounds; r++) {
            sum += e.accept(all.get(r & 1));
        }
        return sum;
    }

    // A recursive-descent parser; every third text has a mistake.

    static final class Malformed extends RuntimeException {
        final int at;

        Malformed(int at) {
            super("malformed at " + at, null, false, false);
            this.at = at;
        }
    }

    static final class Parser {
        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        long sum() {
            long v = product();
            while (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
                boolean plus = text.charAt(at++) == '+';
                long w = product();
                v = plus ? v + w : v - w;
            }
            return v;
        }

        private long product() {
            long v = factor();
            while (at < text.length() && text.charAt(at) == '*') {
                at++;
                v *= factor();
            }
            return v;
        }

        private long factor() {
            if (at >= text.length()) {
                throw new Malformed(at);
            }
            if (text.charAt(at) == '(') {
                at++;
                long v = sum();
                if (at >= text.length() || text.charAt(at++) != ')') {
                    throw new Malformed(at);
                }
                return v;
            }
            int start = at;
            while (at < text.length() && Character.isDigit(text.charAt(at))) {
                at++;
            }
            try {
                return Integer.parseInt(text.substring(start, at));
            } catch (NumberFormatException e) {
                throw new Malformed(start);
            }
        }
    }

    static long parser(int rounds) {
        String[] texts = {"12*(3+4)-5*(6-(7+8))", "((1+2)*3", "99-98+(97*96)-4*((2+3)*(4+5))"};
        long sum = 0;
        for (int r = 0; r < rounds; r++) {
            try {
                sum += new Parser(texts[r % 3]).sum();
            } catch (Malformed e) {
                sum += e.at;
            } finally {
                sum++;
            }
        }
        return sum;
    }

    // Streams.

    static long streams(int rounds) {
        List<Integer> numbers = IntStream.range(0, 300).boxed().collect(Collectors.toList());
        long sum = 0;
        for (int r = 0; r < rounds; r++) {
            int by = r;
            Map<Integer, Long> groups =
                    numbers.stream()
                            .map(x -> x * 7 + by)
                            .filter(x -> (x & 1) == 0)
                            .collect(Collectors.groupingBy(x -> x % 10, Collectors.counting()));
            sum += groups.values().stream().mapToLong(Long::longValue).sum();
            sum += numbers.stream().mapToInt(Integer::intValue).map(x -> x ^ by).max().getAsInt();
        }
        return sum;
    }

    // Strings: splitting, building, switching.

    static long text(int rounds) {
        String line = "set alpha=17; get beta; del gamma; add delta=4; set epsilon=99; nop";
        Map<String, Integer> store = new LinkedHashMap<>();
        long sum = 0;
        for (int r = 0; r < rounds; r++) {
            StringBuilder out = new StringBuilder();
            for (String command : line.split("; ")) {
                int space = command.indexOf(' ');
                String verb = space < 0 ? command : command.substring(0, space);
                String rest = space < 0 ? "" : command.substring(space + 1);
                int equals = rest.indexOf('=');
                String key = equals < 0 ? rest : rest.substring(0, equals);
                switch (verb) {
                    case "set":
                        store.put(key, Integer.valueOf(rest.substring(equals + 1)) + r);
                        break;
                    case "get":
                        out.append(store.getOrDefault(key, -1)).append(',');
                        break;
                    case "add":
                        store.merge(key, Integer.parseInt(rest.substring(equals + 1)), Integer::sum);
                        break;
                    case "del":
                        store.remove(key);
                        break;
                    default:
                        out.append(verb.toUpperCase());
                }
                out.append(key.replace('a', 'A')).append(':').append(key.length());
            }
            sum += out.toString().hashCode() + store.size();
        }
        return sum;
    }

    // Casts and type tests: deep classes, interfaces, arrays, generic code.

    interface Near {}

    interface Far extends Near {}

    interface Heavy {
        int weight();
    }

    static class A {}

    static class B extends A implements Near {}

    static class C extends B implements Heavy {
        public int weight() {
            return 3;
        }
    }

    static class D extends C implements Far, Comparable<D> {
        public int weight() {
            return 4;
        }

        public int compareTo(D o) {
            return 0;
        }
    }

    static final class Box<T> {
        private Object content;

        void put(T value) {
            content = value;
        }

        @SuppressWarnings("unchecked")
        T get() {
            return (T) content;
        }
    }

    static long casts(int rounds) {
        Object[] all = {new A(), new B(), new C(), new D(), "text", 7, new A[1], new D[2], new int[3], new String[0][0]};
        Object[] copies = new Object[all.length];
        Near[] nears = new Near[4];
        A[] as = new B[4];
        Box<D> box = new Box<>();
        long sum = 0;
        for (int r = 0; r < rounds; r++) {
            for (int i = 0; i < all.length; i++) {
                Object o = all[(i + r) % all.length];
                copies[i] = o;
                if (o instanceof A) {
                    sum += 1;
                    if (o instanceof Heavy) {
                        sum += ((Heavy) o).weight();
                    }
                    if (o instanceof Near) {
                        nears[r & 3] = (Near) o;
                        as[r & 3] = (B) o;
                    }
                    if (o instanceof D) {
                        box.put((D) o);
                        sum += box.get().weight();
                    }
                } else if (o instanceof Comparable) {
                    sum += o instanceof String ? ((String) o).length() : (Integer) o;
                } else if (o instanceof Object[]) {
                    sum += ((Object[]) o).length + (o instanceof A[] ? 5 : 0) + (o instanceof Near[] ? 9 : 0);
                } else if (o instanceof int[]) {
                    sum += ((int[]) o).length;
                }
            }
        }
        return sum + copies.length;
    }

    // Accounts behind locks of several kinds.

    static final class Account {
        private final ReentrantLock lock = new ReentrantLock();
        private final List<String> log = new ArrayList<>();
        private long balance;

        synchronized void deposit(long amount) {
            balance += amount;
        }

        boolean withdraw(long amount) {
            lock.lock();
            try {
                if (amount > balance) {
                    throw new IllegalStateException();
                }
                balance -= amount;
                return true;
            } catch (IllegalStateException e) {
                if (log.size() < 4) {
                    log.add("refused");
                }
                return false;
            } finally {
                lock.unlock();
            }
        }
    }

    static long bank(int rounds) {
        Account[] all = new Account[8];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Account();
        }
        AtomicLong done = new AtomicLong();
        int seed = 1;
        for (int r = 0; r < rounds; r++) {
            seed = random(seed);
            Account from = all[seed >>> 10 & 7];
            Account to = all[seed >>> 14 & 7];
            to.deposit(seed >>> 18 & 63);
            if ((r & 15) != 0 || from.withdraw(seed >>> 12 & 63)) {
                done.incrementAndGet();
            }
        }
        long sum = done.get();
        for (Account a : all) {
            sum = sum * 31 + a.balance + a.log.size();
        }
        return sum;
    }

    // A list of one's own with iterators, and functions put together.

    static final class Chain<T> implements Iterable<T> {
        private static final class Link<T> {
            final T value;
            Link<T> next;

            Link(T value) {
                this.value = value;
            }
        }

        private Link<T> first;
        private Link<T> last;

        Chain<T> add(T value) {
            Link<T> l = new Link<>(value);
            if (first == null) {
                first = l;
            } else {
                last.next = l;
            }
            last = l;
            return this;
        }

        <R> Chain<R> map(Function<? super T, ? extends R> f) {
            Chain<R> out = new Chain<>();
            for (T t : this) {
                out.add(f.apply(t));
            }
            return out;
        }

        public Iterator<T> iterator() {
            return new Iterator<T>() {
                private Link<T> at = first;

                public boolean hasNext() {
                    return at != null;
                }

                public T next() {
                    T v = at.value;
                    at = at.next;
                    return v;
                }
            };
        }
    }

    static long lists(int rounds) {
        Chain<IntUnaryOperator> steps = new Chain<>();
        for (int k = 1; k < 6; k++) {
            int by = k;
            steps.add(x -> x * by + 1).add(x -> x ^ by);
        }
        IntUnaryOperator all = IntUnaryOperator.identity();
        for (IntUnaryOperator s : steps) {
            all = all.andThen(s);
        }
        IntUnaryOperator whole = all;
        long sum = 0;
        for (int r = 0; r < rounds; r++) {
            Chain<Integer> numbers = new Chain<>();
            for (int i = 0; i < 40; i++) {
                numbers.add(i + r);
            }
            for (Integer n : numbers.map(x -> whole.applyAsInt(x)).map(x -> x & 1023)) {
                sum += n;
            }
        }
        return sum;
    }

    private Objects() {}
}
