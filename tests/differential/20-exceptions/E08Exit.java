// exit: 42
// vm: own
// covers: JVM_Halt JVM_BeforeHalt
public class E08Exit {
    public static void main(String[] args) {
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread() {
                            public void run() {
                                System.out.println("hook");
                            }
                        });
        try {
            System.out.println("exiting");
            System.exit(42);
        } finally {
            System.out.println("never");
        }
    }
}
