import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.concurrent.CountDownLatch;
import sun.misc.Unsafe;

/** Static fields by Unsafe: the base is the class, whoever asks, and the class itself serves as one. */
public class R18UnsafeStatics {
    static final Unsafe U;

    static {
        try {
            Field f = Unsafe.class.getDeclaredField("theUnsafe");
            f.setAccessible(true);
            U = (Unsafe) f.get(null);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static class Values {
        static boolean z = true;
        static byte b = -3;
        static short s = -300;
        static char c = 'c';
        static int i = 7;
        static long l = 1L << 40;
        static float f = 1.5f;
        static double d = -2.25;
        static Object o = "object";
        static volatile int counter;
        static Object[] array = {"in an array"};
        int instance = 5;
    }

    static long at(String name) throws Exception {
        return U.staticFieldOffset(Values.class.getDeclaredField(name));
    }

    static String all(Object base) throws Exception {
        return U.getBoolean(base, at("z")) + " " + U.getByte(base, at("b")) + " " + U.getShort(base, at("s")) + " "
                + U.getChar(base, at("c")) + " " + U.getInt(base, at("i")) + " " + U.getLong(base, at("l")) + " "
                + U.getFloat(base, at("f")) + " " + U.getDouble(base, at("d")) + " " + U.getObject(base, at("o")) + " "
                + U.getIntVolatile(base, at("i")) + " " + U.getObjectVolatile(base, at("o")) + " "
                + U.getLongVolatile(base, at("l"));
    }

    static void put(Object base) throws Exception {
        U.putBoolean(base, at("z"), false);
        U.putByte(base, at("b"), (byte) 4);
        U.putShort(base, at("s"), (short) 400);
        U.putChar(base, at("c"), 'd');
        U.putInt(base, at("i"), 8);
        U.putLong(base, at("l"), -(1L << 41));
        U.putFloat(base, at("f"), 2.5f);
        U.putDouble(base, at("d"), 3.5);
        U.putObject(base, at("o"), new StringBuilder("another").toString());
        U.putOrderedInt(base, at("i"), 9);
        U.putOrderedLong(base, at("l"), 10);
        U.putOrderedObject(base, at("o"), new StringBuilder("ordered").toString());
    }

    /** Both kinds of object in one place, hot. */
    static int mixed(Object[] objects, long[] offsets, int n) {
        int sum = 0;
        for (int k = 0; k < n; k++) {
            int at = k % objects.length;
            sum = sum * 31 + U.getInt(objects[at], offsets[at]);
            U.putInt(objects[at], offsets[at], sum & 0xffff);
        }
        return sum;
    }

    /** Offsets that the code puts together, of static fields and of elements. */
    static long pieces(int[] ints, long offset, int k) {
        int high = (int) (offset >>> 32), low = (int) offset;
        long moved = ((long) high << 8 << 8 << 8 << 8) + (long) low;
        long once = ((long) high << 32) + (long) low;
        long sum = U.getInt(Values.class, moved) + U.getInt(Values.class, once) * 31L;
        long end = Unsafe.ARRAY_INT_BASE_OFFSET + 12L;
        for (int i = -3; i < 0; i++) sum = sum * 31 + U.getInt(ints, end + ((long) i << 2));
        return sum * 31 + U.getInt(ints, Unsafe.ARRAY_INT_BASE_OFFSET + ((long) (k & 1) << 2));
    }

    static int count(Object base, long offset, int n) {
        for (int k = 0; k < n; k++) {
            int now;
            do {
                now = U.getIntVolatile(base, offset);
            } while (!U.compareAndSwapInt(base, offset, now, now + 1));
            U.getAndAddInt(base, offset, 1);
        }
        return U.getInt(base, offset);
    }

    /** New objects into a static field, while old ones go. */
    static long chain(Object base, long offset, int n) {
        Object first = U.getObject(base, offset);
        for (int k = 0; k < n; k++) {
            Object[] next = {U.getObject(base, offset), new int[k % 50]};
            if (k % 3 == 0) {
                U.putObject(base, offset, next);
            } else if (k % 3 == 1) {
                U.compareAndSwapObject(base, offset, next[0], next);
            } else {
                U.getAndSetObject(base, offset, next);
            }
            if (k % 1000 == 999) {
                U.putObject(base, offset, first);
            }
        }
        long length = 0;
        for (Object o = U.getObject(base, offset); o instanceof Object[] && ((Object[]) o).length == 2; o = ((Object[]) o)[0]) {
            length += 1 + ((int[]) ((Object[]) o)[1]).length;
        }
        U.putObject(base, offset, first);
        return length;
    }

    public static void main(String[] args) throws Exception {
        Field lookup = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
        System.out.println(U.staticFieldBase(lookup) == MethodHandles.Lookup.class);
        System.out.println(U.getObject(MethodHandles.Lookup.class, U.staticFieldOffset(lookup)));
        System.out.println(U.staticFieldBase(Values.class.getDeclaredField("o")) == Values.class);
        System.out.println(all(Values.class));
        put(Values.class);
        System.out.println(all(U.staticFieldBase(Values.class.getDeclaredField("i"))));
        System.out.println(Values.z + " " + Values.b + " " + Values.s + " " + Values.c + " " + Values.i + " " + Values.l + " "
                + Values.f + " " + Values.d + " " + Values.o);
        Values instance = new Values();
        int[] ints = {1, 2, 3};
        Object[] objects = {Values.class, instance, ints, Values.class};
        long[] offsets = {
            at("i"), U.objectFieldOffset(Values.class.getDeclaredField("instance")), Unsafe.ARRAY_INT_BASE_OFFSET + 4L, at("counter")
        };
        int sum = 0;
        for (int k = 0; k < 50; k++) {
            sum += mixed(objects, offsets, 997);
        }
        System.out.println(sum + " " + Values.i + " " + instance.instance + " " + ints[1] + " " + Values.counter);
        long put = 0;
        for (int k = 0; k < 20_000; k++) put = put * 31 + pieces(ints, offsets[3], k);
        System.out.println(put);
        Values.counter = 0;
        Thread[] threads = new Thread[4];
        CountDownLatch go = new CountDownLatch(1);
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                try {
                    go.await();
                    count(Values.class, at("counter"), 5000);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            threads[t].start();
        }
        go.countDown();
        for (Thread t : threads) {
            t.join();
        }
        System.out.println(Values.counter);
        long length = 0;
        for (int k = 0; k < 20; k++) {
            length += chain(Values.class, at("array"), 1500);
            if (k % 5 == 0) {
                System.gc();
            }
        }
        System.out.println(length + " " + Values.array[0]);
        int fields = 0;
        for (Field f : Values.class.getDeclaredFields()) {
            if (Modifier.isStatic(f.getModifiers())) {
                f.setAccessible(true);
                f.get(null);
                if (U.staticFieldOffset(f) > 0) fields++;
            }
        }
        System.out.println(fields);
        Field i = Values.class.getDeclaredField("i");
        for (int k = 0; k < 30; k++) {
            i.setInt(null, i.getInt(null) + 1);
        }
        System.out.println(Values.i);
    }
}
