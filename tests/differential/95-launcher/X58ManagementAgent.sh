# The management agent starts with the VM when properties or the flag ask for it, and ends the start when it cannot; who is
# let in may look at the beans.
cat > Client.java <<'J'
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

public class Client {
    static String look(int port, String... credentials) throws Exception {
        JMXServiceURL url = new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi");
        Map<String, Object> how = credentials.length == 0 ? Map.of() : Map.of(JMXConnector.CREDENTIALS, credentials);
        for (int i = 0; ; i++) {
            try (JMXConnector c = JMXConnectorFactory.connect(url, how)) {
                MBeanServerConnection m = c.getMBeanServerConnection();
                String set = "set";
                try {
                    m.invoke(new ObjectName("java.lang:type=Memory"), "gc", null, null);
                } catch (SecurityException e) {
                    set = e.getMessage();
                }
                return m.getAttribute(new ObjectName("java.lang:type=Runtime"), "SpecVersion") + " " + set;
            } catch (SecurityException e) {
                return e.getMessage();
            } catch (java.io.IOException e) {
                if (i == 300) return e.toString();
                Thread.sleep(100);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        if (args.length == 1) {
            System.in.read();
            return;
        }
        int port;
        try (ServerSocket s = new ServerSocket(0)) {
            port = s.getLocalPort();
        }
        List<String> command = new ArrayList<>(List.of(args));
        command.add("-Dcom.sun.management.jmxremote.port=" + port);
        command.add("-Dcom.sun.management.jmxremote.rmi.port=" + port);
        command.addAll(List.of("-Djava.rmi.server.hostname=127.0.0.1", "-cp", ".", "Client", "wait"));
        Process p = new ProcessBuilder(command).redirectErrorStream(true).start();
        if (command.contains("-Dcom.sun.management.jmxremote.authenticate=false")) {
            System.out.println(look(port));
        } else {
            System.out.println(look(port, "reader", "r"));
            System.out.println(look(port, "writer", "w"));
            System.out.println(look(port, "writer", "wrong"));
        }
        p.getOutputStream().close();
        System.out.println("exit " + p.waitFor() + new String(p.getInputStream().readAllBytes()));
    }
}
J
cat > Main.java <<'J'
public class Main {
    public static void main(String[] args) {
        System.out.println("main " + ModuleLayer.boot().findModule("jdk.management.agent").isPresent());
    }
}
J
"$JAVAC" Client.java Main.java
remote=com.sun.management.jmxremote
for option in -D$remote -XX:+ManagementServer -D$remote.port=xx -Dcom.sun.management.config.file=/no/such -Dcom.sun.management.other \
    "-D$remote.port=1 -D$remote.password.file=passwords"; do
    echo "$option"
    echo "reader r" > passwords
    chmod 644 passwords
    "$JAVA_HOME/bin/java" $VM_OPTIONS $option -cp . Main 2>&1 | grep -v "^	at"
    echo "exit ${PIPESTATUS[0]}"
done
"$JAVA_HOME/bin/java" $VM_OPTIONS -D$remote -XX:+PrintFlagsFinal -version 2>&1 | grep -c "ManagementServer  *= true  *{product} {command line}"
"$JAVA_HOME/bin/java" $VM_OPTIONS -cp . Client "$JAVA_HOME/bin/java" $VM_OPTIONS -D$remote.authenticate=false -D$remote.ssl=false
printf 'reader r\nwriter w\n' > passwords
printf 'reader readonly\nwriter readwrite\n' > access
chmod 600 passwords access
"$JAVA_HOME/bin/java" $VM_OPTIONS -cp . Client "$JAVA_HOME/bin/java" $VM_OPTIONS -D$remote.ssl=false -D$remote.password.file=passwords -D$remote.access.file=access
