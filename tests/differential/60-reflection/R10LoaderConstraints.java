// covers: ClassLoader(constraints,package-private,parallel)
import java.io.*;
import java.lang.reflect.*;
import java.util.*;

public class R10LoaderConstraints {
    public static class Shared {
        public int v = 1;
    }

    public static class Api {
        public static Shared make() {
            return new Shared();
        }

        public Shared inst(Shared s) {
            return s;
        }

        public static Shared field = new Shared();
    }

    public static class User {
        public static int call() {
            return Api.make().v;
        }

        public static int get() {
            return Api.field.v;
        }

        public static class Over extends Api {
            public Shared inst(Shared s) {
                return null;
            }
        }

        public static Object over() {
            return new Over();
        }
    }

    static class Base {
        String pkg() {
            return "base";
        }

        String viaBase() {
            return pkg();
        }
    }

    static class Derived extends Base {
        String pkg() {
            return "derived";
        }
    }

    static class L extends ClassLoader {
        final Set<String> own;

        L(String... n) {
            super(R10LoaderConstraints.class.getClassLoader());
            own = Set.of(n);
        }

        protected Class<?> loadClass(String n, boolean r) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(n)) {
                String s = n.replace("R10LoaderConstraints$", "");
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

    static final List<L> loaders = new ArrayList<>();

    static String clean(Throwable t) {
        return t.getClass().getSimpleName()
                + " "
                + String.valueOf(t.getMessage()).replaceAll("@[0-9a-f]+", "@HASH");
    }

    public static void main(String[] args) throws Exception {
        for (String m : new String[] {"call", "get", "over"}) {
            L l = new L("User", "User$Over", "Shared");
            // A loader that is unloaded takes its constraints along.
            loaders.add(l);
            l.loadClass("R10LoaderConstraints$Shared");
            try {
                System.out.println(
                        m
                                + " "
                                + l.loadClass("R10LoaderConstraints$User")
                                        .getMethod(m)
                                        .invoke(null));
            } catch (InvocationTargetException e) {
                System.out.println(m + " " + clean(e.getCause()));
            }
        }
        L d = new L("Derived");
        try {
            Constructor<?> c = d.loadClass("R10LoaderConstraints$Derived").getDeclaredConstructor();
            c.setAccessible(true);
            Object o = c.newInstance();
            Method v = Base.class.getDeclaredMethod("viaBase");
            System.out.println(v.invoke(o));
        } catch (Throwable t) {
            System.out.println(clean(t instanceof InvocationTargetException ? t.getCause() : t));
        }
        System.out.println(new Derived().viaBase());
        ClassLoader par =
                new ClassLoader() {
                    {
                    }

                    protected Class<?> findClass(String n) throws ClassNotFoundException {
                        throw new ClassNotFoundException("par " + n);
                    }
                };
        Thread[] ts = new Thread[4];
        StringBuffer b = new StringBuffer();
        for (int i = 0; i < 4; i++) {
            ts[i] =
                    new Thread(
                            () -> {
                                try {
                                    par.loadClass("No");
                                } catch (ClassNotFoundException e) {
                                    b.append("x");
                                }
                            });
            ts[i].start();
        }
        for (Thread t : ts) t.join();
        System.out.println(b);
        L same = new L("Shared");
        Class<?>[] got = new Class<?>[4];
        for (int i = 0; i < 4; i++) {
            int k = i;
            ts[i] =
                    new Thread(
                            () -> {
                                try {
                                    got[k] =
                                            Class.forName(
                                                    "R10LoaderConstraints$Shared", true, same);
                                } catch (ClassNotFoundException e) {
                                }
                            });
            ts[i].start();
        }
        for (Thread t : ts) t.join();
        System.out.println(
                got[0] == got[1] && got[1] == got[2] && got[2] == got[3] && got[0] != null);
    }
}
