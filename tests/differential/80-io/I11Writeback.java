// vm: own --add-exports java.base/jdk.internal.misc=ALL-UNNAMED --add-opens java.base/java.nio=ALL-UNNAMED
import java.io.RandomAccessFile;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.Buffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Unsafe.writebackMemory, often enough to be compiled: the memory keeps what was stored, and the file gets it. */
public class I11Writeback {
    static MethodHandle unsafe(Object u, String name, Class<?>... types) throws Throwable {
        Method m = u.getClass().getMethod(name, types);
        return MethodHandles.lookup().unreflect(m).bindTo(u);
    }

    public static void main(String[] args) throws Throwable {
        Object u = Class.forName("jdk.internal.misc.Unsafe").getMethod("getUnsafe").invoke(null);
        System.out.println(unsafe(u, "dataCacheLineFlushSize").invoke());
        MethodHandle writeback = unsafe(u, "writebackMemory", long.class, long.class);
        Path file = Files.createTempFile("writeback", null);
        int size = 1 << 16;
        try (RandomAccessFile f = new RandomAccessFile(file.toFile(), "rw")) {
            MappedByteBuffer b = f.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, size);
            Field address = Buffer.class.getDeclaredField("address");
            address.setAccessible(true);
            long base = address.getLong(b);
            byte[] expected = new byte[size];
            Random r = new Random(42);
            for (int i = 0; i < 30_000; i++) {
                int at = r.nextInt(size), n = Math.min(r.nextInt(300), size - at);
                for (int k = 0; k < n; k++) {
                    byte x = (byte) r.nextInt();
                    b.put(at + k, x);
                    expected[at + k] = x;
                }
                writeback.invoke(base + at, (long) n);
                if (n > 0 && b.get(at + n - 1) != expected[at + n - 1]) {
                    throw new AssertionError("lost at " + at);
                }
            }
            byte[] found = Files.readAllBytes(file);
            System.out.println(java.util.Arrays.equals(found, expected));
            for (long n : new long[] {0, -1, Long.MIN_VALUE}) {
                try {
                    writeback.invoke(base, n);
                    System.out.println("done");
                } catch (RuntimeException e) {
                    System.out.println(e.getClass().getName());
                }
            }
        }
        Files.delete(file);
    }
}
