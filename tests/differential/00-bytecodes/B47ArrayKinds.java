// covers: bastore(boolean-masked)
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Stores of any int into arrays of bytes and of booleans by the same method, until it is compiled. */
public class B47ArrayKinds {
    public static void main(String[] args) throws Throwable {
        for (String name : new String[] {"either", "eitherResult"}) {
            store(MethodHandles.lookup().findStatic(Class.forName("ArrayKinds"), name,
                    MethodType.methodType(void.class, Object.class, int.class)));
        }
    }

    static void store(MethodHandle either) throws Throwable {
        byte[] bytes = new byte[1];
        boolean[] booleans = new boolean[1];
        long sum = 0;
        for (int i = 0; i < 20000; i++) {
            either.invokeExact((Object) bytes, i);
            either.invokeExact((Object) booleans, i);
            sum = 31 * sum + bytes[0] + (booleans[0] ? 1000 : 0);
        }
        System.out.println(sum);
        for (int v : new int[] {2, 3, -1, 254, 256}) {
            either.invokeExact((Object) bytes, v);
            either.invokeExact((Object) booleans, v);
            System.out.println(v + " " + bytes[0] + " " + booleans[0]);
        }
    }
}
