package dev.concord.persist.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The way to the write-back instructions, on whichever JDK runs this: each in a JVM of its own, which says nothing else. */
class WritebackTest {
    @TempDir
    Path dir;

    /** Writes lines of an ordinary mapping back, which the instructions allow as well. */
    public static void main(String[] args) throws IOException {
        Writeback w = Writeback.find();
        System.out.println(w.describe());
        try (FileChannel c = FileChannel.open(Path.of(args[0]), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer b = c.map(FileChannel.MapMode.READ_WRITE, 0, 8192);
            for (int i = 0; i < 3000; i++) {
                b.putLong(i % 1000 * 8, i);
                w.writeBack(b, i % 1000 * 8, 100);
                w.fence();
                if (args.length > 1) {
                    break;
                }
            }
            System.out.println(b.getLong(0));
        }
    }

    private String said(String... options) throws Exception {
        java.util.List<String> command = new java.util.ArrayList<>(java.util.List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(java.util.List.of(options));
        command.addAll(java.util.List.of("-cp", System.getProperty("java.class.path"), WritebackTest.class.getName(), dir.resolve("f").toString()));
        if (options.length == 0) {
            command.add("once");
        }
        Process p = new ProcessBuilder(command).redirectErrorStream(true).start();
        String s = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertEquals(0, p.waitFor(), s);
        return s.replaceAll("\\d+-byte", "N-byte");
    }

    @Test
    void theIntrinsicsAreFoundWhereTheyAreOpened() throws Exception {
        assertEquals("write-back intrinsics, N-byte lines\n2000", said("--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED"));
    }

    @Test
    void elsewhereThePublicWayIsTaken() throws Exception {
        assertEquals("MappedByteBuffer.force (open java.base/jdk.internal.misc for the intrinsics)\n0", said());
    }
}
