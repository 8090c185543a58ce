// covers: getThreadAllocatedBytes getCurrentThreadAllocatedBytes
import java.lang.management.ManagementFactory;

/** A thread's own account of what it has allocated grows by the size of each object, wherever its buffers end. */
public class T19AllocatedStepByStep {
    static final com.sun.management.ThreadMXBean bean =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    static Object sink;

    public static void main(String[] args) {
        long id = Thread.currentThread().getId();
        for (int i = 0; i < 3000; i++) bean.getThreadAllocatedBytes(id);
        int exact = 0, less = 0;
        long all = 0;
        for (int i = 0; i < 4000; i++) {
            long before = bean.getThreadAllocatedBytes(id);
            sink = new byte[1000];
            long grown = bean.getThreadAllocatedBytes(id) - before;
            exact += grown == 1016 ? 1 : 0;
            less += grown < 1016 ? 1 : 0;
            all += grown;
        }
        System.out.println(less + " " + (exact > 3900) + " " + (all >= 4000 * 1016 && all < 4000 * 1016 + 500_000));
    }
}
