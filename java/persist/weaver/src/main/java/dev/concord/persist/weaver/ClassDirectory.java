package dev.concord.persist.weaver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Weaves the class files of a directory in place; what both the command line and the Maven plugin do. */
public final class ClassDirectory {
    private final Path directory;
    private final Weaver weaver;

    /**
     * @param listed binary names of classes to persist that carry no annotation
     * @param otherClasses bytes of class files outside the directory, by internal name, or null
     */
    public ClassDirectory(Path directory, Collection<String> listed, Function<String, byte[]> otherClasses) {
        this.directory = directory;
        List<String> names = listed.stream().map(n -> n.trim().replace('.', '/')).toList();
        this.weaver = new Weaver(new ClassIndex(n -> {
            Path p = directory.resolve(n + ".class");
            return Files.isRegularFile(p) ? read(p) : otherClasses.apply(n);
        }, names));
    }

    private static byte[] read(Path p) {
        try {
            return Files.readAllBytes(p);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the names of the classes that changed. */
    public List<String> weave() throws IOException {
        List<Path> files;
        try (Stream<Path> s = Files.walk(directory)) {
            files = s.filter(p -> p.toString().endsWith(".class") && !p.endsWith("module-info.class")).sorted().toList();
        }
        List<String> changed = new ArrayList<>();
        List<byte[]> outputs = new ArrayList<>();
        List<Path> targets = new ArrayList<>();
        for (Path p : files) {
            byte[] out = weaver.weave(read(p));
            if (out != null) {
                targets.add(p);
                outputs.add(out);
                changed.add(directory.relativize(p).toString().replace('/', '.').replace(".class", ""));
            }
        }
        // Only when all of them could be woven: a half-woven directory would link accessors that are not there.
        for (int i = 0; i < targets.size(); i++) {
            Files.write(targets.get(i), outputs.get(i));
        }
        return changed;
    }

    /** Class files found through a class loader. */
    public static Function<String, byte[]> resources(ClassLoader loader) {
        return name -> {
            try (var in = loader == null ? ClassLoader.getSystemResourceAsStream(name + ".class") : loader.getResourceAsStream(name + ".class")) {
                return in == null ? null : in.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }
}
