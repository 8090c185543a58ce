# Symbol table, string table, dictionaries of loaders, memory given back: the layout of what jcmd prints; all help texts.
# timeout: 180
# skip-mode: zeal move
cat > V.java <<'J'
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

public class V {
    static String jcmd(String words) throws Exception {
        List<String> c = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/jcmd", "" + ProcessHandle.current().pid()));
        c.addAll(List.of(words.split(" ")));
        Process p = new ProcessBuilder(c).redirectErrorStream(true).start();
        return new String(p.getInputStream().readAllBytes()).replaceFirst("^\\d+:\n", "");
    }
    static String masked(String s) {
        return s.replaceAll("-?\\d+(\\.\\d+)?", "N").replaceAll("= +N", "= N").replaceAll(": +N", ": N").replaceAll("avg +N", "avg N");
    }
    public static void main(String[] a) throws Exception {
        List<Object> kept = new ArrayList<>();
        URL[] urls = {new java.io.File("sub/").toURI().toURL()};
        for (String n : List.of("one", "two")) {
            URLClassLoader l = new URLClassLoader(n, urls, V.class.getClassLoader());
            kept.add(l);
            kept.add(l.loadClass("Sub").getDeclaredConstructor().newInstance());
        }
        System.out.print(masked(jcmd("VM.symboltable")));
        System.out.println(jcmd("VM.symboltable -verbose").lines().anyMatch("12 65535: VeryOwnNames"::equals) || jcmd("VM.symboltable -verbose").lines().anyMatch(l -> l.matches("12 \\d+: VeryOwnNames")));
        System.out.print(masked(jcmd("VM.stringtable")));
        String own = "a string of its own".intern();
        System.out.println(jcmd("VM.stringtable -verbose").lines().filter(l -> l.equals("VERSION: 1.1") || l.equals("19: " + own)).toList());
        TreeSet<String> names = new TreeSet<>(), rows = new TreeSet<>();
        boolean on = false;
        for (String l : jcmd("VM.systemdictionary").split("\n")) {
            if (l.contains("Table statistics")) on = false;
            if (l.startsWith("System Dictionary")) {
                on = true;
                names.add(l.replaceAll("@[0-9a-f]+", "@HASH"));
            } else if (on) rows.add(masked(l));
        }
        names.forEach(System.out::println);
        rows.forEach(System.out::println);
        names.clear();
        String whose = "";
        for (String l : jcmd("VM.systemdictionary -verbose").split("\n")) {
            if (l.startsWith("Dictionary")) whose = l.replaceAll("0x[0-9a-f]+", "ADDRESS");
            if (l.contains("Sub") || l.contains("java.lang.Object,")) names.add(whose + ":" + l.replaceAll("0x[0-9a-f]+", "ADDRESS").replaceAll("^ *\\d+:", "").replaceAll(", pd set.*", ""));
        }
        names.forEach(System.out::println);
        System.out.print(masked(jcmd("System.trim_native_heap")).replaceAll("\\+N", "N"));
        for (String n : List.of("Compiler.codecache", "Compiler.codelist", "Compiler.perfmap", "Compiler.queue", "GC.class_histogram", "GC.finalizer_info", "GC.heap_dump", "GC.heap_info", "GC.run",
                "GC.run_finalization", "JVMTI.data_dump", "ManagementAgent.start_local", "ManagementAgent.status", "ManagementAgent.stop", "System.trim_native_heap", "Thread.print",
                "VM.class_hierarchy", "VM.command_line", "VM.dynlibs", "VM.flags", "VM.info", "VM.stringtable", "VM.symboltable", "VM.system_properties", "VM.systemdictionary", "VM.uptime",
                "VM.version", "help")) {
            System.out.print(jcmd("help " + n));
        }
        System.out.print(jcmd("No.such"));
    }
    static void VeryOwnNames() { }
}
J
mkdir sub
echo 'public class Sub { static class In { } public Sub() { new In(); } }' > sub/Sub.java
"$JAVAC" -d sub sub/Sub.java
"$JAVAC" V.java
# HotSpot writes an empty line per dictionary to its own standard output.
"$JAVA_HOME/bin/java" $VM_OPTIONS -Xshare:off -cp . V | sed "/^$/d"
