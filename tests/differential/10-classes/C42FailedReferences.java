// covers: ldc(noclassdef) new(noclassdef) checkcast(noclassdef) ClassLoader(circularity)
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;

/**
 * A reference that failed to resolve fails again with the same error, whatever its loader would say by then; a failure
 * that is no LinkageError does not count. A loader that comes back to the class it defines has found a circularity.
 */
public class C42FailedReferences {
    static class Gone {
        static int field = 3;

        static int call() {
            return 4;
        }
    }

    static class Odd extends LinkageError {
        Odd(String s) {
            super(s);
        }
    }

    /** Its constants are resolved by the loader below. */
    public static class User {
        public static Object use(String how, Object o) {
            switch (how) {
                case "ldc":
                    return Gone.class;
                case "new":
                    return new Gone() == null;
                case "cast":
                    return (Gone) o;
                case "instanceof":
                    return o instanceof Gone;
                case "array":
                    return new Gone[1].length;
                case "arrays":
                    return new Gone[1][2].length;
                case "get":
                    return Gone.field;
                case "call":
                    return Gone.call();
                default:
                    throw new AssertionError(how);
            }
        }
    }

    /** Another pool. */
    public static class Other {
        public static Object use(String how, Object o) {
            return Gone.class;
        }
    }

    /** Defines its own User, and Gone when it is not told to fail. */
    static class L extends ClassLoader {
        final Map<String, Class<?>> own = new HashMap<>();
        Throwable failure;
        int asked;

        L() {
            super("l", C42FailedReferences.class.getClassLoader());
        }

        protected Class<?> loadClass(String n, boolean r) throws ClassNotFoundException {
            if (!n.startsWith("C42FailedReferences$") || n.endsWith("Odd")) return super.loadClass(n, r);
            Class<?> c = own.get(n);
            if (c != null) return c;
            if (n.endsWith("Gone")) {
                asked++;
                if (failure != null) {
                    failure.setStackTrace(new StackTraceElement[0]);
                    C42FailedReferences.<RuntimeException>sneak(failure);
                }
            }
            byte[] b = bytes(n);
            c = defineClass(n, b, 0, b.length);
            own.put(n, c);
            return c;
        }
    }

    @SuppressWarnings("unchecked")
    static <T extends Throwable> void sneak(Throwable t) throws T {
        throw (T) t;
    }

    static byte[] bytes(String n) {
        try (InputStream in = C42FailedReferences.class.getResourceAsStream(n + ".class")) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static void use(L l, String user, String how, Object o) throws Exception {
        Class<?> c = l.loadClass("C42FailedReferences$" + user);
        try {
            System.out.println(how + ": " + c.getMethod("use", String.class, Object.class).invoke(null, how, o));
        } catch (java.lang.reflect.InvocationTargetException e) {
            StringBuilder s = new StringBuilder(how + ": ");
            for (Throwable t = e.getCause(); t != null; t = t.getCause()) s.append(t).append(" <- ");
            System.out.println(s.toString().replaceAll("@[0-9a-f]+", "@"));
        }
    }

    static final String[] HOW = {"ldc", "new", "cast", "instanceof", "array", "arrays", "get", "call"};

    static void failing(Throwable failure) throws Exception {
        System.out.println("-- " + failure);
        for (String first : HOW) {
            L l = new L();
            l.failure = failure;
            use(l, "User", first, "o");
            use(l, "User", first, "o");
            l.failure = null;
            for (String how : HOW) use(l, "User", how, "o");
            use(l, "User", "cast", null);
            use(l, "Other", "ldc", null);
            System.out.println("asked " + l.asked);
        }
    }

    /** The error and its cause are new ones. */
    static void sameCause() throws Exception {
        L l = new L();
        l.failure = new LinkageError("link", new Exception("cause"));
        Throwable[] got = new Throwable[3];
        Class<?> c = l.loadClass("C42FailedReferences$User");
        for (int i = 0; i < 3; i++) {
            try {
                c.getMethod("use", String.class, Object.class).invoke(null, "ldc", null);
            } catch (java.lang.reflect.InvocationTargetException e) {
                got[i] = e.getCause();
            }
        }
        System.out.println((got[0] == l.failure) + " " + (got[1] == got[0]) + " " + (got[1] == got[2]));
        System.out.println((got[1].getCause() == got[0].getCause()) + " " + (got[1].getCause() == got[2].getCause()));
        System.out.println(got[1].getStackTrace()[0] + " " + got[1].getCause().getStackTrace()[0].getMethodName());
        System.out.println(got[0].getCause().getStackTrace()[0].getMethodName());
    }

    /** Asks for its own class again while it defines it: for a superclass, or an interface, that names it. */
    static class Circular extends ClassLoader {
        final Map<String, String> files;
        int depth;

        Circular(Map<String, String> files) {
            super(C42FailedReferences.class.getClassLoader());
            this.files = files;
        }

        protected Class<?> loadClass(String n, boolean r) throws ClassNotFoundException {
            String from = files.get(n);
            if (from == null) return super.loadClass(n, r);
            if (++depth > 20) throw new IllegalStateException("too deep");
            byte[] b = bytes(from);
            return defineClass(n, b, 0, b.length);
        }
    }

    static class Base {}

    static class Derived extends Base {}

    interface Face {}

    static class Faced implements Face {}

    static void circular(String name, Map<String, String> files) {
        try {
            System.out.println(new Circular(files).loadClass("C42FailedReferences$" + name));
        } catch (Throwable e) {
            StringBuilder s = new StringBuilder();
            for (Throwable t = e; t != null; t = t.getCause()) s.append(t).append(" <- ");
            System.out.println(s);
        }
    }

    public static void main(String[] args) throws Exception {
        failing(new ClassNotFoundException("not yet"));
        failing(new NoClassDefFoundError("not yet"));
        failing(new IncompatibleClassChangeError());
        failing(new Odd("odd"));
        failing(new LinkageError("link", new Exception("cause")));
        failing(new LinkageError("own cause", new Odd("odd")));
        failing(new LinkageError("no message", new Exception()));
        failing(new LinkageError("two causes", new Exception("first", new Exception("second"))));
        failing(new OutOfMemoryError("memory"));
        failing(new IllegalStateException("state"));
        String p = "C42FailedReferences$";
        // Whatever is asked for, the file of Derived is what there is: its name is wrong, but its superclass comes first.
        sameCause();
        circular("Derived", Map.of(p + "Derived", p + "Derived", p + "Base", p + "Derived"));
        circular("Faced", Map.of(p + "Faced", p + "Faced", p + "Face", p + "Faced"));
        Looping l = new Looping();
        try {
            System.out.println(l.loadClass(p + "Derived"));
        } catch (Throwable e) {
            System.out.println(e + " " + l.depth);
        }
    }

    /** Its search for Base asks for Derived. */
    static class Looping extends ClassLoader {
        int depth;

        Looping() {
            super(C42FailedReferences.class.getClassLoader());
        }

        protected Class<?> loadClass(String n, boolean r) throws ClassNotFoundException {
            if (++depth > 20) throw new IllegalStateException("too deep");
            if (n.endsWith("$Base")) return loadClass(n.replace("Base", "Derived"), r);
            if (!n.endsWith("$Derived")) return super.loadClass(n, r);
            byte[] b = bytes(n);
            return defineClass(n, b, 0, b.length);
        }
    }
}
