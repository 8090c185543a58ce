// vm: own -Xmx256m -XX:MetaspaceSize=8m
// timeout: 60
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;

/** -XX:MetaspaceSize: classes that are not kept are unloaded long before the heap is full. */
public class G25MetaspaceMark {
    static class Piece {
        int sum(int x) {
            return x;
        }
    }

    static class Loader extends ClassLoader {
        Class<?> define(byte[] b) {
            return defineClass("G25MetaspaceMark$Piece", b, 0, b.length);
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] bytes = G25MetaspaceMark.class.getResourceAsStream("G25MetaspaceMark$Piece.class").readAllBytes();
        MemoryPoolMXBean pool = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(p -> p.getName().equals("Metaspace")).findFirst().get();
        long most = 0;
        for (int i = 0; i < 10_000; i++) {
            new Loader().define(bytes);
            most = Math.max(most, pool.getUsage().getUsed());
        }
        System.out.println("in use at most ".concat(most <= 16 << 20 ? "little" : most + " bytes"));
    }
}
