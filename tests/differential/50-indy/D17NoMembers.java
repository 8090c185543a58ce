import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Members of primitive types by name: there are none, not even those of Object; arrays have Object's. */
public class D17NoMembers {
    interface Lookup {
        Object find() throws Throwable;
    }

    static void print(String what, Lookup l) {
        try {
            System.out.println(what + " " + l.find());
        } catch (Throwable e) {
            System.out.println(what + " " + e + " " + (e.getCause() == null ? "" : e.getCause().getMessage()));
        }
    }

    public static void main(String[] args) {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodType toInt = MethodType.methodType(int.class);
        for (Class<?> c : new Class<?>[] {int.class, void.class, int[].class, Runnable.class, Object[].class, Number.class}) {
            print(c + " new", () -> lookup.findConstructor(c, MethodType.methodType(void.class)));
            print(c + " new int", () -> lookup.findConstructor(c, MethodType.methodType(void.class, int.class)));
            for (String n : new String[] {"foo", "clone", "hashCode", "length"}) {
                print(c + " virtual " + n, () -> lookup.findVirtual(c, n, toInt));
                print(c + " static " + n, () -> lookup.findStatic(c, n, toInt));
                print(c + " getter " + n, () -> lookup.findGetter(c, n, int.class));
                print(c + " special " + n, () -> lookup.findSpecial(c, n, toInt, D17NoMembers.class));
                print(c + " handle " + n, () -> lookup.findStaticVarHandle(c, n, int.class));
            }
        }
    }
}
