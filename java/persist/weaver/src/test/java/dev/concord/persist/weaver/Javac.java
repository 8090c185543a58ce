package dev.concord.persist.weaver;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** The compiler for test programs: the running JDK's, or where that has none, the command that {@code persist.javac} names. */
final class Javac {
    private Javac() {
    }

    /** @param sources source text by class name */
    static void compile(Path out, Map<String, String> sources) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("-d", out.toString(), "-proc:none", "-classpath", System.getProperty("java.class.path")));
        for (Map.Entry<String, String> s : sources.entrySet()) {
            Path file = Files.createTempDirectory(out, "source").resolve(s.getKey().substring(s.getKey().lastIndexOf('.') + 1) + ".java");
            Files.writeString(file, s.getValue());
            arguments.add(file.toString());
        }
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        String said;
        int code;
        if (javac != null) {
            ByteArrayOutputStream errors = new ByteArrayOutputStream();
            code = javac.run(null, errors, errors, arguments.toArray(String[]::new));
            said = errors.toString(StandardCharsets.UTF_8);
        } else {
            arguments.add(0, System.getProperty("persist.javac", "javac"));
            Process p = new ProcessBuilder(arguments).redirectErrorStream(true).start();
            said = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            code = p.waitFor();
        }
        if (code != 0) {
            throw new AssertionError(said);
        }
    }
}
