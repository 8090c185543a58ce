// covers: fload(nan) dload(nan) fstore(nan) dstore(nan) faload(nan) getfield(nan) freturn(nan)
// covers: f2d(nan) d2f(nan)
// Payloads of quiet NaNs survive moves; -0.0 keeps its sign.
public class B21NaNBits {
    float f;
    double d;
    static float sf;
    static double sd;

    static float passF(float x) {
        float y = x;
        return y;
    }

    static double passD(double x) {
        double y = x;
        return y;
    }

    public static void main(String[] args) {
        int[] fs = {
            0x7fc00000, 0x7fc12345, 0xffc00001, 0x80000000, 0x7f800000, 0x00000001, 0x807fffff
        };
        for (int bits : fs) {
            B21NaNBits o = new B21NaNBits();
            float[] a = new float[2];
            float x = Float.intBitsToFloat(bits);
            o.f = x;
            sf = o.f;
            a[1] = sf;
            System.out.println(Float.floatToRawIntBits(passF(a[1])));
            System.out.println(Float.floatToRawIntBits(-passF(a[1])));
            System.out.println(Float.floatToIntBits(a[1]));
            System.out.println(Double.doubleToRawLongBits((double) a[1]));
        }
        long[] ds = {
            0x7ff8000000000000L,
            0x7ff8123456789abcL,
            0xfff8000000000001L,
            0x8000000000000000L,
            1L,
            0x7ff0000000000000L
        };
        for (long bits : ds) {
            B21NaNBits o = new B21NaNBits();
            double[] a = new double[2];
            o.d = Double.longBitsToDouble(bits);
            sd = o.d;
            a[1] = sd;
            System.out.println(Double.doubleToRawLongBits(passD(a[1])));
            System.out.println(Double.doubleToRawLongBits(-passD(a[1])));
            System.out.println(Double.doubleToLongBits(a[1]));
            System.out.println(Float.floatToRawIntBits((float) a[1]));
        }
        System.out.println(0.0 == -0.0);
        System.out.println(1 / -0.0);
        System.out.println(Math.min(0.0, -0.0));
        System.out.println(Double.NaN != Double.NaN);
    }
}
