// vm: own
// The exit code stays 0 when another thread dies; main's result decides.
public class T05UncaughtOther {
    public static void main(String[] args) throws Exception {
        Thread t =
                new Thread(
                        () -> {
                            throw new IllegalStateException("other thread");
                        },
                        "T");
        t.start();
        t.join();
        Thread u =
                new Thread(
                        () -> {
                            throw new StackOverflowError("made");
                        });
        u.setName("U");
        u.start();
        u.join();
        System.out.println("main ends");
        new Thread(
                        () -> {
                            try {
                                Thread.sleep(100);
                            } catch (InterruptedException e) {
                            }
                            System.out.println("after main");
                        })
                .start();
        Thread d =
                new Thread(
                        () -> {
                            try {
                                Thread.sleep(100000);
                            } catch (InterruptedException e) {
                            }
                            System.out.println("no");
                        });
        d.setDaemon(true);
        d.start();
    }
}
