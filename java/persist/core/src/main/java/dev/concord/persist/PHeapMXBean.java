package dev.concord.persist;

import java.util.List;
import java.util.Map;

/**
 * An open heap as JMX shows it, if it was opened with {@link PHeapOptions#management}: the counters of {@link HeapStatistics}
 * and what may be done with a heap in use. Its name is {@code dev.concord.persist:type=PHeap,file="..."} with the file's path,
 * links resolved. The command line speaks to it where a heap is in use.
 */
public interface PHeapMXBean {
    /** Domain and type of the names. */
    String NAME = "dev.concord.persist:type=PHeap";

    String getFile();

    /** What an acknowledged commit survives: {@code NONE}, {@code PROCESS} or {@code POWER}. */
    String getDurability();

    boolean isReadOnly();

    List<String> getRoots();

    long getCommits();

    long getCommittedBytes();

    long getSyncs();

    long getRollbacks();

    long getCheckpoints();

    long getLogUsedBytes();

    long getPrivateBytes();

    long getFileBytes();

    long getFreeUnitBytes();

    long getProxies();

    /** Identity and shape of the file, by name. */
    Map<String, String> info();

    /** Where the log stands, by name. */
    Map<String, String> log();

    /** {@link PHeap#checkpoint}. */
    void checkpoint();

    /** {@link PHeap#backup(java.nio.file.Path)}: to a new file, as this process sees it. */
    void backup(String target);

    /** {@link PHeap#compact()}: the components of its report by name. */
    Map<String, Long> compact();

    /** {@link PHeap#leaks}, a line for each finding; none if there are no leaks. */
    List<String> leaks();
}
