# What the attach tools say: no attach where it is disabled, the management agent by command, extended thread dumps, dates, logs.
# timeout: 240
# skip-mode: zeal move
cat > T.java <<'J'
import com.sun.tools.attach.VirtualMachine;
import java.io.InputStreamReader;
import java.io.BufferedReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

public class T {
    static final String BIN = System.getProperty("java.home") + "/bin/";
    static Process start(String... options) throws Exception {
        List<String> c = new ArrayList<>(List.of(BIN + "java"));
        c.addAll(List.of(options));
        c.addAll(List.of("-cp", ".", "T", "child"));
        Process p = new ProcessBuilder(c).redirectErrorStream(true).start();
        while (p.getInputStream().read() != '\n') { }
        return p;
    }
    static String run(String tool, String... args) throws Exception {
        List<String> c = new ArrayList<>(List.of(BIN + tool));
        c.addAll(Arrays.asList(args));
        Process p = new ProcessBuilder(c).redirectErrorStream(true).start();
        String out = new String(p.getInputStream().readAllBytes());
        p.waitFor();
        return out;
    }
    static String jcmd(Process p, String... words) throws Exception {
        List<String> c = new ArrayList<>(List.of("" + p.pid()));
        c.addAll(Arrays.asList(words));
        return run("jcmd", c.toArray(new String[0])).replaceFirst("^\\d+:\n", "");
    }
    static int port() throws Exception {
        try (var s = new java.net.ServerSocket(0)) { return s.getLocalPort(); }
    }
    static String connect(int port) throws Exception {
        try (var j = JMXConnectorFactory.connect(new JMXServiceURL("service:jmx:rmi:///jndi/rmi://localhost:" + port + "/jmxrmi"))) {
            return "connected " + (j.getMBeanServerConnection().getMBeanCount() > 10);
        } catch (Exception e) {
            return e.getClass().getName();
        }
    }
    static Object kept;
    static void child() throws Exception {
        Thread big = new Thread(() -> { kept = new byte[200_000_000]; sleep(); }, "t-big");
        Thread middle = new Thread(() -> { kept = new byte[20_000_000]; sleep(); }, "t-middle");
        Thread small = new Thread(() -> { kept = new byte[40_000]; sleep(); }, "t-small");
        Thread loads = new Thread(() -> { new A(); new B(); sleep(); }, "t-loads");
        for (Thread t : List.of(big, middle, small, loads)) {
            t.setDaemon(true);
            t.start();
            while (t.getState() != Thread.State.TIMED_WAITING) Thread.sleep(5);
        }
        System.out.println("ready");
        System.in.read();
        System.exit(0);
    }
    static class A { }
    static class B { }
    static void sleep() {
        try { Thread.sleep(10_000_000); } catch (InterruptedException e) { }
    }
    public static void main(String[] a) throws Exception {
        if (a.length > 0) { child(); return; }
        System.out.println("== not attached");
        Process p = start("-XX:+DisableAttachMechanism");
        long begun = System.nanoTime();
        try {
            VirtualMachine.attach("" + p.pid());
            System.out.println("attached");
        } catch (Exception e) {
            System.out.println(e.getMessage().replaceAll("\\d+", "N"));
        }
        System.out.println("at once " + (System.nanoTime() - begun < 5_000_000_000L));
        p.destroyForcibly().waitFor();

        p = start("-Xmx512m");
        System.out.println("== threads");
        for (String out : List.of(jcmd(p, "Thread.print", "-e"), run("jstack", "-e", "" + p.pid()), run("jstack", "-l", "-e", "" + p.pid()), jcmd(p, "Thread.print"))) {
            for (String l : out.split("\n")) {
                if (l.startsWith("\"t-")) {
                    System.out.println(l.replaceAll("#\\d+", "#").replaceAll("(cpu|elapsed)=[\\d.]+m?s", "$1").replaceAll("(tid|nid)=0x[0-9a-f]+", "$1").replaceAll("\\[0x.*", "").replaceAll("allocated=\\d+", "allocated="));
                }
            }
            System.out.println("Heap " + out.contains("\nHeap\n") + ", owned " + out.contains("Locked ownable"));
        }
        System.out.println("== others");
        System.out.print(jcmd(p, "VM.uptime", "-date").replaceAll("\\d", "9").replaceAll("9+ ?s$", "9 s").replaceAll(" 9+\\.", " 9."));
        System.out.print(jcmd(p, "VM.log"));
        System.out.print(jcmd(p, "VM.log", "rotate"));
        System.out.print(jcmd(p, "VM.native_memory", "summary", "scale=MB") + jcmd(p, "VM.native_memory", "nothing=1").lines().limit(1).toList());
        System.out.print(jcmd(p, "help", "VM.native_memory"));
        System.out.print(jcmd(p, "help", "ManagementAgent.start"));
        System.out.print(jcmd(p, "help", "VM.log"));
        System.out.print(jcmd(p, "help", "VM.set_flag"));
        System.out.print(jcmd(p, "help", "JVMTI.agent_load"));
        System.out.println("== agent");
        int port = port();
        System.out.print(jcmd(p, "ManagementAgent.start", "jmxremote.port=" + port, "jmxremote.authenticate=false", "jmxremote.ssl=false"));
        System.out.println(connect(port));
        System.out.println(jcmd(p, "ManagementAgent.status").replaceAll(":\\d+/", ":N/").replaceAll("//[^:/\\s]+:", "//H:").lines().filter(l -> !l.contains("URL") && !l.contains("jmxremote.port") && !l.contains("jmxremote.rmi.port")).toList());
        System.out.print(jcmd(p, "ManagementAgent.start", "jmxremote.port=" + port()).lines().filter(l -> !l.startsWith("\t")).toList());
        System.out.print(jcmd(p, "ManagementAgent.stop"));
        System.out.println(connect(port));
        System.out.println(jcmd(p, "ManagementAgent.start", "jmxremote.port=x").lines().filter(l -> !l.startsWith("\t")).findFirst());
        p.destroyForcibly().waitFor();

        p = start("-Xmx512m");
        Properties q = new Properties();
        port = port();
        q.put("com.sun.management.jmxremote.port", "" + port);
        q.put("com.sun.management.jmxremote.authenticate", "false");
        q.put("com.sun.management.jmxremote.ssl", "false");
        VirtualMachine v = VirtualMachine.attach("" + p.pid());
        v.startManagementAgent(q);
        v.detach();
        System.out.println(connect(port));
        System.out.println("== SIGQUIT");
        new ProcessBuilder("kill", "-QUIT", "" + p.pid()).start().waitFor();
        BufferedReader r = new BufferedReader(new InputStreamReader(p.getInputStream()));
        String l;
        while (!(l = r.readLine()).startsWith("JNI global refs")) { }
        System.out.println("[" + r.readLine() + "]" + r.readLine());
        System.out.println(r.readLine().matches(" .* heap +total \\d+K, used \\d+K.*"));
        while (!r.readLine().isEmpty()) { }
        p.destroyForcibly().waitFor();
    }
}
J
"$JAVAC" T.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -Djdk.attach.allowAttachSelf=true -cp . T
