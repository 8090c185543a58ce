import java.io.*;
import java.nio.*;
import java.nio.channels.*;
import java.nio.charset.*;
import java.nio.file.*;
import java.nio.file.attribute.*;
import java.util.*;
import java.util.stream.*;

public class I01Files {
    public static void main(String[] args) throws Exception {
        Path d = Files.createTempDirectory("io"), f = d.resolve("a.txt");
        Files.writeString(f, "line1\nline2 \u20ac\n");
        System.out.println(
                Files.size(f)
                        + " "
                        + Files.readAllLines(f)
                        + Files.readString(f).length()
                        + Files.exists(f)
                        + Files.isDirectory(d));
        Files.write(f, List.of("more"), StandardOpenOption.APPEND);
        try (Stream<String> s = Files.lines(f)) {
            System.out.println(s.count());
        }
        Files.copy(f, d.resolve("b.txt"));
        Files.move(d.resolve("b.txt"), d.resolve("c.txt"));
        Files.createDirectories(d.resolve("x/y"));
        Files.createSymbolicLink(d.resolve("ln"), f);
        System.out.println(
                Files.isSymbolicLink(d.resolve("ln"))
                        + " "
                        + Files.readAttributes(f, BasicFileAttributes.class).isRegularFile());
        try (Stream<Path> w = Files.walk(d)) {
            System.out.println(w.map(p -> d.relativize(p).toString()).sorted().toList());
        }
        try (DirectoryStream<Path> ds = Files.newDirectoryStream(d, "*.txt")) {
            int n = 0;
            for (Path p : ds) n++;
            System.out.println(n);
        }
        for (Runnable r : new Runnable[] {() -> rd(d.resolve("none")), () -> rd(d)}) r.run();
        try {
            Files.createFile(f);
        } catch (FileAlreadyExistsException e) {
            System.out.println("exists");
        }
        try {
            Files.delete(d);
        } catch (DirectoryNotEmptyException e) {
            System.out.println("not empty");
        }
        try {
            new FileInputStream("/nonexistent/x");
        } catch (FileNotFoundException e) {
            System.out.println(e.getMessage());
        }
        Files.setPosixFilePermissions(f, PosixFilePermissions.fromString("rw-r-----"));
        System.out.println(PosixFilePermissions.toString(Files.getPosixFilePermissions(f)));
        Files.setLastModifiedTime(f, FileTime.fromMillis(1000000));
        System.out.println(f.toFile().lastModified());
        try (RandomAccessFile r = new RandomAccessFile(f.toFile(), "rw")) {
            r.seek(3);
            r.writeInt(0x41424344);
            r.seek(0);
            byte[] b = new byte[8];
            r.readFully(b);
            System.out.println(new String(b) + r.getFilePointer() + " " + r.length());
            r.setLength(4);
            System.out.println(r.length());
            try {
                r.readLong();
            } catch (EOFException e) {
                System.out.println("eof");
            }
        }
        try (FileChannel c =
                FileChannel.open(f, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer m = c.map(FileChannel.MapMode.READ_WRITE, 0, 4096);
            m.putLong(8, 77);
            m.force();
            ByteBuffer b = ByteBuffer.allocateDirect(16);
            c.read(b, 0);
            b.flip();
            System.out.println(b.getLong(8) + " " + c.size() + b.isDirect());
            c.truncate(10);
            c.position(10);
            c.write(
                    new ByteBuffer[] {
                        ByteBuffer.wrap("gather".getBytes()), ByteBuffer.wrap("ing".getBytes())
                    });
            System.out.println(c.size());
            try (FileLock l = c.tryLock()) {
                System.out.println(l.isValid());
            }
        }
        try (DataOutputStream o =
                new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(f)))) {
            o.writeUTF("utf\0\u20ac");
            o.writeDouble(1.5);
            o.writeBoolean(true);
            o.writeChar('z');
            o.writeLong(-1);
        }
        try (DataInputStream i =
                new DataInputStream(new BufferedInputStream(new FileInputStream(f.toFile())))) {
            System.out.println(
                    i.readUTF().length()
                            + " "
                            + i.readDouble()
                            + i.readBoolean()
                            + i.readChar()
                            + i.readLong()
                            + i.read());
        }
        PipedInputStream pi = new PipedInputStream();
        PipedOutputStream po = new PipedOutputStream(pi);
        Thread t =
                new Thread(
                        () -> {
                            try (po) {
                                po.write("piped".getBytes());
                            } catch (IOException e) {
                            }
                        });
        t.start();
        System.out.println(new String(pi.readAllBytes()));
        t.join();
        System.out.println(
                new BufferedReader(new StringReader("a\r\nb\nc")).lines().toList()
                        + " "
                        + new InputStreamReader(
                                        new ByteArrayInputStream(
                                                new byte[] {(byte) 0xc3, (byte) 0xa9}),
                                        StandardCharsets.UTF_8)
                                .read()
                        + new PushbackReader(new StringReader("x")).read());
        StringWriter sw = new StringWriter();
        new PrintWriter(sw, true).printf("%d|%s%n", 5, "x");
        System.out.print(sw);
        for (String cs :
                new String[] {
                    "UTF-8",
                    "UTF-16",
                    "UTF-16LE",
                    "ISO-8859-1",
                    "US-ASCII",
                    "windows-1252",
                    "Shift_JIS",
                    "UTF-32",
                    "GB18030"
                })
            System.out.println(cs + Arrays.toString("a\u00e9\u20ac\ud83d\ude00".getBytes(cs)));
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(new byte[] {(byte) 0xff}));
        } catch (MalformedInputException e) {
            System.out.println(e.getMessage());
        }
        try (Stream<Path> w = Files.walk(d)) {
            w.sorted(Comparator.reverseOrder())
                    .forEach(
                            p -> {
                                try {
                                    Files.delete(p);
                                } catch (IOException e) {
                                    System.out.println(e);
                                }
                            });
        }
        System.out.println(Files.exists(d));
        File fl = new File("/a/./b/../c.txt");
        System.out.println(
                fl.getName()
                        + fl.getParent()
                        + fl.getCanonicalPath()
                        + fl.toPath().normalize()
                        + new File("rel").isAbsolute()
                        + Path.of("/a/b").relativize(Path.of("/a/c/d"))
                        + Path.of("x/y/z").subpath(1, 3));
    }

    static void rd(Path p) {
        try {
            Files.readString(p);
        } catch (IOException e) {
            System.out.println(
                    e.getClass().getSimpleName()
                            + (e.getMessage().contains("none") ? "" : e.getMessage()));
        }
    }
}
