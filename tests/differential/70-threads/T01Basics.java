// covers: JVM_StartThread JVM_Sleep JVM_Yield JVM_Interrupt JVM_HoldsLock JVM_CurrentThread
// covers: JVM_MonitorWait JVM_MonitorNotify JVM_MonitorNotifyAll
import java.util.*;

public class T01Basics {
    static volatile boolean end;
    static int shared;
    static final Object lock = new Object();
    static volatile boolean flag;

    static synchronized void add() {
        shared++;
    }

    public static void main(String[] args) throws Exception {
        Thread[] ts = new Thread[8];
        for (int i = 0; i < ts.length; i++) {
            ts[i] =
                    new Thread(
                            () -> {
                                for (int k = 0; k < 5000; k++) add();
                            },
                            "worker" + i);
            ts[i].start();
        }
        for (Thread t : ts) t.join();
        System.out.println(shared + " " + ts[0].getState() + ts[0].isAlive() + ts[0].getName());
        Thread t = new Thread(() -> {});
        System.out.println(
                t.getState()
                        + " "
                        + t.isDaemon()
                        + t.getPriority()
                        + t.isInterrupted()
                        + t.getThreadGroup().getName());
        t.start();
        t.join();
        try {
            t.start();
        } catch (IllegalThreadStateException e) {
            System.out.println("again");
        }
        Thread w =
                new Thread(
                        () -> {
                            synchronized (lock) {
                                try {
                                    flag = true;
                                    lock.wait();
                                    System.out.println("woken");
                                } catch (InterruptedException e) {
                                    System.out.println("no");
                                }
                            }
                        });
        w.start();
        while (!flag) Thread.onSpinWait();
        synchronized (lock) {
        }
        while (w.getState() != Thread.State.WAITING) Thread.yield();
        System.out.println(w.getState());
        synchronized (lock) {
            lock.notify();
        }
        w.join();
        flag = false;
        Thread in =
                new Thread(
                        () -> {
                            synchronized (lock) {
                                try {
                                    flag = true;
                                    lock.wait(10000);
                                    System.out.println("no");
                                } catch (InterruptedException e) {
                                    System.out.println(
                                            "interrupted "
                                                    + Thread.currentThread().isInterrupted()
                                                    + Thread.holdsLock(lock));
                                }
                            }
                        });
        in.start();
        while (!flag) Thread.yield();
        in.interrupt();
        in.join();
        Thread sl =
                new Thread(
                        () -> {
                            try {
                                Thread.sleep(100000);
                            } catch (InterruptedException e) {
                                System.out.println(e.getMessage());
                            }
                        });
        sl.start();
        sl.interrupt();
        sl.join();
        Thread.currentThread().interrupt();
        try {
            Thread.sleep(1000);
        } catch (InterruptedException e) {
            System.out.println("self " + Thread.interrupted());
        }
        Thread.currentThread().interrupt();
        System.out.println(Thread.interrupted() + " " + Thread.interrupted());
        long t0 = System.nanoTime();
        synchronized (lock) {
            lock.wait(30);
        }
        System.out.println(System.nanoTime() - t0 >= 29_000_000L);
        Thread bl =
                new Thread(
                        () -> {
                            synchronized (lock) {
                                System.out.println("got it");
                            }
                        });
        synchronized (lock) {
            bl.start();
            while (bl.getState() != Thread.State.BLOCKED) Thread.yield();
            System.out.println(bl.getState());
        }
        bl.join();
        Thread d =
                new Thread(
                        () -> {
                            while (!end) Thread.onSpinWait();
                        });
        d.setDaemon(true);
        d.start();
        System.out.println(d.isDaemon() + " " + d.isAlive());
        Thread ex =
                new Thread(
                        () -> {
                            throw new IllegalStateException("in thread");
                        },
                        "thrower");
        ex.setUncaughtExceptionHandler(
                (th, e) -> System.out.println(th.getName() + " " + e.getMessage()));
        ex.start();
        ex.join();
        Thread.UncaughtExceptionHandler old = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler(
                (th, e) -> System.out.println("default " + e.getMessage()));
        Thread dx =
                new Thread(
                        () -> {
                            int z = 0;
                            z = 1 / z;
                        });
        dx.start();
        dx.join();
        Thread.setDefaultUncaughtExceptionHandler(old);
        ThreadLocal<Integer> tl = ThreadLocal.withInitial(() -> 7);
        InheritableThreadLocal<String> itl = new InheritableThreadLocal<>();
        itl.set("inherited");
        tl.set(9);
        Thread tt = new Thread(() -> System.out.println(tl.get() + itl.get()));
        tt.start();
        tt.join();
        System.out.println(tl.get());
        Thread.currentThread().setName("renamed");
        System.out.println(Thread.currentThread().getName());
        Thread.currentThread().setName("main");
        Thread nj =
                new Thread(
                        () -> {
                            try {
                                Thread.sleep(1_000_000);
                            } catch (InterruptedException e) {
                            }
                        });
        nj.start();
        nj.join(1);
        System.out.println(nj.isAlive());
        nj.interrupt();
        nj.join();
        System.out.println(nj.isAlive());
        System.out.println(
                Thread.currentThread().getStackTrace()[1].getMethodName()
                        + " "
                        + Thread.getAllStackTraces().containsKey(Thread.currentThread()));
        end = true;
    }
}
