import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import sun.misc.Unsafe;

/**
 * What compilers know by name, at every length, offset and alignment around the widths of a machine:
 * each section runs often enough to be compiled, and prints a checksum of all its results.
 */
public class S08Intrinsics {
    static final int LONG = 70;
    static final int ROUNDS = 12;
    static long sum;

    static void add(long v) {
        sum = sum * 31 + v;
    }

    static void report(String section) {
        System.out.println(section + " " + Long.toHexString(sum));
        sum = 0;
    }

    static String text(int n, int salt, char top) {
        char[] c = new char[n];
        for (int i = 0; i < n; i++) {
            c[i] = (char) ('a' + (i * 7 + salt) % 26);
        }
        if (n > 0 && top != 0) {
            c[salt % n] = top;
        }
        return new String(c);
    }

    static void comparing() {
        for (int n = 0; n < LONG; n++) {
            for (char top : new char[] {0, '\u00e9', '\u4e2d'}) {
                String a = text(n, 3, top);
                add(a.hashCode());
                add(a.equals(text(n, 3, top)) ? 1 : 0);
                add(a.equals(text(n + 1, 3, top)) ? 1 : 0);
                add(a.compareTo(text(n + 1, 3, top)));
                for (int at = 0; at < n; at++) {
                    char[] c = a.toCharArray();
                    c[at] ^= 1;
                    String b = new String(c);
                    add(a.equals(b) ? 1 : 0);
                    add(Integer.signum(a.compareTo(b)) * 1000 + a.compareTo(b));
                }
            }
        }
        report("comparing");
    }

    static void searching() {
        for (int n = 0; n < LONG; n++) {
            String s = text(n, 5, (char) 0);
            for (int from = -1; from <= n + 1; from += 3) {
                add(s.indexOf('c', from));
                add(s.indexOf(0x1f600, from));
                add(s.indexOf('\u4e2d', from));
                for (int k = 0; k <= n; k += 11) {
                    add(s.indexOf(s.substring(n - k), from));
                    add(s.indexOf(s.substring(0, k) + "x", from));
                }
            }
        }
        report("searching");
    }

    static void widths() {
        for (int n = 0; n < LONG; n++) {
            String s = text(n, 9, '\u00ff');
            StringBuilder b = new StringBuilder(s);
            b.append('\u4e2d').append(s);
            add(b.toString().hashCode());
            b.setLength(n);
            add(b.toString().hashCode());
            char[] chars = new char[n + 5];
            s.getChars(0, n, chars, 3);
            add(Arrays.hashCode(chars));
            for (int at = 0; at < n; at += 5) {
                chars[at + 3] = '\u0100';
                add(new String(chars, 3, n).hashCode());
                chars[at + 3] = 'q';
            }
            byte[] bytes = new byte[n + 3];
            Arrays.fill(bytes, (byte) 'z');
            for (int at = 0; at < bytes.length; at++) {
                bytes[at] = (byte) 0xc3;
                add(new String(bytes, 1, n, StandardCharsets.UTF_8).hashCode());
                add(new String(bytes, 1, n, StandardCharsets.US_ASCII).hashCode());
                add(new String(bytes, 1, n, StandardCharsets.ISO_8859_1).hashCode());
                bytes[at] = 'z';
            }
        }
        report("widths");
    }

    static void arrays() {
        for (int n = 0; n < LONG; n++) {
            byte[] a = new byte[n];
            for (int i = 0; i < n; i++) {
                a[i] = (byte) (i * 5);
            }
            byte[] b = a.clone();
            add(Arrays.mismatch(a, b));
            int[] ints = new int[n];
            int[] other = ints.clone();
            double[] doubles = new double[n];
            double[] nans = doubles.clone();
            for (int at = 0; at < n; at++) {
                b[at] ^= 1;
                add(Arrays.mismatch(a, b));
                add(Arrays.equals(a, b) ? 1 : 0);
                add(Arrays.mismatch(a, at, n, b, at, n));
                add(Arrays.compare(a, b));
                b[at] ^= 1;
                other[at] = at + 1;
                add(Arrays.mismatch(ints, other));
                other[at] = 0;
                doubles[at] = nans[at] = Double.NaN;
                add(Arrays.mismatch(doubles, nans));
                nans[at] = -0.0;
                add(Arrays.equals(doubles, nans) ? 1 : 0);
                nans[at] = doubles[at];
            }
            add(a.clone() == a ? 1 : Arrays.hashCode(a.clone()));
            add(new String[n].clone().length);
        }
        report("arrays");
    }

