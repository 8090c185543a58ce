// covers: athrow(first-row,self-protecting,missing-type)
public class B36Handlers {
    public static void main(String[] args) {
        System.out.println(GenHandlers.order(0));
        System.out.println(GenHandlers.order(1));
        System.out.println(GenHandlers.self(5));
        for (int i = 1; i >= 0; i--)
            try {
                System.out.println(GenMissingCatch.missingType(i));
            } catch (Throwable t) {
                System.out.println(t);
            }
        // Hot enough to be compiled, also in the middle of the loop.
        long silent = 0, throwing = 0;
        for (int i = 0; i < 3000; i++) {
            silent += GenHandlers.silent(i % 7);
            throwing += GenHandlers.throwing(i % 7);
        }
        System.out.println(silent + " " + throwing);
        System.out.println(GenHandlers.silent(300_000) + " " + GenHandlers.throwing(300_001));
    }
}
