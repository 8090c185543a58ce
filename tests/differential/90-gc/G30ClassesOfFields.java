import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;

/** The class of an object that compiled code keeps as its fields lives as long as the object, though nothing else knows its loader. */
public class G30ClassesOfFields {
    public abstract static class Base {
        public int f;

        public abstract int get();
    }

    public abstract static class Factory {
        public abstract Base make(int x);
    }

    public static class OwnFactory extends Factory {
        @Override
        public Base make(int x) {
            return new Own(x);
        }
    }

    public static class Own extends Base {
        int y;

        public Own(int x) {
            f = x;
            y = 2 * x;
        }

        @Override
        public int get() {
            return y + 1;
        }
    }

    static class Loader extends ClassLoader {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.contains("$Own")) {
                return super.loadClass(name, resolve);
            }
            Class<?> c = findLoadedClass(name);
            try (InputStream in = G30ClassesOfFields.class.getResourceAsStream(name + ".class")) {
                byte[] b = in.readAllBytes();
                return c != null ? c : defineClass(name, b, 0, b.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static Factory factory;
    static ClassLoader loader;
    static WeakReference<?> gone;
    static boolean forget;

    static void maybe() {
        if (forget) {
            forget = false;
            factory = null;
            loader = null;
            for (int i = 0; i < 5; i++) {
                System.gc();
            }
            System.out.println("gone " + (gone.get() == null));
            byte[][] junk = new byte[100][];
            for (int i = 0; i < 20_000; i++) {
                junk[i % 100] = new byte[1000];
            }
        }
    }

    static int run(int x) {
        Base b = factory.make(x);
        maybe();
        return b.get() + b.f;
    }

    static int many(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            s += run(i);
        }
        return s;
    }

    public static void main(String[] args) throws Exception {
        loader = new Loader();
        gone = new WeakReference<>(loader);
        factory = (Factory) loader.loadClass("G30ClassesOfFields$OwnFactory").getDeclaredConstructor().newInstance();
        System.out.println(many(20_000));
        Thread.sleep(300);
        System.out.println(many(20_000));
        forget = true;
        System.out.println(run(42));
        System.gc();
        System.out.println("gone " + (gone.get() == null));
    }
}
