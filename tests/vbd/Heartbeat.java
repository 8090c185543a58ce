import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * A watchdog polls a plain progress counter; half a second without progress of a worker that runs is a violation. A worker
 * that the machine keeps waiting tells nothing: then the watchdog tries again.
 */
public class Heartbeat {
    static int beat;
    static final int[] table = new int[1 << 16];

    static long work(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            beat = i;
            sum += table[i & 65535] * 31L + i / 7;
        }
        return sum;
    }

    static int peek() {
        return beat;
    }

    public static void main(String[] args) {
        for (int i = 0; i < 200; i++) {
            work(50_000);
        }
        beat = -1;
        Thread worker =
                new Thread(
                        () -> {
                            while (true) {
                                work(Integer.MAX_VALUE);
                            }
                        });
        worker.setDaemon(true);
        worker.start();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long silence = 0;
        boolean judged = false;
        for (int i = 0; i < TRIES && !judged; i++) {
            long took = System.nanoTime();
            long worked = threads.getThreadCpuTime(worker.getId());
            silence = longestSilence();
            worked = threads.getThreadCpuTime(worker.getId()) - worked;
            took = System.nanoTime() - took;
            judged = silence <= LIMIT || worked > took - LIMIT;
        }
        System.out.println("longest silence " + silence / 1_000_000 + " ms" + (judged ? "" : ", of a worker that did not run"));
        System.out.println("violations " + (judged && silence > LIMIT ? 1 : 0) + " of 1");
    }

    static final long LIMIT = 500_000_000;
    static final long WATCH = 1_500_000_000;
    static final int TRIES = 8;

    /** Nanoseconds between two looks that found the same, while looking for a while. */
    static long longestSilence() {
        long start = System.nanoTime();
        long changed = start;
        long longest = 0;
        int last = -1;
        for (long now = start; now - start < WATCH; now = System.nanoTime()) {
            int b = peek();
            if (b != last) {
                last = b;
                changed = System.nanoTime();
            }
            longest = Math.max(longest, now - changed);
        }
        return longest;
    }
}
