// vm: own -Xmx256m
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryNotificationInfo;
import java.lang.management.MemoryPoolMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/** Memory of classes: grows with classes, shrinks with them, and tells when it is above a threshold, after a collection at the latest. */
public class G23Metaspace {
    static class Piece {
        int a, b, c;

        int sum(int x) {
            return a + b * x + c;
        }
    }

    static class Loader extends ClassLoader {
        Class<?> define(byte[] b) {
            return defineClass("G23Metaspace$Piece", b, 0, b.length);
        }
    }

    static byte[] bytes;
    static List<Class<?>> kept = new ArrayList<>();
    static MemoryPoolMXBean pool;

    static long used() {
        return pool.getUsage().getUsed();
    }

    static void load(int n) {
        for (int i = 0; i < n; i++) {
            kept.add(new Loader().define(bytes));
        }
    }

    static void waitFor(String what, java.util.function.BooleanSupplier b) throws InterruptedException {
        for (int i = 0; i < 200 && !b.getAsBoolean(); i++) {
            System.gc();
            Thread.sleep(20);
        }
        System.out.println(what + " " + b.getAsBoolean());
    }

    public static void main(String[] args) throws Exception {
        bytes = G23Metaspace.class.getResourceAsStream("G23Metaspace$Piece.class").readAllBytes();
        pool = ManagementFactory.getMemoryPoolMXBeans().stream().filter(p -> p.getName().equals("Metaspace")).findFirst().get();
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        LinkedBlockingQueue<Notification> told = new LinkedBlockingQueue<>();
        ((NotificationEmitter) memory).addNotificationListener((n, h) -> told.add(n), null, null);
        load(1);

        long first = used();
        long all = memory.getNonHeapMemoryUsage().getUsed();
        pool.setUsageThreshold(first + 1_500_000);
        System.out.println("exceeded " + pool.isUsageThresholdExceeded() + " " + pool.getUsageThresholdCount());
        load(3000);
        long most = used();
        System.out.println("grown " + (most - first > 2_000_000) + " " + (memory.getNonHeapMemoryUsage().getUsed() - all > 2_000_000));
        System.out.println("exceeded " + pool.isUsageThresholdExceeded());
        System.gc();
        Notification n = told.poll(20, TimeUnit.SECONDS);
        MemoryNotificationInfo info = MemoryNotificationInfo.from((CompositeData) n.getUserData());
        System.out.println(n.getType() + " " + info.getPoolName() + " " + info.getCount() + " "
            + (info.getUsage().getUsed() >= first + 1_500_000));

        kept.clear();
        waitFor("shrunk", () -> used() < first + 1_500_000);
        System.out.println("peak " + (pool.getPeakUsage().getUsed() >= most));
        waitFor("not exceeded", () -> !pool.isUsageThresholdExceeded());
        pool.resetPeakUsage();
        System.out.println("peak after its reset " + (pool.getPeakUsage().getUsed() < most));
        System.out.println("collection usage " + pool.getCollectionUsage());
        try {
            pool.setCollectionUsageThreshold(1);
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
    }
}
