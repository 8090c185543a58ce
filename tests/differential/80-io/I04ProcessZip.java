import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.jar.*;
import java.util.zip.*;

public class I04ProcessZip {
    public static void main(String[] args) throws Exception {
        Process p =
                new ProcessBuilder("sh", "-c", "echo out; echo err >&2; cat; exit 3")
                        .redirectErrorStream(false)
                        .start();
        p.getOutputStream().write("in\n".getBytes());
        p.getOutputStream().close();
        System.out.println(
                new String(p.getInputStream().readAllBytes()).trim()
                        + new String(p.getErrorStream().readAllBytes()).trim()
                        + p.waitFor());
        try {
            new ProcessBuilder("/no/such/program").start();
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        Process s = new ProcessBuilder("sleep", "100").start();
        System.out.println(s.isAlive());
        s.destroy();
        System.out.println(
                s.waitFor()
                        + " "
                        + ProcessHandle.current().isAlive()
                        + (ProcessHandle.current().pid() > 0));
        ProcessBuilder pb = new ProcessBuilder("sh", "-c", "echo $VAR; pwd");
        pb.environment().put("VAR", "value");
        pb.directory(new File("/"));
        System.out.println(
                new String(pb.start().getInputStream().readAllBytes()).replace('\n', ' '));
        Path z = Files.createTempFile("t", ".jar");
        Manifest m = new Manifest();
        m.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        m.getMainAttributes().put(new Attributes.Name("X-Long"), "v".repeat(200));
        try (JarOutputStream o = new JarOutputStream(Files.newOutputStream(z), m)) {
            for (int i = 0; i < 5; i++) {
                ZipEntry e = new ZipEntry("dir/e" + i + ".txt");
                e.setTime(1000000000000L);
                o.putNextEntry(e);
                o.write(("content " + i).repeat(100).getBytes());
                o.closeEntry();
            }
            ZipEntry st = new ZipEntry("stored");
            st.setMethod(ZipEntry.STORED);
            st.setSize(3);
            CRC32 c = new CRC32();
            c.update("abc".getBytes());
            st.setCrc(c.getValue());
            o.putNextEntry(st);
            o.write("abc".getBytes());
            o.closeEntry();
        }
        try (JarFile j = new JarFile(z.toFile())) {
            System.out.println(
                    j.size()
                            + " "
                            + j.getManifest().getMainAttributes().getValue("X-Long").length()
                            + j.stream().map(ZipEntry::getName).toList()
                            + new String(j.getInputStream(j.getEntry("dir/e3.txt")).readAllBytes())
                                    .length()
                            + j.getEntry("dir/e3.txt").getCrc()
                            + j.getEntry("none"));
        }
        try (ZipInputStream i = new ZipInputStream(Files.newInputStream(z))) {
            int n = 0;
            while (i.getNextEntry() != null) n += i.readAllBytes().length;
            System.out.println(n);
        }
        try (FileSystem fs = FileSystems.newFileSystem(z)) {
            System.out.println(Files.readString(fs.getPath("stored")));
        }
        try {
            new ZipFile("/etc/passwd");
        } catch (ZipException e) {
            System.out.println(e.getMessage());
        }
        try (java.net.URLClassLoader u =
                new java.net.URLClassLoader(new java.net.URL[] {z.toUri().toURL()})) {
            System.out.println(
                    new String(u.getResourceAsStream("stored").readAllBytes())
                            + u.getResource("none"));
            try {
                u.loadClass("nope.X");
            } catch (ClassNotFoundException e) {
                System.out.println(e.getMessage());
            }
        }
        ByteArrayOutputStream b = new ByteArrayOutputStream();
        try (GZIPOutputStream g = new GZIPOutputStream(b)) {
            g.write(new byte[10000]);
        }
        System.out.println(
                b.size() < 100
                        ? new GZIPInputStream(new ByteArrayInputStream(b.toByteArray()))
                                .readAllBytes()
                                .length
                        : -1);
        Files.delete(z);
    }
}
