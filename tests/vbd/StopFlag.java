/** A worker polls a plain flag; it must see the store that another thread made long ago. */
public class StopFlag {
    static boolean stop;
    static long turns;

    public static void main(String[] args) throws Exception {
        Thread worker =
                new Thread(
                        () -> {
                            long n = 0;
                            while (!stop) {
                                n++;
                            }
                            turns = n;
                        });
        worker.setDaemon(true);
        worker.start();
        Thread.sleep(1000);
        stop = true;
        worker.join(10_000);
        System.out.println("violations " + (worker.isAlive() ? 1 : 0) + " of 1");
    }
}
