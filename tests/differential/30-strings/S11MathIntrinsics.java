// vm: own -XX:+UseLibmIntrinsic
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.Random;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/**
 * The functions of Math that a VM computes by its own code: special cases to the bit, other values to a float's precision,
 * no further from StrictMath than both may be wrong, and the same however they are called.
 */
public class S11MathIntrinsics {
    static final double[] SPECIAL = {
        0.0, -0.0, 1, -1, 2, -2, 0.5, -0.5, 3, -3, 1000, 1e22, 1e300, -1e300, 709.8, -745.2, 1e-310, Math.PI, Math.PI / 2,
        Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MIN_VALUE, -Double.MIN_VALUE, Double.MAX_VALUE,
        -Double.MAX_VALUE, Double.MIN_NORMAL, Double.longBitsToDouble(0x7ff0000000000001L), Double.longBitsToDouble(0xfff8000000000123L)
    };
    /** As near to multiples of pi/2 as doubles come. */
    static final double[] NEARLY = {
        7.340960437735089e288, 2.095388322299142e195, -4.190776644598284e195, 4.0614969117880766e20, -1.462840815890387e21,
        1.7765241907548024e269, 9.543500192512319e269, 5.319372648326541e255
    };
    static final String[] NAMES = {"sin", "cos", "tan", "exp", "log", "log10"};
    static final DoubleUnaryOperator[] FUNCTIONS = {Math::sin, Math::cos, Math::tan, Math::exp, Math::log, Math::log10};
    static final DoubleUnaryOperator[] STRICT = {
        StrictMath::sin, StrictMath::cos, StrictMath::tan, StrictMath::exp, StrictMath::log, StrictMath::log10
    };
    static final DoubleBinaryOperator POWER = Math::pow;

    static String text(double d) {
        boolean special = d == 0 || Double.isNaN(d) || Double.isInfinite(d) || Math.abs(d) == 1;
        return special ? Long.toHexString(Double.doubleToRawLongBits(d)) : Float.toString((float) d);
    }

    static boolean near(double a, double b) {
        return Double.compare(a, b) == 0 || Math.abs(a - b) <= 2 * Math.ulp(b);
    }

    static long hot(int which, double[] xs) {
        long h = 0;
        for (double x : xs) {
            double v = switch (which) {
                case 0 -> Math.sin(x);
                case 1 -> Math.cos(x);
                case 2 -> Math.tan(x);
                case 3 -> Math.exp(x);
                case 4 -> Math.log(x);
                case 5 -> Math.log10(x);
                default -> Math.pow(x, 1.7);
            };
            h = h * 31 + Double.doubleToLongBits(v);
        }
        return h;
    }

    /** Compiled code calls what the handle is for by way of linkToStatic, and so the method itself. */
    static long byHandle(MethodHandle h, double[] xs) throws Throwable {
        long hash = 0;
        for (double x : xs) hash = hash * 31 + Double.doubleToLongBits((double) h.invokeExact(x));
        return hash;
    }

    public static void main(String[] args) throws Throwable {
        for (double x : SPECIAL) {
            StringBuilder s = new StringBuilder();
            for (DoubleUnaryOperator f : FUNCTIONS) s.append(text(f.applyAsDouble(x))).append(' ');
            for (double y : SPECIAL) s.append(text(POWER.applyAsDouble(x, y))).append(' ');
            System.out.println(s);
        }
        for (int n = 0; n <= 22; n++) System.out.print(Math.log10(Double.parseDouble("1e" + n)) + " ");
        System.out.println();
        for (double x : NEARLY) {
            for (int f = 0; f < 3; f++) System.out.print(NAMES[f] + (near(FUNCTIONS[f].applyAsDouble(x), STRICT[f].applyAsDouble(x)) ? " near " : " FAR "));
            System.out.println(x);
        }
        Random random = new Random(11);
        double[] xs = new double[20000];
        for (int i = 0; i < xs.length; i++) xs[i] = random.nextGaussian() * Math.scalb(1.0, random.nextInt(40) - 20);
        // Large ones, some of them nearly multiples of pi/2.
        for (int i = 0; i < xs.length; i += 3) xs[i] = random.nextGaussian() * Math.scalb(1.0, random.nextInt(1000) + 20);
        for (int i = 0; i < xs.length; i += 5) xs[i] = random.nextInt() * (Math.PI / 2) * Math.scalb(1.0, random.nextInt(20));
        for (int f = 0; f <= NAMES.length; f++) {
            boolean power = f == NAMES.length;
            String name = power ? "pow" : NAMES[f];
            boolean near = true;
            for (double x : xs) {
                near &= power ? near(Math.pow(x, 1.7), StrictMath.pow(x, 1.7)) : near(FUNCTIONS[f].applyAsDouble(x), STRICT[f].applyAsDouble(x));
            }
            Class<?>[] types = power ? new Class<?>[] {double.class, double.class} : new Class<?>[] {double.class};
            Method m = Math.class.getMethod(name, types);
            long reflected = 0;
            for (double x : xs) {
                Object v = power ? m.invoke(null, x, 1.7) : m.invoke(null, x);
                reflected = reflected * 31 + Double.doubleToLongBits((Double) v);
            }
            boolean same = true;
            MethodHandle h = MethodHandles.lookup().unreflect(m);
            if (power) h = MethodHandles.insertArguments(h, 1, 1.7);
            for (int i = 0; i < 5; i++) same &= hot(f, xs) == reflected && byHandle(h, xs) == reflected;
            System.out.println(name + (near ? " near" : " FAR") + (same ? " same" : " DIFFERENT"));
        }
    }
}
