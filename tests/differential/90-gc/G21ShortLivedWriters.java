// vm: own
// skip-mode: zeal move deopt jitmove local relayout
import java.nio.file.Files;
import java.nio.file.Path;

/** Threads that store into an old object each and end leave next to nothing behind, though no collection comes. */
public class G21ShortLivedWriters {
    static class Holder {
        Object value;
    }

    static long residentKb() throws Exception {
        return Files.lines(Path.of("/proc/self/status")).filter(l -> l.startsWith("VmRSS"))
                .mapToLong(l -> Long.parseLong(l.replaceAll("\\D", ""))).findFirst().getAsLong();
    }

    static void threads(Holder[] holders, int from, int to) throws Exception {
        for (int i = from; i < to; i++) {
            Holder holder = holders[i];
            Thread t = new Thread(() -> holder.value = holder);
            t.start();
            t.join();
        }
    }

    public static void main(String[] args) throws Exception {
        Holder[] holders = new Holder[20_000];
        for (int i = 0; i < holders.length; i++) {
            holders[i] = new Holder();
        }
        System.gc();
        threads(holders, 0, 500);
        long before = residentKb();
        threads(holders, 500, holders.length);
        long grown = residentKb() - before;
        System.out.println(grown < 40_000 ? "little" : grown + " KB more");
    }
}
