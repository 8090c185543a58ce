// covers: dstore(ok) lstore(ok) fstore(ok) astore(ok) istore(ok)
// Every short form of loads and stores: each type in each of the first four slots, and beyond.
public class B24Slots {
    static double d0() {
        double d = 1.5, e = 2.5, f = 3.5;
        d += e;
        f += d;
        return d * e + f;
    }

    static double d1(int a) {
        double d = a + 1.5, e = 2.5, f = 3.5;
        d += e;
        e -= f;
        return d * e + f;
    }

    static long l0() {
        long d = 1L << 40, e = 3, f = 5;
        d += e;
        f += d;
        return d * e + f;
    }

    static long l1(int a) {
        long d = a + 1L, e = 3L << 33, f = 5;
        d += e;
        e -= f;
        return d * e + f;
    }

    static float f0() {
        float a = 1, b = 2, c = 3, d = 4, e = 5;
        a += b;
        b += c;
        c += d;
        d += e;
        e += a;
        return a + b * 2 + c * 3 + d * 4 + e * 5;
    }

    static int i0() {
        int a = 1, b = 2, c = 3, d = 4, e = 5;
        a += b;
        b += c;
        c += d;
        d += e;
        e += a;
        return a + b * 2 + c * 3 + d * 4 + e * 5;
    }

    static int a0() {
        String a = "a", b = "bb", c = "ccc", d = "dddd", e = "eeeee";
        String t = a;
        a = e;
        e = d;
        d = c;
        c = b;
        b = t;
        return a.length()
                + b.length() * 10
                + c.length() * 100
                + d.length() * 1000
                + e.length() * 10000;
    }

    public static void main(String[] args) {
        System.out.println(d0());
        System.out.println(d1(7));
        System.out.println(l0());
        System.out.println(l1(7));
        System.out.println(f0());
        System.out.println(i0());
        System.out.println(a0());
    }
}
