import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two threads store their own flag and read the other's. In program order at least one must see the
 * other's store: (0, 0) is a violation. This is the row that even an interpreter on x86 fails,
 * since the processor's store buffer is enough.
 */
public class Dekker {
    static final class Pair {
        int x;
        int y;
        int sawY;
        int sawX;
    }

    static final int PAIRS = 10_000;
    static volatile Pair[] batch;
    static final AtomicInteger arrived = new AtomicInteger();

    static void meet(int parties) {
        arrived.incrementAndGet();
        while (arrived.get() < parties) {
            Thread.onSpinWait();
        }
    }

    static void first(Pair[] pairs) {
        for (Pair p : pairs) {
            p.x = 1;
            p.sawY = p.y;
        }
    }

    static void second(Pair[] pairs) {
        for (Pair p : pairs) {
            p.y = 1;
            p.sawX = p.x;
        }
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.getInteger("rounds", 400);
        Thread other =
                new Thread(
                        () -> {
                            for (int r = 0; r < rounds; r++) {
                                meet(4 * r + 2);
                                second(batch);
                                meet(4 * r + 4);
                            }
                        });
        other.setDaemon(true);
        other.start();
        long violations = 0;
        for (int r = 0; r < rounds; r++) {
            Pair[] pairs = new Pair[PAIRS];
            for (int i = 0; i < PAIRS; i++) {
                pairs[i] = new Pair();
            }
            batch = pairs;
            meet(4 * r + 2);
            first(pairs);
            meet(4 * r + 4);
            for (Pair p : pairs) {
                if (p.sawX == 0 && p.sawY == 0) {
                    violations++;
                }
            }
        }
        System.out.println("violations " + violations + " of " + (long) rounds * PAIRS);
    }
}
