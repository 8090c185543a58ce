import java.util.concurrent.CyclicBarrier;

/**
 * Lazy initialisation with a plain field, checked again under the lock: a reader must find the
 * object complete.
 */
public class DoubleCheckedLocking {
    static final class Config {
        int a;
        int b;
        long c;

        Config(int seed) {
            a = seed;
            b = seed + 1;
            c = seed + 2L;
        }
    }

    static final class Holder {
        Config config;

        Config get(int seed) {
            if (config == null) {
                synchronized (this) {
                    if (config == null) {
                        config = new Config(seed);
                    }
                }
            }
            // The second read of the field may be moved before the first by a compiler.
            return config;
        }
    }

    static final int HOLDERS = 5_000;
    static volatile Holder[] holders;

    static long use(Holder[] all, boolean backwards) {
        long bad = 0;
        for (int i = 0; i < all.length; i++) {
            Config c = all[backwards ? all.length - 1 - i : i].get(7);
            if (c == null || c.a != 7 || c.b != 8 || c.c != 9) {
                bad++;
            }
        }
        return bad;
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.getInteger("rounds", 400);
        CyclicBarrier barrier = new CyclicBarrier(2);
        long[] bad = new long[2];
        Thread other =
                new Thread(
                        () -> {
                            try {
                                for (int r = 0; r < rounds; r++) {
                                    barrier.await();
                                    bad[1] += use(holders, true);
                                    barrier.await();
                                }
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        });
        other.start();
        for (int r = 0; r < rounds; r++) {
            Holder[] fresh = new Holder[HOLDERS];
            for (int i = 0; i < HOLDERS; i++) {
                fresh[i] = new Holder();
            }
            holders = fresh;
            barrier.await();
            bad[0] += use(fresh, false);
            barrier.await();
        }
        other.join();
        System.out.println("violations " + (bad[0] + bad[1]) + " of " + 2L * rounds * HOLDERS);
    }
}
