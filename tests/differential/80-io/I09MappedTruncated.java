// vm: own
// covers: Unsafe(fault)
// A mapped file shrinks under the reader: the access must end in InternalError, not in a dead VM.
import java.nio.*;
import java.nio.channels.*;
import java.nio.file.*;

public class I09MappedTruncated {
    public static void main(String[] args) throws Exception {
        Path p = Files.createTempFile("map", "");
        try (FileChannel c =
                FileChannel.open(p, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            c.write(ByteBuffer.allocate(4096 * 4));
            MappedByteBuffer m = c.map(FileChannel.MapMode.READ_WRITE, 0, 4096 * 4);
            m.put(9000, (byte) 5);
            System.out.println(m.get(9000));
            c.truncate(4096);
            int errors = 0;
            for (int i = 0; i < 3; i++)
                try {
                    int v = m.get(9000) + m.getInt(12000);
                    if (i == 99) System.out.println(v);
                    // HotSpot throws when the thread next comes to the VM: for a large array it must.
                    if (new byte[4 << 20].length == 0) System.out.println();
                } catch (InternalError e) {
                    errors++;
                }
            System.out.println(errors > 0);
            System.out.println(m.get(100));
        }
        Files.delete(p);
    }
}
