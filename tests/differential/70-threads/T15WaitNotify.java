// timeout: 60
// covers: monitorenter(nested) JVM_MonitorWait JVM_MonitorNotify JVM_MonitorNotifyAll JVM_Interrupt
// One notification wakes one thread; depths, interrupts, time-outs and misuse of wait and notify.
import java.util.concurrent.CountDownLatch;

public class T15WaitNotify {
    static final Object LOCK = new Object();
    static int woken;
    static int waiting;

    static void until(String what, java.util.function.BooleanSupplier done) throws InterruptedException {
        for (int i = 0; i < 20_000 && !done.getAsBoolean(); i++) {
            Thread.sleep(1);
        }
        if (!done.getAsBoolean()) {
            System.out.println("never: " + what);
        }
    }

    static int woken() {
        synchronized (LOCK) {
            return woken;
        }
    }

    static void show(String what, Throwable t) {
        System.out.println(what + " " + t + " " + Thread.currentThread().isInterrupted());
    }

    public static void main(String[] args) throws Exception {
        Thread[] all = new Thread[4];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Thread(() -> {
                synchronized (LOCK) {
                    waiting++;
                    try {
                        LOCK.wait();
                        woken++;
                    } catch (InterruptedException e) {
                        show("interrupted", e);
                    }
                }
            });
            all[i].start();
        }
        until("four wait", () -> {
            synchronized (LOCK) {
                return waiting == 4;
            }
        });
        synchronized (LOCK) {
            LOCK.notify();
        }
        until("one woke", () -> woken() >= 1);
        Thread.sleep(100);
        System.out.println("after one notify " + woken());
        synchronized (LOCK) {
            LOCK.notify();
        }
        until("two woke", () -> woken() >= 2);
        Thread.sleep(100);
        System.out.println("after two " + woken());
        for (Thread t : all) {
            if (t.getState() == Thread.State.WAITING) {
                t.interrupt();
                t.join();
                break;
            }
        }
        System.out.println("after an interrupt " + woken());
        synchronized (LOCK) {
            LOCK.notifyAll();
        }
        for (Thread t : all) {
            t.join();
        }
        System.out.println("after all " + woken());
        depths();
        interrupts();
        misuse();
        ends();
    }

    static synchronized void nested(int n) throws InterruptedException {
        if (n > 0) {
            nested(n - 1);
            return;
        }
        T15WaitNotify.class.wait(20);
        System.out.println("inside " + Thread.holdsLock(T15WaitNotify.class));
    }

    static void depths() throws InterruptedException {
        synchronized (T15WaitNotify.class) {
            nested(5);
            // All six levels are still held: another thread does not get in.
            boolean[] in = new boolean[1];
            Thread t = new Thread(() -> {
                synchronized (T15WaitNotify.class) {
                    in[0] = true;
                }
            });
            t.start();
            until("blocked", () -> t.getState() == Thread.State.BLOCKED);
            System.out.println("kept out " + !in[0] + " " + Thread.holdsLock(T15WaitNotify.class));
        }
        System.out.println("outside " + Thread.holdsLock(T15WaitNotify.class));
    }

    static void interrupts() throws InterruptedException {
        Thread.currentThread().interrupt();
        synchronized (LOCK) {
            try {
                LOCK.wait(10_000);
            } catch (InterruptedException e) {
                show("wait", e);
            }
        }
        Thread.currentThread().interrupt();
        try {
            Thread.sleep(10_000);
        } catch (InterruptedException e) {
            show("sleep", e);
        }
        Thread.currentThread().interrupt();
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            show("latch", e);
        }
        Thread.currentThread().interrupt();
        java.util.concurrent.locks.LockSupport.park();
        System.out.println("park " + Thread.interrupted() + " " + Thread.interrupted());
        for (String kind : new String[] {"wait", "sleep", "join"}) {
            Thread t = new Thread(() -> {
                try {
                    switch (kind) {
                        case "wait":
                            synchronized (LOCK) {
                                LOCK.wait();
                            }
                            break;
                        case "sleep":
                            Thread.sleep(100_000);
                            break;
                        default:
                            Thread.currentThread().join();
                    }
                } catch (InterruptedException e) {
                    show("in " + kind, e);
                }
            });
            t.start();
            until(kind, () -> t.getState() == Thread.State.WAITING || t.getState() == Thread.State.TIMED_WAITING);
            t.interrupt();
            t.join();
        }
    }

    static void misuse() throws InterruptedException {
        try {
            LOCK.wait();
        } catch (IllegalMonitorStateException e) {
            show("wait", e);
        }
        try {
            LOCK.notify();
        } catch (IllegalMonitorStateException e) {
            show("notify", e);
        }
        try {
            LOCK.notifyAll();
        } catch (IllegalMonitorStateException e) {
            show("notifyAll", e);
        }
        synchronized (LOCK) {
            for (long millis : new long[] {-1, Long.MIN_VALUE}) {
                try {
                    LOCK.wait(millis);
                } catch (IllegalArgumentException e) {
                    show("wait " + millis, e);
                }
            }
            try {
                LOCK.wait(1, 1_000_000);
            } catch (IllegalArgumentException e) {
                show("nanos", e);
            }
            System.out.println(Thread.holdsLock(LOCK) + " " + Thread.holdsLock(new Object()));
        }
        try {
            Thread.sleep(-1);
        } catch (IllegalArgumentException e) {
            show("sleep", e);
        }
        try {
            Thread.holdsLock(null);
        } catch (NullPointerException e) {
            System.out.println("holdsLock " + e.getClass());
        }
    }

    static void ends() throws InterruptedException {
        Thread t = new Thread(() -> {});
        t.start();
        t.join();
        try {
            t.start();
            System.out.println("started twice");
        } catch (IllegalThreadStateException e) {
            show("start", e);
        }
        System.out.println(t.getState() + " " + t.isAlive());
        t.interrupt();
        System.out.println(t.isInterrupted());
    }
}
