// covers: dadd(ok,nan,inf) dsub(ok,nan) dmul(ok,nan,underflow) ddiv(ok,zero,nan) drem(ok,zero,inf)
// covers: dneg(ok,zero,nan) dconst_0(ok) dconst_1(ok) ldc2_w(double) dcmpl(less,equal,greater,nan)
// covers: dcmpg(less,equal,greater,nan)
public class B08DoubleArith {
    static final double[] V = {
        0.0,
        -0.0,
        1.0,
        2.0,
        -1.0,
        0.1,
        3.5,
        -7.25,
        4.9e-324,
        -4.9e-324,
        2.2250738585072014E-308,
        1.7976931348623157e308,
        -1.7976931348623157e308,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        Double.NaN,
        9007199254740992.0,
        1e100,
        1e-100
    };

    static long bits(double d) {
        return Double.doubleToLongBits(d);
    }

    static double add(double a, double b) {
        return a + b;
    }

    static double sub(double a, double b) {
        return a - b;
    }

    static double mul(double a, double b) {
        return a * b;
    }

    static double div(double a, double b) {
        return a / b;
    }

    static double rem(double a, double b) {
        return a % b;
    }

    static double neg(double a) {
        return -a;
    }

    static int compare(double a, double b) {
        int r = 0;
        if (a < b) r |= 1;
        if (a <= b) r |= 2;
        if (a == b) r |= 4;
        if (a != b) r |= 8;
        if (a > b) r |= 16;
        if (a >= b) r |= 32;
        if (!(a < b)) r |= 64;
        if (!(a >= b)) r |= 128;
        return r;
    }

    public static void main(String[] args) {
        for (double a : V) {
            System.out.println(bits(neg(a)));
            long h = 0;
            int c = 0;
            for (double b : V) {
                h = h * 31 + bits(add(a, b));
                h = h * 31 + bits(sub(a, b));
                h = h * 31 + bits(mul(a, b));
                h = h * 31 + bits(div(a, b));
                h = h * 31 + bits(rem(a, b));
                c = c * 31 + compare(a, b);
            }
            System.out.println(h);
            System.out.println(c);
        }
        System.out.println(bits(rem(5.5, 2)));
        System.out.println(bits(rem(-5.5, 2)));
        System.out.println(bits(rem(1e308, 3e-5)));
        System.out.println(bits(rem(5.5, 0)));
        System.out.println(0.0);
        System.out.println(1.0);
        System.out.println(0.1 + 0.2);
        System.out.println(1e21);
        System.out.println(Double.MIN_VALUE);
        System.out.println(100.0 / 3);
    }
}
