import java.io.IOException;
import java.io.Serializable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Classes that use as much of the class file format as javac can write; the tests damage them. */
public abstract class Fixture<T extends Comparable<T>> implements Serializable, Comparable<Fixture<T>> {
    @Retention(RetentionPolicy.RUNTIME)
    @interface Mark {
        int value() default 3;
        String[] names() default {"a", "b"};
        Class<?> type() default Object.class;
    }

    static final int INT = 7;
    static final long LONG = 1L << 40;
    static final float FLOAT = 1.5f;
    static final double DOUBLE = 2.5;
    static final String TEXT = "text";
    static final boolean FLAG = true;
    protected volatile int count;
    private transient T value;
    @Mark(5) final long[] longs = new long[4];

    protected Fixture(T value, int count) throws IOException {
        this.value = value;
        this.count = count > 0 ? count : -count;
        if (value == null) {
            throw new IOException("none");
        }
    }

    abstract int measure(long a, double b, Object... rest);

    @Override
    public int compareTo(Fixture<T> other) {
        return value.compareTo(other.value);
    }

    @Deprecated
    synchronized long arithmetic(int i, long l, float f, double d) {
        long sum = i * 31 + (l << 3) - (long) f % 7 + (int) d;
        for (int k = 0; k < i; k++) {
            longs[k & 3] += sum ^ k;
            sum = k % 2 == 0 ? sum + longs[k & 3]++ : ~sum;
        }
        byte b = (byte) i;
        char c = (char) l;
        short s = (short) (b + c);
        return sum > l ? s : -sum;
    }

    static int choose(int i, String s) {
        switch (i) {
            case 1: return 10;
            case 2: return 20;
            case 3: return 30;
            default: break;
        }
        switch (s) {
            case "x": return 1;
            case "yy": return 2;
            case "zzz": return 3;
            default: return -1;
        }
    }

    static String handlers(Object lock, String name) {
        try {
            synchronized (lock) {
                return Integer.toString(Integer.parseInt(name));
            }
        } catch (NumberFormatException | NullPointerException e) {
            return e.getMessage();
        } finally {
            System.gc();
        }
    }

    static Object arrays(int n) {
        int[][] grid = new int[n][n];
        String[] names = {"a", null, "c"};
        boolean[] flags = new boolean[n];
        char[] chars = name().toCharArray();
        double[] doubles = {1, 2};
        flags[0] = grid[0][0] == chars[0];
        doubles[1] = doubles[0] + names.length;
        Object o = grid;
        return o instanceof int[][] ? ((int[][]) o)[n - 1].clone() : names;
    }

    static String name() {
        return Fixture.class.getName();
    }

    static IntFunction<String> lambdas(String prefix, int n) {
        Supplier<List<String>> s = ArrayList::new;
        List<String> list = s.get();
        Runnable r = () -> list.add(prefix + n);
        r.run();
        return i -> prefix + i + n + list;
    }

    class Inner {
        int twice() {
            return count * 2;
        }
    }

    static class Nested extends Fixture<String> implements Cloneable {
        Nested(String s, int n) throws IOException {
            super(s == null ? "none" : s, n);
        }

        @Override
        int measure(long a, double b, Object... rest) {
            return (int) (a + b) + rest.length + count;
        }

        @Override
        protected Object clone() throws CloneNotSupportedException {
            Nested n = (Nested) super.clone();
            n.count++;
            return n;
        }
    }
}

interface Shape {
    int SIDES = 4;

    double area();

    default String show() {
        return "shape " + area() + secret();
    }

    private String secret() {
        return "!";
    }

    static Shape unit() {
        return () -> 1.0;
    }
}

record Point<T>(@Fixture.Mark int x, T y, long... more) implements Comparable<Point<T>> {
    Point {
        if (x < 0) {
            throw new IllegalArgumentException();
        }
    }

    public int compareTo(Point<T> o) {
        return Integer.compare(x, o.x);
    }
}

enum Colour {
    RED, GREEN;

    int code() {
        return ordinal();
    }
}

sealed interface Tree permits Leaf, Node {}

final class Leaf implements Tree {}

non-sealed class Node implements Tree {
    Tree left, right;

    int size() {
        int n = 1;
        for (Tree t : new Tree[] {left, right}) {
            if (t instanceof Node node) {
                n += node.size();
            }
        }
        return n;
    }
}
