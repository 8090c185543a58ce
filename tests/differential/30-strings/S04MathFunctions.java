// With -XX:-UseLibmIntrinsic Math's functions are StrictMath's.
public class S04MathFunctions {
    public static void main(String[] args) {
        double[] v = {
            0,
            -0.0,
            1,
            -1,
            0.5,
            2,
            10,
            100,
            1e-10,
            1e10,
            1e300,
            Math.PI,
            Math.E,
            -3.7,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            Double.MIN_VALUE
        };
        for (double x : v) {
            long h = 0;
            double[] r = {
                Math.sin(x),
                Math.cos(x),
                Math.tan(x),
                Math.exp(x),
                Math.log(x),
                Math.log10(x),
                Math.sqrt(x),
                Math.cbrt(x),
                Math.atan(x),
                Math.asin(x),
                Math.acos(x),
                Math.sinh(x),
                Math.cosh(x),
                Math.tanh(x),
                Math.expm1(x),
                Math.log1p(x),
                Math.toRadians(x),
                Math.floor(x),
                Math.ceil(x),
                Math.rint(x)
            };
            for (double y : r) h = h * 31 + Double.doubleToLongBits(y);
            for (double y : v)
                h =
                        h * 31
                                + Double.doubleToLongBits(Math.pow(x, y))
                                + Double.doubleToLongBits(Math.atan2(x, y))
                                + Double.doubleToLongBits(Math.IEEEremainder(x, y));
            System.out.println(h);
            System.out.println(
                    StrictMath.sin(x) + " " + StrictMath.exp(x) + " " + StrictMath.pow(x, 0.3));
        }
        double t = 0.001;
        long h = 0;
        for (int i = 0; i < 500; i++) {
            t = t * 1.05 + 0.01;
            h =
                    h * 31
                            + Double.doubleToLongBits(
                                    Math.sin(t) + Math.log(t) + Math.exp(-t) + Math.pow(t, 1.7));
        }
        System.out.println(h);
    }
}
