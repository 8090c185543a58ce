// vm: own -Xmx64m
import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.lang.management.*;
import java.util.*;
import java.util.concurrent.*;
import javax.management.*;
import javax.management.openmbean.CompositeData;

/** Memory beans tell the truth: usage, peaks, collections, thresholds, notifications. */
public class G08Beans {
    static volatile Object sink;

    /** What is told of a collection by System.gc(): others may come between, and two at once are told as one. */
    static GarbageCollectionNotificationInfo asked(BlockingQueue<GarbageCollectionNotificationInfo> told) throws Exception {
        for (int i = 0; i < 100; i++) {
            System.gc();
            GarbageCollectionNotificationInfo info = told.poll(20, TimeUnit.SECONDS);
            while (info != null && !info.getGcCause().equals("System.gc()")) {
                info = told.poll();
            }
            if (info != null) {
                return info;
            }
        }
        throw new IllegalStateException("no collection by System.gc() is told of");
    }

    static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream().mapToLong(GarbageCollectorMXBean::getCollectionCount).sum();
    }

    public static void main(String[] args) throws Exception {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        byte[] kept = new byte[20 << 20];
        MemoryUsage u = memory.getHeapMemoryUsage();
        System.out.println(u.getUsed() >= kept.length && u.getUsed() <= u.getCommitted() && u.getCommitted() <= u.getMax());
        System.out.println(memory.getNonHeapMemoryUsage().getUsed() > 0);

        List<GarbageCollectorMXBean> beans = ManagementFactory.getGarbageCollectorMXBeans();
        System.out.println(beans.size() + " " + beans.stream().allMatch(b -> b.isValid() && b.getMemoryPoolNames().length > 0));
        long before = collections();
        System.gc();
        System.out.println("collected " + (collections() > before));

        BlockingQueue<GarbageCollectionNotificationInfo> told = new LinkedBlockingQueue<>();
        for (GarbageCollectorMXBean b : beans) {
            ((NotificationEmitter) b).addNotificationListener((n, h) -> {
                if (n.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
                    told.add(GarbageCollectionNotificationInfo.from((CompositeData) n.getUserData()));
                }
            }, null, null);
        }
        GarbageCollectionNotificationInfo info = asked(told);
        System.out.println(info.getGcAction() + ", " + info.getGcCause() + ", " + beans.stream().anyMatch(b -> b.getName().equals(info.getGcName())));
        GcInfo gc = info.getGcInfo();
        System.out.println((gc.getId() > 0) + " " + (gc.getEndTime() >= gc.getStartTime()) + " " + (gc.getDuration() >= 0)
            + " " + !gc.getMemoryUsageAfterGc().isEmpty() + " " + gc.getMemoryUsageBeforeGc().keySet().equals(gc.getMemoryUsageAfterGc().keySet()));
        long after = gc.getMemoryUsageAfterGc().values().stream().mapToLong(MemoryUsage::getUsed).sum();
        System.out.println("live " + (after >= kept.length));

        for (int i = 0; i < 200; i++) {
            sink = new byte[1 << 20];
        }
        System.out.println("young ones are told " + (told.poll(20, TimeUnit.SECONDS) != null));
        for (GarbageCollectorMXBean b : beans) {
            GcInfo last = ((com.sun.management.GarbageCollectorMXBean) b).getLastGcInfo();
            System.out.println(last == null ? b.getCollectionCount() == 0 : last.getId() == b.getCollectionCount() || last.getId() > 0);
        }

        MemoryPoolMXBean pool = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(p -> p.getType() == MemoryType.HEAP && p.isUsageThresholdSupported()).findFirst().get();
        System.out.println(pool.getUsageThreshold() + " " + pool.getCollectionUsageThreshold() + " " + pool.isCollectionUsageThresholdSupported());
        BlockingQueue<String> low = new LinkedBlockingQueue<>();
        ((NotificationEmitter) memory).addNotificationListener((n, h) -> low.add(n.getType()), null, null);
        pool.setCollectionUsageThreshold(1 << 20);
        pool.setUsageThreshold(1 << 20);
        System.gc();
        Set<String> types = new TreeSet<>();
        types.add(low.poll(20, TimeUnit.SECONDS));
        types.add(low.poll(20, TimeUnit.SECONDS));
        System.out.println(types);
        System.out.println(pool.isUsageThresholdExceeded() + " " + (pool.getUsageThresholdCount() > 0));
        System.out.println((pool.getPeakUsage().getUsed() >= pool.getUsage().getUsed()) + " " + (pool.getPeakUsage().getUsed() >= kept.length));
        pool.resetPeakUsage();
        System.out.println(pool.getPeakUsage().getUsed() > 0);
        try {
            pool.setUsageThreshold(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(pool.getCollectionUsage().getUsed() > 0);
        System.out.println(kept.length);
    }
}
