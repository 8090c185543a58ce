// covers: JVM_DefineClassWithSource JVM_FindLoadedClass JVM_FindClassFromBootLoader
// covers: ClassLoader(delegation,isolation,constraints)
import java.io.*;
import java.util.*;

public class R04Loaders {
    public static class Payload {
        public static int counter;

        static {
            System.out.println(
                    "init in "
                            + (Payload.class.getClassLoader() instanceof Iso ? "isolated" : "app"));
        }

        public static int bump() {
            return ++counter;
        }

        Object peer() {
            return new Peer();
        }
    }

    public static class Peer {}

    public static class Iso extends ClassLoader {
        final Set<String> own;
        final List<String> asked = new ArrayList<>();

        Iso(String name, String... own) {
            super(name, R04Loaders.class.getClassLoader());
            this.own = Set.of(own);
        }

        protected Class<?> loadClass(String n, boolean resolve) throws ClassNotFoundException {
            asked.add(n);
            synchronized (getClassLoadingLock(n)) {
                if (!own.contains(n)) return super.loadClass(n, resolve);
                Class<?> c = findLoadedClass(n);
                if (c == null)
                    try (InputStream in = getResourceAsStream(n.replace('.', '/') + ".class")) {
                        byte[] b = in.readAllBytes();
                        c = defineClass(n, b, 0, b.length);
                    } catch (IOException e) {
                        throw new ClassNotFoundException(n, e);
                    }
                return c;
            }
        }
    }

    static class Liar extends ClassLoader {
        protected Class<?> findClass(String n) throws ClassNotFoundException {
            if (n.equals("Lie")) return String.class;
            if (n.equals("Null")) return null;
            if (n.equals("Throws")) throw new IllegalStateException("loader fails");
            throw new ClassNotFoundException("no " + n);
        }
    }

    public static void main(String[] args) throws Exception {
        Iso a = new Iso("isoA", "R04Loaders$Payload"),
                b = new Iso("isoB", "R04Loaders$Payload", "R04Loaders$Peer");
        Class<?> ca = a.loadClass("R04Loaders$Payload"), cb = b.loadClass("R04Loaders$Payload");
        System.out.println(
                (ca != cb)
                        + " "
                        + (ca != Payload.class)
                        + ca.getName().equals(cb.getName())
                        + ca.getClassLoader().getName());
        System.out.println(
                ca.getMethod("bump").invoke(null)
                        + " "
                        + ca.getMethod("bump").invoke(null)
                        + " "
                        + cb.getMethod("bump").invoke(null)
                        + " "
                        + Payload.bump());
        Object oa = ca.getDeclaredConstructor().newInstance();
        System.out.println((oa instanceof Payload) + " " + ca.isInstance(oa) + cb.isInstance(oa));
        try {
            Payload p = (Payload) oa;
        } catch (ClassCastException e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-f]+", "@HASH"));
        }
        java.lang.reflect.Method peer = ca.getDeclaredMethod("peer");
        peer.setAccessible(true);
        System.out.println(peer.invoke(oa).getClass() == Peer.class);
        peer = cb.getDeclaredMethod("peer");
        peer.setAccessible(true);
        try {
            System.out.println(
                    peer.invoke(cb.getDeclaredConstructor().newInstance()).getClass()
                            == Peer.class);
        } catch (java.lang.reflect.InvocationTargetException e) {
            System.out.println(e.getCause());
        }
        System.out.println(
                a.asked.contains("java.lang.Object") + " " + b.asked.contains("R04Loaders$Peer"));
        System.out.println(Class.forName("R04Loaders$Payload", false, a) == ca);
        System.out.println(
                Class.forName("[LR04Loaders$Payload;", false, a).getComponentType() == ca);
        for (String n : new String[] {"Lie", "Null", "Throws", "Other"})
            try {
                System.out.println(n + " " + Class.forName(n, false, new Liar()));
            } catch (Throwable t) {
                System.out.println(n + " " + t);
            }
        System.out.println(
                Class.forName("java.lang.String", false, null)
                        + " "
                        + String.class.getClassLoader()
                        + " "
                        + ClassLoader.getSystemClassLoader().getName()
                        + ClassLoader.getPlatformClassLoader().getName()
                        + ClassLoader.getSystemClassLoader().getParent().getName());
        System.out.println(
                R04Loaders.class.getResource("R04Loaders.class") != null ? "resource" : "none");
        System.out.println(
                Object.class.getResource("Object.class").getProtocol()
                        + " "
                        + java.util.ServiceLoader.load(java.nio.file.spi.FileSystemProvider.class)
                                .iterator()
                                .hasNext());
        System.out.println(
                R04Loaders.class.getPackage().getName().isEmpty()
                        + " "
                        + R04Loaders.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .getProtocol());
        Class<?> arr = java.lang.reflect.Array.newInstance(ca, 2).getClass();
        System.out.println(arr.getClassLoader() == a);
        System.out.println(
                Thread.currentThread().getContextClassLoader()
                        == ClassLoader.getSystemClassLoader());
    }
}
