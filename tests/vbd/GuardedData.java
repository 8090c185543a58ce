/**
 * The writer stores the data and then the guard; whoever reads the guard and then the data must not
 * find the data older. A reader that has read the data before tempts a compiler to use the old
 * value again.
 */
public class GuardedData {
    static int data;
    static int guard;

    static long read(int n) {
        long stale = 0;
        for (int i = 0; i < n; i++) {
            int before = data;
            if (before != 0) {
                int g = guard;
                int d = data;
                if (d - g < 0) {
                    stale++;
                }
            }
            Thread.onSpinWait();
        }
        return stale;
    }

    public static void main(String[] args) {
        int rounds = Integer.getInteger("rounds", 400) / 8;
        Thread writer =
                new Thread(
                        () -> {
                            for (int i = 1; ; i++) {
                                data = i;
                                guard = i;
                                Thread.onSpinWait();
                            }
                        });
        writer.setDaemon(true);
        writer.start();
        long violations = 0;
        for (int r = 0; r < rounds; r++) {
            violations += read(50_000);
        }
        System.out.println("violations " + violations + " of " + rounds * 50_000L);
    }
}
