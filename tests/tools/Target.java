import java.util.concurrent.locks.ReentrantLock;

/** What the tools look at: known threads, locks, objects, properties. */
public class Target {
    static class Marked {
        int number;
        Marked next;
        String text = "marked";
    }
    static Marked head;
    static final ReentrantLock lock = new ReentrantLock();
    static final Object monitor = new Object();

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 1000; i++) {
            Marked m = new Marked();
            m.number = i;
            m.next = head;
            head = m;
        }
        Thread holder = new Thread(() -> {
            lock.lock();
            synchronized (monitor) {
                System.out.println("ready");
                System.out.flush();
                sleep();
            }
        }, "Holder of both");
        holder.setDaemon(true);
        holder.start();
        while (!lock.isLocked()) {
            Thread.onSpinWait();
        }
        Thread waiter = new Thread(() -> {
            synchronized (monitor) {
                sleep();
            }
        }, "Waiter at the monitor");
        waiter.setDaemon(true);
        waiter.start();
        // The test ends this program by closing its input.
        while (System.in.read() >= 0) {
            Thread.yield();
        }
        System.out.println("end of input");
    }

    static void sleep() {
        try {
            Thread.sleep(1_000_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
