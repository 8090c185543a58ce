// covers: JVM_StopThread JVM_Sleep JVM_MonitorWait
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Thread.stop interrupts, too: what ends a wait has the status cleared, what only returns from it, or waits for
 * nothing, has it set. A thread that blocks at a monitor goes on to do so.
 */
public class T18StopInterrupts {
    interface Waiting {
        void run() throws Exception;
    }

    static volatile boolean inside;

    @SuppressWarnings("removal")
    static void stop(String name, Waiting w) throws Exception {
        inside = false;
        Thread t =
                new Thread(
                        () -> {
                            try {
                                inside = true;
                                w.run();
                                // What woke it is thrown at the latest here.
                                while (true) Thread.onSpinWait();
                            } catch (Throwable e) {
                                System.out.println(name + ": " + e + " " + Thread.currentThread().isInterrupted());
                            }
                        });
        t.setDaemon(true);
        t.start();
        while (!inside) Thread.sleep(1);
        if (!name.equals("loop")) {
            // It waits for what it is to wait for, and not on the way there.
            for (int seen = 0; seen < 5; seen++) {
                Thread.sleep(4);
                Thread.State s = t.getState();
                if (s == Thread.State.RUNNABLE || s == Thread.State.BLOCKED) seen = -1;
            }
        }
        t.stop();
        t.join();
        System.out.println(t.getState());
    }

    @SuppressWarnings("removal")
    static void blocked() throws Exception {
        Object lock = new Object();
        Thread t =
                new Thread(
                        () -> {
                            try {
                                synchronized (lock) {
                                    while (true) Thread.onSpinWait();
                                }
                            } catch (ThreadDeath e) {
                                System.out.println("blocked: " + Thread.currentThread().isInterrupted());
                            }
                        });
        synchronized (lock) {
            t.start();
            while (t.getState() != Thread.State.BLOCKED) Thread.sleep(1);
            t.stop();
            Thread.sleep(20);
            System.out.println(t.getState());
        }
        t.join();
        System.out.println("free " + !Thread.holdsLock(lock));
    }

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread sleeper = new Thread(() -> LockSupport.park());
        sleeper.setDaemon(true);
        sleeper.start();
        ReentrantLock held = new ReentrantLock();
        held.lock();
        stop("loop", () -> {});
        stop("sleep", () -> Thread.sleep(1_000_000));
        stop("wait", () -> {
            synchronized (lock) {
                lock.wait();
            }
        });
        stop("timed wait", () -> {
            synchronized (lock) {
                lock.wait(1_000_000);
            }
        });
        stop("join", () -> sleeper.join());
        stop("timed join", () -> sleeper.join(1_000_000));
        stop("park", () -> LockSupport.park());
        stop("timed park", () -> LockSupport.parkNanos(1_000_000_000_000L));
        stop("park until", () -> LockSupport.parkUntil(System.currentTimeMillis() + 1_000_000));
        stop("lock", () -> held.lock());
        stop("lock interruptibly", () -> held.lockInterruptibly());
        stop("latch", () -> new CountDownLatch(1).await());
        stop("future", () -> new CompletableFuture<Object>().get());
        // The stop finds the condition's lock given up: it comes out as HotSpot has it.
        stop("queue", () -> new LinkedBlockingQueue<Object>().take());
        blocked();
    }
}
