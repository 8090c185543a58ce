import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * What compilers know by name, second part: whole arrays filled and compared, searches in strings of two bytes per char,
 * atomic operations on the narrow types, the smaller of two floating point numbers, kinds of classes.
 */
public class S10WholeArrays {
    static final int LONG = 70;
    static final int ROUNDS = 8;
    static long sum;

    static void add(long v) {
        sum = sum * 31 + v;
    }

    static void report(String section) {
        System.out.println(section + " " + Long.toHexString(sum));
        sum = 0;
    }

    static void fills() {
        for (int n = 0; n < LONG; n++) {
            boolean[] z = new boolean[n];
            byte[] b = new byte[n];
            char[] c = new char[n];
            short[] s = new short[n];
            int[] i = new int[n];
            long[] j = new long[n];
            float[] f = new float[n];
            double[] d = new double[n];
            Arrays.fill(z, true);
            Arrays.fill(b, (byte) (200 + n));
            Arrays.fill(c, (char) (0xff00 + n));
            Arrays.fill(s, (short) (0x8001 + n));
            Arrays.fill(i, -n);
            Arrays.fill(j, -7L * n << 30);
            Arrays.fill(f, n % 3 == 0 ? Float.NaN : -n);
            Arrays.fill(d, n % 3 == 1 ? -0.0 : n);
            add(Arrays.hashCode(z) + Arrays.hashCode(b) * 3L + Arrays.hashCode(c) * 5L + Arrays.hashCode(s));
            add(Arrays.hashCode(i) + Arrays.hashCode(j) * 3L + Arrays.hashCode(f) * 5L + Arrays.hashCode(d));
            for (int from = 0; from < n; from += 3) {
                int to = from + (n - from) / 2;
                Arrays.fill(z, from, to, from % 2 == 0);
                Arrays.fill(b, from, to, (byte) from);
                Arrays.fill(c, from, to, (char) from);
                Arrays.fill(s, from, to, (short) -from);
                Arrays.fill(i, from, to, from);
                Arrays.fill(j, from, to, from);
                Arrays.fill(f, from, to, from);
                Arrays.fill(d, from, to, from);
                add(Arrays.hashCode(z) + Arrays.hashCode(b) * 3L + Arrays.hashCode(c) * 5L + Arrays.hashCode(s));
                add(Arrays.hashCode(i) + Arrays.hashCode(j) * 3L + Arrays.hashCode(f) * 5L + Arrays.hashCode(d));
            }
        }
        report("fills");
    }

    static void badRange(int n, int from, int to) {
        int[] a = new int[n];
        try {
            Arrays.fill(a, from, to, 1);
            add(Arrays.hashCode(a));
        } catch (RuntimeException e) {
            add(e.toString().hashCode());
        }
        try {
            Arrays.fill(n == 3 ? null : a, 1);
        } catch (NullPointerException e) {
            add(n);
        }
        try {
            Arrays.fill(new double[n], from, to, 1.5);
            add(from - to);
        } catch (RuntimeException e) {
            add(e.toString().hashCode());
        }
    }

    static void ranges() {
        for (int n = 0; n < 5; n++) {
            for (int from = -2; from < 7; from++) {
                for (int to = -2; to < 7; to++) {
                    badRange(n, from, to);
                }
            }
        }
        long[] large = new long[300_000];
        Arrays.fill(large, 77);
        large[3] = 1;
        Arrays.fill(large, 5, 299_999, 78);
        add(Arrays.hashCode(large));
        report("ranges");
    }

