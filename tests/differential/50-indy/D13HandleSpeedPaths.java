// covers: invokevirtual(invokeExact,invokeBasic)
import java.lang.invoke.*;
import java.util.*;
import java.util.function.*;

public class D13HandleSpeedPaths {
    static final MethodHandle ADD;
    static final VarHandle CNT;
    static int count;

    static {
        try {
            ADD =
                    MethodHandles.lookup()
                            .findStatic(
                                    D13HandleSpeedPaths.class,
                                    "add",
                                    MethodType.methodType(long.class, int.class, long.class));
            CNT =
                    MethodHandles.lookup()
                            .findStaticVarHandle(D13HandleSpeedPaths.class, "count", int.class);
        } catch (Exception e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static long add(int a, long b) {
        return a + b;
    }

    static Object generic(Object o) {
        return o;
    }

    public static void main(String[] args) throws Throwable {
        long s = 0;
        for (int i = 0; i < 20000; i++) s = (long) ADD.invokeExact(i, s);
        System.out.println(s);
        MethodHandle g =
                MethodHandles.insertArguments(ADD, 0, 5)
                        .asType(MethodType.methodType(Object.class, Object.class));
        for (int i = 0; i < 3000; i++) s += (Long) (Object) g.invokeExact((Object) (long) i);
        System.out.println(s);
        for (int i = 0; i < 5000; i++) {
            CNT.getAndAdd(i);
            CNT.setVolatile((int) CNT.getVolatile() ^ i);
        }
        System.out.println(count);
        List<Function<Integer, Integer>> fs = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            int k = i;
            fs.add(x -> x * 31 + k);
        }
        int v = 1;
        for (int r = 0; r < 200; r++) for (Function<Integer, Integer> f : fs) v = f.apply(v);
        System.out.println(v);
        MethodHandle[] shapes = {
            MethodHandles.identity(int.class),
            MethodHandles.constant(long.class, 7L),
            MethodHandles.zero(double.class),
            MethodHandles.arrayElementGetter(byte[].class),
            MethodHandles.arrayConstructor(String[].class)
        };
        for (MethodHandle m : shapes) System.out.println(m.type());
        for (int n = 0; n <= 20; n++) {
            Class<?>[] p = new Class<?>[n];
            Object[] a = new Object[n];
            for (int i = 0; i < n; i++) {
                p[i] = i % 3 == 0 ? int.class : i % 3 == 1 ? long.class : String.class;
                a[i] = i % 3 == 0 ? (Object) i : i % 3 == 1 ? (Object) (long) i : "s" + i;
            }
            MethodHandle col =
                    MethodHandles.lookup()
                            .findStatic(
                                    Arrays.class,
                                    "asList",
                                    MethodType.methodType(List.class, Object[].class))
                            .asFixedArity()
                            .asCollector(Object[].class, n)
                            .asType(MethodType.methodType(List.class, p));
            System.out.println(col.invokeWithArguments(a));
        }
        MethodHandle loop =
                MethodHandles.iteratedLoop(
                        MethodHandles.lookup()
                                .findVirtual(
                                        List.class,
                                        "iterator",
                                        MethodType.methodType(Iterator.class)),
                        MethodHandles.constant(int.class, 0),
                        MethodHandles.lookup()
                                .findStatic(
                                        D13HandleSpeedPaths.class,
                                        "acc",
                                        MethodType.methodType(
                                                int.class, int.class, Integer.class, List.class))
                                .asType(
                                        MethodType.methodType(
                                                int.class, int.class, Object.class, List.class)));
        System.out.println((int) loop.invoke(List.of(1, 2, 3)));
        MethodHandle sw =
                MethodHandles.tableSwitch(
                        MethodHandles.dropArguments(
                                MethodHandles.constant(String.class, "default"), 0, int.class),
                        MethodHandles.dropArguments(
                                MethodHandles.constant(String.class, "zero"), 0, int.class),
                        MethodHandles.dropArguments(
                                MethodHandles.constant(String.class, "one"), 0, int.class));
        System.out.println(
                (String) sw.invokeExact(0)
                        + (String) sw.invokeExact(1)
                        + (String) sw.invokeExact(-5));
    }

    static int acc(int a, Integer x, List<?> l) {
        return a * 10 + x;
    }
}