    static void copies() {
        for (int n = 0; n < LONG; n++) {
            for (int to = 0; to < 12; to += 3) {
                byte[] b = new byte[n + 16];
                char[] c = new char[n + 16];
                long[] l = new long[n + 16];
                String[] s = new String[n + 16];
                for (int i = 0; i < b.length; i++) {
                    b[i] = (byte) (l[i] = c[i] = (char) (i * 3));
                    s[i] = "s" + (i & 7);
                }
                System.arraycopy(b, 4, b, to, n);
                System.arraycopy(c, 4, c, to, n);
                System.arraycopy(l, 4, l, to, n);
                System.arraycopy(s, 4, s, to, n);
                add(Arrays.hashCode(b) ^ Arrays.hashCode(c));
                add(Arrays.hashCode(l) ^ Arrays.hashCode(s));
                add(Arrays.hashCode(Arrays.copyOfRange(b, to, n + to)));
                add(Arrays.hashCode(Arrays.copyOf(s, n + 2)));
            }
        }
        report("copies");
    }

    static final double[] DOUBLES = {
        0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1e300, -1e300, 4503599627370497.5, Double.MIN_VALUE, Double.NaN,
        Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
    };
    static final long[] LONGS = {0, 1, -1, 7, -8, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, 0x123456789abcdefL};

    static void numbers() {
        for (double x : DOUBLES) {
            add(Double.doubleToLongBits(Math.abs(x)));
            add(Double.doubleToLongBits(Math.floor(x)));
            add(Double.doubleToLongBits(Math.ceil(x)));
            add(Double.doubleToLongBits(Math.rint(x)));
            add(Double.doubleToLongBits(Math.sqrt(x)));
            add(Float.floatToIntBits(Math.abs((float) x)));
            for (double y : DOUBLES) {
                add(Double.doubleToLongBits(Math.min(x, y)));
                add(Double.doubleToLongBits(Math.max(x, y)));
                add(Double.doubleToLongBits(Math.fma(x, y, 1e-3)));
                add(Float.floatToIntBits(Math.fma((float) x, (float) y, 1e-3f)));
            }
        }
        for (long x : LONGS) {
            add(Math.abs(x) + Math.abs((int) x));
            add(Long.reverseBytes(x) + Integer.reverseBytes((int) x));
            add(Long.bitCount(x) + Integer.numberOfLeadingZeros((int) x) + Long.numberOfTrailingZeros(x));
            for (long y : LONGS) {
                add(Math.min(x, y) + Math.max((int) x, (int) y));
                add(Math.multiplyHigh(x, y));
            }
        }
        report("numbers");
    }

    boolean z;
    byte b;
    short s;
    char c;
    int i;
    long j;
    float f;
    double d;
    Object o;

    static final Unsafe UNSAFE;
    static final VarHandle INT;
    static final VarHandle LONG_FIELD;
    static final VarHandle OBJECT;
    static final long[] OFFSETS = new long[9];

