import java.lang.reflect.Method;

/** Every static method without arguments that returns long is a program; main prints their results. */
public class Programs {
    public static void main(String[] args) throws Exception {
        for (Method m : Programs.class.getDeclaredMethods())
            if (m.getParameterCount() == 0 && m.getReturnType() == long.class && !m.isSynthetic())
                System.out.println(m.getName() + " " + m.invoke(null));
    }

    static long mix(long h, long v) { return h * 31 + v; }

    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    static long fibonacci() { return fib(20); }

    static long arithmetic() {
        int[] is = {0, 1, -1, 7, -13, 31, 32, 33, Integer.MAX_VALUE, Integer.MIN_VALUE, 0x12345678};
        long[] ls = {0, 1, -1, 63, 64, -77, Long.MAX_VALUE, Long.MIN_VALUE, 0x123456789abcdefL};
        long h = 0;
        for (int x : is) for (int y : is) {
            h = mix(h, x + y); h = mix(h, x - y); h = mix(h, x * y);
            h = mix(h, x << y); h = mix(h, x >> y); h = mix(h, x >>> y);
            h = mix(h, x & y); h = mix(h, x | y); h = mix(h, x ^ y);
            if (y != 0) { h = mix(h, x / y); h = mix(h, x % y); }
            h = mix(h, x < y ? 1 : 2); h = mix(h, x <= y ? 1 : 2); h = mix(h, x == y ? 1 : 2);
            h = mix(h, x > y ? 1 : 2); h = mix(h, x >= y ? 1 : 2); h = mix(h, x != y ? 1 : 2);
            h = mix(h, -x); h = mix(h, ~x);
        }
        for (long x : ls) for (long y : ls) {
            h = mix(h, x + y); h = mix(h, x - y); h = mix(h, x * y);
            h = mix(h, x << y); h = mix(h, x >> y); h = mix(h, x >>> y);
            h = mix(h, x & y); h = mix(h, x | y); h = mix(h, x ^ y);
            if (y != 0) { h = mix(h, x / y); h = mix(h, x % y); }
            h = mix(h, x < y ? 1 : 2); h = mix(h, x <= y ? 1 : 2); h = mix(h, x == y ? 1 : 2);
            h = mix(h, -x); h = mix(h, (int) x);
        }
        return h;
    }

    static long bits(double d) { return d != d ? 77 : fbits(d); }
    /** Bits of a double by comparisons and scaling only: no library. */
    static long fbits(double d) {
        long h = d < 0 || 1 / d < 0 ? 1 : 0;
        if (d < 0) d = -d;
        if (d == 1.0 / 0) return h + 5;
        int e = 0;
        while (d >= 2 && e < 2000) { d /= 2; e++; }
        while (d != 0 && d < 1 && e > -2000) { d *= 2; e--; }
        return mix(mix(h, e), (long) (d * (1L << 52)));
    }

    static long floating() {
        double inf = 1.0 / 0, nan = 0.0 / 0;
        double[] ds = {0, -0.0, 1, -1, 0.1, 1e10, -3.75, 1e300, -1e300, inf, -inf, nan, 2147483648.0, -2147483649.0, 9.3e18, 5e-324};
        float[] fs = {0, -0f, 1, -1, 0.1f, 1e10f, -3.75f, 1e38f, (float) inf, (float) -inf, (float) nan, 2.14748365E9f};
        long h = 0;
        for (double x : ds) for (double y : ds) {
            h = mix(h, bits(x + y)); h = mix(h, bits(x - y)); h = mix(h, bits(x * y)); h = mix(h, bits(x / y)); h = mix(h, bits(x % y));
            h = mix(h, x < y ? 1 : 2); h = mix(h, x <= y ? 1 : 2); h = mix(h, x > y ? 1 : 2); h = mix(h, x >= y ? 1 : 2); h = mix(h, x == y ? 1 : 2); h = mix(h, x != y ? 1 : 2);
            h = mix(h, (int) x); h = mix(h, (long) x); h = mix(h, bits((float) x)); h = mix(h, bits(-x));
        }
        for (float x : fs) for (float y : fs) {
            h = mix(h, bits(x + y)); h = mix(h, bits(x - y)); h = mix(h, bits(x * y)); h = mix(h, bits(x / y)); h = mix(h, bits(x % y));
            h = mix(h, x < y ? 1 : 2); h = mix(h, x <= y ? 1 : 2); h = mix(h, x > y ? 1 : 2); h = mix(h, x >= y ? 1 : 2); h = mix(h, x == y ? 1 : 2);
            h = mix(h, (int) x); h = mix(h, (long) x); h = mix(h, bits(-x));
        }
        for (int i = 1; i < 100; i++) { h = mix(h, bits((float) (i * 123456789))); h = mix(h, bits((double) (i * 1234567890123L))); h = mix(h, bits((float) (i * 1234567890123L))); }
        return h;
    }

