// vm: own -XX:ReservedCodeCacheSize=64m
// skip-mode: int
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryManagerMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.util.Arrays;

/** The code cache as one pool with a manager of its own: sizes hold together, and grow when code is made. */
public class G12CodePool {
    static int sum(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            s += Integer.toString(i).hashCode();
        }
        return s;
    }

    public static void main(String[] args) {
        for (MemoryManagerMXBean m : ManagementFactory.getMemoryManagerMXBeans()) {
            if (m.getName().startsWith("Code")) {
                System.out.println(m.getName() + " " + m.isValid() + " " + Arrays.toString(m.getMemoryPoolNames()));
            }
        }
        MemoryPoolMXBean pool = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(p -> p.getName().startsWith("Code")).reduce((a, b) -> { throw new AssertionError(); }).get();
        System.out.println(pool.getName() + " " + pool.getType() + " " + pool.isValid() + " "
            + Arrays.toString(pool.getMemoryManagerNames()) + " " + pool.isCollectionUsageThresholdSupported()
            + " " + pool.getCollectionUsage());
        MemoryUsage before = pool.getUsage();
        System.out.println(before.getInit() + " " + before.getMax());
        System.out.println(before.getUsed() > 0 && before.getUsed() <= before.getCommitted() && before.getCommitted() <= before.getMax());
        long end = System.nanoTime() + 20_000_000_000L;
        int s = 0;
        while (pool.getUsage().getUsed() <= before.getUsed() && System.nanoTime() < end) {
            s += sum(20_000);
        }
        System.out.println((pool.getUsage().getUsed() > before.getUsed()) + " " + (s != 1));
        // A compiler may add code between the two questions.
        boolean peak = false;
        for (int i = 0; i < 1000 && !peak; i++) {
            long now = pool.getUsage().getUsed();
            peak = pool.getPeakUsage().getUsed() >= now;
        }
        System.out.println(peak);
        pool.resetPeakUsage();
        System.out.println(pool.getPeakUsage().getUsed() >= pool.getUsage().getUsed() - 1_000_000);
        System.gc();
        System.out.println(ManagementFactory.getGarbageCollectorMXBeans().stream()
            .noneMatch(g -> Arrays.asList(g.getMemoryPoolNames()).contains("CodeCache")));
    }
}
