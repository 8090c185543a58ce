import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Supplier;

/**
 * Members of Object where interfaces are concerned: handles of `clone` and `finalize` that an interface declares, inherits, or
 * inherits with a body beside; Object's public methods redeclared; what an interface may not do with Object's protected ones;
 * and who refuses a field.
 */
public class D18ObjectsMembers {
    interface A {
        Object clone();

        void finalize();

        void foo();

        int hashCode();
    }

    interface A2 {
        Object clone();
    }

    interface B extends A, A2 { }

    interface C extends A {
        default void other() { }
    }

    interface D extends C { }

    interface E extends C {
        Object clone();
    }

    interface F extends E, A2 { }

    interface G extends A2 {
        private void own() { }
    }

    interface H extends A2 {
        static void own() { }
    }

    static class Impl implements D, F, G, H, B {
        public Object clone() {
            return "cloned";
        }

        public void finalize() { }

        public void foo() { }

        public int hashCode() {
            return 7;
        }
    }

    interface Find {
        Object find() throws Throwable;
    }

    static void print(String what, Find f) {
        String s;
        try {
            s = String.valueOf(f.find());
        } catch (Throwable e) {
            s = e + (e.getCause() == null ? "" : " / " + e.getCause());
        }
        System.out.println((what + " " + s).replaceAll("@[0-9a-f]+", "@HASH"));
    }

    static final MethodType TO_OBJECT = MethodType.methodType(Object.class);
    static final MethodType TO_VOID = MethodType.methodType(void.class);
    static final MethodType TO_INT = MethodType.methodType(int.class);

    static void handles(Lookup l, Class<?> c) {
        System.out.println("== " + c.getSimpleName() + " by " + l);
        print("clone", () -> l.revealDirect(l.findVirtual(c, "clone", TO_OBJECT)));
        print("modifiers", () -> Integer.toHexString(l.revealDirect(l.findVirtual(c, "clone", TO_OBJECT)).getModifiers()));
        print("finalize", () -> l.revealDirect(l.findVirtual(c, "finalize", TO_VOID)));
        print("foo", () -> l.revealDirect(l.findVirtual(c, "foo", TO_VOID)));
        print("hashCode", () -> l.findVirtual(c, "hashCode", TO_INT));
        print("static", () -> l.findStatic(c, "clone", TO_OBJECT));
        if (!c.isInterface() || l.lookupClass().isInterface()) {
            print("special", () -> l.revealDirect(l.findSpecial(c, "clone", TO_OBJECT, l.lookupClass())));
        }
        Method[] all = c.getMethods();
        Arrays.sort(all, Comparator.comparing(Method::toString));
        for (Method m : all) {
            if (m.getDeclaringClass().isInterface()) {
                print("unreflect " + m, () -> l.unreflect(m) + " " + l.revealDirect(l.unreflect(m)));
            }
        }
    }

    public static void main(String[] args) throws Throwable {
        Lookup own = MethodHandles.lookup();
        for (Class<?> c : new Class<?>[] {A.class, A2.class, B.class, C.class, D.class, E.class, F.class, G.class, H.class, Impl.class}) {
            handles(own, c);
        }
        for (Class<?> c : new Class<?>[] {B.class, Object.class, int[].class, A[].class, D18ObjectsMembers.class}) {
            handles(MethodHandles.privateLookupIn(B.class, own), c);
        }
        Impl impl = new Impl();
        for (Class<?> c : new Class<?>[] {A.class, D.class, F.class, G.class, B.class}) {
            print("call", () -> {
                MethodHandle h = own.findVirtual(c, "clone", TO_OBJECT);
                return h.invoke(impl);
            });
            print("call", () -> (int) own.findVirtual(c, "hashCode", TO_INT).invoke(impl));
        }
        D d = impl;
        B b = impl;
        print("reference", () -> ((Supplier<Object>) d::clone).get());
        print("reference", () -> ((Supplier<Object>) b::clone).get());
        print("bind", () -> own.bind(impl, "clone", TO_OBJECT).invoke());

        for (Class<?> c : new Class<?>[] {AccessByClass.class, AccessByInterface.class}) {
            Method[] uses = c.getDeclaredMethods();
            Arrays.sort(uses, Comparator.comparing(Method::getName));
            for (Method m : uses) {
                print(m.getName(), () -> {
                    try {
                        return m.invoke(null);
                    } catch (java.lang.reflect.InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
            }
        }
        print("field", () -> own.findGetter(java.util.AbstractList.class, "modCount", int.class));
        print("field", () -> own.findStaticGetter(String.class, "LATIN1", byte.class));
        print("field", () -> own.findVarHandle(String.class, "hash", int.class));
    }
}
