// vm: own -Xmx6g
// timeout: 60
// skip-mode: zeal
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/** A heap above 4 GB: what a small program keeps resident does not depend on the limit, and what passes through it stays whole. */
public class G25LargeHeap {
    static long resident() throws Exception {
        for (String l : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (l.startsWith("VmRSS:")) {
                return Long.parseLong(l.replaceAll("\\D", "")) >> 10;
            }
        }
        return -1;
    }

    static int check(long[] a) {
        int wrong = 0;
        for (int i = 0; i < a.length; i += 1000) {
            wrong += a[i] == a.length + i ? 0 : 1;
        }
        return wrong;
    }

    public static void main(String[] args) throws Exception {
        long before = resident();
        System.out.println("max ".concat(Long.toString(Runtime.getRuntime().maxMemory() >> 32)));
        System.out.println("resident ".concat(before < 200 ? "little" : before + " MB"));
        ArrayDeque<long[]> kept = new ArrayDeque<>();
        Map<Integer, String> names = new HashMap<>();
        int wrong = 0;
        for (int i = 0; i < 600; i++) {
            long[] a = new long[(i * 7919 % 500 + 1) * 1000];
            for (int j = 0; j < a.length; j += 1000) {
                a[j] = a.length + j;
            }
            kept.add(a);
            names.put(i, "n".concat(Integer.toString(i)));
            if (kept.size() > 40) {
                wrong += check(kept.remove());
            }
            if (i % 200 == 199) {
                System.gc();
            }
        }
        for (long[] a : kept) {
            wrong += check(a);
        }
        System.out.println("wrong ".concat(Integer.toString(wrong)).concat(" names ") + names.size() + names.get(333));
    }
}
