// covers: trees of method handles as constants of compiled code
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.Random;

/** Trees of method handles, built at random, each of them in a final of a class of its own, and called until that is compiled. */
public class D23HandleTrees {
    static final int TREES = 60, CALLS = 3000;
    static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    static final MethodType TYPE = MethodType.methodType(long.class, int.class, long.class, Object.class, double.class);

    static final class Carrier extends RuntimeException {
        final long value;

        Carrier(long value) {
            this.value = value;
        }
    }

    interface Shape {
        long sum(int i, long l, Object o, double d);

        default long next(int i, long l, Object o, double d) {
            return sum(i + 1, l, o, d);
        }
    }

    record Point(int k, Object q) implements Shape {
        public long sum(int i, long l, Object o, double d) {
            return k * i + l;
        }

        public long next(int i, long l, Object o, double d) {
            return Shape.super.next(i, l, q, d) - 1;
        }
    }

    static class Base {
        long field = 3;

        long step(int i, long l, Object o, double d) {
            return field += i;
        }
    }

    static class Sub extends Base {
        long step(int i, long l, Object o, double d) {
            if (i % 13 == 0) {
                throw new Carrier(i);
            }
            return super.step(i, l, o, d) + 1;
        }
    }

    static long[] cells = new long[8];
    static long finished;
    static volatile int shared;

    // Leaves.
    static long mix(int i, long l, Object o, double d) {
        return i * 31L + l * 7 + (o == null ? 5 : o.hashCode()) + (long) d;
    }

    static long throwing(int i, long l, Object o, double d) {
        if (i % 7 == 3) {
            throw new Carrier(l + i);
        }
        return l ^ i;
    }

    static long failing(int i, long l, Object o, double d) {
        return 100 / (i % 5) + cells[i & 15] + ((String) o).length();
    }

    static long traced(int i, long l, Object o, double d) {
        if (i % 97 != 0) {
            return i;
        }
        long h = 0;
        for (StackTraceElement e : new Throwable().getStackTrace()) {
            if (e.getClassName().startsWith("D23")) {
                h = h * 31 + e.getMethodName().hashCode() + e.getLineNumber();
            }
        }
        return h;
    }

    // What combinators take.
    static boolean test(int i, long l, Object o, double d) {
        return ((i ^ l) & 4) != 0;
    }

    static long caught(Carrier e, int i, long l, Object o, double d) {
        return e.value * 3 + i;
    }

    static long failed(RuntimeException e, int i, long l, Object o, double d) {
        return (e instanceof Carrier ? 17 : e.getClass().getName().hashCode()) + l;
    }

    static long after(Throwable t, long result, int i, long l, Object o, double d) {
        finished += t == null ? result : 1;
        return result + 1;
    }

    static int fold(long l) {
        return (int) (l >>> 3) ^ (int) l;
    }

    static Object text(Object o) {
        return o == null ? "nothing" : o + "q";
    }

    static double half(double d) {
        return d * 0.5 + 1;
    }

    static byte narrow(int i) {
        return (byte) i;
    }

    static MethodHandle find(String name, MethodType type) throws ReflectiveOperationException {
        return LOOKUP.findStatic(D23HandleTrees.class, name, type);
    }

    static MethodHandle leaf(Random r) throws ReflectiveOperationException {
        switch (r.nextInt(11)) {
            case 0: return find("mix", TYPE);
            case 1: return find("throwing", TYPE);
            case 2: return find("failing", TYPE);
            case 3: return find("traced", TYPE);
            case 4: return LOOKUP.findVirtual(Base.class, "step", TYPE).bindTo(r.nextBoolean() ? new Base() : new Sub());
            case 5: {
                Shape shape = r.nextBoolean() ? new Point(r.nextInt(9), "k") : (i, l, o, d) -> i + l;
                return LOOKUP.findVirtual(Shape.class, r.nextBoolean() ? "sum" : "next", TYPE).bindTo(shape);
            }
            case 6: {
                VarHandle v = LOOKUP.findVarHandle(Base.class, "field", long.class);
                MethodHandle add = v.toMethodHandle(VarHandle.AccessMode.GET_AND_ADD).bindTo(new Base());
                return MethodHandles.permuteArguments(add, TYPE, 1);
            }
            case 7: {
                VarHandle v = MethodHandles.arrayElementVarHandle(long[].class);
                MethodHandle set = v.toMethodHandle(VarHandle.AccessMode.GET_AND_SET).bindTo(cells);
                return MethodHandles.permuteArguments(set, TYPE, 0, 1);
            }
            case 8: {
                MethodHandle made = LOOKUP.findConstructor(Carrier.class, MethodType.methodType(void.class, long.class));
                return MethodHandles.permuteArguments(MethodHandles.filterReturnValue(made, LOOKUP.findGetter(Carrier.class, "value", long.class)), TYPE, 1);
            }
            case 9: {
                MethodHandle narrow = find("narrow", MethodType.methodType(byte.class, int.class));
                return MethodHandles.permuteArguments(narrow.asType(MethodType.methodType(long.class, int.class)), TYPE, 0);
            }
            default: {
                VarHandle v = LOOKUP.findStaticVarHandle(D23HandleTrees.class, "shared", int.class);
                MethodHandle exchange = MethodHandles.insertArguments(v.toMethodHandle(VarHandle.AccessMode.COMPARE_AND_EXCHANGE), 0, 0);
                return MethodHandles.permuteArguments(exchange.asType(MethodType.methodType(long.class, int.class)), TYPE, 0);
            }
        }
    }

