// covers: arrays and objects whose very class compiled code knows: of known mirrors, of collectors, made in the method
import java.lang.invoke.*;
import java.lang.reflect.Array;
import java.util.*;

public class D25KnownArrays {
    static final Class<?> STRING = String.class, INT = int.class, MATRIX = int[].class, NUMBER = Number.class, VOID = void.class;
    static final MethodHandle NUMBERS = MethodHandles.arrayConstructor(Number[].class);
    static final MethodHandle TEXTS = MethodHandles.arrayConstructor(String[].class);
    static final MethodHandle COLLECTED;

    static {
        try {
            COLLECTED = MethodHandles.lookup()
                    .findStatic(D25KnownArrays.class, "all", MethodType.methodType(String.class, Object[].class)).asCollector(Object[].class, 3);
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
    }

    static String all(Object[] all) {
        return all.getClass().getComponentType().getName() + all.length + all[0] + all[2];
    }

    static String of(Class<?> c, int n) {
        try {
            Object a = Array.newInstance(c, n);
            return a.getClass() + " " + Array.getLength(a);
        } catch (RuntimeException e) {
            return e.toString();
        }
    }

    static String strings(int n) {
        try {
            Object a = Array.newInstance(STRING, n);
            return a.getClass() + " " + ((Object[]) a).length;
        } catch (RuntimeException e) {
            return e.toString();
        }
    }

    static String ints(int n) {
        try {
            return Array.newInstance(INT, n).getClass() + " " + Array.newInstance(MATRIX, n).getClass();
        } catch (RuntimeException e) {
            return e.toString();
        }
    }

    static String voids(int n) {
        try {
            return Array.newInstance(VOID, n).getClass().toString();
        } catch (RuntimeException e) {
            return e.toString();
        }
    }

    static String handles(int n) throws Throwable {
        try {
            Number[] a = (Number[]) NUMBERS.invokeExact(n);
            String[] b = (String[]) TEXTS.invokeExact(n);
            return a.getClass() + " " + b.getClass() + a.length + b.length;
        } catch (RuntimeException e) {
            return e.toString();
        }
    }

    // An array of a known class takes what its elements are, no more.
    static String stored(Object o) {
        Object[] a = new Number[2];
        Object[] b = new Object[2];
        b[0] = o;
        b[1] = b;
        try {
            a[0] = o;
            return "stored " + a[0].getClass();
        } catch (ArrayStoreException e) {
            return e.toString();
        }
    }

    static String storedInKnown(Object o) {
        Object[] a = (Object[]) Array.newInstance(NUMBER, 2);
        try {
            a[1] = o;
            return "stored " + a[1].getClass();
        } catch (ArrayStoreException e) {
            return e.toString();
        }
    }

    static class Top {}

    static class Left extends Top {}

    static class Right extends Top {}

    // One value, of one class or another.
    static String merged(boolean left, int x) {
        Object o = left ? new Left() : new Right();
        String s = o instanceof Left ? "left " : "right ";
        Object a = x == 0 ? new int[1] : x == 1 ? new byte[1] : new Object[1];
        s += a instanceof int[] ? "ints" : a instanceof Object[] ? "objects" : "neither";
        try {
            Left l = (Left) o;
            s += " cast";
        } catch (ClassCastException e) {
            s += " not cast";
        }
        return s;
    }

    static String casts(int n) {
        Object o = new Right();
        try {
            Object a = new String[n];
            Object[] b = (Object[]) a;
            Comparable<?>[] c = (Comparable<?>[]) a;
            Object d = new Left[n];
            boolean is = d instanceof Top[] && !(d instanceof Right[]) && d instanceof Cloneable && !(d instanceof int[]);
            return is + " " + b.length + c.length + ((Left) o);
        } catch (ClassCastException e) {
            return e.getMessage();
        }
    }

    public static void main(String[] args) throws Throwable {
        Set<String> seen = new TreeSet<>();
        for (int i = 0; i < 12000; i++) {
            int n = i % 5 - 1;
            seen.add(strings(n));
            seen.add(ints(n));
            seen.add(voids(n));
            seen.add(handles(n));
            seen.add(of(i % 2 == 0 ? String.class : long.class, n));
            Object o = i % 3 == 0 ? (Object) i : i % 3 == 1 ? "text" : null;
            if (o != null) {
                seen.add(stored(o));
                seen.add(storedInKnown(o));
            }
            seen.add(merged(i % 2 == 0, i % 3));
            seen.add(casts(i % 3));
            seen.add((String) COLLECTED.invokeExact((Object) "a", o, (Object) (i % 2)));
        }
        seen.forEach(System.out::println);
    }
}
