// skip-mode: zeal move
// vm: own
// exit: 9
// Exit while daemon threads allocate, lock, print to nowhere, park and load classes: no crash, no
// hang, hooks run.
public class T10ExitRaces {
    static volatile Object sink;

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 4; i++) {
            int k = i;
            Thread t =
                    new Thread(
                            () -> {
                                long n = 0;
                                while (true) {
                                    switch (k) {
                                        case 0:
                                            sink = new byte[(int) (n % 5000)];
                                            break;
                                        case 1:
                                            synchronized (T10ExitRaces.class) {
                                                sink = "s" + n;
                                            }
                                            break;
                                        case 2:
                                            try {
                                                Class.forName("NoSuch" + n % 50);
                                            } catch (ClassNotFoundException e) {
                                            }
                                            break;
                                        default:
                                            java.util.concurrent.locks.LockSupport.parkNanos(1000);
                                    }
                                    n++;
                                }
                            });
            t.setDaemon(true);
            t.start();
        }
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> {
                                    for (int i = 0; i < 1000; i++) sink = new int[100];
                                    System.out.println("hook done");
                                }));
        Thread.sleep(200);
        new Thread(() -> System.exit(9)).start();
        new Thread(() -> System.exit(9)).start();
        Thread.sleep(10000);
    }
}
