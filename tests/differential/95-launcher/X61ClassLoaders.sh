# The tree of class loaders and their figures, as jcmd prints them.
# timeout: 120
# skip-mode: zeal move
cat > C.java <<'J'
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

public class C {
    static List<Object> kept = new ArrayList<>();
    static URL[] urls;
    static class Own extends URLClassLoader {
        Own(String name, ClassLoader parent) { super(name, urls, parent); }
        protected Class<?> loadClass(String n, boolean r) throws ClassNotFoundException {
            if (!n.startsWith("Sub")) return super.loadClass(n, r);
            Class<?> c = findLoadedClass(n);
            return c != null ? c : findClass(n);
        }
    }
    static URLClassLoader used(URLClassLoader l) throws Exception {
        kept.add(l);
        kept.add(l.loadClass("Sub").getDeclaredConstructor().newInstance());
        return l;
    }
    static String jcmd(String... words) throws Exception {
        List<String> c = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/jcmd", "" + ProcessHandle.current().pid()));
        c.addAll(List.of(words));
        Process p = new ProcessBuilder(c).redirectErrorStream(true).start();
        return new String(p.getInputStream().readAllBytes()).replaceFirst("^\\d+:\n", "");
    }
    public static void main(String[] a) throws Exception {
        urls = new URL[] {new java.io.File("sub/").toURI().toURL()};
        ClassLoader app = C.class.getClassLoader();
        for (int i = 0; i < 3; i++) used(new Own("same", app));
        used(new URLClassLoader("first", urls, app));
        URLClassLoader parent = used(new URLClassLoader("parent", urls, app));
        used(new Own("child", parent));
        used(new Own(null, parent));
        kept.add(new URLClassLoader("unused", urls, app));
        Own empty = new Own("without classes", app);
        used(new Own("of that", empty));
        System.out.println("== tree");
        System.out.print(jcmd("VM.classloaders"));
        System.out.println("== not folded");
        System.out.print(jcmd("VM.classloaders", "fold=false"));
        System.out.println("== verbose");
        System.out.print(jcmd("VM.classloaders", "verbose").replaceAll("0x(?!0000000000000000)[0-9a-f]{16}", "ADDRESS"));
        System.out.println("== classes");
        boolean boot = true;
        for (String l : jcmd("VM.classloaders", "show-classes").split("\n")) {
            boot &= !l.contains("\"platform\"");
            if (!boot && !l.contains("$$Lambda") && !l.contains("java.") && !l.contains("sun.")) System.out.println(l.replaceAll("\\(\\d+ hidden", "(N hidden"));
        }
        System.out.println("== figures");
        TreeMap<String, String> names = new TreeMap<>();
        List<String[]> rows = new ArrayList<>();
        for (String l : jcmd("VM.classloader_stats").split("\n")) {
            if (!l.startsWith("0x")) {
                System.out.println(l.replaceAll("[\\d-]+", "N").replaceAll(" +", " "));
                continue;
            }
            String[] w = l.split(" +", 7);
            names.put(w[0], w[6]);
            rows.add(w);
        }
        List<String> out = new ArrayList<>();
        for (String[] w : rows) if (w[6].startsWith("C$") || w[6].startsWith("java.net")) out.add(names.get(w[0]) + " below " + names.get(w[1]) + " " + w[3]);
        out.sort(null);
        out.forEach(System.out::println);
        System.out.print(jcmd("help", "VM.classloaders"));
        System.out.print(jcmd("help", "VM.classloader_stats"));
    }
}
J
mkdir sub
echo 'public class Sub { static class In { } public Sub() { new In(); } }' > sub/Sub.java
"$JAVAC" -d sub sub/Sub.java
"$JAVAC" C.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -cp . C
