// vm: own
// What ThreadInfo says of monitors, owners and stacks: hidden frames count, a monitor waited for is not held, whole
// stacks of other threads; the compilation bean and the commands offered to beans.
// skip-mode: int
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import javax.management.MBeanOperationInfo;
import javax.management.ObjectName;

public class T17ThreadInfos {
    static final ThreadMXBean BEAN = ManagementFactory.getThreadMXBean();
    static final Object A = new Object() { };
    static final Object B = new Integer[0];
    static final Object W = new StringBuilder();
    static final CountDownLatch READY = new CountDownLatch(3);

    static synchronized void deep(int n) {
        if (n == 0) {
            synchronized (B) {
                inner(() -> sleep());
            }
        } else {
            Runnable r = () -> {
                synchronized (A) {
                    deep(n - 1);
                }
            };
            r.run();
        }
    }

    static void inner(Runnable r) {
        r.run();
    }

    static void sleep() {
        READY.countDown();
        try {
            Thread.sleep(1_000_000);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static void recurse(int n) {
        if (n > 0) {
            recurse(n - 1);
        } else {
            sleep();
        }
    }

    static String monitors(ThreadInfo info) {
        StringBuilder s = new StringBuilder();
        for (MonitorInfo m : info.getLockedMonitors()) {
            StackTraceElement e = m.getLockedStackFrame();
            s.append(m.getClassName()).append(" in ").append(e.getMethodName().replaceAll("\\$\\d+", ""));
            s.append(info.getStackTrace()[m.getLockedStackDepth()].equals(e) ? ", " : " elsewhere, ");
        }
        return s.append(info.getLockedSynchronizers().length).toString();
    }

    static Thread start(String name, Runnable body) {
        Thread t = new Thread(body, name);
        t.setDaemon(true);
        t.start();
        return t;
    }

    static ThreadInfo info(Thread t, boolean monitors, boolean synchronizers) {
        return BEAN.getThreadInfo(new long[] {t.getId()}, monitors, synchronizers)[0];
    }

    public static void main(String[] args) throws Exception {
        Thread deep = start("deep", () -> deep(3));
        Thread high = start("high", () -> recurse(3000));
        ReentrantLock lock = new ReentrantLock();
        Thread waiter = start("waiter", () -> {
            lock.lock();
            synchronized (W) {
                synchronized (W) {
                    READY.countDown();
                    try {
                        W.wait();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        });
        READY.await();
        while (waiter.getState() != Thread.State.WAITING || deep.getState() != Thread.State.TIMED_WAITING
                || high.getState() != Thread.State.TIMED_WAITING) {
            Thread.sleep(5);
        }
        for (boolean m : new boolean[] {true, false}) {
            for (boolean s : new boolean[] {true, false}) {
                System.out.println(m + " " + s + ": " + monitors(info(deep, m, s)) + "; " + monitors(info(waiter, m, s)));
            }
        }
        System.out.println(BEAN.dumpAllThreads(true, true).length == BEAN.dumpAllThreads(true, true, 1).length);
        synchronized (W) {
            ThreadInfo i = BEAN.getThreadInfo(waiter.getId());
            System.out.println(i.getThreadState() + " owner " + i.getLockOwnerName() + " " + BEAN.findDeadlockedThreads());
        }
        System.out.println(high.getStackTrace().length + " " + Thread.getAllStackTraces().get(high).length + " "
                + BEAN.getThreadInfo(high.getId(), Integer.MAX_VALUE).getStackTrace().length);
        System.out.println(deep.getStackTrace().length);

        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        System.out.println(compiler.isCompilationTimeMonitoringSupported() + " " + (compiler.getTotalCompilationTime() >= 0));
        TreeSet<String> files = new TreeSet<>();
        ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
        for (MBeanOperationInfo o : ManagementFactory.getPlatformMBeanServer().getMBeanInfo(commands).getOperations()) {
            if (o.getName().matches("gc.*|management.*")) {
                files.add(o.getName());
            }
        }
        System.out.println(files);
    }
}