    static long conversions() {
        long h = 0;
        for (int i = -70000; i < 70000; i += 997) { h = mix(h, (byte) i); h = mix(h, (char) i); h = mix(h, (short) i); h = mix(h, (long) i); }
        return h;
    }

    static int table(int x) { switch (x) { case -2: return 5; case -1: return 7; case 0: return 9; case 1: return 11; case 3: return 13; default: return 15; } }
    static int lookup(int x) { switch (x) { case -2000000000: return 5; case -7: return 7; case 0: return 9; case 100: return 11; case 2000000000: return 13; default: return 15; } }
    static long switches() {
        long h = 0;
        for (int i = -5; i < 6; i++) h = mix(h, table(i));
        h = mix(h, table(Integer.MIN_VALUE)); h = mix(h, table(Integer.MAX_VALUE));
        int[] keys = {-2000000000, -1999999999, -8, -7, -6, 0, 1, 99, 100, 101, 2000000000, Integer.MAX_VALUE, Integer.MIN_VALUE};
        for (int k : keys) h = mix(h, lookup(k));
        return h;
    }

    static long arrays() {
        boolean[] z = new boolean[5]; byte[] b = new byte[7]; char[] c = new char[7]; short[] s = new short[7]; int[] i = new int[7];
        long[] l = new long[7]; float[] f = new float[7]; double[] d = new double[7]; Object[] o = new Object[7];
        long h = 0;
        for (int k = 0; k < 7; k++) {
            b[k] = (byte) (k * 77); c[k] = (char) (k * 12345); s[k] = (short) (k * 9999); i[k] = k * 1000003; l[k] = k * 1000000007L; f[k] = k / 3f; d[k] = k / 7.0; o[k] = k % 2 == 0 ? b : null;
            z[k % 5] = k > 3;
        }
        for (int k = 0; k < 7; k++) {
            h = mix(h, b[k]); h = mix(h, c[k]); h = mix(h, s[k]); h = mix(h, i[k]); h = mix(h, l[k]); h = mix(h, bits(f[k])); h = mix(h, bits(d[k])); h = mix(h, o[k] == b ? 1 : 0); h = mix(h, z[k % 5] ? 1 : 0);
            i[k] += k; l[k] *= 3; b[k]++; c[k] += 5; h = mix(h, i[k]++ + ++i[k]); h = mix(h, l[k]-- - --l[k]); h = mix(h, b[k]); h = mix(h, c[k]);
            d[k] += 1; f[k] -= 1; h = mix(h, bits(d[k]++)); h = mix(h, bits(f[k]));
        }
        int[][][] m = new int[3][4][]; m[2][3] = new int[5]; m[2][3][4] = 42;
        long[][] q = new long[3][3]; q[1][1] = 7; q[1][1] += q[1][1]++;
        h = mix(h, m.length + m[1].length + m[2][3][4] + (m[0][0] == null ? 1 : 0)); h = mix(h, q[1][1]);
        int[] big = new int[100000]; big[99999] = 3; h = mix(h, big.length + big[99999]);
        return h;
    }

