// vm: own -Xmx96m -XX:MaxMetaspaceSize=96m
// timeout: 120
// skip-mode: jit deopt jitmove
// covers: unloading(loaders,hidden,lambdas,backtraces,statics,arrays,packages) ClassLoadingMXBean
import java.io.*;
import java.lang.invoke.*;
import java.lang.management.*;
import java.lang.ref.*;
import java.lang.reflect.*;
import java.nio.file.*;
import java.util.*;
import java.util.function.*;

/** Thousands of loaders come and go; what is held keeps working, the rest leaves nothing behind. */
public class G07UnloadStress {
    public interface Shape {
        int area();

        default String name() {
            return getClass().getName() + area();
        }
    }

    enum Colour { RED, GREEN }

    static class Failing extends RuntimeException {
        Failing(String s) {
            super(s);
        }
    }

    public static class Payload implements Shape, IntSupplier, Comparable<Payload> {
        static final String TEXT = "a constant " + Payload.class.getName();
        static int count;
        static long wide = 5;
        static final List<Object> KEPT = new ArrayList<>();
        static Payload last;
        final int n;

        public Payload(int n) {
            this.n = n;
            count++;
            wide += n;
            last = this;
            KEPT.add(new int[] {n});
            KEPT.add(new Payload[2][3]);
        }

        public int area() {
            return n * n;
        }

        public int compareTo(Payload o) {
            return Integer.compare(n, o.n);
        }

        public int getAsInt() {
            IntUnaryOperator f = x -> x + n;
            Supplier<String> s = this::name;
            switch (Colour.values()[n & 1]) {
                case RED:
                    return f.applyAsInt(count) + s.get().length();
                default:
                    return f.applyAsInt((int) wide) + (TEXT + n).length();
            }
        }

        public static Throwable fail(int k) {
            try {
                throw new Failing("failed " + k);
            } catch (Failing e) {
                return e;
            }
        }

        public static IntSupplier lambda(int k) {
            return () -> k + count;
        }

        public static Runnable task() {
            return new Runnable() {
                public void run() {
                    last = new Payload(7);
                }
            };
        }
    }

    static final Map<String, byte[]> BYTES = new HashMap<>();

    static class L extends ClassLoader {
        L(ClassLoader parent) {
            super(parent);
        }

        @Override
        protected Class<?> loadClass(String n, boolean r) throws ClassNotFoundException {
            if (!n.startsWith("G07UnloadStress$") || n.endsWith("$Shape") || n.endsWith("$L")) return super.loadClass(n, r);
            synchronized (getClassLoadingLock(n)) {
                Class<?> c = findLoadedClass(n);
                if (c != null) return c;
                byte[] b = BYTES.computeIfAbsent(n, k -> {
                    try (InputStream in = G07UnloadStress.class.getResourceAsStream("/" + k + ".class")) {
                        return in.readAllBytes();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
                return defineClass(n, b, 0, b.length);
            }
        }
    }

    /** What may hold a loader, one kind per round. */
    static Object make(int round, ClassLoader parent) throws Throwable {
        Class<?> c = new L(parent).loadClass("G07UnloadStress$Payload");
        Shape p = (Shape) c.getConstructor(int.class).newInstance(round % 10);
        ((IntSupplier) p).getAsInt();
        ((Runnable) c.getMethod("task").invoke(null)).run();
        switch (round % 9) {
            case 0:
                return p;
            case 1:
                return c;
            case 2:
                return c.getMethod("fail", int.class).invoke(null, round);
            case 3:
                return c.getMethod("lambda", int.class).invoke(null, round);
            case 4:
                return Array.newInstance(c, 2, 2);
            case 5:
                return MethodHandles.publicLookup().findStatic(c, "fail", MethodType.methodType(Throwable.class, int.class));
            case 6:
                return c.getDeclaredField("last");
            case 7:
                return c.getClassLoader();
            default:
                return c.getMethod("fail", int.class);
        }
    }

    static Object makeQuiet(int round, ClassLoader parent) {
        try {
            return make(round, parent);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    static String use(Object o) throws Throwable {
        if (o instanceof Shape s) return s.name() + ((IntSupplier) o).getAsInt();
        if (o instanceof Throwable t) return t.getMessage() + t.getStackTrace()[0] + t.getClass().getName();
        if (o instanceof IntSupplier s) return "lambda " + s.getAsInt();
        if (o instanceof Object[] a) return a.getClass().getComponentType().getName() + ((Object[]) a[1]).length;
        if (o instanceof MethodHandle h) return use((Throwable) h.invoke(3));
        if (o instanceof Method m) return use(m.invoke(null, 4));
        if (o instanceof Field f) return f.getName() + f.getType().getName();
        if (o instanceof ClassLoader l) return use(l.loadClass("G07UnloadStress$Payload").getConstructor(int.class).newInstance(3));
        if (o instanceof Class<?> c) return c.getName() + use(c.getConstructor(int.class).newInstance(2));
        return String.valueOf(o);
    }

    static long resident() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status")))
            if (line.startsWith("VmRSS:")) return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024;
        return 0;
    }

    public static void main(String[] args) throws Throwable {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 1500;
        ClassLoadingMXBean bean = ManagementFactory.getClassLoadingMXBean();
        Object[] ring = new Object[40];
        int hash = 0;
        long middle = 0;
        List<WeakReference<Object>> weak = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            // Every fifth loader hangs below one that is held in the ring.
            Object above = ring[(i * 7) % ring.length];
            ClassLoader parent = i % 5 == 0 && above instanceof ClassLoader l ? l : G07UnloadStress.class.getClassLoader();
            Object o = makeQuiet(i, parent);
            ring[i % ring.length] = o;
            if (i % 10 == 0) weak.add(new WeakReference<>(o.getClass().getClassLoader() == null ? o : o.getClass().getClassLoader()));
            hash = hash * 31 + use(ring[(i * 13) % ring.length] == null ? o : ring[(i * 13) % ring.length]).hashCode();
            if (i % 50 == 49) System.gc();
            if (i == rounds / 2) middle = resident();
        }
        System.gc();
        long end = resident();
        // A compiler's memory comes and goes.
        for (int i = 0; i < 50 && end - middle >= 24; i++) {
            Thread.sleep(100);
            System.gc();
            end = Math.min(end, resident());
        }
        for (Object o : ring) hash = hash * 31 + use(o).hashCode();
        System.out.println("hash " + hash);
        System.out.println("unloaded most: " + (bean.getUnloadedClassCount() > rounds * 3L));
        System.out.println("counts agree: " + (bean.getTotalLoadedClassCount() - bean.getUnloadedClassCount() - bean.getLoadedClassCount() <= 0));
        System.out.println("flat: " + (end - middle < 24 ? "true" : "false, " + middle + " MB then " + end + " MB"));
        ring = null;
        int alive = 0;
        for (int i = 0; i < 5; i++) System.gc();
        for (WeakReference<Object> w : weak) if (w.get() != null && !(w.get() instanceof ClassLoader l && l == ClassLoader.getSystemClassLoader())) alive++;
        System.out.println("few left: " + (alive < 8 ? "true" : "false, " + alive + " of " + weak.size()));
    }
}
