import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;

/**
 * Every kind of instruction that is counted, on the ways by which compiled code runs it and leaves it: one thread, the same
 * counts whoever runs it.
 */
public class Everything {
    interface Op { int apply(int x); }
    static class Inc implements Op { public int apply(int x) { return x + 1; } }
    static class Twice implements Op { public int apply(int x) { return x * 2; } }
    static class Neg implements Op { public int apply(int x) { return -x; } }
    static class Odd implements Op { public int apply(int x) { return (x & 1) == 0 ? x : 3 * x + 1; } }

    /** Calls of `area` have one target until Cube is loaded. */
    static class Solid {
        int side = 3;
        int area() { return side * side; }
        final int twice() { return 2 * area(); }
        private int hidden(int i) { return i > 5 ? area() : i; }
        int outer(int i) { return hidden(i); }
    }
    static class Cube extends Solid {
        @Override int area() { return 6 * side * side; }
    }

    static int select(int i) {
        int r = 0;
        switch (i % 6) {
            case 0: r++;
            case 1: r += 2; break;
            case 3: r += 3; break;
            default: r--;
        }
        return r;
    }
    static int state(int n) {
        int s = 0, steps = 0;
        while (true) {
            switch (s) {
                case 0: s = n > 50 ? 1 : 2; break;
                case 1: n -= 3; s = 0; break;
                case 2: if (--n > 40) continue; else return steps;
            }
            steps++;
        }
    }
    static int caught(int[] a, Object[] o, Object x, int i) {
        int r = 0;
        try {
            r += a[i];
        } catch (ArrayIndexOutOfBoundsException | NullPointerException e) {
            r += 1;
        }
        try {
            r += 100 / (i % 3);
        } catch (ArithmeticException e) {
            r += 2;
        }
        try {
            r += ((String) x).length();
        } catch (ClassCastException | NullPointerException e) {
            r += 4;
        }
        try {
            o[i & 3] = x;
        } catch (ArrayStoreException e) {
            r += 8;
        }
        try {
            r += thrower(i);
        } catch (IllegalStateException e) {
            r += e.getMessage().length();
        }
        return r;
    }
    static int thrower(int i) {
        if (i % 7 == 2) throw new IllegalStateException("at " + i);
        return i & 1;
    }
    static final Object[] SHARED = new Object[4];
    /** The object becomes reachable by other threads just when it is counted. */
    static Object published(int i) {
        SHARED[i & 3] = i % 3 == 0 ? new Inc() : new Twice();
        return SHARED[i & 1];
    }
    static synchronized int locked(int i) { return i > 100 ? 1 : 2; }
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    /** A class that is never loaded: nulls only. */
    static boolean never(Object o) { return o instanceof Unloaded; }
    static class Unloaded { }
    static class Finalized {
        final int x;
        Finalized(int x) { this.x = x > 3 ? x : 3; }
        @SuppressWarnings("deprecation") @Override protected void finalize() { }
    }

    static int known(int i, byte[] bytes, String s) {
        int r = Math.max(i, 7) + Math.min(i, 9) + Math.abs(-i) + Integer.bitCount(i);
        System.arraycopy(bytes, 0, bytes, 1, Math.min(i & 7, bytes.length - 1));
        r += bytes.clone().length + s.indexOf('x') + s.compareTo("text") + (s.equals("text") ? 1 : 0);
        Object o = (i & 1) == 0 ? s : bytes;
        r += o.getClass() == String.class ? 1 : 0;
        r += o.hashCode() & 0;
        r += Arrays.copyOf(bytes, 4).length;
        return r;
    }
    static int library(int i, Map<Integer, String> map, List<Object> list, AtomicInteger n) {
        map.put(i % 50, "v" + i);
        list.add(i % 3 == 0 ? "s" : (Object) i);
        int r = map.get(i % 50).length() + n.incrementAndGet();
        for (Object o : list) if (o instanceof String s && s.length() == 1) r++;
        if (list.size() > 20) list.clear();
        IntUnaryOperator f = (i & 1) == 0 ? x -> x + 1 : x -> x > 3 ? 3 : x;
        return r + f.applyAsInt(i);
    }

    static long loops(int n) {
        long r = 0;
        for (int i = 0; i < n; i++) {
            for (int k = i; k > 0; k /= 2) {
                if ((k & 1) == 0) continue;
                r += k;
            }
            int j = 0;
            do {
                r ^= j;
            } while (++j < 3);
        }
        return r;
    }

    static long all(int n) {
        Op[] ops = {new Inc(), new Twice(), new Neg(), new Odd()};
        Op[] two = {new Inc(), new Twice()};
        Solid[] solids = {new Solid(), new Solid()};
        Object[] things = {"text", 1, null, new int[2], "x"};
        Object[] strings = new String[4];
        int[] ints = new int[20];
        byte[] bytes = new byte[16];
        Map<Integer, String> map = new HashMap<>();
        List<Object> list = new ArrayList<>();
        AtomicInteger counter = new AtomicInteger();
        long r = 0;
        for (int i = 0; i < n; i++) {
            if (i == n / 2) solids[1] = new Cube();
            r += ops[i % 4].apply(i) + two[i % 2].apply(i) + solids[i % 2].area() + solids[(i + 1) % 2].twice() + solids[0].outer(i % 9);
            r += select(i) + state(60 + i % 4) + locked(i) + fib(i % 6);
            r += caught(i % 11 == 0 ? null : ints, strings, things[i % 5], i % 23);
            r += never(null) ? 1 : 0;
            r += published(i) == null ? 1 : 0;
            r += new Finalized(i % 6).x;
            r += known(i, bytes, i % 4 == 0 ? "text" : "taxi");
            r += library(i, map, list, counter);
            r += loops(i % 5);
        }
        return r + loops(n);
    }

    public static void main(String[] a) {
        System.out.println(all(Integer.parseInt(a[0])));
    }
}
