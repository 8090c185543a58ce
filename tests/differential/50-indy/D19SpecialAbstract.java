import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Super calls of abstract methods that interfaces inherit: refused at once, or a handle that throws when called. */
public class D19SpecialAbstract {
    interface A { String f(int x); default String k() { return "k"; } }
    interface A0 { String f(int x); }
    interface Plain extends A0 { }
    interface WithDefault extends A0 { default String g() { return "g"; } }
    interface WithStatic extends A0 { static String g() { return "g"; } }
    interface WithPrivate extends A0 { private String g() { return "g"; } }
    interface OfBodied extends A { }
    interface Own extends A0 { String f(int x); default String g2() { return "g"; } }
    interface Deep extends WithDefault { }
    interface Redefault extends A0 { default String f(int x) { return "d" + x; } }
    interface Abstracted extends Redefault { String f(int x); default String h() { return "h"; } }
    interface InheritsAbstracted extends Abstracted { }
    interface Other { String f(int x); }
    interface Two extends A0, Other { default String g3() { return "g"; } }
    interface D1 { default String f(int x) { return "1"; } }
    interface D2 { default String f(int x) { return "2"; } }
    interface OneOfTwo extends D1, Other { String f(int x); default String g() { return "g"; } }
    interface OfObject { String toString(); boolean equals(Object o); default String g5() { return "g"; } }
    interface ExtObject extends OfObject { default String g4() { return "h"; } }
    interface Cl { Object clone(); }
    interface ClB extends Cl { default String g6() { return "g"; } }

    static abstract class Base implements A0 { }
    static abstract class BaseB implements WithDefault { }
    static class OfBase extends Base {
        public String f(int x) { return "own"; }
        static MethodHandles.Lookup lookup() { return MethodHandles.lookup(); }
    }
    static class OfBaseB extends BaseB {
        public String f(int x) { return "own"; }
        static MethodHandles.Lookup lookup() { return MethodHandles.lookup(); }
    }
    static class C implements Plain, WithDefault, WithStatic, WithPrivate, OfBodied, Own, Deep, Abstracted, InheritsAbstracted, Two, ExtObject, ClB {
        public String f(int x) { return "own"; }
        public Object clone() { return "cl"; }
        static MethodHandles.Lookup lookup() { return MethodHandles.lookup(); }
    }
    static class E implements OneOfTwo {
        public String f(int x) { return "own"; }
        static MethodHandles.Lookup lookup() { return MethodHandles.lookup(); }
    }

    /** A set whose interface inherits size. */
    static class Sorted extends java.util.AbstractSet<String> implements java.util.SortedSet<String> {
        public java.util.Iterator<String> iterator() { return java.util.Collections.emptyIterator(); }
        public int size() { return 0; }
        public java.util.Comparator<? super String> comparator() { return null; }
        public java.util.SortedSet<String> subSet(String a, String b) { return this; }
        public java.util.SortedSet<String> headSet(String a) { return this; }
        public java.util.SortedSet<String> tailSet(String a) { return this; }
        public String first() { return null; }
        public String last() { return null; }
        static MethodHandles.Lookup lookup() { return MethodHandles.lookup(); }
    }

    static String told(Throwable e) {
        StackTraceElement t = e.getStackTrace()[0];
        StackTraceElement u = e.getStackTrace()[1];
        return e + " < " + t + " < " + u.getMethodName() + (e.getCause() == null ? "" : " by " + e.getCause());
    }

    static void attempt(MethodHandles.Lookup l, Class<?> c, String name, MethodType type, Object receiver, Object... args) {
        String what = c.getSimpleName() + "." + name + " from " + l.lookupClass().getSimpleName();
        MethodHandle h;
        try {
            h = l.findSpecial(c, name, type, l.lookupClass());
            System.out.println(what + " " + h.type());
        } catch (Throwable e) {
            System.out.println(what + " refused: " + told(e));
            return;
        }
        try {
            System.out.println("  " + l.revealDirect(h));
        } catch (Throwable e) {
            System.out.println("  not revealed: " + told(e));
        }
        Object[] all = new Object[args.length + 1];
        all[0] = receiver;
        System.arraycopy(args, 0, all, 1, args.length);
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println("  " + h.invokeWithArguments(all));
            } catch (Throwable e) {
                System.out.println("  " + told(e));
            }
        }
        try {
            System.out.println("  bound " + h.bindTo(receiver).asSpreader(Object[].class, args.length).invoke(args));
        } catch (Throwable e) {
            System.out.println("  bound " + told(e));
        }
    }

    public static void main(String[] args) {
        MethodType f = MethodType.methodType(String.class, int.class);
        MethodHandles.Lookup l = C.lookup();
        C c = new C();
        for (Class<?> k : new Class<?>[] {Plain.class, WithDefault.class, WithStatic.class, WithPrivate.class, OfBodied.class, Own.class, Deep.class,
                Abstracted.class, InheritsAbstracted.class, Two.class}) {
            attempt(l, k, "f", f, c, 1);
        }
        attempt(l, OfBodied.class, "k", MethodType.methodType(String.class), c);
        attempt(E.lookup(), OneOfTwo.class, "f", f, new E(), 1);
        attempt(OfBase.lookup(), Base.class, "f", f, new OfBase(), 1);
        attempt(OfBaseB.lookup(), BaseB.class, "f", f, new OfBaseB(), 1);
        attempt(OfBaseB.lookup(), WithDefault.class, "f", f, new OfBaseB(), 1);
        attempt(Sorted.lookup(), java.util.SortedSet.class, "size", MethodType.methodType(int.class), new Sorted());
        attempt(l, ExtObject.class, "equals", MethodType.methodType(boolean.class, Object.class), c, c);
        attempt(l, ClB.class, "clone", MethodType.methodType(Object.class), c);
        hot(l);
    }

    /** The frame that throws is on the stack whenever something is collected, and is compiled where methods are. */
    private static void hot(MethodHandles.Lookup l) {
        int thrown = 0;
        try {
            MethodHandle h = l.findSpecial(WithDefault.class, "f", MethodType.methodType(String.class, int.class), C.class);
            for (int i = 0; i < 400; i++) {
                try {
                    System.out.println((String) h.invokeExact(new C(), i));
                } catch (AbstractMethodError e) {
                    thrown++;
                }
            }
        } catch (Throwable e) {
            System.out.println(e);
        }
        System.out.println(thrown + " thrown");
    }
}
