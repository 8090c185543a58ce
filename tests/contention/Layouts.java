import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/** Prints where the fields of its classes lie, and works with their objects while the collector moves them. */
public class Layouts {
    static class Base { int a; volatile long hot; Object link; byte b; }
    static class Derived extends Base { long c; volatile Derived next; short d; }
    static class Locked { int count; Object what; }
    static class Statics { static int x; static volatile long hot; static Object link; static volatile int warm; }
    static class Plain { long a; int b; Object c; }

    static final sun.misc.Unsafe UNSAFE = unsafe();

    static sun.misc.Unsafe unsafe() {
        try {
            Field f = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
            f.setAccessible(true);
            return (sun.misc.Unsafe) f.get(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @SuppressWarnings("removal")
    static void print(Class<?> c) {
        UNSAFE.ensureClassInitialized(c);
        for (Field f : c.getDeclaredFields()) {
            boolean s = Modifier.isStatic(f.getModifiers());
            long offset = s ? UNSAFE.staticFieldOffset(f) : UNSAFE.objectFieldOffset(f);
            System.out.println(c.getSimpleName() + "." + f.getName() + " " + offset);
        }
    }

    @SuppressWarnings("removal")
    public static void main(String[] args) throws Exception {
        for (Class<?> c : List.of(Base.class, Derived.class, Locked.class, Statics.class, Plain.class)) print(c);
        // Two objects that are made one after the other: how far apart they lie.
        long sum = 0;
        Derived first = null;
        List<Locked> locks = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            Derived d = new Derived();
            d.a = i;
            d.hot = -i;
            d.link = "link " + i % 7;
            d.b = (byte) i;
            d.c = 3L * i;
            d.d = (short) i;
            d.next = i % 1000 == 0 ? null : first;
            first = d;
            Locked l = new Locked();
            l.what = d;
            synchronized (l) { l.count = i; }
            if (i % 10 == 0) locks.add(l);
            Statics.x += i;
            Statics.hot -= i;
            Statics.warm ^= i;
            Statics.link = d;
        }
        for (Derived d = first; d != null; d = d.next) sum += d.a + d.hot + d.link.hashCode() + d.b + d.c + d.d;
        for (Locked l : locks) sum = sum * 31 + l.count + ((Derived) l.what).c;
        Field hot = Base.class.getDeclaredField("hot");
        hot.setAccessible(true);
        sum += hot.getLong(first) + UNSAFE.getLong(first, UNSAFE.objectFieldOffset(hot));
        System.out.println("sum " + sum + " " + Statics.x + " " + Statics.hot + " " + Statics.warm + " "
                + ((Derived) Statics.link).a);
    }
}
