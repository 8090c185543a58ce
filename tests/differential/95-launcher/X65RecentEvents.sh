# jcmd VM.events: the last collections, classes, exceptions and operations.
# timeout: 180
# skip-mode: zeal move relayout
cat > E.java <<'J'
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

public class E {
    static String jcmd(String words) throws Exception {
        List<String> c = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/jcmd", "" + ProcessHandle.current().pid()));
        c.addAll(List.of(words.split(" ")));
        Process p = new ProcessBuilder(c).redirectErrorStream(true).start();
        return new String(p.getInputStream().readAllBytes()).replaceFirst("^\\d+:\n", "");
    }
    static long count(String text, String pattern) {
        return text.lines().filter(l -> l.matches(pattern)).count();
    }
    public static void main(String[] a) throws Exception {
        jcmd("VM.version");
        URL[] urls = {new java.io.File("sub/").toURI().toURL()};
        System.out.println(count(jcmd("VM.events log=redef"), "Classes redefined \\(0 events\\):|No events"));
        new URLClassLoader(urls).loadClass("Sub").getDeclaredConstructor().newInstance();
        Class.forName("java.util.concurrent.Exchanger");
        System.out.println("loaded " + (count(jcmd("VM.events log=load"), "Event: \\d+\\.\\d{3} Loading class java/util/concurrent/Exchanger done") > 0));
        for (int i = 0; i < 3; i++) System.gc();
        System.out.println("unloaded " + (count(jcmd("VM.events log=unload"), "Event: \\d+\\.\\d{3} (Thread 0x[0-9a-f]{16} )?Unloading class 0x[0-9a-f]{16} 'Sub.*'") > 0));
        String gc = jcmd("VM.events log=gc");
        System.out.println("collections " + (count(gc, "Event: \\d+\\.\\d{3} GC heap before") > 2) + " " + (count(gc, "Event: \\d+\\.\\d{3} GC heap after") > 2)
            + " " + (count(gc, "\\{Heap before GC invocations=2 \\(full \\d+\\):") == 1) + " " + (count(gc, " .* heap +total \\d+K, used \\d+K.*") > 4) + " " + (count(gc, "}") > 4));
        Object o = 1;
        for (int i = 0; i < 30; i++) {
            try { String s = (String) o; } catch (ClassCastException e) { }
        }
        String exc = jcmd("VM.events log=exc max=7");
        System.out.println("exceptions " + exc.startsWith("Internal exceptions (20 events):\n") + " " + count(exc, "Event: \\d+\\.\\d{3} Thread 0x[0-9a-f]{16} Exception <a 'java/lang/ClassCastException'\\{0x[0-9a-f]{16}\\}: class java.lang.Integer cannot be cast to .*")
            + " " + exc.contains("\n...(skipped)\n\n"));
        String ops = jcmd("VM.events log=vmops");
        System.out.println("operations " + (count(ops, "Event: \\d+\\.\\d{3} Executing VM operation: \\w+") > 1) + " " + (count(ops, "Event: \\d+\\.\\d{3} Executing VM operation: \\w+ done") > 1));
        Thread t = new Thread(() -> { });
        t.start();
        t.join();
        String events = jcmd("VM.events log=events");
        System.out.println("threads " + (count(events, "Event: \\d+\\.\\d{3} Thread 0x[0-9a-f]{16} Thread added: 0x[0-9a-f]{16}") > 2) + " " + (count(events, "Event: \\d+\\.\\d{3} Thread 0x[0-9a-f]{16} Thread exited: 0x[0-9a-f]{16}") > 0));
        long end = System.nanoTime() + 1_000_000_000L;
        while (System.nanoTime() < end) Integer.toHexString((int) System.nanoTime()).hashCode();
        String jit = jcmd("VM.events log=jit");
        System.out.println("compilations " + (count(jit, "Event: \\d+\\.\\d{3} (Thread 0x[0-9a-f]{16} )? *\\d+ [ %sbn!]{5} +\\d       .*\\(\\d+ bytes\\)") > 0)
            + " " + (count(jit, "Event: \\d+\\.\\d{3} (Thread 0x[0-9a-f]{16} )?nmethod \\d+%? 0x[0-9a-f]{16} code \\[0x[0-9a-f]{16}, 0x[0-9a-f]{16}\\]") > 0));
        System.out.print(jcmd("VM.events max=x"));
        System.out.println(jcmd("VM.events log=none").lines().filter(l -> !l.startsWith("\"dll\"") && !l.startsWith("\"memprotects\"") && !l.startsWith("\"nmethodflushes\"")).toList());
        System.out.println(jcmd("VM.events").lines().filter(l -> l.matches("[A-Z].* \\(\\d+ events\\):") && !l.startsWith("Dll") && !l.startsWith("Memory") && !l.startsWith("Nmethod")).map(l -> l.replaceAll("\\d+", "N")).toList());
        System.out.print(jcmd("help VM.events"));
    }
}
J
mkdir sub
echo 'public class Sub { static class In { } public Sub() { new In(); } }' > sub/Sub.java
"$JAVAC" -d sub sub/Sub.java
"$JAVAC" E.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -Xshare:off -cp . E
