// covers: JVM_DumpThreads JVM_GetAllThreads JVM_GetManagement
import java.lang.management.*;
import java.util.*;

public class T07DumpDeadlock {
    static void lockBoth(Object a, Object b, java.util.concurrent.CyclicBarrier c) {
        synchronized (a) {
            try {
                c.await();
            } catch (Exception e) {
            }
            synchronized (b) {
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Object a = new Object(), b = new Object();
        java.util.concurrent.CyclicBarrier c = new java.util.concurrent.CyclicBarrier(2);
        Thread t = new Thread(() -> lockBoth(a, b, c), "dead1"),
                u = new Thread(() -> lockBoth(b, a, c), "dead2");
        t.setDaemon(true);
        u.setDaemon(true);
        t.start();
        u.start();
        while (t.getState() != Thread.State.BLOCKED || u.getState() != Thread.State.BLOCKED)
            Thread.sleep(1);
        ThreadMXBean m = ManagementFactory.getThreadMXBean();
        long[] ids = m.findDeadlockedThreads();
        System.out.println(ids.length);
        Map<String, String> names = new TreeMap<>();
        for (ThreadInfo i : m.getThreadInfo(ids, true, true))
            names.put(
                    i.getThreadName(),
                    i.getThreadState()
                            + " "
                            + i.getLockOwnerName()
                            + " "
                            + i.getLockInfo().getClassName()
                            + i.getLockedMonitors().length
                            + i.getStackTrace()[0].getMethodName());
        System.out.println(names);
        StackTraceElement[] st = t.getStackTrace();
        // HotSpot's interpreter reports the instruction behind a monitorenter that blocks.
        int line = st[0].getLineNumber();
        System.out.println(st[0].getMethodName() + (line == 12 || line == 13));
        System.out.println(m.getThreadCount() > 2);
        System.out.println(m.getThreadCpuTime(Thread.currentThread().getId()) > 0);
        System.out.println(
                ManagementFactory.getRuntimeMXBean().getSpecVersion()
                        + " "
                        + (ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() > 0)
                        + ManagementFactory.getOperatingSystemMXBean().getArch()
                        + (ManagementFactory.getClassLoadingMXBean().getLoadedClassCount() > 300)
                        + (ManagementFactory.getRuntimeMXBean().getUptime() > 0));
    }
}