    static void equality() {
        for (int n = 0; n < LONG; n++) {
            boolean[] z = new boolean[n];
            byte[] b = new byte[n];
            char[] c = new char[n];
            short[] s = new short[n];
            int[] i = new int[n];
            long[] j = new long[n];
            boolean[] z2 = z.clone();
            byte[] b2 = b.clone();
            char[] c2 = c.clone();
            short[] s2 = s.clone();
            int[] i2 = i.clone();
            long[] j2 = j.clone();
            for (int at = -1; at < n; at++) {
                if (at >= 0) {
                    z2[at] = true;
                    b2[at] = 1;
                    c2[at] = 256;
                    s2[at] = -1;
                    i2[at] = 1 << 31;
                    j2[at] = 1L << 40;
                }
                add((Arrays.equals(z, z2) ? 1 : 0) + (Arrays.equals(b, b2) ? 2 : 0) + (Arrays.equals(c, c2) ? 4 : 0));
                add((Arrays.equals(s, s2) ? 1 : 0) + (Arrays.equals(i, i2) ? 2 : 0) + (Arrays.equals(j, j2) ? 4 : 0));
                if (at >= 0) {
                    z2[at] = false;
                    b2[at] = 0;
                    c2[at] = 0;
                    s2[at] = 0;
                    i2[at] = 0;
                    j2[at] = 0;
                }
            }
            add(Arrays.equals(i, i) && !Arrays.equals(i, null) && !Arrays.equals(null, c) && Arrays.equals((byte[]) null, null) ? 1 : 2);
            add(Arrays.equals(i, new int[n + 1]) ? 1 : 2);
        }
        report("equality");
    }

    static void searches() {
        for (int n = 0; n < LONG; n++) {
            char[] c = new char[n + 1];
            for (int i = 0; i <= n; i++) {
                c[i] = (char) (i % 9 == 4 ? 0x6161 : i % 7 + 'a');
            }
            c[n] = '\u4e2d';
            String s = new String(c);
            for (int from = -1; from <= n + 2; from += 2) {
                add(s.indexOf('e', from) + 100 * s.indexOf('a', from));
                add(s.indexOf('\u4e2d', from) + 100 * s.indexOf('\u4e2e', from));
                add(s.indexOf(-1, from) + 10 * s.indexOf(0x1f600, from) + 100 * s.indexOf(0x110000, from));
                add(s.indexOf("cd", from) + 100 * s.indexOf("\u6161", from) + 7 * s.indexOf("", from));
                add(s.indexOf("a\u4e2d", from) + 100 * s.indexOf("e\u6161f", from));
                add(s.indexOf("bcdf", from) + 100 * s.indexOf("fga", from));
            }
            for (int k = 0; k <= n; k += 5) {
                add(s.indexOf(s.substring(k)) + 100 * s.indexOf(s.substring(k, n)));
                add(s.contains(s.substring(0, k) + "x") ? 1 : 2);
            }
        }
        report("searches");
    }

    boolean z;
    byte b = 5;
    short s = 6;
    char c = 7;
    float f;
    double d;
    byte[] bytes = new byte[9];
    static final VarHandle BYTES = MethodHandles.arrayElementVarHandle(byte[].class);
    static final VarHandle Z;
    static final VarHandle B;
    static final VarHandle S;
    static final VarHandle C;
    static final VarHandle F;
    static final VarHandle D;

