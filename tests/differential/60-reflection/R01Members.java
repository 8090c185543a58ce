// covers: JVM_GetClassDeclaredMethods JVM_GetClassDeclaredFields JVM_GetClassDeclaredConstructors
// covers: JVM_InvokeMethod JVM_NewInstanceFromConstructor
import java.lang.reflect.*;
import java.util.*;

public class R01Members {
    abstract static class Base<T> {
        protected T t;

        public abstract T get();

        public void base() {}

        private int hiddenBase = 1;
    }

    static class Sub extends Base<String> implements Comparable<Sub> {
        public int a = 1;
        private long b = 2;
        static final String C = "c";
        transient volatile double d;
        protected byte[] e;
        public static int calls;

        public Sub() {}

        private Sub(int x, String... rest) {
            a = x + rest.length;
        }

        protected Sub(List<? super Integer> l) throws java.io.IOException {
            throw new java.io.IOException("ctor");
        }

        public String get() {
            return "sub";
        }

        public int compareTo(Sub o) {
            return 0;
        }

        private int priv(int x) {
            return x * 2;
        }

        static long stat(long x, double y) {
            return (long) (x + y);
        }

        public <X extends Number & Runnable> Map<String, ? extends X[]> gen(X x, List<T1> l)
                throws IllegalStateException {
            return null;
        }

        final synchronized strictfp void mods() {}

        void thrower() {
            throw new IllegalArgumentException("thrown inside");
        }

        public boolean all(
                boolean z, byte b, char c, short s, int i, long l, float f, double d, Object o) {
            calls++;
            return z && b == 1 && c == 'c' && s == 2 && i == 3 && l == 4 && f == 5 && d == 6
                    && o == this;
        }
    }

    static class T1 {}

    static <M extends Member> void names(String what, M[] ms) {
        List<String> l = new ArrayList<>();
        for (M m : ms)
            l.add(
                    m.toString()
                            + (m instanceof Executable e
                                    ? " / " + e.toGenericString()
                                    : m instanceof Field f ? " / " + f.toGenericString() : ""));
        Collections.sort(l);
        System.out.println(what);
        for (String s : l) System.out.println("  " + s);
    }

    public static void main(String[] args) throws Exception {
        names("methods", Sub.class.getDeclaredMethods());
        names("fields", Sub.class.getDeclaredFields());
        names("ctors", Sub.class.getDeclaredConstructors());
        names("public", Sub.class.getMethods());
        names("public fields", Sub.class.getFields());
        System.out.println(
                Sub.class.getGenericSuperclass()
                        + " "
                        + Arrays.toString(Sub.class.getGenericInterfaces())
                        + Arrays.toString(Base.class.getTypeParameters()));
        Sub s = new Sub();
        Method priv = Sub.class.getDeclaredMethod("priv", int.class);
        priv.setAccessible(true);
        System.out.println(priv.invoke(s, 21));
        System.out.println(
                Sub.class
                        .getDeclaredMethod("stat", long.class, double.class)
                        .invoke(null, 3L, 1.5));
        System.out.println(
                Sub.class
                        .getDeclaredMethod("stat", long.class, double.class)
                        .invoke("ignored", (byte) 3, 1.5f));
        System.out.println(
                Base.class.getMethod("get").invoke(s)
                        + " "
                        + Sub.class.getMethod("base").invoke(s));
        Method all =
                Sub.class.getMethod(
                        "all",
                        boolean.class,
                        byte.class,
                        char.class,
                        short.class,
                        int.class,
                        long.class,
                        float.class,
                        double.class,
                        Object.class);
        for (int i = 0; i < 40; i++)
            if (!(Boolean) all.invoke(s, true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6.0, s))
                System.out.println("wrong " + i);
        System.out.println(Sub.calls);
        Object[][] bad = {
            {},
            {1},
            {true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, "x", s},
            {null, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6.0, s},
            {true, 1, 'c', (short) 2, 3, 4L, 5f, 6.0, s}
        };
        for (Object[] b : bad)
            try {
                all.invoke(s, b);
            } catch (IllegalArgumentException e) {
                System.out.println(
                        String.valueOf(e.getMessage()).replaceAll("@[0-9a-f]+", "@HASH"));
            }
        try {
            all.invoke("not a Sub", true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6.0, s);
        } catch (IllegalArgumentException e) {
            System.out.println(String.valueOf(e.getMessage()).replaceAll("@[0-9a-f]+", "@HASH"));
        }
        try {
            all.invoke(null, true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6.0, s);
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
        try {
            Sub.class.getDeclaredMethod("thrower").invoke(s);
        } catch (InvocationTargetException e) {
            System.out.println(e.getMessage() + e.getCause());
        }
        Constructor<Sub> c = Sub.class.getDeclaredConstructor(int.class, String[].class);
        c.setAccessible(true);
        System.out.println(c.newInstance(5, new String[] {"x", "y"}).a + " " + c.isVarArgs());
        try {
            Sub.class.getDeclaredConstructor(List.class).newInstance((Object) null);
        } catch (InvocationTargetException e) {
            System.out.println(e.getCause());
        }
        try {
            Base.class.getDeclaredConstructor().newInstance();
        } catch (InstantiationException e) {
            System.out.println(e);
        }
        try {
            Sub.class.getMethod("nope", int.class, String[].class);
        } catch (NoSuchMethodException e) {
            System.out.println(e.getMessage());
        }
        try {
            Sub.class.getField("b");
        } catch (NoSuchFieldException e) {
            System.out.println(e.getMessage());
        }
        try {
            String.class.getDeclaredField("value").setAccessible(true);
        } catch (InaccessibleObjectException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(
                Modifier.toString(Sub.class.getDeclaredMethod("mods").getModifiers())
                        + " "
                        + Sub.class.getMethod("compareTo", Object.class).isBridge()
                        + Sub.class.getMethod("compareTo", Object.class).isSynthetic());
        System.out.println(
                all.equals(Sub.class.getMethods().length > 0 ? all : null)
                        + " "
                        + all.getParameters()[0]
                        + Arrays.toString(all.getParameterTypes())
                        + all.getReturnType()
                        + all.getDeclaringClass());
        Object proxy =
                Proxy.newProxyInstance(
                        R01Members.class.getClassLoader(),
                        new Class<?>[] {Comparable.class, Runnable.class},
                        (p, m, a) -> {
                            if (m.getName().equals("compareTo")) return 77;
                            if (m.getName().equals("run")) throw new java.io.IOException("checked");
                            return m.getName().equals("toString") ? "proxy" : 0;
                        });
        System.out.println(
                ((Comparable) proxy).compareTo("x")
                        + proxy.toString()
                        + proxy.hashCode()
                        + Proxy.isProxyClass(proxy.getClass()));
        try {
            ((Runnable) proxy).run();
        } catch (UndeclaredThrowableException e) {
            System.out.println(e.getCause());
        }
    }
}