    static MethodHandle tree(Random r, int depth) throws ReflectiveOperationException {
        if (depth == 0) {
            return leaf(r);
        }
        MethodHandle x = tree(r, depth - 1);
        MethodHandle test = find("test", TYPE.changeReturnType(boolean.class));
        switch (r.nextInt(12)) {
            case 0: return MethodHandles.guardWithTest(test, x, tree(r, depth - 1));
            case 1: return MethodHandles.catchException(x, Carrier.class, find("caught", TYPE.insertParameterTypes(0, Carrier.class)));
            case 2: return MethodHandles.catchException(x, RuntimeException.class, find("failed", TYPE.insertParameterTypes(0, RuntimeException.class)));
            case 3: return MethodHandles.tryFinally(x, find("after", TYPE.insertParameterTypes(0, Throwable.class, long.class)));
            case 4: return MethodHandles.filterArguments(x, 0, find("fold", MethodType.methodType(int.class, long.class)).asType(MethodType.methodType(int.class, int.class)));
            case 5: return MethodHandles.filterArguments(x, 2, find("text", MethodType.methodType(Object.class, Object.class)), find("half", MethodType.methodType(double.class, double.class)));
            case 6: return MethodHandles.foldArguments(MethodHandles.permuteArguments(x, TYPE.insertParameterTypes(0, long.class), 1, 0, 3, 4), tree(r, depth - 1));
            case 7: return MethodHandles.filterReturnValue(x, find("fold", MethodType.methodType(int.class, long.class)).asType(MethodType.methodType(long.class, long.class)));
            case 8: return x.asSpreader(Object[].class, 2).asCollector(Object[].class, 2).asType(TYPE);
            case 9: return MethodHandles.explicitCastArguments(
                    MethodHandles.explicitCastArguments(x, MethodType.methodType(int.class, byte.class, float.class, String.class, char.class)), TYPE);
            case 10: {
                MethodHandle three = MethodHandles.dropArguments(MethodHandles.constant(int.class, 3), 0, TYPE.parameterList());
                return MethodHandles.countedLoop(three, null, MethodHandles.dropArguments(x, 0, long.class, int.class));
            }
            default: return x.asType(TYPE.generic()).asType(TYPE);
        }
    }

    interface Caller {
        long call(int i, long l, Object o, double d) throws Throwable;
    }

    /** Defined once for each tree. */
    public static class Site implements Caller {
        static final MethodHandle TREE = next;

        public long call(int i, long l, Object o, double d) throws Throwable {
            return (long) TREE.invokeExact(i, l, o, d);
        }
    }

    static MethodHandle next;

    static long guarded(Caller c, int i, long l, Object o, double d) {
        try {
            return c.call(i, l, o, d);
        } catch (Carrier e) {
            return e.value;
        } catch (Throwable e) {
            return 3 * l + e.getClass().getName().hashCode();
        }
    }

    public static void main(String[] args) throws Throwable {
        byte[] bytes;
        try (InputStream in = D23HandleTrees.class.getResourceAsStream("D23HandleTrees$Site.class")) {
            bytes = in.readAllBytes();
        } catch (IOException e) {
            throw new Error(e);
        }
        Object[] objects = {"text", null, 17, "é"};
        for (int n = 0; n < TREES; n++) {
            Random r = new Random(n * 7919L + 5);
            next = tree(r, 1 + r.nextInt(4));
            Caller c = (Caller) LOOKUP.defineHiddenClass(bytes, true, MethodHandles.Lookup.ClassOption.NESTMATE).lookupClass().getConstructor().newInstance();
            long sum = 0;
            for (int i = 0; i < CALLS; i++) {
                sum = 31 * sum + guarded(c, i, i * 77L, objects[i % 50 == 0 ? 1 + i / 50 % 3 : 0], i / 4.0);
            }
            System.out.println(n + " " + sum + " " + finished);
        }
    }
}
