// vm: own -Xmx32m
// covers: JVM_MaxMemory
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** OutOfMemoryError's text on every path that allocates. */
public class G07MemoryErrors {
    static List<byte[]> all = new ArrayList<>();

    interface Path {
        Object run() throws Throwable;
    }

    static void attempt(String what, Path p) {
        try {
            System.out.println(what + ": " + p.run().getClass());
        } catch (OutOfMemoryError e) {
            all = null;
            String text = String.valueOf(e.getMessage());
            // The direct limit is the heap's own size, which differs a little.
            System.out.println(what + ": " + text.replaceAll("limit: \\d+", "limit: N").replaceAll("allocated: \\d+", "allocated: N"));
        } catch (Throwable t) {
            System.out.println(what + ": " + t);
        }
    }

    public static void main(String[] args) {
        attempt("fill", () -> {
            while (true) {
                all.add(new byte[100_000]);
            }
        });
        int huge = Integer.MAX_VALUE;
        attempt("newarray", () -> new long[huge - 8]);
        attempt("newarray too long", () -> new long[huge]);
        attempt("anewarray", () -> new String[huge - 2]);
        attempt("anewarray too long", () -> new String[huge]);
        attempt("multianewarray", () -> new Object[1 << 28][4]);
        attempt("multianewarray inner", () -> new long[4][huge]);
        attempt("repeat", () -> "x".repeat(huge));
        attempt("repeat of two", () -> "xy".repeat(huge));
        attempt("builder", () -> {
            StringBuilder b = new StringBuilder();
            b.ensureCapacity(1 << 29);
            return b;
        });
        attempt("builder too long", () -> {
            StringBuilder b = new StringBuilder("x");
            b.ensureCapacity(huge);
            return b;
        });
        attempt("direct", () -> ByteBuffer.allocateDirect(1 << 30));
        attempt("reflection", () -> java.lang.reflect.Array.newInstance(long.class, huge));
        attempt("reflection in dimensions", () -> java.lang.reflect.Array.newInstance(int.class, 1 << 20, 1 << 20));
        attempt("clone", () -> {
            int[] x = new int[1 << 20];
            Object[] s = new Object[100];
            for (int i = 0; i < s.length; i++) {
                s[i] = x.clone();
            }
            return s;
        });
        attempt("copyOf", () -> Arrays.copyOf(new int[10], huge));
        attempt("copyOf fits nowhere", () -> Arrays.copyOf(new int[10], 1 << 28));
        attempt("list", () -> new ArrayList<>(huge));
        attempt("stream", () -> new java.io.ByteArrayOutputStream(huge));
        attempt("string of chars", () -> new String(new char[6 << 20]).toCharArray().length + "".length() > 0 ? new char[8 << 20] : "");
        attempt("unsafe", () -> {
            var f = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
            f.setAccessible(true);
            return ((sun.misc.Unsafe) f.get(null)).allocateMemory(1L << 46);
        });
        System.out.println(new byte[1 << 20].length);
    }
}
