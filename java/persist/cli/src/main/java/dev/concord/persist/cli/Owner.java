package dev.concord.persist.cli;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.concord.persist.PHeapMXBean;
import dev.concord.persist.PersistException;
import dev.concord.persist.core.HeapLock;
import dev.concord.persist.core.Management;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * The process that has a heap open, found by the kernel's list of locks and asked through its JMX agent, which is started if it does
 * not run. The process must have opened the heap with {@code PHeapOptions.management(true)} and belong to the same user.
 */
final class Owner implements AutoCloseable {
    private static final Path LOCKS = Path.of("/proc/locks");
    /** A line of it: "7: POSIX  ADVISORY  WRITE 4711 fe:00:1234 0 EOF"; those who wait for a lock have an arrow first. */
    private static final Pattern LOCK = Pattern.compile("\\d+: POSIX +\\S+ +\\S+ +(\\d+) [0-9a-f]+:[0-9a-f]+:(\\d+) .*");
    private final long pid;
    private final JMXConnector connector;
    private final PHeapMXBean heap;

    private Owner(long pid, JMXConnector connector, PHeapMXBean heap) {
        this.pid = pid;
        this.connector = connector;
        this.heap = heap;
    }

    /** Connects to whoever has the heap open; throws {@code locked} if that is this process, or nobody that can be found. */
    static Owner of(Path file, PersistException.Locked locked) throws IOException {
        if (ModuleLayer.boot().findModule("jdk.attach").isEmpty()) {
            throw new IOException(locked.getMessage() + "; to ask it needs a JDK: this runtime has no module jdk.attach");
        }
        IOException why = null;
        for (long pid : holders(file)) {
            if (pid != ProcessHandle.current().pid()) {
                try {
                    return connect(pid, file);
                } catch (AttachNotSupportedException | IOException e) {
                    why = new IOException(locked.getMessage() + ", " + pid + ": " + e.getMessage(), e);
                }
            }
        }
        if (why != null) {
            throw why;
        }
        throw locked;
    }

    /** Processes with a lock on the heap's lock file; none where the kernel does not tell. */
    private static Set<Long> holders(Path file) throws IOException {
        Set<Long> pids = new LinkedHashSet<>();
        if (Files.isReadable(LOCKS)) {
            String inode = Files.getAttribute(HeapLock.fileOf(file), "unix:ino").toString();
            for (String line : Files.readAllLines(LOCKS)) {
                Matcher m = LOCK.matcher(line);
                if (m.matches() && m.group(2).equals(inode)) {
                    pids.add(Long.valueOf(m.group(1)));
                }
            }
        }
        return pids;
    }

    private static Owner connect(long pid, Path file) throws IOException, AttachNotSupportedException {
        String address;
        VirtualMachine vm = VirtualMachine.attach(Long.toString(pid));
        try {
            address = vm.startLocalManagementAgent();
        } finally {
            vm.detach();
        }
        JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(address));
        try {
            MBeanServerConnection server = connector.getMBeanServerConnection();
            ObjectName name = Management.nameOf(file);
            if (!server.isRegistered(name)) {
                throw new IOException("it does not offer management of it (PHeapOptions.management)");
            }
            return new Owner(pid, connector, JMX.newMXBeanProxy(server, name, PHeapMXBean.class));
        } catch (IOException e) {
            connector.close();
            throw e;
        }
    }

    long pid() {
        return pid;
    }

    PHeapMXBean heap() {
        return heap;
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
