/** Peterson's lock on plain fields guards a counter; a lost update is a violation. */
public class PetersonLock {
    static int wants0;
    static int wants1;
    static int turn;
    static int count;

    static void lock0() {
        wants0 = 1;
        turn = 1;
        while (wants1 == 1 && turn == 1) {
            Thread.onSpinWait();
        }
    }

    static void lock1() {
        wants1 = 1;
        turn = 0;
        while (wants0 == 1 && turn == 0) {
            Thread.onSpinWait();
        }
    }

    public static void main(String[] args) throws Exception {
        int each = Integer.getInteger("rounds", 400) * 1000;
        Thread a =
                new Thread(
                        () -> {
                            for (int i = 0; i < each; i++) {
                                lock0();
                                count++;
                                wants0 = 0;
                            }
                        });
        Thread b =
                new Thread(
                        () -> {
                            for (int i = 0; i < each; i++) {
                                lock1();
                                count++;
                                wants1 = 0;
                            }
                        });
        a.setDaemon(true);
        b.setDaemon(true);
        a.start();
        b.start();
        a.join(20_000);
        b.join(20_000);
        if (a.isAlive() || b.isAlive()) {
            // A compiler moved the read out of the waiting loop.
            System.out.println("stuck");
            System.out.println("violations 1 of 1");
        } else {
            System.out.println("violations " + (2L * each - count) + " of " + 2L * each);
        }
    }
}
