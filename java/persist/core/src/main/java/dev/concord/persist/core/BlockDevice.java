package dev.concord.persist.core;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What sysfs says of the device below a file; evidence for the durability report, never a decision. */
final class BlockDevice {
    private BlockDevice() {
    }

    static List<String> writeCache(Path file) {
        List<String> found = new ArrayList<>();
        try {
            long dev = (long) (Long) Files.getAttribute(file.toAbsolutePath().getParent(), "unix:dev");
            long major = dev >>> 8 & 0xFFF;
            long minor = dev & 0xFF | dev >>> 12 & 0xFFF00;
            Path sys = Path.of("/sys/dev/block/" + major + ":" + minor).toRealPath();
            for (Path p = sys; p != null && found.isEmpty(); p = p.getParent()) {
                Path cache = p.resolve("queue/write_cache");
                if (Files.isReadable(cache)) {
                    found.add("device " + p.getFileName() + " write cache: " + Files.readString(cache).strip());
                }
            }
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            found.add("device not identified (" + e.getClass().getSimpleName() + ")");
        }
        return found;
    }

    static List<String> persistenceDomains() {
        List<String> found = new ArrayList<>();
        Path nd = Path.of("/sys/bus/nd/devices");
        if (!Files.isDirectory(nd)) {
            return found;
        }
        try (DirectoryStream<Path> regions = Files.newDirectoryStream(nd, "region*")) {
            for (Path r : regions) {
                Path d = r.resolve("persistence_domain");
                if (Files.isReadable(d)) {
                    found.add(r.getFileName() + " persistence domain: " + Files.readString(d).strip());
                }
            }
        } catch (IOException e) {
            found.add("persistence domains not readable: " + e.getMessage());
        }
        return found;
    }
}
