import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/** Programs whose profiles are known; `run` knows them. */
public class Profiled {
    public interface Shape { int sides(); }
    public static class Triangle implements Shape { public int sides() { return 3; } }
    public static class Square implements Shape { public int sides() { return 4; } }
    public static class Pentagon implements Shape { public int sides() { return 5; } }

    static int step(Object o, int i, Object[] out) {
        int r = 0;
        if (i % 3 == 0) r++;
        if (o instanceof Shape) r += ((Shape) o).sides();
        out[i & 7] = o;
        return r;
    }
    static int loop(int n) {
        Object[] kinds = {new Triangle(), new Square(), new Pentagon(), "text", null};
        Object[] out = new Object[8];
        int s = 0;
        for (int i = 0; i < n; i++) s += step(kinds[i % 5], i, out);
        return s;
    }

    /** Calls one shape `n` times. */
    static long sum(Shape s, int n) {
        long r = 0;
        for (int i = 0; i < n; i++) r += s.sides();
        return r;
    }
    static void threads(int count, int n) throws Exception {
        Shape[] shapes = {new Triangle(), new Square()};
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Shape s = shapes[i % 2];
            Thread t = new Thread(() -> sum(s, n));
            all.add(t);
            t.start();
        }
        for (Thread t : all) t.join();
    }

    static int brief(int i) { return i > 3 ? i : -i; }
    /** One thread after the other, none of which runs `brief` often. */
    static void brief(int count, int n) throws Exception {
        for (int i = 0; i < count; i++) {
            Thread t = new Thread(() -> {
                for (int k = 0; k < n; k++) brief(k);
            });
            t.start();
            t.join();
        }
    }

    /** Defines its own copy of Square. */
    static class Own extends ClassLoader {
        Own() { super(Profiled.class.getClassLoader()); }
        Shape square() throws Exception {
            try (InputStream in = Profiled.class.getResourceAsStream("Profiled$Square.class")) {
                byte[] b = in.readAllBytes();
                return (Shape) defineClass(null, b, 0, b.length).getDeclaredConstructor().newInstance();
            }
        }
    }
    /** On a stack of its own, which is gone when a collector looks for what frames name. */
    static WeakReference<ClassLoader> once(int n) throws Exception {
        List<WeakReference<ClassLoader>> made = new ArrayList<>();
        Thread t = new Thread(() -> {
            Own loader = new Own();
            try {
                sum(loader.square(), n);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            made.add(new WeakReference<>(loader));
        });
        t.start();
        t.join();
        return made.get(0);
    }
    static boolean dies(WeakReference<ClassLoader> w) throws Exception {
        for (int i = 0; i < 50 && w.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        return w.get() == null;
    }
    static void unloading(int rounds, int n) throws Exception {
        sum(new Triangle(), n);
        int died = 0;
        for (int i = 0; i < rounds; i++) if (dies(once(n))) died++;
        // Their ids are taken by classes that were not there before.
        sum(new Pentagon(), n);
        System.out.println("died " + (died == rounds));
    }

    public static void main(String[] a) throws Exception {
        int n = Integer.parseInt(a[a.length - 1]);
        switch (a[0]) {
            case "loop" -> System.out.println(loop(n));
            case "threads" -> threads(Integer.parseInt(a[1]), n);
            case "brief" -> brief(Integer.parseInt(a[1]), n);
            case "unloading" -> unloading(Integer.parseInt(a[1]), n);
            default -> throw new IllegalArgumentException(a[0]);
        }
    }
}
