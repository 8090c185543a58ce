// vm: own -Xmx256m
// skip-mode: zeal move jitmove deopt relayout
// Listeners of single collector beans, thresholds of collections, which count each collection, and the peak.
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;

public class G20CollectionBeans {
    static byte[] hold = new byte[5 << 20];

    static void settle(AtomicInteger n, int wanted) throws InterruptedException {
        for (int i = 0; i < 200 && n.get() < wanted; i++) {
            Thread.sleep(10);
        }
        Thread.sleep(50);
    }

    static MemoryPoolMXBean pool() {
        for (MemoryPoolMXBean p : ManagementFactory.getMemoryPoolMXBeans()) {
            if (p.isCollectionUsageThresholdSupported() && p.isUsageThresholdSupported()) {
                return p;
            }
        }
        throw new AssertionError();
    }

    public static void main(String[] args) throws Exception {
        AtomicInteger n = new AtomicInteger();
        Map<GarbageCollectorMXBean, NotificationListener> listeners = new LinkedHashMap<>();
        for (GarbageCollectorMXBean b : ManagementFactory.getGarbageCollectorMXBeans()) {
            NotificationListener l = (x, h) -> n.incrementAndGet();
            ((NotificationEmitter) b).addNotificationListener(l, null, null);
            listeners.put(b, l);
        }
        System.gc();
        settle(n, 1);
        System.out.println("both: " + n);
        GarbageCollectorMXBean young = listeners.keySet().iterator().next();
        ((NotificationEmitter) young).removeNotificationListener(listeners.get(young));
        n.set(0);
        System.gc();
        settle(n, 1);
        System.out.println("full only: " + n);

        AtomicInteger told = new AtomicInteger();
        NotificationEmitter memory = (NotificationEmitter) ManagementFactory.getMemoryMXBean();
        memory.addNotificationListener((x, h) -> told.incrementAndGet(), null, null);
        MemoryPoolMXBean pool = pool();
        pool.setCollectionUsageThreshold(1000);
        for (int i = 1; i <= 3; i++) {
            System.gc();
            settle(told, i);
        }
        System.out.println("collections " + pool.getCollectionUsageThresholdCount() + " "
                + pool.isCollectionUsageThresholdExceeded() + " told " + told);
        pool.setCollectionUsageThreshold(0);
        System.gc();
        Thread.sleep(50);

        byte[][] much = new byte[100][];
        for (int i = 0; i < much.length; i++) {
            much[i] = new byte[1 << 20];
        }
        System.out.println("much " + much[99].length + " peak " + (pool.getPeakUsage().getUsed() > 50 << 20));
        much = null;
        System.gc();
        System.gc();
        pool.resetPeakUsage();
        System.out.println("peak after its reset " + (pool.getPeakUsage().getUsed() > 50 << 20));
    }
}
