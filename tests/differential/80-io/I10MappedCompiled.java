// vm: own
// covers: Unsafe(fault)
// As I09MappedTruncated, from methods that have been compiled. HotSpot throws late, in the caller.
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

public class I10MappedCompiled {
    static final int SIZE = 4096 * 4;
    static byte[] sink;

    static long read(MappedByteBuffer m, int at) {
        try {
            return m.get(at) + m.getShort(at) + m.getInt(at) + m.getLong(at) + (long) m.getDouble(at) + (long) m.getFloat(at);
        } catch (InternalError e) {
            return -1;
        }
    }

    static int write(MappedByteBuffer m, int at, int v) {
        try {
            m.put(at, (byte) v);
            return m.putLong(at, v).putDouble(at, v).putInt(at, v).position();
        } catch (InternalError e) {
            return -1;
        }
    }

    static boolean fails(MappedByteBuffer m, boolean reads) {
        try {
            boolean failed = (reads ? read(m, 9000) : write(m, 9000, 3)) == -1;
            // HotSpot throws when the thread next comes from compiled code to the VM: for a large array it must.
            sink = new byte[4 << 20];
            return failed;
        } catch (InternalError e) {
            return true;
        }
    }

    public static void main(String[] args) throws Exception {
        Path p = Files.createTempFile("mapped", "compiled");
        try (FileChannel c = FileChannel.open(p, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            c.write(java.nio.ByteBuffer.allocate(SIZE));
            MappedByteBuffer m = c.map(FileChannel.MapMode.READ_WRITE, 0, SIZE);
            long sum = 0;
            for (int i = 0; i < 30_000; i++) {
                sum += write(m, 9000 + (i & 63), i) + read(m, 9000 + (i & 31));
            }
            System.out.println(sum != 0);
            c.truncate(4096);
            for (int i = 0; i < 3; i++) {
                System.out.println(fails(m, true) + " " + fails(m, false));
            }
        } finally {
            Files.delete(p);
        }
    }
}
