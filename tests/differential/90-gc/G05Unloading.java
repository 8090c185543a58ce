// vm: own -Xmx64m
// skip-mode: jit deopt jitmove
import java.io.*;
import java.lang.invoke.*;
import java.lang.ref.*;

public class G05Unloading {
    public static class Victim {
        static byte[] heavy = new byte[100000];

        public int x() {
            return heavy.length;
        }
    }

    static class L extends ClassLoader {
        L() {
            super(G05Unloading.class.getClassLoader());
        }

        protected Class<?> loadClass(String n, boolean r) throws ClassNotFoundException {
            if (!n.equals("G05Unloading$Victim")) return super.loadClass(n, r);
            try (InputStream in = getResourceAsStream("G05Unloading$Victim.class")) {
                byte[] b = in.readAllBytes();
                return defineClass(n, b, 0, b.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(n);
            }
        }
    }

    static WeakReference<?>[] once() throws Exception {
        L l = new L();
        Class<?> c = l.loadClass("G05Unloading$Victim");
        Object o = c.getDeclaredConstructor().newInstance();
        c.getMethod("x").invoke(o);
        MethodHandles.Lookup h =
                MethodHandles.lookup()
                        .defineHiddenClass(
                                G05Unloading.class
                                        .getResourceAsStream("/bad/HiddenTemplate2.bin")
                                        .readAllBytes(),
                                true);
        return new WeakReference<?>[] {
            new WeakReference<>(l), new WeakReference<>(c), new WeakReference<>(h.lookupClass())
        };
    }

    static void deep(int n) {
        if (n > 0) deep(n - 1);
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 300; i++) once();
        WeakReference<?>[] w = once();
        deep(100);
        for (int i = 0;
                i < 50 && (w[0].get() != null || w[1].get() != null || w[2].get() != null);
                i++) {
            System.gc();
            Thread.sleep(5);
        }
        System.out.println(
                (w[0].get() == null) + " " + (w[1].get() == null) + " " + (w[2].get() == null));
        L keep = new L();
        Object o = keep.loadClass("G05Unloading$Victim").getDeclaredConstructor().newInstance();
        keep = null;
        System.gc();
        System.out.println(
                o.getClass().getMethod("x").invoke(o)
                        + " "
                        + (o.getClass().getClassLoader() != null));
    }
}
