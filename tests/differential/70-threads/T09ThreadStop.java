// covers: JVM_StopThread JVM_SuspendThread JVM_ResumeThread
public class T09ThreadStop {
    static volatile int phase;
    static final Object lock = new Object();

    static void until(int p) throws Exception {
        while (phase < p) Thread.sleep(1);
    }

    @SuppressWarnings("removal")
    public static void main(String[] args) throws Exception {
        Thread spin =
                new Thread(
                        () -> {
                            try {
                                phase = 1;
                                for (long n = 0; ; n++) if (n < 0) return;
                            } catch (ThreadDeath d) {
                                System.out.println("death in a loop");
                            }
                        });
        spin.start();
        until(1);
        spin.stop();
        spin.join();
        Thread sync =
                new Thread(
                        () -> {
                            synchronized (lock) {
                                phase = 2;
                                while (true) Thread.onSpinWait();
                            }
                        });
        sync.start();
        until(2);
        sync.stop();
        sync.join();
        synchronized (lock) {
            System.out.println("lock is free");
        }
        Thread sleep =
                new Thread(
                        () -> {
                            try {
                                phase = 3;
                                Thread.sleep(100000);
                            } catch (InterruptedException e) {
                                System.out.println("no");
                            } finally {
                                System.out.println("finally");
                            }
                        });
        sleep.start();
        until(3);
        Thread.sleep(20);
        sleep.stop();
        sleep.join();
        System.out.println(sleep.getState());
        Thread notStarted = new Thread(() -> System.out.println("never"));
        notStarted.stop();
        notStarted.start();
        notStarted.join();
        System.out.println("stillborn " + notStarted.isAlive());
        Thread sus =
                new Thread(
                        () -> {
                            long n = 0;
                            while (phase < 5) count = ++n;
                        });
        sus.start();
        while (count < 1000) Thread.yield();
        sus.suspend();
        long c1 = count;
        Thread.sleep(20);
        System.out.println(c1 == count);
        sus.resume();
        while (count == c1) Thread.yield();
        phase = 5;
        sus.join();
        System.out.println("resumed");
        // Whoever has suspended a thread sees it stand still at once, however long it takes to a safepoint.
        long[] many = new long[1 << 20];
        Thread fill =
                new Thread(
                        () -> {
                            for (long n = 1; phase < 6; n++) java.util.Arrays.fill(many, n);
                        });
        fill.start();
        while (many[0] == 0) Thread.yield();
        int moved = 0;
        for (int i = 0; i < 10; i++) {
            fill.suspend();
            long first = many[0], last = many[many.length - 1];
            Thread.sleep(5);
            if (first != many[0] || last != many[many.length - 1]) moved++;
            fill.resume();
        }
        System.out.println("moved " + moved);
        phase = 6;
        fill.join();
        try {
            new Thread().stop();
            Thread.currentThread().stop();
        } catch (ThreadDeath d) {
            System.out.println("self " + d.getMessage());
        }
    }

    static volatile long count;
}
