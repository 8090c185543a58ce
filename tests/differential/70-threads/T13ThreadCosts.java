// covers: getThreadAllocatedBytes setThreadContentionMonitoringEnabled getBlockedTime getWaitedTime
import java.lang.management.*;
import java.util.concurrent.CountDownLatch;

/** What ThreadMXBean says of a thread's allocation and of its waiting, for itself and for others. */
public class T13ThreadCosts {
    static final com.sun.management.ThreadMXBean bean =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    static Object sink;

    static void allocate(int kilobytes, int each) {
        for (int i = 0; i < kilobytes * 1000 / each; i++) sink = new byte[each];
    }

    static boolean near(long measured, long wanted) {
        boolean ok = measured >= wanted && measured <= wanted + wanted / 10 + 400_000;
        if (!ok) System.out.println("measured " + measured + ", wanted " + wanted);
        return ok;
    }

    static void blockedAndWaited(boolean timed) throws Exception {
        bean.setThreadContentionMonitoringEnabled(timed);
        Object lock = new Object();
        CountDownLatch end = new CountDownLatch(1), done = new CountDownLatch(1);
        Thread t =
                new Thread(
                        () -> {
                            synchronized (lock) {
                                try {
                                    lock.wait(60);
                                    Thread.sleep(60);
                                } catch (InterruptedException e) {
                                    throw new Error(e);
                                }
                            }
                            done.countDown();
                            try {
                                end.await();
                            } catch (InterruptedException e) {
                                throw new Error(e);
                            }
                        });
        synchronized (lock) {
            t.start();
            while (t.getState() != Thread.State.BLOCKED) Thread.onSpinWait();
            Thread.sleep(80);
        }
        done.await();
        ThreadInfo i = bean.getThreadInfo(t.getId());
        System.out.println(timed + " blocked " + (i.getBlockedCount() >= 1) + " waited " + (i.getWaitedCount() >= 2));
        System.out.println(
                timed
                        ? (i.getBlockedTime() >= 70) + " " + (i.getWaitedTime() >= 110)
                        : i.getBlockedTime() + " " + i.getWaitedTime());
        end.countDown();
        t.join();
    }

    public static void main(String[] args) throws Exception {
        System.out.println(bean.isThreadAllocatedMemorySupported() + " " + bean.isThreadAllocatedMemoryEnabled());
        System.out.println(bean.isThreadContentionMonitoringSupported() + " " + bean.isThreadContentionMonitoringEnabled());
        long me = Thread.currentThread().getId();
        for (int each : new int[] {1000, 5000, 100_000}) {
            long before = bean.getThreadAllocatedBytes(me);
            allocate(5000, each);
            System.out.println(each + " " + near(bean.getThreadAllocatedBytes(me) - before, 5_000_000));
        }
        long before = bean.getThreadAllocatedBytes(me);
        allocate(1000, 1000);
        System.gc();
        allocate(1000, 1000);
        System.out.println("across a collection " + near(bean.getThreadAllocatedBytes(me) - before, 2_000_000));
        System.out.println(bean.getThreadAllocatedBytes(Long.MAX_VALUE));

        CountDownLatch ready = new CountDownLatch(1), end = new CountDownLatch(1);
        Thread t =
                new Thread(
                        () -> {
                            allocate(3000, 1000);
                            ready.countDown();
                            try {
                                end.await();
                            } catch (InterruptedException e) {
                                throw new Error(e);
                            }
                        });
        t.start();
        ready.await();
        long own = bean.getThreadAllocatedBytes(me);
        System.out.println("another thread " + near(bean.getThreadAllocatedBytes(t.getId()), 3_000_000));
        long[] both = bean.getThreadAllocatedBytes(new long[] {t.getId(), me, Long.MAX_VALUE});
        System.out.println(near(both[0], 3_000_000) + " " + (both[1] >= own) + " " + both[2]);
        end.countDown();
        t.join();
        System.out.println("dead " + bean.getThreadAllocatedBytes(t.getId()));
        blockedAndWaited(false);
        blockedAndWaited(true);
        bean.setThreadContentionMonitoringEnabled(false);
    }
}
