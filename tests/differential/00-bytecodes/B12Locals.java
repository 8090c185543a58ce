// covers: iload(ok,wide) lload(ok,wide) fload(ok,wide) dload(ok,wide) aload(ok,wide)
// covers: istore(ok,wide) lstore(ok,wide) fstore(ok,wide) dstore(ok,wide) astore(ok,wide)
// covers: iinc(ok,negative,wide)
public class B12Locals {
    static int args(
            int a,
            long b,
            float c,
            double d,
            Object e,
            int f,
            long g,
            byte h,
            short i,
            char j,
            boolean k,
            double l) {
        int r = a;
        r = r * 31 + (int) (b ^ (b >>> 32));
        r = r * 31 + Float.floatToIntBits(c);
        r = r * 31 + (int) Double.doubleToLongBits(d);
        r = r * 31 + (e == null ? 0 : e.toString().length());
        r = r * 31 + f;
        r = r * 31 + (int) g;
        r = r * 31 + h + i + j;
        r = r * 31 + (k ? 1 : 2);
        r = r * 31 + (int) l;
        return r;
    }

    static int inc(int a) {
        int x0 = a, x1 = a, x2 = a, x3 = a, x4 = a;
        x0++;
        x1--;
        x2 += 127;
        x3 += -128;
        x4 += 1000;
        x4 -= 32768;
        x0 += 32767;
        x1 += 32768;
        return x0 + x1 * 3 + x2 * 5 + x3 * 7 + x4 * 11;
    }

    static long firstFour(int a) {
        int i0 = a, i1 = a + 1, i2 = a + 2;
        return i0 + i1 * 2 + i2 * 4;
    }

    static long longs(long l0, long l2, long l4) {
        long l6 = l0 + l2, l8 = l4 - l0;
        l0 = l6;
        l2 = l8;
        return l0 * 3 + l2 * 5 + l4 * 7 + l6 + l8;
    }

    static float floats(float f0, float f1, float f2, float f3, float f4) {
        f0 = f1 + f2;
        f1 = f3 + f4;
        f2 = f0;
        f3 = f1;
        f4 = f2;
        return f0 + f1 * 2 + f2 * 3 + f3 * 4 + f4 * 5;
    }

    static double doubles(double d0, double d2, double d4) {
        double d6 = d0 + d2;
        d0 = d4;
        d2 = d6;
        d4 = d0;
        return d0 + d2 * 2 + d4 * 3 + d6 * 4;
    }

    static String refs(String a0, String a1, String a2, String a3, String a4) {
        String t = a0;
        a0 = a4;
        a4 = a1;
        a1 = a3;
        a3 = a2;
        a2 = t;
        return a0.concat(a1).concat(a2).concat(a3).concat(a4);
    }

    public static void main(String[] args) {
        System.out.println(
                args(1, 2L, 3f, 4.0, "five", 6, 7L, (byte) 8, (short) 9, 'j', true, 12.5));
        System.out.println(
                args(
                        -1,
                        Long.MIN_VALUE,
                        Float.NaN,
                        -0.0,
                        null,
                        Integer.MIN_VALUE,
                        -7L,
                        (byte) -8,
                        (short) -9,
                        '\uffff',
                        false,
                        -1e9));
        System.out.println(inc(5));
        System.out.println(inc(Integer.MAX_VALUE));
        System.out.println(firstFour(10));
        System.out.println(longs(1L << 40, 3, -5));
        System.out.println(floats(1, 2, 3, 4, 5));
        System.out.println(doubles(1.5, 2.5, 3.5));
        System.out.println(refs("a", "b", "c", "d", "e"));
    }
}
