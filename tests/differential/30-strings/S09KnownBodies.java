import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.Objects;
import sun.misc.Unsafe;

/**
 * Small methods of the class library that compilers know or inline, with odd arguments, each often enough to be
 * compiled: exact arithmetic, rotations, bits, indices, types, references, fences.
 */
public class S09KnownBodies {
    static final int ROUNDS = 300;
    static final long[] LONGS = {0, 1, -1, 7, -8, 0x7f, 0x80, 0xffff, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE,
        0x123456789abcdefL, 0xfedcba987654321L};
    static final double[] DOUBLES = {0.0, -0.0, 0.5, -1.5, 2.5, 1e18, 1e300, -1e300, Double.MIN_VALUE, Double.NaN, Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY, 4503599627370497.5, -2147483648.5, 9.3e18};
    static long sum;

    interface Exact {
        long of(long a, long b);
    }

    static void add(long v) {
        sum = sum * 31 + v;
    }

    static void exact(Exact e, long a, long b) {
        try {
            add(e.of(a, b));
        } catch (ArithmeticException | IndexOutOfBoundsException | ClassCastException x) {
            add(x.getMessage() == null ? 17 : x.getMessage().hashCode());
        }
    }

    static void numbers() {
        for (long a : LONGS) {
            for (long b : LONGS) {
                exact((x, y) -> Math.addExact((int) x, (int) y), a, b);
                exact(Math::addExact, a, b);
                exact((x, y) -> Math.subtractExact((int) x, (int) y), a, b);
                exact(Math::subtractExact, a, b);
                exact((x, y) -> Math.multiplyExact((int) x, (int) y), a, b);
                exact(Math::multiplyExact, a, b);
                exact((x, y) -> Math.multiplyExact(x, (int) y), a, b);
                exact(Math::floorDiv, a, b);
                exact(Math::floorMod, a, b);
                exact((x, y) -> Integer.compareUnsigned((int) x, (int) y) + Long.compareUnsigned(x, y), a, b);
                exact((x, y) -> Integer.divideUnsigned((int) x, (int) y), a, b);
                exact(Long::remainderUnsigned, a, b);
                exact((x, y) -> Integer.rotateLeft((int) x, (int) y) + Integer.rotateRight((int) y, (int) x), a, b);
                exact((x, y) -> Long.rotateLeft(x, (int) y) ^ Long.rotateRight(x, (int) y), a, b);
                exact((x, y) -> Math.multiplyFull((int) x, (int) y), a, b);
                exact((x, y) -> Objects.checkIndex((int) x, (int) y), a, b);
                exact((x, y) -> Objects.checkFromToIndex((int) x, (int) y, 100), a, b);
                exact((x, y) -> Objects.checkFromIndexSize((int) x, (int) y, 100), a, b);
            }
            exact((x, y) -> Math.negateExact((int) x) + Math.incrementExact((int) x), a, 0);
            exact((x, y) -> Math.negateExact(x), a, 0);
            exact((x, y) -> Math.incrementExact(x) ^ Math.decrementExact(x), a, 0);
            exact((x, y) -> Math.decrementExact((int) x), a, 0);
            exact((x, y) -> Math.toIntExact(x), a, 0);
            exact((x, y) -> Math.absExact(x) + Math.absExact((int) x), a, 0);
            add(Character.reverseBytes((char) a) + Short.reverseBytes((short) a));
            add(Integer.reverse((int) a) ^ Long.reverse(a));
            add(Integer.highestOneBit((int) a) + Long.lowestOneBit(a) + Integer.signum((int) a));
            add(Float.floatToRawIntBits(Float.intBitsToFloat((int) a)) + Double.doubleToRawLongBits(Double.longBitsToDouble(a)));
        }
        for (double x : DOUBLES) {
            add(Double.doubleToLongBits(StrictMath.floor(x)) + Double.doubleToLongBits(StrictMath.ceil(x)));
            add(Double.doubleToLongBits(StrictMath.sqrt(x)) + Double.doubleToLongBits(StrictMath.rint(x)));
            add(Math.round(x) + Math.round((float) x) + Math.getExponent(x) + (long) Math.signum(x));
            add(Double.doubleToLongBits(Math.copySign(x, -1)) + Float.floatToIntBits(Math.ulp((float) x)));
            for (double y : DOUBLES) {
                add(Double.doubleToLongBits(StrictMath.min(x, y)) + Float.floatToIntBits(Math.max((float) x, (float) y)));
                add(Double.compare(x, y) + Float.compare((float) x, (float) y));
            }
        }
    }

    static final Class<?>[] CLASSES = {Object.class, String.class, CharSequence.class, Integer.class, Number.class, int.class, long.class, void.class,
        int[].class, Object[].class, String[].class, Number[][].class, Cloneable.class, Runnable.class};
    static final Object[] OBJECTS = {null, "s", 1, 2.5, new int[0], new Object[0], new String[0], new Integer[0][], new Object()};

    static void types() {
        for (Class<?> c : CLASSES) {
            for (Class<?> d : CLASSES) {
                add(c.isAssignableFrom(d) ? 1 : 2);
            }
            for (Object o : OBJECTS) {
                add(c.isInstance(o) ? 3 : 4);
                exact((x, y) -> c.cast(o) == o ? 5 : 6, 0, 0);
            }
            add(c.isArray() || c.isInterface() || c.isPrimitive() ? 7 : 8);
            add(c.getModifiers());
            add(c.getSuperclass() == Object.class ? 1 : 0);
            add(c.getComponentType() == null ? 1 : 0);
        }
        try {
            String.class.isAssignableFrom(null);
        } catch (NullPointerException e) {
            add(9);
        }
    }

    static final Object HELD = new Object();

    static void references(Unsafe unsafe) {
        WeakReference<Object> weak = new WeakReference<>(HELD);
        SoftReference<Object> soft = new SoftReference<>(HELD);
        add(weak.get() == HELD && soft.get() == HELD ? 1 : 0);
        add(weak.refersTo(HELD) && !weak.refersTo(null) && !soft.refersTo("x") ? 1 : 0);
        weak.clear();
        add(weak.get() == null && weak.refersTo(null) ? 1 : 0);
        unsafe.loadFence();
        unsafe.storeFence();
        unsafe.fullFence();
        Thread.onSpinWait();
        add(Thread.currentThread() == Thread.currentThread() ? 1 : 0);
        add("x".getClass() == String.class && new int[0].getClass() == int[].class ? 1 : 0);
    }

    public static void main(String[] args) throws Exception {
        var field = Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Unsafe unsafe = (Unsafe) field.get(null);
        for (int r = 0; r < ROUNDS; r++) {
            numbers();
            types();
            references(unsafe);
            if (r % 50 == 0) {
                System.out.println(r + " " + Long.toHexString(sum));
            }
        }
        System.out.println(Long.toHexString(sum));
    }
}
