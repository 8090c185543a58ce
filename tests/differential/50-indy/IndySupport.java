// covers: invokedynamic(bootstrap)
import java.lang.invoke.*;
import java.util.Arrays;

/** The bootstrap methods that generated classes name; its main shows that they work alone. */
public class IndySupport {
    static int linked;
    public static MutableCallSite mutable;
    public static VolatileCallSite vol;

    static int plus(int x) {
        return x + linked;
    }

    static int times(int x) {
        return x * 100;
    }

    static String join(
            int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i) {
        return a + " " + b + " " + c + " " + d + " " + e + " " + f + " " + g + " " + h + " " + i;
    }

    public static CallSite site(MethodHandles.Lookup l, String name, MethodType t, Object... args)
            throws Throwable {
        System.out.println(
                "link "
                        + name
                        + " "
                        + t
                        + " "
                        + Arrays.toString(args).replaceAll("MethodHandle\\(.*\\)int", "MH"));
        linked++;
        MethodHandle plus =
                MethodHandles.lookup()
                        .findStatic(
                                IndySupport.class,
                                "plus",
                                MethodType.methodType(int.class, int.class));
        switch (name) {
            case "mutable":
                return mutable = new MutableCallSite(plus);
            case "volatileSite":
                return vol = new VolatileCallSite(plus);
            case "fail":
                throw new java.io.IOException("bootstrap fails");
            case "failError":
                throw new InternalError("error passes");
            case "nullSite":
                return null;
            case "wrongType":
                return new ConstantCallSite(MethodHandles.constant(int.class, 5));
            case "join":
                return new ConstantCallSite(
                        MethodHandles.lookup().findStatic(IndySupport.class, "join", t));
            default:
                return new ConstantCallSite(plus);
        }
    }

    public static Object dynamic(MethodHandles.Lookup l, String name, Class<?> t, Object... args)
            throws Throwable {
        System.out.println("constant " + name + " " + t + " " + Arrays.toString(args));
        switch (name) {
            case "int":
                return 41;
            case "long":
                return 1L << 40;
            case "float":
                return 1.5f;
            case "double":
                return 2.5;
            case "boolean":
                return true;
            case "byte":
                return (byte) -3;
            case "char":
                return 'q';
            case "short":
                return (short) -300;
            case "string":
                return "made of " + Arrays.toString(args);
            case "null":
                return null;
            case "array":
                return new int[] {1, 2};
            case "wrong":
                return 5;
            default:
                throw new IllegalStateException("no constant");
        }
    }

    public static void main(String[] args) throws Throwable {
        // Other programs of the same VM start may have linked sites before.
        linked = 0;
        System.out.println(dynamic(null, "int", int.class));
        System.out.println(
                (int)
                        site(null, "static", MethodType.methodType(int.class, int.class))
                                .dynamicInvoker()
                                .invokeExact(4));
        linked = 0;
    }
}
