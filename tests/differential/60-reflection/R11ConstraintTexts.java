// covers: ClassLoader(constraints) LinkageError(itable,vtable,field,load)
import java.io.*;
import java.lang.invoke.*;
import java.lang.reflect.*;
import java.util.*;

/** Every place where a loading constraint is demanded or violated, with the text of the error. */
public class R11ConstraintTexts {
    public interface Marker {}

    public static class Shared implements Marker {
        public int v = 1;
    }

    public interface Face {
        Shared face(int i, Shared[][] s);
    }

    public static class Api {
        public static Shared field;
        public Shared[] array;

        public static Shared make(Shared s) {
            return s;
        }

        public static void second(String first, List<String> list, int n, Shared s) {}

        public Marker marker(Marker m) {
            return m;
        }
    }

    public static class Impl implements Face {
        public Shared face(int i, Shared[][] s) {
            return null;
        }
    }

    public interface FaceOther {
        default Marker other(Marker m) {
            return m;
        }
    }

    public static class ImplOther implements FaceOther {
        public Marker other(Marker m) {
            return null;
        }
    }

    public static class Sub extends Api {
        public Marker marker(Marker m) {
            return null;
        }
    }

    public static class User {
        public static Object itable() {
            return new Impl();
        }

        public static Object itableOther() {
            return new ImplOther();
        }

        public static Object vtable() {
            return new Sub();
        }

        public static Object field() {
            return Api.field;
        }

        public static Object array() {
            return new Api().array;
        }

        public static void put() {
            Api.field = null;
        }

        public static Object call() {
            return Api.make(null);
        }

        public static Object second() {
            Api.second(null, null, 1, null);
            return null;
        }

        public static Object callInterface() {
            Face f = null;
            return f.face(1, null);
        }

        public static Object callTwice() {
            try {
                Api.make(null);
            } catch (LinkageError e) {
                System.out.println("first " + e.getClass());
            }
            return Api.make(null);
        }

        public static Object late() {
            // No class of the name is loaded yet: the constraint is noted, the load violates it.
            Object o = Api.make(null);
            return new Shared();
        }

        public static Object handle() throws Throwable {
            return MethodHandles.lookup().findStatic(Api.class, "make", MethodType.methodType(Shared.class, Shared.class));
        }

        public static Object getter() throws Throwable {
            return MethodHandles.lookup().findStaticGetter(Api.class, "field", Shared.class);
        }

        public static Object reflect() throws Throwable {
            return Api.class.getMethod("make", Shared.class);
        }
    }

    static class L extends ClassLoader {
        final Set<String> own;

        L(String name, ClassLoader parent, String... n) {
            super(name, parent);
            own = Set.of(n);
        }

        protected Class<?> loadClass(String n, boolean r) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(n)) {
                String s = n.replace("R11ConstraintTexts$", "");
                if (!own.contains(s)) return super.loadClass(n, r);
                Class<?> c = findLoadedClass(n);
                if (c != null) return c;
                try (InputStream in = getResourceAsStream(n + ".class")) {
                    byte[] b = in.readAllBytes();
                    return defineClass(n, b, 0, b.length);
                } catch (IOException e) {
                    throw new ClassNotFoundException(n);
                }
            }
        }
    }

    static void run(String m, boolean first, L l) {
        try {
            if (first) {
                l.loadClass("R11ConstraintTexts$Shared");
                if (l.own.contains("Marker")) l.loadClass("R11ConstraintTexts$Marker");
            }
            Object o = l.loadClass("R11ConstraintTexts$User").getMethod(m).invoke(null);
            System.out.println(l.getName() + "." + m + " gave " + (o == null ? null : o.getClass().getName()));
        } catch (Throwable t) {
            Throwable c = t instanceof InvocationTargetException ? t.getCause() : t;
            String text = c.toString().replaceAll("@[0-9a-f]+", "@HASH");
            System.out.println(l.getName() + "." + m + " threw " + text);
            for (Throwable k = c.getCause(); k != null; k = k.getCause()) System.out.println("  by " + k.toString().replaceAll("@[0-9a-f]+", "@HASH"));
        }
    }

    public static void main(String[] args) throws Exception {
        ClassLoader app = R11ConstraintTexts.class.getClassLoader();
        String[] own = {"User", "Shared", "Impl", "ImplOther", "Sub", "Marker"};
        // The parent loads Shared and Marker first.
        new Shared();
        for (String m : new String[] {"itable", "itableOther", "vtable", "field", "array", "put", "call", "second", "callInterface",
                                      "callTwice", "late", "handle", "getter", "reflect"}) {
            run(m, true, new L(null, app, own));
            run(m, true, new L("named", app, own));
            run(m, false, new L("lazy", app, own));
            run(m, true, new L("noMarker", app, "User", "Shared", "Impl", "ImplOther", "Sub"));
        }
        // Two levels: the constraint is transitive through the middle loader.
        L middle = new L("middle", app, "Api");
        L leaf = new L("leaf", middle, own);
        run("late", false, leaf);
        run("call", false, leaf);
        L middle2 = new L("middle2", app, "Api", "Shared");
        run("late", false, new L("leaf2", middle2, "User"));
        run("call", true, new L("leaf3", middle2, "User", "Shared"));
        System.out.println(middle2.loadClass("R11ConstraintTexts$Shared").getClassLoader().getName());
        // The same definition twice, by the same loader.
        L twice = new L("twice", app);
        byte[] b = twice.getResourceAsStream("R11ConstraintTexts$Api.class").readAllBytes();
        Method define = ClassLoader.class.getDeclaredMethod("getParent");
        System.out.println(define.getName());
        class D extends ClassLoader {
            D(String n) {
                super(n, app);
            }

            void twice() {
                defineClass("R11ConstraintTexts$Api", b, 0, b.length);
                try {
                    defineClass("R11ConstraintTexts$Api", b, 0, b.length);
                } catch (LinkageError e) {
                    System.out.println(e.toString().replaceAll("@[0-9a-f]+", "@HASH"));
                }
            }
        }
        new D("dup").twice();
        new D(null).twice();
    }
}
