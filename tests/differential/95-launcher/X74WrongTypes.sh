# Calls of known handles by the wrong type, where the check of the type is called: what would come behind it is translated, too.
cat > W.java <<'J'
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.WrongMethodTypeException;

public class W {
    static int two(int a, int b) { return a + b; }
    static long ofLong(long a) { return a; }
    static double ofDouble(double a) { return a; }
    static int ofInt(int a) { return a; }
    static float toFloat(int a) { return a; }
    static Object toObject(int a) { return a; }
    static void nothing(int a) { }
    static final MethodHandle TWO = of("two", int.class, int.class, int.class), LONG = of("ofLong", long.class, long.class);
    static final MethodHandle DOUBLE = of("ofDouble", double.class, double.class), INT = of("ofInt", int.class, int.class);
    static final MethodHandle NOTHING = of("nothing", void.class, int.class);

    static MethodHandle of(String name, Class<?> result, Class<?>... parameters) {
        try {
            return MethodHandles.lookup().findStatic(W.class, name, MethodType.methodType(result, parameters));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    interface Call { int run() throws Throwable; }

    static int wrong(Call c) {
        try {
            return c.run();
        } catch (WrongMethodTypeException e) {
            return -1;
        } catch (Throwable e) {
            throw new Error(e);
        }
    }

    /** Resolves what the wrong calls need by right ones. */
    static long right() throws Throwable {
        MethodHandle f = of("toFloat", float.class, int.class), o = of("toObject", Object.class, int.class);
        long sum = (long) (float) f.invokeExact(3) + ((Integer) (Object) o.invokeExact(4));
        NOTHING.invokeExact(3);
        return sum + (int) TWO.invokeExact(1, 2) + (long) LONG.invokeExact(3L) + (long) (double) DOUBLE.invokeExact(2.0) + (int) INT.invokeExact(5);
    }

    public static void main(String[] args) throws Throwable {
        long sum = 0;
        for (int i = 0; i < 200; i++) sum += right();
        for (int i = 0; i < 20000; i++) {
            sum = 31 * sum + wrong(() -> (int) (long) TWO.invokeExact(3L)) + 3 * wrong(() -> (int) LONG.invokeExact(3, 4));
            sum = 31 * sum + wrong(() -> (int) (long) DOUBLE.invokeExact(3L)) + 3 * wrong(() -> (int) NOTHING.invokeExact(3));
            sum = 31 * sum + wrong(() -> ((Object) INT.invokeExact(3)).hashCode()) + 3 * wrong(() -> (int) (float) INT.invokeExact(3));
            sum = 31 * sum + wrong(() -> (int) (long) INT.invokeExact(3)) + 3 * wrong(() -> (int) INT.invokeExact(i()));
        }
        System.out.println(sum);
    }

    static int i() { return 7; }
}
J
"$JAVAC" W.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -XX:CompileCommand=quiet -XX:CompileCommand=dontinline,java.lang.invoke.Invokers::checkExactType -cp . W
echo "exit $?"