    static class Node {
        boolean z; byte b; char c; short s; int i; long l; float f; double d; Node next; final int fin; volatile long v; int relaxedInt;
        static boolean sz; static byte sb; static char sc; static short ss; static int si = 5; static long sl; static float sf; static double sd; static Node sn; static volatile int sv;
        Node(int k) { fin = k; z = k % 2 == 0; b = (byte) k; c = (char) k; s = (short) k; i = k; l = k * 10000000000L; f = k / 2f; d = k / 3.0; v = k; relaxedInt = -k; }
        long sum() { return (z ? 1 : 0) + b + c + s + i + l + (long) (f * 2) + (long) (d * 3) + fin + v + relaxedInt; }
    }
    static long fields() {
        long h = 0; Node last = null;
        for (int k = -300; k < 70000; k += 777) { Node n = new Node(k); n.next = last; last = n; n.i += 3; n.l <<= 1; n.v++; n.d *= 2; n.c++; n.b += 200; }
        for (Node n = last; n != null; n = n.next) h = mix(h, n.sum());
        for (int k = 0; k < 5; k++) { Node.sz = !Node.sz; Node.sb += 100; Node.sc--; Node.ss += 20000; Node.si *= 3; Node.sl += 1L << 40; Node.sf += .5f; Node.sd -= .25; Node.sn = last; Node.sv++; 
            h = mix(h, (Node.sz ? 1 : 0) + Node.sb + Node.sc + Node.ss + Node.si + Node.sl + (long) Node.sf + (long) (4 * Node.sd) + Node.sv + (Node.sn == last ? 1 : 0)); }
        return h;
    }

    interface Shape { int area(); default int twice() { return 2 * area(); } static int unit() { return 1; } private int hidden() { return 3; } default int thrice() { return hidden() * area(); } }
    interface Named { default int name() { return 1; } }
    interface Better extends Named { default int name() { return 2; } }
    static abstract class Base implements Shape, Named { int id; Base(int id) { this.id = id; } abstract int kind(); int describe() { return kind() * 100 + area() + secret(); } private int secret() { return 1; } }
    static class Square extends Base { int a; Square(int a) { super(a * 7); this.a = a; } public int area() { return a * a; } int kind() { return 1; } private int secret() { return 1000; } }
    static class Cube extends Square implements Better { Cube(int a) { super(a); } public int area() { return 6 * super.area(); } int kind() { return super.kind() + 1; } int describe() { return super.describe() + 5; } public int twice() { return 1 + super.twice(); } }
    static class Circle extends Base { Circle() { super(3); } public int area() { return 9; } int kind() { return 4; } }
    static long calls() {
        Base[] bs = {new Square(3), new Cube(2), new Circle(), new Square(5)};
        long h = Shape.unit();
        for (int r = 0; r < 3; r++) for (Base b : bs) { Shape s = b; Named n = b; h = mix(h, b.describe()); h = mix(h, s.twice()); h = mix(h, s.area()); h = mix(h, b.thrice()); h = mix(h, n.name()); h = mix(h, b.id); }
        return h;
    }

    static int thrower(int k, Object o, int[] a) {
        switch (k) {
            case 0: return 1 / a[0];
            case 1: return (int) (1L % a[0]);
            case 2: return a[5];
            case 3: a[-1] = 3; return 0;
            case 4: return ((int[]) null)[0];
            case 5: return ((Node) null).i;
            case 6: ((Node) null).l = 3; return 0;
            case 7: return ((Node) o).i;
            case 8: Object[] os = new Node[1]; os[0] = o; return 0;
            case 9: return new int[-a.length].length;
            case 10: return new Object[2][-1].length;
            case 11: throw new IllegalStateException();
            case 12: ((Shape) null).area(); return 0;
            case 13: throw null;
            case 14: synchronized ((Object) null) { return 1; }
            case 15: ((Base) null).describe(); return 0;
            case 16: ((long[]) null)[1] = 5; return 0;
            case 17: return ((Object[]) null).length;
            case 18: return ((Shape) o).area();
            case 19: double[] dd = new double[3]; dd[7] = 3.0; return 1;
            case 20: return ((int[][]) new Object[3])[0][0];
            default: return 99;
        }
    }
    static int name(Throwable t) {
        if (t instanceof ArithmeticException) return 1;
        if (t instanceof ArrayIndexOutOfBoundsException) return 2;
        if (t instanceof NullPointerException) return 3;
        if (t instanceof ClassCastException) return 4;
        if (t instanceof ArrayStoreException) return 5;
        if (t instanceof NegativeArraySizeException) return 6;
        if (t instanceof IllegalStateException) return 7;
        return 8;
    }
    static int order;
    static int nested(int k, int depth) {
        try {
            try { if (depth > 0) return nested(k, depth - 1); return thrower(k, new Object(), new int[1]); }
            catch (ArithmeticException e) { order = order * 3 + 1; throw new IllegalStateException(); }
            finally { order = order * 3 + 2; }
        } catch (NullPointerException e) { order = order * 3; return -depth; }
    }
    static long exceptions() {
        long h = 0;
        for (int r = 0; r < 3; r++) for (int k = 0; k < 22; k++) {
            try { h = mix(h, thrower(k, new Object(), new int[1])); } catch (RuntimeException e) { h = mix(h, name(e)); }
            order = 0;
            try { h = mix(h, nested(k, k % 4)); } catch (Throwable t) { h = mix(h, 100 + name(t)); }
            h = mix(h, order);
        }
        return h;
    }

