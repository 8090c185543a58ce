# VM.metaspace: usage per loader, per kind of loader, per size of chunk, scales, the summary. Its layout is that of a VM without a class space.
# timeout: 180
# skip-mode: zeal move
cat > M.java <<'J'
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

public class M {
    static String jcmd(String words) throws Exception {
        List<String> c = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/jcmd", "" + ProcessHandle.current().pid()));
        c.addAll(List.of(words.split(" ")));
        Process p = new ProcessBuilder(c).redirectErrorStream(true).start();
        return new String(p.getInputStream().readAllBytes()).replaceFirst("^\\d+:\n", "");
    }
    /** Numbers and their widths hidden: an amount is an amount, a row of chunks a row, whether there are some or not. */
    static String masked(String s) {
        return s.replaceAll("0x[0-9a-f]+", "ADDRESS")
            .replaceAll(" *(\\d+|<?\\d+\\.\\d+) (bytes|KB|MB|GB)", " AMOUNT")
            .replaceAll("\\( *[<>]?\\d+%\\)", "(SHARE)")
            .replaceAll(" +\\d+ chunks?, +", " N chunks, ")
            .replaceAll("\\d+ (loaders?|classes|blocks|nodes)", "N $1")
            .replaceAll("([kmgKMG] chunks:|^ *\\d+[km]:).*", "$1 ROW")
            .replaceAll("Total word size.*", "Total")
            .replaceAll("(Deallocated.*|    deallocated:.*)", "DEALLOCATED");
    }
    /** What only an allocator of chunks can tell is left out. */
    static boolean told(String l) {
        return !l.matches("(chunk header pool|Internal statistics|num_|Initial GC|Current GC|MetaspaceReclaim| - [a-z_]+: |DEALLOCATED|CDS).*");
    }
    static void show(String words) throws Exception {
        System.out.println("== " + words);
        String last = "";
        String all = jcmd("VM.metaspace " + words);
        if (words.startsWith("basic") && all.contains("No class")) all = all.substring(0, Math.max(all.indexOf("\nInitial GC"), all.indexOf("No class space\n") + 15));
        for (String l : all.stripTrailing().split("\n")) {
            String m = masked(l);
            if (told(m) && !(m.isEmpty() && last.isEmpty())) System.out.println(m);
            last = told(m) ? m : last;
        }
    }
    /** The loaders of this program alone, without their places and addresses. */
    static void loaders(String words) throws Exception {
        System.out.println("== " + words);
        TreeSet<String> all = new TreeSet<>();
        for (String part : jcmd("VM.metaspace " + words).split("\n\n+")) {
            if (part.lines().findFirst().orElse("").matches(".* instance of java.net.URLClassLoader.*|.*hidden class.*AppClassLoader.*")) {
                StringBuilder b = new StringBuilder();
                for (String l : part.split("\n")) if (told(masked(l))) b.append(masked(l).replaceFirst("^ *\\d+: +", "N: ")).append('\n');
                all.add(b.toString());
            }
        }
        all.forEach(System.out::println);
    }
    static int figure(String text, String pattern) {
        var m = java.util.regex.Pattern.compile(pattern).matcher(text);
        return m.find() ? Integer.parseInt(m.group(1)) : -1;
    }
    public static void main(String[] a) throws Exception {
        List<Object> kept = new ArrayList<>();
        URL[] urls = {new java.io.File("sub/").toURI().toURL()};
        for (String n : List.of("one", "two")) {
            URLClassLoader l = new URLClassLoader(n, urls, null);
            kept.add(l);
            kept.add(l.loadClass("Sub").getDeclaredConstructor().newInstance());
        }
        kept.add(new URLClassLoader(urls, null).loadClass("Sub"));
        byte[] hidden = new java.io.FileInputStream("sub/Hidden.class").readAllBytes();
        kept.add(java.lang.invoke.MethodHandles.lookup().defineHiddenClass(hidden, false));
        System.out.print(jcmd("help VM.metaspace"));
        for (String w : List.of("basic", "basic scale=1", "basic scale=kb", "basic scale=GB", "basic scale=foo", "scale=MB", "by-spacetype", "by-chunktype", "by-spacetype by-chunktype",
                "basic=maybe", "vsmap")) show(w);
        for (String w : List.of("show-loaders", "show-loaders show-classes", "show-loaders show-classes by-chunktype scale=1")) loaders(w);
        // The figures are some: a loader that goes takes its classes along.
        String pattern = "Total Usage - \\d+ loaders, (\\d+) classes", loaders = "Standard - (\\d+) loaders", own = "\"one\" instance of java.net.URLClassLoader, 2 classes\n +\\d+ chunks?, +(\\d+) bytes";
        String before = jcmd("VM.metaspace by-spacetype show-loaders scale=1");
        System.out.println((figure(before, pattern) > 300) + " " + (figure(before, loaders) >= 4) + " " + (figure(before, own) > 800) + " " + (figure(before, own) < 100_000));
        kept.clear();
        for (int i = 0; i < 4; i++) {
            System.gc();
            Thread.sleep(100);
        }
        String after = jcmd("VM.metaspace by-spacetype scale=1");
        System.out.println(figure(before, loaders) - figure(after, loaders) >= 3);
    }
}
J
mkdir sub
echo 'public class Sub { static class In { } public Sub() { new In(); } }' > sub/Sub.java
echo 'class Hidden { }' > sub/Hidden.java
"$JAVAC" -d sub sub/Sub.java sub/Hidden.java
"$JAVAC" M.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -Xshare:off -XX:-UseCompressedClassPointers -cp . M
