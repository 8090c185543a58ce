/**
 * A watchdog polls a plain progress counter; half a second without progress of a busy worker is a
 * violation.
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
        long start = System.nanoTime();
        long changed = start;
        long longest = 0;
        int last = -1;
        while (System.nanoTime() - start < 3_000_000_000L) {
            int b = peek();
            long now = System.nanoTime();
            if (b != last) {
                last = b;
                changed = now;
            }
            longest = Math.max(longest, now - changed);
        }
        System.out.println("longest silence " + longest / 1_000_000 + " ms");
        System.out.println("violations " + (longest > 500_000_000L ? 1 : 0) + " of 1");
    }
}