    static {
        try {
            MethodHandles.Lookup l = MethodHandles.lookup();
            Z = l.findVarHandle(S10WholeArrays.class, "z", boolean.class);
            B = l.findVarHandle(S10WholeArrays.class, "b", byte.class);
            S = l.findVarHandle(S10WholeArrays.class, "s", short.class);
            C = l.findVarHandle(S10WholeArrays.class, "c", char.class);
            F = l.findVarHandle(S10WholeArrays.class, "f", float.class);
            D = l.findVarHandle(S10WholeArrays.class, "d", double.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static void atomics() throws Exception {
        S10WholeArrays o = new S10WholeArrays();
        for (int k = -200; k < 200; k++) {
            add(B.compareAndSet(o, (byte) k, (byte) -k) ? 1 : 2);
            add((byte) B.compareAndExchange(o, o.b, (byte) (k * 3)));
            add((byte) B.compareAndExchange(o, (byte) 1, (byte) 2));
            add(((byte) B.getAndAdd(o, (byte) k) & 0xff) + 3 * (byte) B.getAndSet(o, (byte) (k + 1)) + (byte) B.getAndBitwiseOr(o, (byte) 0x80));
            add(S.compareAndSet(o, (short) (k + 6), (short) (k * 999)) ? 1 : 2);
            add((short) S.compareAndExchange(o, o.s, (short) (k * 1003)) + 7 * ((short) S.getAndAddAcquire(o, (short) 0x7fff) & 0xffff));
            add((short) S.getAndSet(o, (short) k) + (S.weakCompareAndSetPlain(o, (short) -9, (short) 3) ? 1 : 2));
            add(C.compareAndSet(o, (char) k, (char) (k + 1)) ? 1 : 2);
            add((char) C.compareAndExchange(o, o.c, (char) -k) + 3 * (char) C.getAndAdd(o, (char) 0xfff0) + (char) C.getAndSet(o, (char) k));
            add((boolean) Z.compareAndExchange(o, k % 3 == 0, k % 2 == 0) ? 1 : 2);
            add(Z.compareAndSet(o, true, false) ? 1 : 2);
            add((boolean) Z.getAndBitwiseXor(o, true) ? 1 : 2);
            add(F.compareAndSet(o, o.f, (float) k) && D.compareAndSet(o, o.d, k / 2.0) ? 1 : 2);
            add((long) (float) F.getAndAdd(o, 1.5f) + (long) (double) D.getAndSet(o, -0.5 * k));
            int at = Math.floorMod(k, 9);
            add(BYTES.compareAndSet(o.bytes, at, o.bytes[at], (byte) k) ? 1 : 2);
            // Without the mask code of HotSpot's optimiser gives a number above 127.
            add((byte) BYTES.getAndAdd(o.bytes, at, (byte) 100) & 0xff);
            add(Arrays.hashCode(o.bytes) + o.b + o.s + o.c + (o.z ? 1 : 0) + Float.floatToIntBits(o.f) + Double.doubleToLongBits(o.d));
        }
        S10WholeArrays many = new S10WholeArrays();
        Thread[] threads = new Thread[3];
        for (int t = 0; t < threads.length; t++) {
            int own = t;
            threads[t] = new Thread(() -> {
                for (int k = 0; k < 3000; k++) {
                    S.getAndAdd(many, (short) 1);
                    BYTES.getAndAdd(many.bytes, own, (byte) 1);
                    byte was;
                    do {
                        was = (byte) BYTES.getVolatile(many.bytes, 3);
                    } while (!BYTES.compareAndSet(many.bytes, 3, was, (byte) (was + 1)));
                }
            });
            threads[t].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        add(many.s + Arrays.hashCode(many.bytes));
        report("atomics");
    }

    static final double[] DOUBLES = {0.0, -0.0, 1.5, -1.5, 1e300, -1e300, Double.MIN_VALUE, -Double.MIN_VALUE, Double.NaN, Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY, Float.MIN_VALUE, Float.MAX_VALUE};

    static void smaller() {
        for (double x : DOUBLES) {
            for (double y : DOUBLES) {
                add(Double.doubleToLongBits(Math.min(x, y)) + 3 * Double.doubleToLongBits(Math.max(x, y)));
                add(Float.floatToIntBits(Math.min((float) x, (float) y)) + 3L * Float.floatToIntBits(Math.max((float) x, (float) y)));
                add(Double.doubleToLongBits(StrictMath.max(x, -y)) + 3 * Double.doubleToLongBits(Double.min(-x, y)));
            }
        }
        report("smaller");
    }

    interface Shape {
    }

    private abstract static class Hidden implements Shape {
    }

    protected static final class Last extends Hidden {
    }

    enum Kind {
        A
    }

    static final Class<?>[] CLASSES = {Object.class, String.class, CharSequence.class, int.class, void.class, int[].class, Object[].class, Number[][].class,
        Hidden.class, Hidden[].class, Shape.class, Last.class, Kind.class, Override.class, Thread.State.class, Shape[][].class, Cloneable.class,
        int[][].class};

    static void classes() {
        for (Class<?> c : CLASSES) {
            add(c.getModifiers());
            add((c.isArray() ? 1 : 0) + (c.isInterface() ? 2 : 0) + (c.isPrimitive() ? 4 : 0) + (c.isHidden() ? 8 : 0) + (c.isEnum() ? 16 : 0));
            for (Class<?> d : CLASSES) {
                add(c.isAssignableFrom(d) ? 1 : 2);
            }
            try {
                add(c.isAssignableFrom(null) ? 1 : 2);
            } catch (NullPointerException e) {
                add(3);
            }
        }
        report("classes");
    }

    public static void main(String[] args) throws Exception {
        for (int r = 0; r < ROUNDS; r++) {
            System.out.println("round " + r);
            fills();
            ranges();
            equality();
            searches();
            atomics();
            smaller();
            classes();
            classes();
        }
    }
}
