// covers: invokedynamic(lambda,capture,method-reference,serializable,varargs)
import java.util.function.*;

public class D01Lambdas {
    interface Tri<A, B, C, R> {
        R f(A a, B b, C c);

        default Tri<A, B, C, String> str() {
            return (a, b, c) -> String.valueOf(f(a, b, c));
        }
    }

    interface Prims {
        double f(int a, long b, float c, double d, boolean e, byte g, char h, short i);
    }

    interface Thrower {
        void run() throws Exception;
    }

    int field = 5;
    static int sfield = 7;

    int inst(int x) {
        return x + field;
    }

    static String stat(String s) {
        return s + sfield;
    }

    Supplier<Integer> capture() {
        int k = 3;
        return () -> field * k;
    }

    static <T> T id(T t) {
        return t;
    }

    static int fact(int n) {
        IntUnaryOperator[] f = new IntUnaryOperator[1];
        f[0] = x -> x <= 1 ? 1 : x * f[0].applyAsInt(x - 1);
        return f[0].applyAsInt(n);
    }

    interface Shape {
        double area();
    }

    public static void main(String[] args) throws Exception {
        Runnable r = () -> System.out.println("run");
        r.run();
        D01Lambdas o = new D01Lambdas();
        System.out.println(o.capture().get());
        o.field = 50;
        System.out.println(o.capture().get());
        IntUnaryOperator bound = o::inst;
        BiFunction<D01Lambdas, Integer, Integer> unbound = D01Lambdas::inst;
        System.out.println(bound.applyAsInt(1) + unbound.apply(o, 2));
        Function<String, String> s = D01Lambdas::stat;
        Supplier<D01Lambdas> ctor = D01Lambdas::new;
        IntFunction<int[]> actor = int[]::new;
        System.out.println(s.apply("x") + ctor.get().field + actor.apply(4).length);
        Tri<Integer, Long, String, Object> t = (a, b, c) -> a + b + c;
        System.out.println(t.f(1, 2L, "z") + t.str().f(3, 4L, "y"));
        Prims p = (a, b, c, d, e, g, h, i) -> a + b + c + d + (e ? 1 : 0) + g + h + i;
        System.out.println(p.f(1, 2, 3, 4, true, (byte) 5, 'a', (short) 6));
        System.out.println(fact(10));
        byte cb = 1;
        short cs = 2;
        char cc = 'c';
        int ci = 3;
        long cl = 4;
        float cf = 5;
        double cd = 6;
        boolean cz = true;
        String cst = "s";
        Supplier<String> all = () -> "" + cb + cs + cc + ci + cl + cf + cd + cz + cst;
        System.out.println(all.get());
        Runnable ser = (Runnable & java.io.Serializable) () -> System.out.println("serializable");
        ser.run();
        System.out.println(ser instanceof java.io.Serializable);
        Thrower th =
                () -> {
                    throw new Exception("from lambda");
                };
        try {
            th.run();
        } catch (Exception e) {
            System.out.println(
                    e.getMessage()
                            + e.getStackTrace()[0].getMethodName()
                            + " "
                            + e.getStackTrace()[1].getMethodName());
        }
        Function<Object, String> ts = Object::toString;
        Function<Integer, Integer> boxed = Math::abs;
        ToIntFunction<String> len = String::length;
        System.out.println(ts.apply(5) + boxed.apply(-3) + len.applyAsInt("four"));
        Supplier<Runnable> nested = () -> () -> System.out.println(o.field);
        nested.get().run();
        System.out.println(
                r.getClass().isSynthetic()
                        + " "
                        + r.getClass().isHidden()
                        + " "
                        + r.getClass().getSimpleName().startsWith("D01Lambdas$$Lambda$"));
        Object nl = null;
        try {
            Supplier<String> npe = nl::toString;
        } catch (NullPointerException e) {
            System.out.println("npe at capture");
        }
        Comparable<String> cmp = "b"::compareTo;
        System.out.println(cmp.compareTo("a"));
        int sum = 0;
        for (int i = 0; i < 100; i++) {
            int k = i;
            IntSupplier is = () -> k * 2;
            sum += is.getAsInt();
        }
        System.out.println(sum);
        Shape sq = () -> 4.0;
        System.out.println(sq.area() + id((Supplier<String>) () -> "generic").get());
    }
}
