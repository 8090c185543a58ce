// vm: own
// exit: 3
public class T06Hooks {
    public static void main(String[] args) throws Exception {
        Thread keep = new Thread(() -> System.out.println("hook"));
        Runtime.getRuntime().addShutdownHook(keep);
        Thread rm = new Thread(() -> System.out.println("no"));
        Runtime.getRuntime().addShutdownHook(rm);
        System.out.println(Runtime.getRuntime().removeShutdownHook(rm));
        try {
            Runtime.getRuntime().addShutdownHook(keep);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        new Thread(
                        () -> {
                            System.out.println("exit from a thread");
                            System.exit(3);
                        })
                .start();
        Thread.sleep(100000);
    }
}
