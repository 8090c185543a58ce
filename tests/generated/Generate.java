import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the programs of a range of seeds to one file: {@code Generate FROM COUNT FILE [FOLDER]}. */
public final class Generate {
    public static void main(String[] args) throws IOException {
        long from = Long.parseLong(args[0]);
        int count = Integer.parseInt(args[1]);
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(Path.of(args[2]))))) {
            for (long seed = from; seed < from + count; seed++) {
                Program p = new Program(seed);
                byte[][] bytes;
                try {
                    bytes = p.bytes();
                } catch (jdk.internal.org.objectweb.asm.MethodTooLargeException e) {
                    bytes = new byte[0][];
                }
                out.writeLong(seed);
                out.writeInt(bytes.length);
                for (int i = 0; i < bytes.length; i++) {
                    out.writeUTF(p.names()[i]);
                    out.writeInt(bytes[i].length);
                    out.write(bytes[i]);
                    if (args.length > 3) Files.write(Path.of(args[3], p.names()[i] + ".class"), bytes[i]);
                }
            }
        }
    }
}