    static int depth;
    static int down(int a, long b) { depth++; return down(a + 1, b) + 1; }
    static synchronized int downLocked(int a) { depth++; return downLocked(a + 1) + 1; }
    static long overflow() {
        long h = 0;
        for (int i = 0; i < 5; i++) {
            depth = 0;
            try { h += down(0, 7); } catch (StackOverflowError e) { h += depth > 500 ? 1 : 1000; }
            depth = 0;
            try { h += downLocked(0); } catch (StackOverflowError e) { h += depth > 500 ? 1 : 1000; }
        }
        return h;
    }

    static final Object lock = new Object();
    static int locked;
    static synchronized boolean syncBoolean(int x) { locked += x; return x > 2; }
    synchronized long syncLong(long x) { locked += 2; if (x == 5) throw new IllegalStateException(); return x * 2; }
    static synchronized double syncDouble(double x) { return x / 2; }
    static synchronized void syncVoid() { locked++; }
    static long monitors() {
        long h = 0; Programs p = new Programs();
        for (int i = 0; i < 10; i++) {
            synchronized (lock) { synchronized (p) { locked++; h = mix(h, syncBoolean(i) ? 1 : 0); synchronized (lock) { locked += 3; } } }
            try { h = mix(h, p.syncLong(i)); synchronized (p) { if (i == 7) throw new NullPointerException(); } } catch (IllegalStateException | NullPointerException e) { h = mix(h, name(e)); }
            h = mix(h, bits(syncDouble(i))); syncVoid();
            h = mix(h, locked);
        }
        return h;
    }

    static long casts() {
        Object[] os = {new Object(), new Node(1), new Square(1), new Cube(1), new int[1], new int[1][1], new Node[1], new Square[1], new Cube[1][1], new byte[0], null};
        long h = 0;
        for (Object o : os) {
            h = mix(h, o instanceof Node ? 1 : 0); h = mix(h, o instanceof Square ? 1 : 0); h = mix(h, o instanceof Shape ? 1 : 0); h = mix(h, o instanceof int[] ? 1 : 0);
            h = mix(h, o instanceof Object[] ? 1 : 0); h = mix(h, o instanceof Base[] ? 1 : 0); h = mix(h, o instanceof Shape[] ? 1 : 0); h = mix(h, o instanceof Shape[][] ? 1 : 0); h = mix(h, o instanceof Object ? 1 : 0);
            try { Base b = (Base) o; h = mix(h, b == null ? 3 : b.id); } catch (ClassCastException e) { h = mix(h, 9); }
            try { Shape[] b = (Shape[]) o; h = mix(h, b == null ? 3 : b.length); } catch (ClassCastException e) { h = mix(h, 9); }
            try { Object[] a = new Shape[2]; a[0] = o; h = mix(h, 5); } catch (ArrayStoreException e) { h = mix(h, 11); }
            try { Object[] a = new Object[2]; a[1] = o; h = mix(h, 5); } catch (ArrayStoreException e) { h = mix(h, 11); }
            try { Object[] a = new Object[2][]; a[1] = o; h = mix(h, 5); } catch (ArrayStoreException e) { h = mix(h, 11); }
        }
        return h;
    }

    static class First { static int x = Second.y + 1; static { order = order * 10 + 1; } }
    static class Second { static int y = First.x + 10; static { order = order * 10 + 2; } static int get() { return y; } }
    static class Lazy { static int n; static { for (int i = 0; i < 1000; i++) n += step(i); } static int step(int i) { return i + (new Lazy().k); } int k = 2; }
    static long initialization() { order = 0; long h = Second.get(); h = mix(h, First.x); h = mix(h, order); return mix(h, Lazy.n); }

