// vm: own -Xmx64m
import java.io.*;
import java.lang.ref.*;
import java.lang.reflect.*;
import sun.misc.Unsafe;

/** Who holds the base of a class's static fields holds the class, although it may not be seen in it. */
public class G11StaticsBase {
    public static class Victim {
        static int a = 4;
        static Object b = "kept";
    }

    static class L extends ClassLoader {
        L() {
            super(G11StaticsBase.class.getClassLoader());
        }

        protected Class<?> loadClass(String n, boolean r) throws ClassNotFoundException {
            if (!n.equals("G11StaticsBase$Victim")) return super.loadClass(n, r);
            try (InputStream in = getResourceAsStream("G11StaticsBase$Victim.class")) {
                byte[] b = in.readAllBytes();
                return defineClass(n, b, 0, b.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(n);
            }
        }
    }

    static Unsafe unsafe;
    static long a, b;

    @SuppressWarnings("deprecation")
    static Object base(WeakReference<?>[] seen) throws Exception {
        Class<?> c = Class.forName("G11StaticsBase$Victim", true, new L());
        Field fa = c.getDeclaredField("a"), fb = c.getDeclaredField("b");
        a = unsafe.staticFieldOffset(fa);
        b = unsafe.staticFieldOffset(fb);
        seen[0] = new WeakReference<>(c);
        return unsafe.staticFieldBase(fa);
    }

    /** Classes that take the layouts of those that have died. */
    static void others() throws Exception {
        for (int i = 0; i < 40; i++) base(new WeakReference<?>[1]);
    }

    static void deep(int n) {
        if (n > 0) deep(n - 1);
    }

    public static void main(String[] args) throws Exception {
        Field f = Unsafe.class.getDeclaredField("theUnsafe");
        f.setAccessible(true);
        unsafe = (Unsafe) f.get(null);
        WeakReference<?>[] seen = new WeakReference<?>[1];
        Object held = base(seen);
        long atA = a, atB = b;
        for (int i = 0; i < 4; i++) {
            others();
            deep(100);
            System.gc();
        }
        System.out.println("class kept: " + (seen[0].get() != null));
        System.out.println(unsafe.getInt(held, atA) + " " + unsafe.getObject(held, atB));
        Reference.reachabilityFence(held);
        held = null;
        for (int i = 0; i < 50 && seen[0].get() != null; i++) {
            deep(100);
            System.gc();
            Thread.sleep(5);
        }
        System.out.println("class gone: " + (seen[0].get() == null));
    }
}
