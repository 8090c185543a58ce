import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.concurrent.locks.LockSupport;

/** 64 threads run while the world is stopped again and again: {@code Safepoints THREADS STOPS}. */
public class Safepoints {
    private static volatile boolean done;
    private static final long[] sums = new long[1024];

    private static long work(int kind, int n) {
        long sum = 0;
        switch (kind) {
            case 0 -> {
                for (int i = 0; i < 200_000; i++) {
                    sum += i ^ n;
                }
            }
            case 1 -> {
                for (int i = 0; i < 2_000; i++) {
                    sum += new int[i & 63].length;
                }
            }
            case 2 -> {
                HashMap<Integer, String> map = new HashMap<>();
                for (int i = 0; i < 500; i++) {
                    map.put(i, "v" + i);
                }
                sum = map.hashCode();
            }
            default -> {
                byte[] from = new byte[1 << 16];
                byte[] to = new byte[1 << 16];
                for (int i = 0; i < 50; i++) {
                    System.arraycopy(from, 0, to, 0, from.length);
                }
                sum = to[n & 1023];
            }
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]);
        int stops = Integer.parseInt(args[1]);
        for (int t = 0; t < threads; t++) {
            int number = t;
            Thread thread = new Thread(() -> {
                for (int n = 0; !done; n++) {
                    sums[number] += work(number & 3, n);
                }
            });
            thread.setDaemon(true);
            thread.start();
        }
        var beans = ManagementFactory.getThreadMXBean();
        int found = 0;
        for (int i = 0; i < stops; i++) {
            LockSupport.parkNanos(2_000_000);
            // One stop of the world each.
            found += beans.findDeadlockedThreads() == null ? 0 : 1;
        }
        done = true;
        System.out.println("stops " + stops + " " + found);
    }
}
