// covers: i2l(ok) i2f(ok) i2d(ok) l2i(ok) l2f(ok) l2d(ok) f2i(ok,nan,saturate) f2l(ok,nan,saturate)
// covers: f2d(ok,nan) d2i(ok,nan,saturate) d2l(ok,nan,saturate) d2f(ok,nan,inf) i2b(ok) i2c(ok)
// covers: i2s(ok)
public class B09Conversions {
    public static void main(String[] args) {
        int[] ints = {
            0,
            1,
            -1,
            127,
            128,
            255,
            256,
            32767,
            32768,
            65535,
            65536,
            16777217,
            -16777217,
            Integer.MAX_VALUE,
            Integer.MIN_VALUE
        };
        for (int i : ints) {
            System.out.println((long) i);
            System.out.println(Float.floatToIntBits((float) i));
            System.out.println(Double.doubleToLongBits((double) i));
            System.out.println((byte) i);
            System.out.println((int) (char) i);
            System.out.println((short) i);
        }
        long[] longs = {
            0,
            1,
            -1,
            0xffffffffL,
            0x100000000L,
            0x7fffffff80000000L,
            9007199254740993L,
            -9007199254740993L,
            Long.MAX_VALUE,
            Long.MIN_VALUE
        };
        for (long l : longs) {
            System.out.println((int) l);
            System.out.println(Float.floatToIntBits((float) l));
            System.out.println(Double.doubleToLongBits((double) l));
        }
        float[] floats = {
            0f,
            -0f,
            0.9f,
            -0.9f,
            1.5f,
            -1.5f,
            2147483648f,
            -2147483648f,
            2147483520f,
            3e9f,
            -3e9f,
            9.3e18f,
            -9.3e18f,
            Float.NaN,
            Float.POSITIVE_INFINITY,
            Float.NEGATIVE_INFINITY,
            Float.MIN_VALUE
        };
        for (float f : floats) {
            System.out.println((int) f);
            System.out.println((long) f);
            System.out.println(Double.doubleToLongBits((double) f));
            System.out.println((byte) f);
            System.out.println((int) (char) f);
        }
        double[] doubles = {
            0,
            -0.0,
            0.999999,
            -0.999999,
            2147483647.5,
            -2147483648.9,
            2147483648.0,
            1e300,
            -1e300,
            9.3e18,
            -9.3e18,
            9223372036854774784.0,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            1e-320,
            1e39,
            3.4028235677973366e38
        };
        for (double d : doubles) {
            System.out.println((int) d);
            System.out.println((long) d);
            System.out.println(Float.floatToIntBits((float) d));
            System.out.println((short) d);
        }
    }
}