    static long wide() {
        long a0=1,a1=2,a2=3,a3=4,a4=5,a5=6,a6=7,a7=8,a8=9,a9=10,b0=1,b1=2,b2=3,b3=4,b4=5,b5=6,b6=7,b7=8,b8=9,b9=10,c0=1,c1=2,c2=3,c3=4,c4=5,c5=6,c6=7,c7=8,c8=9,c9=10,d0=1,d1=2,d2=3,d3=4,d4=5,d5=6,d6=7,d7=8,d8=9,d9=10,
             e0=1,e1=2,e2=3,e3=4,e4=5,e5=6,e6=7,e7=8,e8=9,e9=10,f0=1,f1=2,f2=3,f3=4,f4=5,f5=6,f6=7,f7=8,f8=9,f9=10,g0=1,g1=2,g2=3,g3=4,g4=5,g5=6,g6=7,g7=8,g8=9,g9=10,h0=1,h1=2,h2=3,h3=4,h4=5,h5=6,h6=7,h7=8,h8=9,h9=10,
             i0=1,i1=2,i2=3,i3=4,i4=5,i5=6,i6=7,i7=8,i8=9,i9=10,j0=1,j1=2,j2=3,j3=4,j4=5,j5=6,j6=7,j7=8,j8=9,j9=10,k0=1,k1=2,k2=3,k3=4,k4=5,k5=6,k6=7,k7=8,k8=9,k9=10,l0=1,l1=2,l2=3,l3=4,l4=5,l5=6,l6=7,l7=8,l8=9,l9=10,
             m0=1,m1=2,m2=3,m3=4,m4=5,m5=6,m6=7,m7=8,m8=9,m9=10;
        int x = 5; float f = 1.5f; double d = 2.5; Object o = lock; long l = 9;
        for (int i = 0; i < 50; i++) { x++; x += 1000; x -= 200; f += x; d -= f; l += (long) d; o = o == null ? lock : o; m9 += l; a0 += m9; }
        x += 30000; x -= 30000; x++;
        return mix(mix(mix(x, (long) f), (long) d), l) + a0 + b5 + c5 + d5 + e5 + f5 + g5 + h5 + i5 + j5 + k5 + l5 + m5 + (o == lock ? 1 : 0);
    }

    static long loops() {
        boolean[] composite = new boolean[20000]; int count = 0;
        for (int i = 2; i < composite.length; i++) { if (!composite[i]) { count++; for (int j = i * 2; j < composite.length; j += i) composite[j] = true; } }
        double x = 0; for (int i = 1; i < 100000; i++) x += 1.0 / i * (i % 2 == 0 ? 1 : -1);
        return mix(count, (long) (x * 1e12));
    }

    int own; long owl; static long stat;
    static long duplicates() {
        Programs p = new Programs(); int[] a = {1, 2, 3}; long[] l = {4, 5, 6}; int i = 0; long h = 0; Programs[] ps = {p, p};
        h = mix(h, p.own = 5); h = mix(h, p.owl = 6L); h = mix(h, a[i++] = 7); h = mix(h, l[i] = 8); h = mix(h, p.own++); h = mix(h, p.owl++); h = mix(h, l[i++]++); h = mix(h, a[--i]--);
        h = mix(h, ps[0].owl += 3); h = mix(h, stat = 5); h = mix(h, stat++); int j = i = 3; h = mix(h, i + j); long u = l[0] = p.owl = 9; h = mix(h, u); double[] d = {1, 2}; h = mix(h, (long) (d[0] = d[1] += 5));
        h = mix(h, ps[1].own += a[2] *= 3);
        return h;
    }

    static long quick(int[] a, int lo, int hi) {
        long moves = 0;
        if (lo >= hi) return 0;
        int p = a[(lo + hi) >>> 1], i = lo, j = hi;
        while (i <= j) { while (a[i] < p) i++; while (a[j] > p) j--; if (i <= j) { int t = a[i]; a[i++] = a[j]; a[j--] = t; moves++; } }
        return moves + quick(a, lo, j) + quick(a, i, hi);
    }
    static long sorting() {
        int[] a = new int[3000]; long s = 12345;
        for (int i = 0; i < a.length; i++) { s = s * 6364136223846793005L + 1442695040888963407L; a[i] = (int) (s >>> 33); }
        long h = quick(a, 0, a.length - 1);
        for (int v : a) h = mix(h, v);
        return h;
    }
}
