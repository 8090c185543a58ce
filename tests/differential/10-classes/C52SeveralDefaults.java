// covers: invokespecial(conflict,AbstractMethod,static)
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;

/**
 * A method that a class or an interface inherits from several interfaces: who calls it by invokespecial, by way of the class
 * itself, of a superclass or of an interface, gets the only default or an error; interpreted, compiled, and at each time.
 */
public class C52SeveralDefaults {
    static String call(MethodHandle m, Object o) {
        try {
            return String.valueOf((int) m.invokeExact(o));
        } catch (AbstractMethodError e) {
            return "AbstractMethodError";
        } catch (Throwable e) {
            return e.toString();
        }
    }

    /** Frames of the stand-ins, where they are. */
    static String where(MethodHandle m, Object o) {
        try {
            return String.valueOf((int) m.invokeExact(o));
        } catch (Throwable e) {
            StackTraceElement top = e.getStackTrace()[0];
            return top.getClassName() + "." + top.getMethodName();
        }
    }

    public static void main(String[] args) throws Exception {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        for (int shape = 0; shape < 16; shape++) {
            for (String holder : new String[] {"J", "K", "A", "B", "C"}) {
                String name = "dft" + shape + "." + holder;
                Class<?> c = Class.forName(name);
                Object o = Class.forName("dft" + shape + (holder.equals("J") ? ".K" : holder.equals("A") ? ".C" : "." + holder))
                        .getConstructor().newInstance();
                Method[] all = c.getDeclaredMethods();
                Arrays.sort(all, Comparator.comparing(Method::getName));
                for (Method m : all) {
                    MethodHandle h = lookup.unreflect(m).asType(MethodType.methodType(int.class, Object.class));
                    String first = call(h, o);
                    System.out.println(name + "." + m.getName() + " " + first);
                    for (int i = 0; i < 150; i++) {
                        String again = call(h, o);
                        if (!again.equals(first)) throw new AssertionError(i + " " + again);
                    }
                    if (m.getName().startsWith("special")) System.out.println(where(h, o));
                }
            }
        }
    }
}
