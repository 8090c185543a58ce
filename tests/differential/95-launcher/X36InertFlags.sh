# Flags that have no effect are read by jinfo and the bean as they were given; jcmd VM.class_hierarchy with its options.
cat > H.java <<'J'
import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
public class H {
    interface I { }
    interface J extends I { }
    static class A implements J { }
    static class B extends A implements Comparable<B> { public int compareTo(B b) { return 0; } }
    static class C extends B { }
    static String run(String tool, String... args) throws Exception {
        List<String> l = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/" + tool));
        l.addAll(Arrays.asList(args));
        Process p = new ProcessBuilder(l).redirectErrorStream(true).start();
        return new String(p.getInputStream().readAllBytes());
    }
    public static void main(String[] a) throws Exception {
        new C();
        String pid = "" + ProcessHandle.current().pid();
        HotSpotDiagnosticMXBean bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        String[] flags = {
            "FreqInlineSize", "MaxInlineSize", "UseG1GC", "TieredCompilation", "MaxTenuringThreshold", "SurvivorRatio", "MaxGCPauseMillis",
            "InlineSmallCode", "MaxMetaspaceSize", "NoSuchFlag", "G1NewSizePercent", "ErrorFile", "DoEscapeAnalysis"
        };
        for (String f : flags) {
            System.out.print(f + " " + run("jinfo", "-flag", f, pid));
            try {
                var o = bean.getVMOption(f);
                System.out.println(o.getValue() + " " + o.isWriteable() + " " + o.getOrigin());
                bean.setVMOption(f, o.getValue());
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        for (String s : new String[] {"H$B", "-i H$C", "-s H$A", "-s -i H$A", "H$I", "-s H$J", "NoSuch", "java/lang/Number", "[I", "-i java.lang.Long", "a b"}) {
            String[] args = ("x VM.class_hierarchy " + s).split(" ");
            args[0] = pid;
            System.out.println("== " + s);
            System.out.print(run("jcmd", args).replace(pid + ":", "").replaceAll("/0x[0-9a-f]+", "/0x"));
        }
        System.out.print(run("jcmd", pid, "VM.class_hierarchy").replaceAll("/0x[0-9a-f]+", "/0x").lines().filter(l -> l.contains("H$") || l.contains("java.lang.Object")).sorted().reduce("", (x, y) -> x + y + "\n"));
        System.out.print(run("jcmd", pid, "help", "VM.class_hierarchy").replace(pid + ":", ""));
        System.out.print(run("jcmd", pid, "help", "GC.class_histogram").replace(pid + ":", ""));
    }
}
J
"$JAVAC" H.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -XX:FreqInlineSize=100 -XX:MaxTenuringThreshold=3 -XX:-TieredCompilation -XX:MaxGCPauseMillis=77 \
    -XX:MaxMetaspaceSize=64m -XX:+UseSerialGC -XX:ErrorFile=/tmp/none -cp . H 2>&1 | grep -v warning
