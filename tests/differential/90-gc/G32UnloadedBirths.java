// vm: own -Xmx24m -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions -XX:CompileThresholdScaling=0.02 -XX:-BackgroundCompilation
// covers: birth(unloading)
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.function.IntFunction;

/**
 * Classes nearly all of whose objects go to others are unloaded between the collections that look at such objects, and others get
 * what stood for them.
 */
public class G32UnloadedBirths {
    /** Made once by each loader. */
    public static class Item implements IntFunction<Object> {
        int n;
        Object next;

        @Override
        public Object apply(int n) {
            Item i = new Item();
            i.n = n;
            i.next = new int[] {n};
            return i;
        }
    }

    static class Loader extends ClassLoader {
        Loader() {
            super(null);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (InputStream in = G32UnloadedBirths.class.getResourceAsStream(name + ".class")) {
                byte[] b = in.readAllBytes();
                return defineClass(name, b, 0, b.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static final Object[] table = new Object[1024];

    static void publish(IntFunction<Object> maker, int n) {
        for (int i = 0; i < n; i++) {
            table[i & 1023] = maker.apply(i);
        }
    }

    @SuppressWarnings("unchecked")
    static WeakReference<Class<?>> round(int n) throws Exception {
        Class<?> c = new Loader().loadClass("G32UnloadedBirths$Item");
        publish((IntFunction<Object>) c.getDeclaredConstructor().newInstance(), n);
        java.util.Arrays.fill(table, null);
        return new WeakReference<>(c);
    }

    public static void main(String[] args) throws Exception {
        int unloaded = 0;
        for (int i = 0; i < 12; i++) {
            // Of different lengths: the unloading comes before and behind what is decided at some collection. In a thread of its own,
            // so that no stack is left on which the class may still be found.
            int n = 40_000 + 12_000 * i;
            WeakReference<?>[] c = new WeakReference<?>[1];
            Throwable[] failed = new Throwable[1];
            Thread t = new Thread(() -> {
                try {
                    c[0] = round(n);
                } catch (Throwable e) {
                    failed[0] = e;
                }
            });
            t.start();
            t.join();
            if (failed[0] != null) throw new Error(failed[0]);
            for (int k = 0; k < 20 && c[0].get() != null; k++) {
                System.gc();
            }
            unloaded += c[0].get() == null ? 1 : 0;
        }
        System.out.println(unloaded >= 10 ? "nearly all were unloaded" : unloaded + " of 12 were unloaded");
    }
}
