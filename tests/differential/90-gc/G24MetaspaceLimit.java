// vm: own -Xmx256m -XX:MaxMetaspaceSize=24m
// timeout: 60
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.util.ArrayList;
import java.util.List;

/** -XX:MaxMetaspaceSize: classes that are kept meet it, those that can be unloaded do not, and room that is made is used. */
public class G24MetaspaceLimit {
    static class Piece {
        int sum(int x) {
            return x;
        }
    }

    static class Loader extends ClassLoader {
        Class<?> define(byte[] b) {
            return defineClass("G24MetaspaceLimit$Piece", b, 0, b.length);
        }
    }

    static byte[] bytes;
    static List<Class<?>> kept = new ArrayList<>();

    interface Maker {
        Class<?> make() throws Exception;
    }

    /** The text of the error that ends it, after some classes at least. */
    static String fill(Maker m) throws Exception {
        try {
            for (int i = 0; i < 100_000; i++) {
                kept.add(m.make());
            }
            return "no limit met";
        } catch (OutOfMemoryError e) {
            boolean many = kept.size() > 500;
            kept = new ArrayList<>();
            return e.getMessage().concat(many ? ", after many classes" : ", after few classes");
        }
    }

    public static void main(String[] args) throws Exception {
        bytes = G24MetaspaceLimit.class.getResourceAsStream("G24MetaspaceLimit$Piece.class").readAllBytes();
        MemoryPoolMXBean pool = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(p -> p.getName().equals("Metaspace")).findFirst().get();
        System.out.println("max ".concat(Long.toString(pool.getUsage().getMax() >> 20)));
        System.out.println("loaders: ".concat(fill(() -> new Loader().define(bytes))));
        // Gone again, each time before the limit is met.
        for (int i = 0; i < 30_000; i++) {
            new Loader().define(bytes);
        }
        System.out.println("not kept: no limit met");
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        System.out.println("hidden: ".concat(fill(() -> lookup.defineHiddenClass(bytes, false).lookupClass())));
        System.out.println("and on: ".concat(new Loader().define(bytes).getName()));
        System.out.println("used ".concat(Boolean.toString(pool.getUsage().getUsed() <= 24 << 20)));
    }
}
