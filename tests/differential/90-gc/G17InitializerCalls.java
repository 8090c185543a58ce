// vm: own -Xint
import java.nio.file.Files;
import java.nio.file.Path;

/** What a thread does many times while it initializes a class leaves nothing behind in the VM. */
public class G17InitializerCalls {
    static class Long {
        static int calls;
        static final boolean grew;

        static void step() {
            calls++;
        }

        static {
            for (int i = 0; i < 100_000; i++) step();
            long before = resident();
            for (int i = 0; i < 4_000_000; i++) step();
            grew = resident() - before > 96 << 20;
        }
    }

    static long resident() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status")))
                if (line.startsWith("VmRSS:"))
                    return java.lang.Long.parseLong(line.replaceAll("\\D", "")) << 10;
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        throw new IllegalStateException("no resident size");
    }

    public static void main(String[] args) {
        System.out.println(Long.calls + " " + Long.grew);
    }
}
