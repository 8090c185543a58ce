package dev.concord.persist.weaver;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One version of a program: compiled from source text and woven, in a class loader of its own. */
final class Version extends ClassLoader {
    private final Map<String, byte[]> classes = new HashMap<>();

    /** @param sources source text by class name */
    Version(Path dir, Map<String, String> sources) throws Exception {
        super(Version.class.getClassLoader());
        Path out = Files.createTempDirectory(dir, "classes");
        Javac.compile(out, sources);
        new ClassDirectory(out, List.of(), ClassDirectory.resources(getParent())).weave();
        try (var files = Files.walk(out)) {
            for (Path p : files.filter(f -> f.toString().endsWith(".class")).toList()) {
                classes.put(out.relativize(p).toString().replace('/', '.').replace(".class", ""), Files.readAllBytes(p));
            }
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] b = classes.get(name);
        if (b == null) {
            throw new ClassNotFoundException(name);
        }
        return defineClass(name, b, 0, b.length);
    }

    /** Calls a static method of this version. */
    Object call(String type, String method, Object... args) throws Throwable {
        Class<?> c = loadClass(type);
        for (var m : c.getMethods()) {
            if (m.getName().equals(method)) {
                try {
                    return m.invoke(null, args);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    throw e.getCause();
                }
            }
        }
        throw new AssertionError("no method " + method);
    }
}
