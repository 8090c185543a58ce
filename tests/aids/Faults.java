import java.lang.reflect.Field;
import sun.misc.Unsafe;

/** Reads memory that is not there, in code that may be compiled. */
public class Faults {
    private static int read(Unsafe u, long at, int i) {
        return u.getInt(at) + i;
    }

    private static int loop(Unsafe u, int n, long at) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += read(u, at, i);
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        Field f = Unsafe.class.getDeclaredField("theUnsafe");
        f.setAccessible(true);
        Unsafe u = (Unsafe) f.get(null);
        long at = u.allocateMemory(64);
        u.setMemory(at, 64, (byte) 0);
        for (int i = 0; i < 3000; i++) {
            loop(u, 1000, at);
        }
        loop(u, 2, 8);
    }
}
