package dev.concord.persist.core;

import dev.concord.persist.Durability;
import dev.concord.persist.DurabilityReport;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.PersistException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses the engine by what the medium can do. Owns the promise never to give less than was demanded: what the medium
 * offers is found out first, and a demand beyond it refuses to open.
 */
public final class HeapOpener {
    private HeapOpener() {
    }

    /** What the medium offers. */
    private record Offer(Durability level, Medium.Mapping direct, List<String> evidence) {
    }

    public static PHeap open(Path file, PHeapOptions options) {
        try {
            return open0(file, options);
        } catch (IOException e) {
            throw new PersistException(file + " cannot be opened: " + e.getMessage(), e);
        }
    }

    private static PHeap open0(Path file, PHeapOptions options) throws IOException {
        boolean exists = Files.exists(file);
        boolean create = switch (options.create()) {
            case IF_ABSENT -> !exists;
            case ALWAYS_NEW -> {
                if (exists) {
                    throw new PersistException.Misuse(file + " exists, and a new heap was asked for");
                }
                yield true;
            }
            case NEVER -> {
                if (!exists) {
                    throw new PersistException.Misuse(file + " does not exist");
                }
                yield false;
            }
        };
        if (create && options.readOnly()) {
            throw new PersistException.Misuse(file + " does not exist; it cannot be made read-only");
        }
        if (options.management() && ModuleLayer.boot().findModule("java.management").isEmpty()) {
            throw new PersistException.Misuse(file + ": management was asked for, but this runtime has no module java.management");
        }
        FileMedium medium = FileMedium.open(file, create, options.readOnly());
        Offer offer;
        try {
            offer = offer(file, medium, options);
        } catch (RuntimeException | IOException e) {
            medium.close();
            throw e;
        }
        HeapCore core = HeapCore.open(medium, offer.direct, create, options);
        if (create) {
            medium.publish();
        }
        DurabilityReport.Engine kind = core.engine.kind();
        PHeap heap = new PHeap(core, new DurabilityReport(offer.level, kind, List.copyOf(offer.evidence)));
        if (options.management()) {
            try {
                Management.register(heap, file, options.readOnly());
            } catch (RuntimeException e) {
                core.close();
                throw e;
            }
        }
        return heap;
    }

    private static Offer offer(Path file, FileMedium medium, PHeapOptions options) throws IOException {
        Durability demanded = options.durability();
        List<String> evidence = new ArrayList<>();
        String type = Files.getFileStore(file.toAbsolutePath().getParent()).type();
        evidence.add("file system " + type);
        if (demanded == Durability.NONE || demanded == Durability.PROCESS) {
            evidence.add("stores go to a shared mapping; the demand was " + demanded);
            return new Offer(demanded, Medium.Mapping.SHARED, evidence);
        }
        boolean sync = !isMemory(type) && medium.supportsSync();
        evidence.add(sync ? "MAP_SYNC accepted" : isMemory(type) ? "MAP_SYNC has no meaning here" : "MAP_SYNC refused");
        if (sync) {
            evidence.add(medium.writeback().describe());
            evidence.addAll(BlockDevice.persistenceDomains());
            return new Offer(Durability.POWER, Medium.Mapping.SYNC, evidence);
        }
        if (isMemory(type)) {
            evidence.add("this file system is memory: its files end with the operating system");
            if (demanded == Durability.POWER) {
                throw new PersistException.DurabilityUnavailable(file + ": POWER was demanded, but " + String.join("; ", evidence));
            }
            return new Offer(Durability.PROCESS, Medium.Mapping.SHARED, evidence);
        }
        evidence.add("each acknowledged commit was written through (O_DSYNC)");
        evidence.addAll(BlockDevice.writeCache(file));
        return new Offer(Durability.POWER, null, evidence);
    }

    private static boolean isMemory(String type) {
        return type.equals("tmpfs") || type.equals("ramfs") || type.equals("devtmpfs") || type.equals("hugetlbfs");
    }
}