    static {
        try {
            Field unsafe = Unsafe.class.getDeclaredField("theUnsafe");
            unsafe.setAccessible(true);
            UNSAFE = (Unsafe) unsafe.get(null);
            String[] names = {"z", "b", "s", "c", "i", "j", "f", "d", "o"};
            for (int n = 0; n < names.length; n++) {
                OFFSETS[n] = UNSAFE.objectFieldOffset(S08Intrinsics.class.getDeclaredField(names[n]));
            }
            INT = MethodHandles.lookup().findVarHandle(S08Intrinsics.class, "i", int.class);
            LONG_FIELD = MethodHandles.lookup().findVarHandle(S08Intrinsics.class, "j", long.class);
            OBJECT = MethodHandles.lookup().findVarHandle(S08Intrinsics.class, "o", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static void memory(Object o, long at, long v) {
        UNSAFE.putByte(o, at, (byte) v);
        add(UNSAFE.getByte(o, at));
        UNSAFE.putShort(o, at, (short) v);
        add(UNSAFE.getShort(o, at) * 3 + UNSAFE.getChar(o, at));
        UNSAFE.putChar(o, at, (char) v);
        UNSAFE.putInt(o, at, (int) v);
        add(UNSAFE.getInt(o, at));
        UNSAFE.putFloat(o, at, v);
        add(Float.floatToIntBits(UNSAFE.getFloat(o, at)));
        UNSAFE.putLong(o, at, v);
        add(UNSAFE.getLong(o, at));
        UNSAFE.putDouble(o, at, v);
        add(Double.doubleToLongBits(UNSAFE.getDouble(o, at)));
    }

    static void unsafe() {
        S08Intrinsics t = new S08Intrinsics();
        byte[] array = new byte[64];
        long outside = UNSAFE.allocateMemory(128);
        for (int k = 0; k < 40; k++) {
            for (long v : LONGS) {
                memory(array, Unsafe.ARRAY_BYTE_BASE_OFFSET + k % 40, v);
                memory(null, outside + k, v);
                UNSAFE.putLong(outside + 64, v);
                add(UNSAFE.getLong(outside + 64) + UNSAFE.getInt(outside + 64) + UNSAFE.getByte(outside + 65));
                UNSAFE.putBoolean(t, OFFSETS[0], (v & 1) != 0);
                add(UNSAFE.getBoolean(t, OFFSETS[0]) ? 1 : 2);
                UNSAFE.putIntVolatile(t, OFFSETS[4], (int) v);
                UNSAFE.putOrderedLong(t, OFFSETS[5], v);
                add(UNSAFE.getIntVolatile(t, OFFSETS[4]) + UNSAFE.getLongVolatile(t, OFFSETS[5]));
                add(UNSAFE.getAndAddInt(t, OFFSETS[4], k) + UNSAFE.getAndSetLong(t, OFFSETS[5], k));
                add(UNSAFE.getAndAddLong(null, outside + 72, 1) - UNSAFE.getLong(outside + 72));
                add(UNSAFE.compareAndSwapInt(t, OFFSETS[4], (int) v + k, 1) ? 3 : 4);
                add(UNSAFE.compareAndSwapLong(t, OFFSETS[5], 0, 1) ? 5 : 6);
                add(t.i + t.j);
                String was = "x" + k;
                UNSAFE.putObject(t, OFFSETS[8], was);
                add(UNSAFE.getAndSetObject(t, OFFSETS[8], "y" + v).hashCode());
                add(UNSAFE.compareAndSwapObject(t, OFFSETS[8], was, null) ? 7 : 8);
                add(UNSAFE.getObject(t, OFFSETS[8]).hashCode());
            }
        }
        Arrays.fill(array, (byte) 0);
        array[3] = 2;
        add(UNSAFE.getBoolean(array, Unsafe.ARRAY_BYTE_BASE_OFFSET + 3) ? 1 : 2);
        UNSAFE.freeMemory(outside);
        report("unsafe");
    }

    static void handles() {
        S08Intrinsics t = new S08Intrinsics();
        for (int k = 0; k < 60; k++) {
            INT.setRelease(t, k);
            add((int) INT.getAcquire(t) + (int) INT.getAndAdd(t, 5));
            add((int) INT.compareAndExchange(t, k + 5, k * 3));
            add((int) INT.compareAndExchange(t, -1, 0));
            LONG_FIELD.setOpaque(t, (long) k);
            add((long) LONG_FIELD.getAndSet(t, 9L) + (long) LONG_FIELD.getOpaque(t));
            String s = "h" + k;
            OBJECT.setVolatile(t, s);
            add(OBJECT.compareAndExchange(t, s, "other").hashCode());
            add(OBJECT.compareAndExchange(t, s, null).hashCode());
            add(OBJECT.getAndSet(t, null).hashCode());
        }
        report("handles");
    }

    static final class Cloned implements Cloneable {
        int a;
        Object b;

        Cloned copy() throws CloneNotSupportedException {
            return (Cloned) clone();
        }
    }

    static final class Refused {
        Object copy() throws CloneNotSupportedException {
            return clone();
        }
    }

    static void objects() throws Exception {
        for (int k = 0; k < 60; k++) {
            Cloned c = new Cloned();
            c.a = k;
            c.b = "b" + k;
            Cloned d = c.copy();
            add(d.a + d.b.hashCode() + (d == c ? 1 : 0));
            int h = System.identityHashCode(c);
            add(h == System.identityHashCode(c) && h == c.hashCode() ? 1 : 0);
            add(System.identityHashCode(null));
            try {
                new Refused().copy();
            } catch (CloneNotSupportedException e) {
                add(e.getMessage().hashCode());
            }
            add(Array.getLength(Array.newInstance(k % 2 == 0 ? int.class : String.class, k)));
            try {
                Array.newInstance(String.class, -k - 1);
            } catch (NegativeArraySizeException e) {
                add(e.getMessage().hashCode());
            }
            long now = System.nanoTime();
            add(System.nanoTime() >= now && System.currentTimeMillis() > 0 ? 1 : 0);
            try {
                add(text(k, 1, (char) 0).compareTo(k % 3 == 0 ? null : "a"));
            } catch (NullPointerException e) {
                add(2);
            }
        }
        report("objects");
    }

    public static void main(String[] args) throws Exception {
        for (int r = 0; r < ROUNDS; r++) {
            System.out.println("round " + r);
            comparing();
            searching();
            widths();
            arrays();
            copies();
            numbers();
            unsafe();
            handles();
            objects();
        }
    }
}
