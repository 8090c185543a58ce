/** A monitor that threads find taken and sleep for, then one that only its owner uses, some times over. */
public class Contended {
    static final Object lock = new Object();
    static int rounds;

    static void hold(long millis) throws InterruptedException {
        synchronized (lock) {
            rounds++;
            Thread.sleep(millis);
        }
    }

    public static void main(String[] args) throws Exception {
        for (int phase = 0; phase < 5; phase++) {
            Thread[] threads = new Thread[3];
            for (int t = 0; t < threads.length; t++) {
                threads[t] =
                        new Thread(
                                () -> {
                                    try {
                                        for (int i = 0; i < 5; i++) hold(3);
                                    } catch (InterruptedException e) {
                                        throw new AssertionError(e);
                                    }
                                });
                threads[t].start();
            }
            for (Thread t : threads) t.join();
            for (int i = 0; i < 20000; i++) {
                synchronized (lock) {
                    rounds++;
                }
            }
        }
        System.out.println("rounds " + rounds);
    }
}
