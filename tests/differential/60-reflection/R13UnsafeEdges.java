// Unsafe and VarHandles where an answer is not the usual one: failed exchanges, classes without instances.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import sun.misc.Unsafe;

public class R13UnsafeEdges {
    abstract static class NoInstance {}

    interface Itf {}

    enum Color { RED }

    static class Values {
        int i = 5;
        long l = -5;
        byte b = 7;
        short s = -7;
        char c = 'x';
        boolean z = true;
        float f = 1.5f;
        double d = -0.0;
        Object o = "o";
    }

    public static void main(String[] args) throws Exception {
        Field the = Unsafe.class.getDeclaredField("theUnsafe");
        the.setAccessible(true);
        Unsafe u = (Unsafe) the.get(null);
        for (Class<?> c : new Class<?>[] {Values.class, NoInstance.class, Itf.class, int.class, int[].class, Class.class, Color.class, void.class}) {
            try {
                System.out.println(c + " " + u.allocateInstance(c).getClass());
            } catch (Throwable t) {
                System.out.println(c + " " + t);
            }
        }
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Values v = new Values();
        VarHandle i = lookup.findVarHandle(Values.class, "i", int.class);
        VarHandle l = lookup.findVarHandle(Values.class, "l", long.class);
        for (int expected : new int[] {-1, 4, 5, 6, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            System.out.println("int " + expected + " " + (int) i.compareAndExchange(v, expected, 5) + " " + (boolean) i.compareAndSet(v, expected, 5)
                    + " " + (int) i.compareAndExchangeAcquire(v, expected, 5) + " " + (int) i.compareAndExchangeRelease(v, expected, 5));
            long wide = expected * 3L;
            System.out.println("long " + wide + " " + (long) l.compareAndExchange(v, wide, -5L) + " " + (boolean) l.compareAndSet(v, wide, -5L));
        }
        VarHandle o = lookup.findVarHandle(Values.class, "o", Object.class);
        System.out.println(o.compareAndExchange(v, "p", "q") + " " + o.compareAndExchange(v, "o", "q") + " " + v.o);
        narrow(lookup, v, "b", byte.class, (byte) 7, (byte) 8, (byte) -1);
        narrow(lookup, v, "s", short.class, (short) -7, (short) 8, (short) -1);
        narrow(lookup, v, "c", char.class, 'x', 'y', '\uffff');
        narrow(lookup, v, "z", boolean.class, true, false, false);
        narrow(lookup, v, "f", float.class, 1.5f, 2.5f, Float.NaN);
        narrow(lookup, v, "d", double.class, -0.0, 2.5, 0.0);
        System.out.println(u.compareAndSwapInt(v, u.objectFieldOffset(Values.class.getDeclaredField("i")), 6, 7) + " " + v.i);
    }

    static void narrow(MethodHandles.Lookup lookup, Values v, String name, Class<?> type, Object was, Object is, Object other) throws Exception {
        VarHandle h = lookup.findVarHandle(Values.class, name, type);
        System.out.println(name + " " + h.compareAndExchange(v, other, is) + " " + h.get(v) + " " + h.compareAndExchange(v, was, is) + " " + h.get(v)
                + " " + h.compareAndSet(v, was, other) + " " + h.get(v));
    }
}
