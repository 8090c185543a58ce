package dev.concord.persist.weaver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent in a JVM of its own, on classes as the compiler made them. */
class AgentTest {
    @TempDir
    Path dir;

    private static final String PROGRAM = """
            import dev.concord.persist.*;
            public class Program {
                @Persistent(fa = "public") public static class Counter { int n; public int next() { return ++n; } }
                public static class Plain { int n = 5; }
                public static void main(String[] args) {
                    try (PHeap heap = PHeap.open(java.nio.file.Path.of(args[0]))) {
                        Counter c = heap.root("c", Counter.class, Counter::new);
                        Plain p = heap.root("p", Plain.class, Plain::new);
                        heap.atomic(() -> p.n++);
                        System.out.println(c.next() + " " + p.n);
                    }
                }
            }
            """;

    private Path agent() throws Exception {
        Manifest m = new Manifest();
        m.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        m.getMainAttributes().put(new Attributes.Name("Premain-Class"), Agent.class.getName());
        Path jar = dir.resolve("agent.jar");
        new JarOutputStream(Files.newOutputStream(jar), m).close();
        return jar;
    }

    private Path compiled(String source) throws Exception {
        Path out = Files.createDirectories(dir.resolve("classes"));
        Javac.compile(out, Map.of("Program", source));
        return out;
    }

    private String run(int code, Path classes, String agentArguments) throws Exception {
        List<String> command = new ArrayList<>(Arrays.asList(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-javaagent:" + agent() + agentArguments,
                "-cp", classes + File.pathSeparator + System.getProperty("java.class.path"), "Program", dir.resolve("h").toString()));
        Process p = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(code, p.waitFor(), said);
        return said;
    }

    @Test
    void annotatedAndListedClassesPersist() throws Exception {
        Path classes = compiled(PROGRAM);
        assertEquals("1 6", run(0, classes, "=Program$Plain").trim());
        assertEquals("2 7", run(0, classes, "=Program$Plain").trim(), "nothing else is said, no warning either");
    }

    @Test
    void aClassThatCannotPersistDoesNotLoad() throws Exception {
        Path classes = compiled(PROGRAM.replace("int n; public int next()", "StringBuilder lost; int n; public int next()"));
        String said = run(1, classes, "=Program$Plain");
        assertTrue(said.contains("persist-weaver: Program$Counter.lost: type java.lang.StringBuilder cannot persist"), said);
        assertTrue(said.contains("ClassFormatError"), said);
    }
}
