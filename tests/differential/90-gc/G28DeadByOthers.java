// vm: own -Xmx48m -XX:+UseSerialGC -XX:-PrintWarnings

/**
 * Threads fill what a collection for another one has freed, with objects that die at once: nobody's memory is exhausted. HotSpot
 * has its serial collector: the default one, which wants regions beside each other for large arrays, was seen to find none.
 */
public class G28DeadByOthers {
    static volatile Object sink;

    public static void main(String[] args) throws Exception {
        byte[] kept = new byte[20 << 20];
        long end = System.nanoTime() + 1_000_000_000L;
        Throwable[] failed = new Throwable[6];
        Thread[] threads = new Thread[6];
        for (int t = 0; t < threads.length; t++) {
            int n = t;
            threads[t] = new Thread(() -> {
                try {
                    Object mine = null;
                    for (int i = 0; System.nanoTime() < end; i++) {
                        mine = n < 3 ? new byte[(n + 1) << 20] : n == 3 ? new byte[3000 + 1000 * (i % 30)] : new Object[] {i, i + 1, "" + i};
                    }
                    sink = mine;
                } catch (Throwable e) {
                    failed[n] = e;
                }
            });
            threads[t].start();
        }
        for (int t = 0; t < threads.length; t++) {
            threads[t].join();
            System.out.println((t < 3 ? "large " : t == 3 ? "medium " : "small ") + failed[t]);
        }
        System.out.println(kept.length);
    }
}
