package dev.concord.persist.processor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the compiler says about annotated classes, and where. */
class PersistentProcessorTest {
    @TempDir
    Path dir;

    /** Compiles one class with the processor; gives the diagnostics as "KIND line: message". */
    private List<String> compile(String source) {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        JavaFileObject unit = new SimpleJavaFileObject(URI.create("string:///T.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignore) {
                return source;
            }
        };
        JavaCompiler.CompilationTask task = javac.getTask(null, null, said,
                List.of("-d", dir.toString(), "-classpath", System.getProperty("java.class.path")), null, List.of(unit));
        task.setProcessors(List.of(new PersistentProcessor()));
        task.call();
        List<String> all = new ArrayList<>();
        for (Diagnostic<?> d : said.getDiagnostics()) {
            if (d.getKind() == Diagnostic.Kind.ERROR || d.getKind() == Diagnostic.Kind.WARNING) {
                all.add(d.getKind() + " " + d.getLineNumber() + ": " + d.getMessage(null));
            }
        }
        return all;
    }

    private static final String HEAD = "import dev.concord.persist.*; import dev.concord.persist.collections.*; import java.util.*;\n";

    @Test
    void whatPersistsIsAccepted() {
        assertEquals(List.of(), compile(HEAD + """
                @Persistent(fa = "public") class T extends Base {
                    int i; long[] l; String s; Integer box; java.time.Instant when; Kind k; Point p; T next; Object any; List<String> list;
                    PHashMap<String, T> map; transient StringBuilder scratch; static StringBuilder shared; @FieldId("old") int renamed; @Inline(9) String in; @Inline(3) byte[] raw; @Inline(8) Kind which; @Inline(40) Point where;
                }
                @Persistent class Base { byte b; }
                enum Kind { A }
                record Point(int x, String s, Point inner) { }
                """));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "@Persistent class T {\\n StringBuilder b;\\n}| 3: field b cannot persist: java.lang.StringBuilder is neither @Persistent nor a known immutable value",
        "@Persistent class T {\\n T[] all;\\n}| 3: field all cannot persist: an array of persistent objects is not one itself; use PArray",
        "@Persistent class T {\\n volatile int v;\\n}| 3: field v is volatile",
        "@Persistent class T {\\n HashMap<String, String> m;\\n}| 3: field m cannot persist: java.util.HashMap is neither",
        "class T {\\n @Persistent class Inner { int i; }\\n}| 3: an inner or local class holds its surroundings",
        "@Persistent class T extends Thread {\\n}| 2: superclass java.lang.Thread is not persistent: its fields would be lost",
        "@Persistent(fa = \"all\") class T {\\n}| 2: fa must be",
        "@Persistent class T {\\n @Inline(9) Object o;\\n}| 3: field o is @Inline, which only an immutable value can be",
        "@Persistent class T {\\n @Inline(9) T t;\\n}| 3: field t is @Inline, which only an immutable value can be",
        "@Persistent enum T { A }| 2: only classes persist as objects",
        "@Persistent class T {\\n R r;\\n record R(Thread t) { }\\n}| 3: field r cannot persist: component t of record T.R: java.lang.Thread is neither"})
    void whatCannotIsRefusedAtItsLine(String source, String expected) {
        List<String> said = compile(HEAD + source.replace("\\n", "\n"));
        assertEquals(1, said.size(), said.toString());
        assertTrue(said.get(0).startsWith("ERROR " + expected), said.get(0));
    }

    @Test
    void aNativeMethodGetsAWarning() {
        List<String> said = compile(HEAD + "@Persistent class T {\n int i;\n native void n();\n}");
        assertEquals(1, said.size(), said.toString());
        assertTrue(said.get(0).startsWith("WARNING 4: a native method sees no persistent fields"), said.get(0));
    }
}
