// covers: JVM_GetCallerClass
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;

/** Who a caller-sensitive method sees when it is called by reflection, before and after inflation. */
public class R11Callers {
    static class Inner {
        static Class<?> viaReflection(Method m) throws Exception {
            return ((MethodHandles.Lookup) m.invoke(null)).lookupClass();
        }

        static Class<?> viaHandle(MethodHandle h) throws Throwable {
            return ((MethodHandles.Lookup) h.invoke()).lookupClass();
        }
    }

    public static void main(String[] args) throws Throwable {
        Method m = MethodHandles.class.getMethod("lookup");
        for (int i = 0; i < 40; i++) {
            if (i % 13 == 0) System.out.println(i + " " + Inner.viaReflection(m));
            else Inner.viaReflection(m);
        }
        System.out.println(m.invoke(null));
        MethodHandle h =
                MethodHandles.lookup().findStatic(MethodHandles.class, "lookup", MethodType.methodType(MethodHandles.Lookup.class));
        System.out.println(Inner.viaHandle(h).getName().replaceAll("/.*", ""));
        Method forName = Class.class.getMethod("forName", String.class);
        for (int i = 0; i < 20; i++) {
            if (forName.invoke(null, "R11Callers$Inner") != Inner.class) throw new Error();
        }
        Method again = Method.class.getMethod("invoke", Object.class, Object[].class);
        try {
            System.out.println(again.invoke(m, null, new Object[0]));
        } catch (java.lang.reflect.InvocationTargetException e) {
            System.out.println(e.getCause());
        }
    }
}
