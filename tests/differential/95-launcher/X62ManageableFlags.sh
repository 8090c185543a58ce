# Flags that may be set while the VM runs, by tools and by the bean; dumps of the heap around full collections.
# timeout: 180
# skip-mode: zeal move
cat > F.java <<'J'
import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.DataInputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;

public class F {
    static HotSpotDiagnosticMXBean bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    static String run(String tool, String... args) throws Exception {
        List<String> l = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/" + tool));
        l.addAll(Arrays.asList(args));
        Process p = new ProcessBuilder(l).redirectErrorStream(true).start();
        String s = new String(p.getInputStream().readAllBytes());
        return s.lines().filter(x -> !x.startsWith("\tat ") && !x.matches("\\d+:")).reduce("", (x, y) -> x + y + "\n");
    }
    static void tell(String name) {
        var o = bean.getVMOption(name);
        String value = name.equals("SoftMaxHeapSize") && o.getValue().length() > 9 ? "large" : o.getValue();
        System.out.println(name + " " + value + " " + o.isWriteable() + " " + o.getOrigin());
    }
    public static void main(String[] a) throws Exception {
        if (a.length > 0) { collect(); return; }
        List<String> writeable = new ArrayList<>();
        for (var o : bean.getDiagnosticOptions()) writeable.add(o.getName());
        writeable.sort(null);
        System.out.println(writeable);
        for (String n : writeable) tell(n);
        String pid = "" + ProcessHandle.current().pid();
        for (String s : new String[] {"MinHeapFreeRatio 30", "MinHeapFreeRatio 80", "MaxHeapFreeRatio 200", "MaxHeapFreeRatio x", "MaxHeapFreeRatio 60", "HeapDumpGzipLevel 10",
                "SoftMaxHeapSize 104857600", "SoftMaxHeapSize 1m", "PrintClassHistogram 1", "PrintClassHistogram x", "G1PeriodicGCInterval 7", "G1PeriodicGCSystemLoadThreshold 1.5",
                "G1PeriodicGCSystemLoadThreshold y", "HeapDumpBeforeFullGC true", "HeapDumpBeforeFullGC false", "MaxHeapSize 3", "Nope 3", "HeapDumpPath"}) {
            System.out.print(s + ": " + run("jcmd", (pid + " VM.set_flag " + s).split(" ")));
        }
        for (String s : new String[] {"MinHeapFreeRatio=20", "MinHeapFreeRatio=90", "MinHeapFreeRatio=x", "HeapDumpGzipLevel=10", "+HeapDumpAfterFullGC", "-HeapDumpAfterFullGC", "MaxHeapFreeRatio"}) {
            System.out.print(s + ": " + run("jinfo", "-flag", s, pid) + "\n");
        }
        for (String[] s : new String[][] {{"MinHeapFreeRatio", "33"}, {"SoftMaxHeapSize", "77777"}, {"HeapDumpGzipLevel", "3"}, {"PrintClassHistogram", "false"}}) bean.setVMOption(s[0], s[1]);
        for (String n : writeable) tell(n);
        String me = ProcessHandle.current().info().command().get();
        for (String[] options : new String[][] {
                {"-XX:+HeapDumpBeforeFullGC"}, {"-XX:+HeapDumpAfterFullGC"}, {"-XX:+HeapDumpBeforeFullGC", "-XX:+HeapDumpAfterFullGC"}, {"-XX:+HeapDumpAfterFullGC", "-XX:HeapDumpGzipLevel=4"},
                {"-XX:+HeapDumpAfterFullGC", "-XX:HeapDumpPath=given.hprof"}, {"-XX:MinHeapFreeRatio=10", "-XX:MaxHeapFreeRatio=20", "-XX:SoftMaxHeapSize=1m", "-XX:+PrintClassHistogram"}}) {
            System.out.println("== " + String.join(" ", options));
            List<String> c = new ArrayList<>(List.of(me));
            c.addAll(List.of(options));
            c.addAll(List.of("-Xmx64m", "-cp", "..", "F", "collect"));
            File folder = new File("dumps");
            folder.mkdir();
            Process p = new ProcessBuilder(c).redirectErrorStream(true).directory(folder).start();
            String s = new String(p.getInputStream().readAllBytes());
            System.out.print(s.replaceAll("pid\\d+", "pidN").replaceAll("\\[\\d+ bytes in [\\d.]+ secs\\]", "[]"));
            File[] files = folder.listFiles();
            Arrays.sort(files);
            for (File f : files) {
                System.out.println(f.getName().replaceAll("pid\\d+", "pidN") + " " + count(f));
                f.delete();
            }
        }
    }
    static class Mark { }
    static Object[] kept = new Object[1000];
    static void collect() {
        for (int i = 0; i < 1000; i++) kept[i] = new Mark();
        System.gc();
        System.out.println("between");
        kept = null;
        System.gc();
    }
    /** Objects of class F$Mark in a dump that can be read to its end. */
    static int count(File f) throws Exception {
        try (InputStream raw = new FileInputStream(f); InputStream in = f.getName().contains(".gz") ? new GZIPInputStream(raw) : raw) {
            DataInputStream d = new DataInputStream(new java.io.BufferedInputStream(in));
            while (d.readByte() != 0) { }
            d.skipBytes(12);
            var names = new java.util.HashMap<Long, String>();
            var sizes = new java.util.HashMap<Long, Integer>();
            long mark = 0;
            int n = 0;
            for (int tag; (tag = d.read()) >= 0; ) {
                d.readInt();
                byte[] b = d.readNBytes(d.readInt());
                var r = java.nio.ByteBuffer.wrap(b);
                if (tag == 1) names.put(r.getLong(), new String(b, 8, b.length - 8));
                if (tag == 2) {
                    r.getInt();
                    long id = r.getLong();
                    r.getInt();
                    if ("F$Mark".equals(names.get(r.getLong()))) mark = id;
                }
                if (tag == 12 || tag == 28) n += instances(r, mark);
            }
            return n;
        }
    }
    static int[] SIZES = {0, 0, 8, 0, 1, 2, 4, 8, 1, 2, 4, 8};
    static int instances(java.nio.ByteBuffer r, long mark) {
        int n = 0;
        while (r.hasRemaining()) {
            int tag = r.get() & 255, skip;
            switch (tag) {
                case 255: skip = 8; break;
                case 1: skip = 16; break;
                case 2: case 3: skip = 16; break;
                case 4: case 6: skip = 12; break;
                case 5: case 7: skip = 8; break;
                case 8: skip = 16; break;
                case 32: {
                    r.position(r.position() + 8 + 4 + 48 + 4);
                    for (int k = r.getShort(); k > 0; k--) { r.getShort(); int t = r.get(); r.position(r.position() + SIZES[t]); }
                    for (int k = r.getShort(); k > 0; k--) { r.getLong(); int t = r.get(); r.position(r.position() + SIZES[t]); }
                    skip = 9 * r.getShort();
                    break;
                }
                case 33: r.position(r.position() + 12); n += r.getLong() == mark ? 1 : 0; skip = r.getInt(); break;
                case 34: r.position(r.position() + 12); skip = 8 * r.getInt() + 8; break;
                case 35: r.position(r.position() + 12); skip = r.getInt(); skip *= SIZES[r.get()]; break;
                default: throw new IllegalStateException("tag " + tag);
            }
            r.position(r.position() + skip);
        }
        return n;
    }
}
J
"$JAVAC" F.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -Xmx64m -cp . F
