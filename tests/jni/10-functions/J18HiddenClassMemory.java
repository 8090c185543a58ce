// vm: own -Xmx64m
// skip-mode: zeal move local deopt forced
// timeout: 60
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;

/** Hidden classes that nobody reaches give back what the VM held for each. Their names lie in larger pieces: tests/soak weighs those. */
public class J18HiddenClassMemory {
    static {
        System.loadLibrary("jnitest");
    }

    static native long inUse();

    public static class Template implements Runnable {
        static int runs;

        public void run() {
            runs++;
        }
    }

    static final int CLASSES = 2000;

    /** Makes classes and drops them; what the C heap holds then. */
    static long round(byte[] bytes) throws Exception {
        WeakReference<?> last = null;
        for (int i = 0; i < CLASSES; i++) {
            Class<?> c = MethodHandles.lookup().defineHiddenClass(bytes, true).lookupClass();
            ((Runnable) c.getDeclaredConstructor().newInstance()).run();
            last = new WeakReference<>(c);
        }
        for (int i = 0; i < 100 && last.get() != null; i++) {
            System.gc();
            Thread.sleep(2);
        }
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(10);
        }
        return inUse();
    }

    public static void main(String[] args) throws Exception {
        byte[] bytes = J18HiddenClassMemory.class.getResourceAsStream("J18HiddenClassMemory$Template.class").readAllBytes();
        for (int i = 0; i < 3; i++) round(bytes);
        // Buffers of the collector come and go between rounds: the least of some differences counts.
        long least = Long.MAX_VALUE, before = round(bytes);
        for (int i = 0; i < 5; i++) {
            long after = round(bytes);
            least = Math.min(least, after - before);
            before = after;
        }
        System.out.println(least < 16 * CLASSES ? "nothing stays" : least / CLASSES + " bytes stay of each class");
    }
}
