import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes the class files that javac would not make. Invariant: the same bytes on every run, made by
 * the oracle before any program is compiled, so that both sides run identical class files.
 */
public final class Generate {
    private static Path root;

    public static void main(String[] args) throws IOException {
        root = Path.of(args[0]);
        GenStack.generate();
        GenControl.generate();
        GenLinkage.generate();
        GenReceivers.generate();
        GenArrayKinds.generate();
        GenOldFinals.generate();
        GenDefaults.generate();
        GenBad.generate();
        GenUnverified.generate();
        GenRules.generate();
        GenOld.generate();
        GenMembers.generate();
        GenAccess.generate();
        GenIndy.generate();
        GenHuge.generate();
        GenLimits.generate();
    }

    /** A class on the class path. */
    static void write(String name, byte[] bytes) {
        put(root.resolve(name + ".class"), bytes);
    }

    /** Bytes that only a loader of the program's own sees, as the resource bad/NAME.bin. */
    static void writeHidden(String name, byte[] bytes) {
        put(root.resolve("bad").resolve(name + ".bin"), bytes);
    }

    private static void put(Path path, byte[] bytes) {
        try {
            Files.createDirectories(path.getParent());
            Files.write(path, bytes);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
