// covers: invokevirtual(invokeExact,invoke,WrongMethodType) JVM_MethodHandleNatives
import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.*;
import java.util.*;

public class D03MethodHandles {
    int f = 3;
    static long sf = 4;
    final int fin = 9;

    int virt(int a, String b) {
        return a + b.length() + f;
    }

    private String priv() {
        return "private";
    }

    static int stat(int a, long b, double c) {
        return (int) (a + b + c);
    }

    static String varargs(String s, Object... o) {
        return s + Arrays.toString(o);
    }

    D03MethodHandles() {}

    D03MethodHandles(int f) {
        this.f = f;
    }

    static void fail(String s) {
        throw new IllegalStateException(s);
    }

    static String caught(IllegalStateException e, String s) {
        return "caught " + e.getMessage() + s;
    }

    static class Sub extends D03MethodHandles {
        int virt(int a, String b) {
            return -1;
        }

        MethodHandle sup() throws Throwable {
            return MethodHandles.lookup()
                    .findSpecial(
                            D03MethodHandles.class,
                            "virt",
                            methodType(int.class, int.class, String.class),
                            Sub.class);
        }
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        MethodHandle v =
                l.findVirtual(
                        D03MethodHandles.class,
                        "virt",
                        methodType(int.class, int.class, String.class));
        D03MethodHandles o = new D03MethodHandles();
        System.out.println((int) v.invokeExact(o, 5, "abc"));
        System.out.println(v.invoke((Object) o, (short) 5, (Object) "ab"));
        System.out.println(v.invokeWithArguments(o, 1, "x"));
        try {
            v.invokeExact(o, 5, "abc");
        } catch (WrongMethodTypeException e) {
            System.out.println(e.getMessage());
        }
        try {
            Object x = v.invoke(o, "no", "abc");
        } catch (ClassCastException | WrongMethodTypeException e) {
            System.out.println(e.getClass().getName());
        }
        System.out.println((int) v.invokeExact((D03MethodHandles) new Sub(), 5, "abc"));
        System.out.println((int) new Sub().sup().invoke(new Sub(), 5, "abc"));
        System.out.println(
                (String)
                        l.findVirtual(D03MethodHandles.class, "priv", methodType(String.class))
                                .invokeExact(o));
        MethodHandle s =
                l.findStatic(
                        D03MethodHandles.class,
                        "stat",
                        methodType(int.class, int.class, long.class, double.class));
        System.out.println((int) s.invokeExact(1, 2L, 3.5));
        System.out.println((int) s.invoke(1, 2, 3f));
        System.out.println(
                ((D03MethodHandles)
                                l.findConstructor(
                                                D03MethodHandles.class,
                                                methodType(void.class, int.class))
                                        .invokeExact(77))
                        .f);
        MethodHandle g = l.findGetter(D03MethodHandles.class, "f", int.class),
                st = l.findSetter(D03MethodHandles.class, "f", int.class);
        st.invokeExact(o, 100);
        System.out.println((int) g.invokeExact(o));
        MethodHandle sg = l.findStaticGetter(D03MethodHandles.class, "sf", long.class);
        l.findStaticSetter(D03MethodHandles.class, "sf", long.class).invokeExact(9L);
        System.out.println((long) sg.invokeExact());
        try {
            l.findSetter(D03MethodHandles.class, "fin", int.class);
        } catch (IllegalAccessException e) {
            System.out.println(e.getMessage());
        }
        try {
            l.findVirtual(D03MethodHandles.class, "nope", methodType(void.class));
        } catch (NoSuchMethodException e) {
            System.out.println(e.getMessage());
        }
        try {
            l.findStatic(D03MethodHandles.class, "priv", methodType(String.class));
        } catch (IllegalAccessException e) {
            System.out.println(e.getMessage());
        }
        try {
            MethodHandles.publicLookup()
                    .findVirtual(D03MethodHandles.class, "priv", methodType(String.class));
        } catch (IllegalAccessException e) {
            System.out.println(e.getMessage());
        }
        MethodHandle b = v.bindTo(o);
        System.out.println((int) b.invokeExact(1, "bound"));
        System.out.println(MethodHandles.insertArguments(s, 1, 10L, 1.0).invoke(5));
        System.out.println(
                MethodHandles.dropArguments(b, 0, String.class).invoke("dropped", 2, "y"));
        System.out.println(
                MethodHandles.filterReturnValue(
                                b,
                                l.findStatic(
                                        Integer.class,
                                        "toBinaryString",
                                        methodType(String.class, int.class)))
                        .invoke(3, "zz"));
        System.out.println(
                MethodHandles.foldArguments(
                                MethodHandles.dropArguments(
                                        l.findStatic(
                                                Math.class,
                                                "max",
                                                methodType(int.class, int.class, int.class)),
                                        2,
                                        int.class),
                                l.findStatic(
                                        Math.class,
                                        "addExact",
                                        methodType(int.class, int.class, int.class)))
                        .invoke(4, 5));
        System.out.println(
                MethodHandles.permuteArguments(
                                s,
                                methodType(int.class, double.class, int.class, long.class),
                                1,
                                2,
                                0)
                        .invoke(1.0, 2, 3L));
        MethodHandle test = l.findVirtual(String.class, "isEmpty", methodType(boolean.class));
        MethodHandle guard =
                MethodHandles.guardWithTest(
                        test,
                        MethodHandles.dropArguments(
                                MethodHandles.constant(String.class, "empty"), 0, String.class),
                        l.findVirtual(String.class, "toUpperCase", methodType(String.class)));
        System.out.println((String) guard.invokeExact("") + (String) guard.invokeExact("abc"));
        MethodHandle tc =
                MethodHandles.catchException(
                        l.findStatic(
                                        D03MethodHandles.class,
                                        "fail",
                                        methodType(void.class, String.class))
                                .asType(methodType(String.class, String.class)),
                        IllegalStateException.class,
                        l.findStatic(
                                D03MethodHandles.class,
                                "caught",
                                methodType(
                                        String.class, IllegalStateException.class, String.class)));
        System.out.println((String) tc.invokeExact("boom"));
        MethodHandle va =
                l.findStatic(
                        D03MethodHandles.class,
                        "varargs",
                        methodType(String.class, String.class, Object[].class));
        System.out.println(
                va.isVarargsCollector()
                        + (String) va.invoke("v", 1, 2.5, 'c')
                        + (String) va.invoke("none")
                        + va.invokeWithArguments("w", 1, 2));
        System.out.println((String) va.asFixedArity().invoke("fixed", new Object[] {1}));
        System.out.println(
                (String) va.asCollector(Object[].class, 2).invoke("coll", 1, 2)
                        + va.asFixedArity()
                                .asSpreader(Object[].class, 1)
                                .invoke("spread", new Object[] {new Integer[] {9}}));
        System.out.println(
                (int)
                                MethodHandles.arrayElementGetter(int[].class)
                                        .invokeExact(new int[] {1, 2, 3}, 2)
                        + " "
                        + MethodHandles.arrayLength(long[].class).invoke(new long[4]));
        System.out.println(
                MethodHandles.zero(long.class).invoke()
                        + " "
                        + MethodHandles.identity(String.class).invoke("id")
                        + " "
                        + MethodHandles.empty(methodType(int.class, String.class)).invoke("e"));
        MethodHandle loop =
                MethodHandles.countedLoop(
                        MethodHandles.constant(int.class, 5),
                        MethodHandles.constant(int.class, 1),
                        l.findStatic(
                                D03MethodHandles.class,
                                "step",
                                methodType(int.class, int.class, int.class)));
        System.out.println(loop.invoke());
        MethodHandle tf =
                MethodHandles.tryFinally(
                        l.findStatic(
                                D03MethodHandles.class,
                                "fail",
                                methodType(void.class, String.class)),
                        l.findStatic(
                                D03MethodHandles.class,
                                "cleanup",
                                methodType(void.class, Throwable.class, String.class)));
        try {
            tf.invoke("tf");
        } catch (IllegalStateException e) {
            System.out.println("rethrown " + e.getMessage());
        }
        System.out.println(
                v.type()
                        + " "
                        + v.type().toMethodDescriptorString()
                        + " "
                        + methodType(void.class)
                                .changeReturnType(int.class)
                                .appendParameterTypes(long.class, String[].class)
                                .generic()
                        + " "
                        + MethodType.fromMethodDescriptorString("(I[Ljava/lang/String;)V", null));
        System.out.println(
                v.asType(methodType(Object.class, Object.class, Integer.class, Object.class))
                        .invoke(o, 1, "q"));
        try {
            b.asType(methodType(int.class, String.class, String.class));
        } catch (WrongMethodTypeException e) {
            System.out.println(e.getMessage().replaceAll("MethodHandle.*?\\)int", "MH"));
        }
        MutableCallSite mcs = new MutableCallSite(methodType(String.class));
        mcs.setTarget(MethodHandles.constant(String.class, "first"));
        MethodHandle inv = mcs.dynamicInvoker();
        System.out.print((String) inv.invokeExact());
        mcs.setTarget(MethodHandles.constant(String.class, "second"));
        System.out.println((String) inv.invokeExact());
        SwitchPoint sp = new SwitchPoint();
        MethodHandle swm =
                sp.guardWithTest(
                        MethodHandles.constant(int.class, 1), MethodHandles.constant(int.class, 2));
        System.out.print((int) swm.invokeExact());
        SwitchPoint.invalidateAll(new SwitchPoint[] {sp});
        System.out.println((int) swm.invokeExact());
        MethodHandle thrower = MethodHandles.throwException(int.class, Exception.class);
        try {
            int x = (int) thrower.invokeExact(new Exception("thrown"));
        } catch (Exception e) {
            System.out.println(e.getMessage());
        }
        java.util.Comparator<String> cmp =
                MethodHandleProxies.asInterfaceInstance(
                        Comparator.class,
                        l.findVirtual(
                                String.class, "compareTo", methodType(int.class, String.class)));
        System.out.println(cmp.compare("a", "b"));
        System.out.println(l.revealDirect(v).getName() + l.revealDirect(v).getReferenceKind());
        try {
            o = null;
            int x = (int) v.invokeExact(o, 5, "abc");
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
        long total = 0;
        for (int i = 0; i < 5000; i++) total += (int) s.invokeExact(i, 2L, 0.5);
        System.out.println(total);
        try {
            MethodHandle.class
                    .getMethod("invokeExact", Object[].class)
                    .invoke(v, (Object) new Object[0]);
        } catch (java.lang.reflect.InvocationTargetException e) {
            System.out.println(e.getCause());
        }
    }

    static int step(int acc, int i) {
        return acc * 2 + i;
    }

    static void cleanup(Throwable t, String s) {
        System.out.println("cleanup " + (t != null) + s);
    }
}
