/** Static methods without arguments whose names begin with t: run on HotSpot and as machine code. */
public class Kernels {
    static long tSum() {
        long s = 0;
        for (int i = 0; i < 1000; i++) s += i * 3 - (i >> 1);
        return s;
    }
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    static long tFib() { return fib(17); }
    static long tDivide() {
        long h = 0;
        int[] xs = {0, 1, -1, 7, -7, Integer.MIN_VALUE, Integer.MAX_VALUE, 65537};
        for (int x : xs) for (int y : xs) {
            if (y != 0) h = h * 31 + x / y + 17 * (x % y);
            long a = x * 4294967311L, b = y * 3L;
            if (b != 0) h = h * 31 + a / b + 13 * (a % b);
        }
        return h + Long.MIN_VALUE / neg(1) + Long.MIN_VALUE % neg(1) + Integer.MIN_VALUE / (int) neg(1);
    }
    static long neg(long x) { return -x; }
    static long tConst() {
        long h = 0;
        for (int i = -50; i < 50; i++) h = h * 31 + i / 7 + i % 10 + (i / -1) + (i % -1) + (long) i / 3 + (long) i % 1000;
        return h;
    }
    static long tDivideByConstants() {
        long h = 0;
        for (int i = -400; i < 400; i++) {
            int x = i < -200 ? Integer.MIN_VALUE + i + 400 : i < 200 ? i : Integer.MAX_VALUE - i + 200;
            long y = i < -300 ? Long.MIN_VALUE + i + 400 : i < 300 ? i * 0x123456789abcdL : Long.MAX_VALUE - i + 300;
            h = h * 31 + x / 2 + 17 * (x % 2);
            h = h * 31 + x / -2 + 17 * (x % -2);
            h = h * 31 + x / 3 + 17 * (x % 3);
            h = h * 31 + x / -3 + 17 * (x % -3);
            h = h * 31 + x / 5 + 17 * (x % 5);
            h = h * 31 + x / -5 + 17 * (x % -5);
            h = h * 31 + x / 7 + 17 * (x % 7);
            h = h * 31 + x / -7 + 17 * (x % -7);
            h = h * 31 + x / 10 + 17 * (x % 10);
            h = h * 31 + x / -10 + 17 * (x % -10);
            h = h * 31 + x / 16 + 17 * (x % 16);
            h = h * 31 + x / -16 + 17 * (x % -16);
            h = h * 31 + x / 60 + 17 * (x % 60);
            h = h * 31 + x / -60 + 17 * (x % -60);
            h = h * 31 + x / 100 + 17 * (x % 100);
            h = h * 31 + x / -100 + 17 * (x % -100);
            h = h * 31 + x / 641 + 17 * (x % 641);
            h = h * 31 + x / -641 + 17 * (x % -641);
            h = h * 31 + x / 1000 + 17 * (x % 1000);
            h = h * 31 + x / -1000 + 17 * (x % -1000);
            h = h * 31 + x / 1024 + 17 * (x % 1024);
            h = h * 31 + x / -1024 + 17 * (x % -1024);
            h = h * 31 + x / 65536 + 17 * (x % 65536);
            h = h * 31 + x / -65536 + 17 * (x % -65536);
            h = h * 31 + x / 65537 + 17 * (x % 65537);
            h = h * 31 + x / -65537 + 17 * (x % -65537);
            h = h * 31 + x / 1073741824 + 17 * (x % 1073741824);
            h = h * 31 + x / -1073741824 + 17 * (x % -1073741824);
            h = h * 31 + x / 1073741825 + 17 * (x % 1073741825);
            h = h * 31 + x / -1073741825 + 17 * (x % -1073741825);
            h = h * 31 + x / 2147483647 + 17 * (x % 2147483647);
            h = h * 31 + x / -2147483647 + 17 * (x % -2147483647);
            h = h * 31 + y / 2L + 17 * (y % 2L);
            h = h * 31 + y / -2L + 17 * (y % -2L);
            h = h * 31 + y / 3L + 17 * (y % 3L);
            h = h * 31 + y / -3L + 17 * (y % -3L);
            h = h * 31 + y / 5L + 17 * (y % 5L);
            h = h * 31 + y / -5L + 17 * (y % -5L);
            h = h * 31 + y / 7L + 17 * (y % 7L);
            h = h * 31 + y / -7L + 17 * (y % -7L);
            h = h * 31 + y / 10L + 17 * (y % 10L);
            h = h * 31 + y / -10L + 17 * (y % -10L);
            h = h * 31 + y / 16L + 17 * (y % 16L);
            h = h * 31 + y / -16L + 17 * (y % -16L);
            h = h * 31 + y / 60L + 17 * (y % 60L);
            h = h * 31 + y / -60L + 17 * (y % -60L);
            h = h * 31 + y / 100L + 17 * (y % 100L);
            h = h * 31 + y / -100L + 17 * (y % -100L);
            h = h * 31 + y / 641L + 17 * (y % 641L);
            h = h * 31 + y / -641L + 17 * (y % -641L);
            h = h * 31 + y / 2147483648L + 17 * (y % 2147483648L);
            h = h * 31 + y / -2147483648L + 17 * (y % -2147483648L);
            h = h * 31 + y / 2147483649L + 17 * (y % 2147483649L);
            h = h * 31 + y / -2147483649L + 17 * (y % -2147483649L);
            h = h * 31 + y / 4294967296L + 17 * (y % 4294967296L);
            h = h * 31 + y / -4294967296L + 17 * (y % -4294967296L);
            h = h * 31 + y / 1000000000039L + 17 * (y % 1000000000039L);
            h = h * 31 + y / -1000000000039L + 17 * (y % -1000000000039L);
            h = h * 31 + y / 4611686018427387904L + 17 * (y % 4611686018427387904L);
            h = h * 31 + y / -4611686018427387904L + 17 * (y % -4611686018427387904L);
            h = h * 31 + y / 4611686018427387905L + 17 * (y % 4611686018427387905L);
            h = h * 31 + y / -4611686018427387905L + 17 * (y % -4611686018427387905L);
            h = h * 31 + y / 9223372036854775807L + 17 * (y % 9223372036854775807L);
            h = h * 31 + y / -9223372036854775807L + 17 * (y % -9223372036854775807L);
            h = h * 31 + x / Integer.MIN_VALUE + x % Integer.MIN_VALUE + y / Long.MIN_VALUE + y % Long.MIN_VALUE;
        }
        return h;
    }
    static long tShift() {
        long h = 0;
        for (int i = -3; i < 70; i++) {
            int x = 0x9abcdef1 + i;
            long y = 0x9abcdef123456789L * i;
            h = h * 31 + (x << i) + (x >> i) + (x >>> i) + (y << i) + (y >> i) + (y >>> i);
        }
        return h;
    }
    static long bits(double d) { return (long) (d * 1024) ^ (long) d; }
    static long tFloat() {
        long h = 0;
        double[] ds = {0.0, -0.0, 1.5, -2.75, 1e300, -1e300, 1.0 / 0, -1.0 / 0, 0.0 / 0, 1e-310, 2147483648.0};
        for (double a : ds) for (double b : ds) {
            h = h * 31 + bits(a + b) + 3 * bits(a - b) + 5 * bits(a * b) + 7 * bits(a / b);
            h = h * 31 + (a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a > b ? 4 : 0) + (a >= b ? 8 : 0) + (a == b ? 16 : 0) + (a != b ? 32 : 0);
            float x = (float) a, y = (float) b;
            h = h * 31 + (x < y ? 1 : 0) + (!(x <= y) ? 2 : 0) + (x > y ? 4 : 0) + (!(x >= y) ? 8 : 0) + (int) (x * y) + (long) (x / y);
            h = h * 31 + (int) a + (long) b + (int) x + (byte) (int) y + (short) (int) a + (char) (int) b;
        }
        return h;
    }
    static long tRem() {
        double s = 0;
        for (int i = 1; i < 20; i++) s += (i * 7.25) % 3.5 - (i * -1.25f) % 0.7f;
        return (long) (s * 100000);
    }
    static long tSwitch() {
        long h = 0;
        for (int i = -5; i < 40; i++) {
            switch (i) {
                case 0: h += 1; break;
                case 1: h += 20;
                case 2: h += 300; break;
                case 3: h *= 7; break;
                default: h ^= i;
            }
            switch (i * 1000) {
                case -3000: h += 5; break;
                case 1000: h -= 9; break;
                case 30000: h *= 3; break;
                case 2000000000: h = 0; break;
            }
        }
        return h;
    }
    static long tArrays() {
        int[] a = new int[100];
        long[] b = new long[50];
        byte[] c = new byte[64];
        boolean[] z = new boolean[10];
        char[] d = new char[33];
        short[] e = new short[21];
        float[] f = new float[9];
        double[] g = new double[7];
        for (int i = 0; i < a.length; i++) a[i] = i * i;
        for (int i = 0; i < b.length; i++) b[i] = a[i * 2] * 3L;
        for (int i = 0; i < c.length; i++) { c[i] = (byte) (i * 37); z[i % 10] = (i & 3) == 0; }
        for (int i = 0; i < d.length; i++) { d[i] = (char) (i * 7919); e[i % 21] = (short) (i * 9999); f[i % 9] = i; g[i % 7] = i * .5; }
        long h = 0;
        for (int x : a) h = h * 31 + x;
        for (long x : b) h = h * 31 + x;
        for (byte x : c) h = h * 31 + x;
        for (boolean x : z) h = h * 31 + (x ? 1 : 0);
        for (char x : d) h = h * 31 + x;
        for (short x : e) h = h * 31 + x;
        for (float x : f) h = h * 31 + (long) x;
        for (double x : g) h = h * 31 + (long) (x * 2);
        return h;
    }
    /** References across allocations and calls, in loops. */
    static int[] make(int n) { int[] r = new int[n]; for (int i = 0; i < n; i++) r[i] = n + i; return r; }
    static long tRefs() {
        int[] a = make(5), b = make(6), c = null;
        long h = 0;
        for (int i = 0; i < 20; i++) {
            int[] t = make(i);
            if (i % 3 == 0) { c = a; a = b; b = t; }
            if (c == null) h += 1000;
            else h = h * 17 + c.length + (c.length > 0 ? c[c.length - 1] : 0);
            h += a.length * 3 + b.length + (t == b ? 1 : 0);
        }
        return h;
    }
    static long many(int a, long b, float c, double d, int[] e, byte f, char g, short i, boolean j, long k, int l, double m) {
        return a + b * 3 + (long) (c * 5) + (long) (d * 7) + e[0] * 11 + f * 13 + g * 17 + i * 19 + (j ? 23 : 0) + k * 29 + l * 31 + (long) m;
    }
    static long tMany() {
        int[] e = {42};
        long h = 0;
        for (int i = 0; i < 5; i++) h = h * 31 + many(i, i * 7L, i * .5f, i * .25, e, (byte) (200 + i), (char) -i, (short) (40000 + i), i == 2, -i, i << 20, 1e6);
        return h;
    }
    static boolean odd(int i) { return (i & 1) != 0; }
    static byte narrow(int i) { return (byte) i; }
    static long tNarrow() {
        long h = 0;
        for (int i = 0; i < 300; i += 7) h = h * 3 + (odd(i) ? 1 : 2) + narrow(i);
        return h;
    }
    static long tStack() {
        long h = 1;
        int[] a = {1, 2, 3};
        int i = 0;
        a[i++] += 5; a[i++] *= a[i]; h += a[0]++ + ++a[1];
        long[] b = {7, 8};
        b[0] += b[1]++; b[1] = b[0]-- - (b[0] += 3);
        return h * 31 + a[0] + a[1] * 7 + a[2] * 49 + b[0] * 343 + b[1] * 1000003;
    }
    static long tNested() {
        long h = 0;
        outer:
        for (int i = 0; i < 30; i++) {
            for (int j = i; j < 40; j++) {
                if ((i ^ j) == 13) continue outer;
                if (i * j > 500) break;
                h = h * 7 + i - j;
            }
            do { h ^= h >>> 3; } while ((h & 7) == 3);
            if (h == 42) break;
        }
        return h;
    }
    static int locked(int[] a, int[] b) {
        synchronized (a) {
            synchronized (b) {
                synchronized (a) {
                    return a[0] + b[0];
                }
            }
        }
    }
    static long tLocked() {
        long s = 0;
        int[] b = make(3);
        for (int i = 0; i < 100; i++) s += locked(make(2), b);
        return s;
    }
    static boolean small(int x) { return x < 10; }
    static boolean middle(int x) { return !small(x) && x < 100; }
    static int predicates(int[] a, int x) {
        int n = 0;
        if (middle(x)) n += 1;
        if (!small(x)) n += 2;
        if (x >= 0 && x < 4) { a[x] += n; n += a[x]; a[x] = n ^ x; }
        return n;
    }
    static long tPredicates() {
        long h = 0;
        int[] a = make(4);
        for (int x = -3; x < 120; x++) h = h * 31 + predicates(a, x) + a[x & 3];
        return h;
    }

    public static void main(String[] args) throws Exception {
        for (java.lang.reflect.Method m : Kernels.class.getDeclaredMethods())
            if (m.getName().startsWith("t")) System.out.println(m.getName() + " " + m.invoke(null));
    }
}
