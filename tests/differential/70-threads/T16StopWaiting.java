// covers: JVM_StopThread JVM_MonitorWait
/**
 * Thread.stop ends what a thread waits for, and sends its exception to one that is about to run.
 */
public class T16StopWaiting {
    static final Object lock = new Object();
    static volatile boolean inside;

    interface Waiting {
        void run() throws InterruptedException;
    }

    @SuppressWarnings("removal")
    static void stop(String name, Waiting w) throws Exception {
        inside = false;
        Thread t =
                new Thread(
                        () -> {
                            try {
                                synchronized (lock) {
                                    inside = true;
                                    w.run();
                                    // What woke it is thrown at the latest here.
                                    while (true) Thread.onSpinWait();
                                }
                            } catch (InterruptedException e) {
                                System.out.println(name + ": interrupted");
                            } catch (ThreadDeath e) {
                                System.out.println(name + ": death, owner " + Thread.holdsLock(lock));
                            }
                        });
        t.start();
        while (!inside) Thread.sleep(1);
        Thread.State s;
        do {
            s = t.getState();
        } while (s == Thread.State.RUNNABLE || s == Thread.State.BLOCKED);
        t.stop();
        t.join();
        synchronized (lock) {
            System.out.println(name + ": " + s + " " + t.getState());
        }
    }

    public static void main(String[] args) throws Exception {
        stop("wait", () -> lock.wait());
        stop("timed wait", () -> lock.wait(1_000_000));
        stop("park", () -> java.util.concurrent.locks.LockSupport.park());
        startAndStop();
    }

    /** Some end before they run, some in their loop; none stays, whatever a collection moves meanwhile. */
    @SuppressWarnings("removal")
    static void startAndStop() throws Exception {
        int ended = 0;
        for (int i = 0; i < 100; i++) {
            Thread t =
                    new Thread(
                            () -> {
                                try {
                                    while (true) Thread.onSpinWait();
                                } catch (ThreadDeath e) {
                                    synchronized (lock) {
                                        lock.notifyAll();
                                    }
                                }
                            });
            Thread killer =
                    new Thread(
                            () -> {
                                while (!t.isAlive()) Thread.onSpinWait();
                                t.stop();
                            });
            killer.start();
            t.setUncaughtExceptionHandler((x, e) -> {});
            t.start();
            if (i % 10 == 0) System.gc();
            t.join();
            killer.join();
            ended++;
        }
        System.out.println("ended " + ended);
    }
}
