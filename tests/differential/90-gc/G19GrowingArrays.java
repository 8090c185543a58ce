// vm: own -Xmx512m
// Large arrays of ever other lengths, each garbage at once: their addresses are used again.
import java.util.Random;

public class G19GrowingArrays {
    static byte[] sink;

    public static void main(String[] args) {
        for (int megabytes = 4; megabytes <= 160; megabytes += 4) {
            sink = null;
            sink = new byte[(megabytes << 20) - 100_000];
            sink[sink.length - 1] = 1;
        }
        System.out.println("grown");
        Random random = new Random(5);
        for (int i = 0; i < 60; i++) {
            sink = null;
            sink = new byte[(1 << 20) + random.nextInt(100 << 20)];
            sink[sink.length - 1] = 1;
        }
        System.out.println("random lengths");
        sink = null;
        try {
            long[][] all = new long[64][];
            for (int i = 0; i < 64; i++) {
                all[i] = new long[(1 << 20) + (i << 17)];
            }
            System.out.println("too much fits");
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        sink = new byte[200 << 20];
        System.out.println("and again " + sink.length);
    }
}
