import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Method references to members of a class that does not verify: the class is linked before they are looked up. */
public class D26HandlesOfBadClasses {
    public static class Bad {
        public static int field = 5;
        public Bad() { }
        public static int ofClass() { return 1; }
        public int ofObject() { return 2; }
        static int wrong() { return 77; }
    }
    public static class Child extends Bad { }
    public interface Case { Object run() throws Throwable; }
    public static class User {
        public static Case[] cases() {
            return new Case[] {
                () -> { IntSupplier s = Bad::ofClass; return s.getAsInt(); },
                () -> { java.util.function.ToIntFunction<Bad> s = Bad::ofObject; return s.applyAsInt(null); },
                () -> { Supplier<Object> s = Bad::new; return s.get().getClass().getSimpleName(); },
                () -> { IntSupplier s = Child::ofClass; return s.getAsInt(); },
                () -> MethodHandles.lookup().findStatic(Bad.class, "ofClass", MethodType.methodType(int.class)).invoke(),
                () -> MethodHandles.lookup().findStatic(Bad.class, "missing", MethodType.methodType(int.class)).invoke(),
                () -> MethodHandles.lookup().findStaticGetter(Bad.class, "field", int.class).invoke(),
                () -> MethodHandles.lookup().findStaticGetter(Bad.class, "missing", int.class).invoke(),
                () -> MethodHandles.lookup().findStaticVarHandle(Bad.class, "field", int.class).get(),
                () -> MethodHandles.lookup().unreflect(Bad.class.getMethod("ofClass")).invoke(),
                () -> MethodHandles.lookup().bind(new Object(), "hashCode", MethodType.methodType(int.class)).type(),
            };
        }
    }

    /** Defines the nested classes anew; with `broken`, a method of Bad returns an int as a reference. */
    static class Loader extends ClassLoader {
        final boolean broken;
        Loader(boolean broken) {
            super(D26HandlesOfBadClasses.class.getClassLoader());
            this.broken = broken;
        }
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.matches(".*[$](Bad|Child|User)")) return super.loadClass(name, resolve);
            Class<?> c = findLoadedClass(name);
            if (c != null) return c;
            try (InputStream in = getResourceAsStream(name + ".class")) {
                byte[] b = in.readAllBytes();
                for (int i = 2; broken && i < b.length; i++) {
                    if (b[i - 2] == 0x10 && b[i - 1] == 77 && b[i] == (byte) 0xac) b[i] = (byte) 0xb0;
                }
                return defineClass(name, b, 0, b.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static String first(Throwable t) {
        return t == null ? "no cause" : t.toString().lines().findFirst().orElse("");
    }

    public static void main(String[] args) throws Exception {
        for (boolean broken : new boolean[] {false, true}) {
            for (int i = 0, n = 1; i < n; i++) {
                Class<?> user = new Loader(broken).loadClass(User.class.getName());
                Case[] all = (Case[]) user.getMethod("cases").invoke(null);
                n = all.length;
                for (int again = 0; again < 2; again++) {
                    try {
                        System.out.println(broken + " " + i + " " + all[i].run());
                    } catch (Throwable t) {
                        System.out.println(broken + " " + i + " " + first(t) + "; " + first(t.getCause()));
                    }
                }
            }
        }
    }
}
