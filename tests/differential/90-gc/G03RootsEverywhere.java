// vm: own -Xmx64m
// A collection in every kind of frame: locals, operand stack across calls, arguments of pending
// calls, monitors, exceptions, interned strings, classes.
import java.util.*;

public class G03RootsEverywhere {
    static Object gc() {
        System.gc();
        return junk();
    }

    static Object junk() {
        Object o = null;
        for (int i = 0; i < 100; i++) o = new byte[1000];
        return o;
    }

    static int five(Object a, Object b, int[] c, String d, long e) {
        return (a == null ? 0 : 1) + b.hashCode() * 0 + c[1] + d.length() + (int) e;
    }

    static int gcInt() {
        gc();
        return 7;
    }

    static long gcLong() {
        gc();
        return 9;
    }

    static class Ctor {
        final String a, b;

        Ctor(String x) {
            a = x + "1";
            gc();
            b = a + "2";
            gc();
        }

        synchronized String sync() {
            gc();
            return a + b;
        }
    }

    static <T> T id(T t) {
        gc();
        return t;
    }

    static String rec(int n, String s) {
        String mine = s + n;
        if (n == 0) {
            gc();
            return mine;
        }
        String r = rec(n - 1, mine);
        return r + mine.length();
    }

    static int mixed(int n) {
        int i1 = n;
        Object o1 = "o" + n;
        long l1 = n * 3L;
        Object o2 = new int[] {n};
        double d1 = n / 2.0;
        gc();
        {
            Object scoped = "scoped" + n;
            gc();
            i1 += scoped.toString().length();
        }
        {
            int reused = n * 5;
            gc();
            i1 += reused;
        }
        return i1 + o1.toString().length() + (int) l1 + ((int[]) o2)[0] + (int) d1;
    }

    public static void main(String[] args) throws Exception {
        System.out.println(
                five(
                                "a" + args.length,
                                id(new StringBuilder("b")),
                                id(new int[] {1, 2}),
                                id("text" + args.length),
                                gcLong())
                        + gcInt() * (new int[] {1, 2, gcInt()}[2]));
        Object[] m = {id("x" + 1), new String[] {id("y" + 2)}, id(5000)};
        System.out.println(m[0] + ((String[]) m[1])[0] + m[2]);
        Ctor c = new Ctor("ctor" + args.length);
        System.out.println(c.a + c.b + c.sync());
        System.out.println(rec(20, "r").hashCode());
        for (int i = 0; i < 3; i++) System.out.println(mixed(i));
        try {
            try {
                throw new IllegalStateException("ex" + args.length);
            } finally {
                gc();
            }
        } catch (IllegalStateException e) {
            gc();
            System.out.println(e.getMessage() + e.getStackTrace().length);
        }
        synchronized (id(new Object())) {
            gc();
        }
        String in = ("intern" + args.length).intern();
        gc();
        System.out.println(in == ("intern" + args.length).intern());
        int[][] multi = new int[50][];
        for (int i = 0; i < 50; i++) {
            multi[i] = new int[] {i};
            if (i % 10 == 0) gc();
        }
        int s = 0;
        for (int[] x : multi) s += x[0];
        System.out.println(s);
        java.util.function.Supplier<Object> sup =
                () -> {
                    gc();
                    return c;
                };
        System.out.println(sup.get() == c);
        int h = c.hashCode();
        gc();
        System.out.println(h == c.hashCode() && h == System.identityHashCode(c));
        Iterator<Integer> it = List.of(1, 2, 3).iterator();
        int t = 0;
        while (it.hasNext()) {
            t += it.next();
            gc();
        }
        System.out.println(t);
        Object[] selfRef = new Object[1];
        selfRef[0] = selfRef;
        gc();
        System.out.println(selfRef[0] == selfRef);
        System.out.println(
                (String)
                        G03RootsEverywhere.class
                                .getDeclaredMethod("id", Object.class)
                                .invoke(null, "reflect" + 1));
        GenJsr49.calls(3);
        System.out.println(String.format("%s%s", id("f" + 1), id("g" + 2)) + id("c" + 3) + gcInt());
    }
}
