// exit: 7
// vm: own
// covers: JVM_Halt
public class E09Halt {
    public static void main(String[] args) {
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread() {
                            public void run() {
                                System.out.println("hook must not run");
                            }
                        });
        System.out.println("halting");
        Runtime.getRuntime().halt(7);
    }
}
