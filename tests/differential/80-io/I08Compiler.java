// timeout: 60
// skip-mode: zeal move
import java.io.*;
import java.net.URI;
import java.util.*;

import javax.tools.*;

/** javac inside the program: compiles sources in memory, loads the result, reports errors. */
public class I08Compiler {
    static class Src extends SimpleJavaFileObject {
        final String s;

        Src(String n, String s) {
            super(URI.create("string:///" + n + ".java"), Kind.SOURCE);
            this.s = s;
        }

        public CharSequence getCharContent(boolean i) {
            return s;
        }
    }

    static class Out extends SimpleJavaFileObject {
        final ByteArrayOutputStream b = new ByteArrayOutputStream();

        Out(String n) {
            super(URI.create("mem:///" + n + ".class"), Kind.CLASS);
        }

        public OutputStream openOutputStream() {
            return b;
        }
    }

    public static void main(String[] args) throws Exception {
        JavaCompiler c = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> d = new DiagnosticCollector<>();
        Map<String, Out> outs = new TreeMap<>();
        JavaFileManager fm =
                new ForwardingJavaFileManager<>(c.getStandardFileManager(d, null, null)) {
                    public JavaFileObject getJavaFileForOutput(
                            Location l, String n, JavaFileObject.Kind k, FileObject s) {
                        Out o = new Out(n);
                        outs.put(n, o);
                        return o;
                    }
                };
        String src =
                "import java.util.*; public class Made { record R(int x) {} enum E { A, B { int v()"
                    + " { return 2; } }; int v() { return 1; } } public static String run(int n) {"
                    + " int[] acc = {0}; List.of(1, 2, 3).forEach(x -> acc[0] += x * n);"
                    + " StringBuilder b = new StringBuilder(); for (E e : E.values())"
                    + " b.append(e.v()); return acc[0] + \" \" + new R(n) + b + switch (n) { case 5"
                    + " -> \"five\"; default -> \"other\"; }; } }";
        System.out.println(
                c.getTask(null, fm, d, List.of("-g"), null, List.of(new Src("Made", src))).call()
                        + " "
                        + outs.keySet());
        ClassLoader l =
                new ClassLoader() {
                    protected Class<?> findClass(String n) throws ClassNotFoundException {
                        Out o = outs.get(n);
                        if (o == null) throw new ClassNotFoundException(n);
                        return defineClass(n, o.b.toByteArray(), 0, o.b.size());
                    }
                };
        System.out.println(l.loadClass("Made").getMethod("run", int.class).invoke(null, 5));
        d = new DiagnosticCollector<>();
        System.out.println(
                c.getTask(
                                null,
                                c.getStandardFileManager(d, null, null),
                                d,
                                List.of("-proc:none"),
                                null,
                                List.of(
                                        new Src(
                                                "Bad",
                                                "class Bad { int f() { return \"s\"; } Unknown u;"
                                                    + " void g() { final int x = 1; x = 2; } }")))
                        .call());
        for (Diagnostic<?> x : d.getDiagnostics())
            System.out.println(
                    x.getKind()
                            + " "
                            + x.getLineNumber()
                            + ":"
                            + x.getColumnNumber()
                            + " "
                            + x.getMessage(Locale.ROOT).replace('\n', ' '));
    }
}
