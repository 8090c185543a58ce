# What jstat says of classes and compilations: not nothing, and the last compilation by its name.
# timeout: 120
# skip-mode: zeal move
cat > J.java <<'J'
public class J {
    static int hot(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) s = s * 31 + i;
        return s;
    }
    static String jstat(String what) throws Exception {
        Process p = new ProcessBuilder(System.getProperty("java.home") + "/bin/jstat", what, "" + ProcessHandle.current().pid()).redirectErrorStream(true).start();
        return new String(p.getInputStream().readAllBytes());
    }
    public static void main(String[] a) throws Exception {
        int s = 0;
        long end = System.nanoTime() + 2_000_000_000L;
        while (System.nanoTime() < end) s += hot(1000);
        for (int i = 0; i < 100; i++) new java.net.URLClassLoader("l" + i, new java.net.URL[] {new java.io.File("sub/").toURI().toURL()}, J.class.getClassLoader()).loadClass("Sub").getDeclaredConstructor().newInstance();
        System.gc();
        System.gc();
        Thread.sleep(1000);
        String[] c = jstat("-class").split("\n")[1].trim().split(" +");
        System.out.println("classes " + (Integer.parseInt(c[0]) > 300) + " " + (Double.parseDouble(c[1]) > 100) + " " + (Integer.parseInt(c[2]) > 50) + " " + (Double.parseDouble(c[3]) > 1) + " " + (Double.parseDouble(c[4]) > 0));
        String[] k = jstat("-compiler").split("\n")[1].trim().split(" +");
        System.out.println("compiler " + (Integer.parseInt(k[0]) > 3) + " " + Integer.parseInt(k[1]) / 100 + " " + (Double.parseDouble(k[3]) > 0));
        String[] p = jstat("-printcompilation").split("\n")[1].trim().split(" +");
        System.out.println("last " + (Integer.parseInt(p[0]) > 3) + " " + (Integer.parseInt(p[1]) > 0) + " " + p[2].matches("[12]") + " " + p[3].matches("\\w+(/[\\w$]+)*") + " " + p.length);
    }
}
J
mkdir sub
echo 'public class Sub { static class In { } public Sub() { new In(); } }' > sub/Sub.java
"$JAVAC" -d sub sub/Sub.java
"$JAVAC" J.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -cp . J
