package dev.concord.persist.core;

import dev.concord.persist.CompactionReport;
import dev.concord.persist.HeapStatistics;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapMXBean;
import dev.concord.persist.PersistException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * Shows an open heap to the process's MBean server, until it is closed. Loaded only for heaps that asked for it: JMX takes longer
 * to begin than a heap to open, and a runtime image may be without it.
 */
public final class Management implements PHeapMXBean {
    private final PHeap heap;
    private final boolean readOnly;

    private Management(PHeap heap, boolean readOnly) {
        this.heap = heap;
        this.readOnly = readOnly;
    }

    /** What a heap file is called in JMX. */
    public static ObjectName nameOf(Path file) throws IOException {
        try {
            return new ObjectName(NAME + ",file=" + ObjectName.quote(HeapLock.keyOf(file).toString()));
        } catch (MalformedObjectNameException e) {
            throw new IllegalStateException("a quoted path is no name: " + file, e);
        }
    }

    static void register(PHeap heap, Path file, boolean readOnly) {
        try {
            ObjectName name = nameOf(file);
            ManagementFactory.getPlatformMBeanServer().registerMBean(new Management(heap, readOnly), name);
            heap.core().onClose(() -> {
                try {
                    if (ManagementFactory.getPlatformMBeanServer().isRegistered(name)) {
                        ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
                    }
                } catch (JMException e) {
                    throw new PersistException(file + " cannot be taken from JMX: " + e, e);
                }
            });
        } catch (JMException | IOException e) {
            throw new PersistException(file + " cannot be shown to JMX: " + e, e);
        }
    }

    private static Map<String, String> texts(Map<String, Object> values) {
        Map<String, String> m = new LinkedHashMap<>();
        values.forEach((k, v) -> m.put(k, String.valueOf(v)));
        return m;
    }

    private HeapStatistics now() {
        return heap.statistics();
    }

    @Override
    public String getFile() {
        return heap.core().name();
    }

    @Override
    public String getDurability() {
        return heap.durability().level().toString();
    }

    @Override
    public boolean isReadOnly() {
        return readOnly;
    }

    @Override
    public List<String> getRoots() {
        return heap.rootNames();
    }

    @Override
    public long getCommits() {
        return now().commits();
    }

    @Override
    public long getCommittedBytes() {
        return now().committedBytes();
    }

    @Override
    public long getSyncs() {
        return now().syncs();
    }

    @Override
    public long getRollbacks() {
        return now().rollbacks();
    }

    @Override
    public long getCheckpoints() {
        return now().checkpoints();
    }

    @Override
    public long getLogUsedBytes() {
        return now().logUsedBytes();
    }

    @Override
    public long getPrivateBytes() {
        return now().privateBytes();
    }

    @Override
    public long getFileBytes() {
        return now().fileBytes();
    }

    @Override
    public long getFreeUnitBytes() {
        return now().freeUnitBytes();
    }

    @Override
    public long getProxies() {
        return now().proxies();
    }

    @Override
    public Map<String, String> info() {
        return texts(new Inspector(heap.core()).info());
    }

    @Override
    public Map<String, String> log() {
        return texts(new Inspector(heap.core()).log());
    }

    @Override
    public void checkpoint() {
        heap.checkpoint();
    }

    @Override
    public void backup(String target) {
        heap.backup(Path.of(target));
    }

    @Override
    public Map<String, Long> compact() {
        CompactionReport r = heap.compact();
        Map<String, Long> m = new LinkedHashMap<>();
        m.put("movedObjects", r.movedObjects());
        m.put("movedBytes", r.movedBytes());
        m.put("freedBytes", r.freedBytes());
        m.put("retainedBytes", r.retainedBytes());
        m.put("pauses", (long) r.pauses());
        m.put("longestPauseMillis", r.longestPauseMillis());
        return m;
    }

    @Override
    public List<String> leaks() {
        return heap.leaks().lines();
    }
}
