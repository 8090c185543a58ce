// covers: fadd(ok,nan,inf) fsub(ok,nan) fmul(ok,nan,underflow) fdiv(ok,zero,nan) frem(ok,zero,inf)
// covers: fneg(ok,zero,nan) fconst_0(ok) fconst_1(ok) fconst_2(ok) ldc(float)
// covers: fcmpl(less,equal,greater,nan)
// covers: fcmpg(less,equal,greater,nan)
public class B07FloatArith {
    static final float[] V = {
        0f,
        -0f,
        1f,
        2f,
        -1f,
        0.1f,
        3.5f,
        -7.25f,
        1e-45f,
        -1e-45f,
        1.17549435E-38f,
        3.4028235e38f,
        -3.4028235e38f,
        Float.POSITIVE_INFINITY,
        Float.NEGATIVE_INFINITY,
        Float.NaN,
        16777216f,
        1e10f
    };

    static int bits(float f) {
        return Float.floatToIntBits(f);
    }

    static float add(float a, float b) {
        return a + b;
    }

    static float sub(float a, float b) {
        return a - b;
    }

    static float mul(float a, float b) {
        return a * b;
    }

    static float div(float a, float b) {
        return a / b;
    }

    static float rem(float a, float b) {
        return a % b;
    }

    static float neg(float a) {
        return -a;
    }

    static int compare(float a, float b) {
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
        System.out.println(bits(add(1.5f, 2.25f)));
        System.out.println(bits(neg(0f)));
        for (float a : V) {
            System.out.println(bits(neg(a)));
            int h = 0;
            int c = 0;
            for (float b : V) {
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
        System.out.println(bits(rem(5.5f, 2f)));
        System.out.println(bits(rem(-5.5f, 2f)));
        System.out.println(bits(rem(5.5f, Float.POSITIVE_INFINITY)));
        System.out.println(bits(rem(5.5f, 0f)));
        System.out.println(0f);
        System.out.println(2f);
        System.out.println(1.5f);
        System.out.println(Float.MIN_VALUE);
        System.out.println(Float.MAX_VALUE);
    }
}
