// covers: invokedynamic(ObjectMethods,enum-switch,pattern)
import java.util.*;

public class D08RecordsEnums {
    record Empty() {}

    record All(
            boolean z,
            byte b,
            char c,
            short s,
            int i,
            long l,
            float f,
            double d,
            String o,
            int[] a) {}

    record Gen<T extends Comparable<T>>(T lo, T hi) implements Comparable<Gen<T>> {
        Gen {
            if (lo.compareTo(hi) > 0) {
                T t = lo;
                lo = hi;
                hi = t;
            }
        }

        public int compareTo(Gen<T> o) {
            return lo.compareTo(o.lo);
        }

        static Gen<Integer> of(int a) {
            return new Gen<>(a, -a);
        }
    }

    enum Op implements java.util.function.IntBinaryOperator {
        ADD("+") {
            public int applyAsInt(int a, int b) {
                return a + b;
            }
        },
        MUL("*") {
            public int applyAsInt(int a, int b) {
                return a * b;
            }
        };
        final String sym;

        Op(String s) {
            sym = s;
        }
    }

    sealed interface E permits Num, Add, Neg {}

    record Num(int v) implements E {}

    record Add(E l, E r) implements E {}

    record Neg(E e) implements E {}

    static int eval(E e) {
        if (e instanceof Num n) return n.v();
        if (e instanceof Add a) return eval(a.l()) + eval(a.r());
        if (e instanceof Neg n) return -eval(n.e());
        throw new AssertionError();
    }

    public static void main(String[] args) {
        System.out.println(
                new Empty() + " " + new Empty().equals(new Empty()) + new Empty().hashCode());
        int[] arr = {1};
        All x = new All(true, (byte) 1, 'c', (short) 2, 3, 4, 5f, 6, "o", arr),
                y = new All(true, (byte) 1, 'c', (short) 2, 3, 4, 5f, 6, "o", arr);
        System.out.println(
                x.equals(y)
                        + " "
                        + (x.hashCode() == y.hashCode())
                        + x.toString().replaceAll("@.*", "@")
                        + x.equals(null));
        System.out.println(
                new All(false, (byte) 0, 'a', (short) 0, 0, 0, Float.NaN, -0.0, null, null)
                        + " "
                        + new Gen<>("z", "a")
                        + Gen.of(5).hashCode());
        for (Op o : Op.values())
            System.out.println(
                    o
                            + o.sym
                            + o.applyAsInt(3, 4)
                            + o.getClass().isAnonymousClass()
                            + o.getDeclaringClass());
        System.out.println(eval(new Add(new Num(3), new Neg(new Add(new Num(1), new Num(1))))));
        System.out.println(new Add(new Num(3), new Neg(new Num(1))));
        System.out.println(new TreeSet<>(List.of(Gen.of(3), Gen.of(9), Gen.of(-1))));
        Op op = Op.MUL;
        System.out.println(
                switch (op) {
                    case ADD -> "a";
                    case MUL -> "m";
                });
    }
}
