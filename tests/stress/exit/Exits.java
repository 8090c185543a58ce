import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * One way to end a VM, while other threads are at work. Arguments: way, seed. Prints `up` when the ending begins, so that
 * a run that ended before is seen.
 */
public final class Exits {
    private Exits() {}

    private static final Object LOCK = new Object();
    private static volatile Object sink;

    /**
     * A native thread that attaches as a daemon or not and then, by `what`, sleeps in C (0), runs
     * Java for ever (1), detaches and sleeps (2), or runs Java without being waited for (3).
     */
    private static native void attached(boolean daemon, int what);

    /** Called by native threads of kind 1. */
    static void churn() {
        for (int i = 0; ; i++) sink = new byte[i % 1000];
    }

    interface Body {
        void run(SplittableRandom r) throws Throwable;
    }

    private static Thread start(String name, boolean daemon, SplittableRandom r, Body body) {
        SplittableRandom own = r.split();
        Thread t = new Thread(() -> {
            try {
                body.run(own);
            } catch (Throwable e) {
                throw new IllegalStateException(name, e);
            }
        }, name);
        t.setDaemon(daemon);
        t.start();
        return t;
    }

    /** Daemon threads in the states a thread can be in when the VM ends. */
    private static void busy(SplittableRandom r) throws Exception {
        start("allocates", true, r, own -> churn());
        start("locks", true, r, own -> {
            for (;;) {
                synchronized (LOCK) {
                    sink = LOCK.hashCode();
                }
            }
        });
        start("throws", true, r, own -> {
            for (;;) {
                try {
                    sink = ((Object[]) null)[own.nextInt()];
                } catch (NullPointerException e) {
                    sink = e;
                }
            }
        });
        start("waits", true, r, own -> {
            Object mine = new Object();
            synchronized (mine) {
                mine.wait();
            }
        });
        start("parks", true, r, own -> LockSupport.park());
        start("reads", true, r, own -> sink = new PipedInputStream(new PipedOutputStream()).read());
        start("loads", true, r, own -> {
            for (int i = 0; ; i++) {
                try {
                    Class.forName("java.util.None" + i % 100);
                } catch (ClassNotFoundException e) {
                    Runnable lambda = () -> sink = e;
                    lambda.run();
                }
            }
        });
        start("starts", true, r, own -> {
            for (;;) {
                Thread t = new Thread(() -> sink = Thread.currentThread().getName());
                t.setDaemon(true);
                t.start();
                t.join();
            }
        });
        start("collects", true, r, own -> {
            for (;;) {
                System.gc();
                Thread.sleep(5);
            }
        });
    }

    private static void moment(SplittableRandom r) throws InterruptedException {
        int ms = r.nextInt(30);
        if (ms > 3) Thread.sleep(ms);
        System.out.println("up");
    }

    public static void main(String[] args) throws Exception {
        SplittableRandom r = new SplittableRandom(Long.parseLong(args[1]));
        if (!args[0].equals("alone")) busy(r);
        switch (args[0]) {
            case "alone", "return" -> moment(r);
            case "exit" -> {
                moment(r);
                System.exit(7);
            }
            case "halt" -> {
                moment(r);
                Runtime.getRuntime().halt(9);
            }
            case "uncaught" -> {
                start("ends later", false, r, own -> Thread.sleep(own.nextInt(20)));
                moment(r);
                throw new IllegalStateException("meant");
            }
            case "uncaught-elsewhere" -> {
                start("ends badly", false, r, own -> {
                    throw new IllegalStateException("meant");
                }).join();
                moment(r);
            }
            case "many" -> {
                CountDownLatch go = new CountDownLatch(1);
                for (int i = 0; i < 4; i++) {
                    start("exits", false, r, own -> {
                        go.await();
                        System.exit(7);
                    });
                }
                moment(r);
                go.countDown();
                System.exit(7);
            }
            case "exit-and-halt" -> {
                moment(r);
                start("halts", true, r, own -> {
                    Thread.sleep(own.nextInt(10));
                    Runtime.getRuntime().halt(7);
                });
                Thread.sleep(r.nextInt(10));
                System.exit(7);
            }
            case "hook" -> {
                List<Integer> seen = new ArrayList<>();
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    for (int i = 0; i < 50; i++) seen.add(i);
                    System.out.println("hook " + seen.size());
                    if (r.nextBoolean()) Runtime.getRuntime().halt(7);
                }));
                moment(r);
                System.exit(7);
            }
            case "stuck-lock" -> {
                // The owner never lets go: the end of the VM must not need this monitor.
                CountDownLatch owned = new CountDownLatch(1);
                start("owner", true, r, own -> {
                    synchronized (Exits.class) {
                        owned.countDown();
                        Thread.sleep(1_000_000);
                    }
                });
                owned.await();
                start("stuck", true, r, own -> {
                    synchronized (Exits.class) {
                        sink = own;
                    }
                });
                moment(r);
            }
            case "native" -> {
                System.loadLibrary("exits");
                for (int what = 0; what < 3; what++) attached(true, what);
                moment(r);
                attached(true, 3);
                switch (r.nextInt(3)) {
                    case 0 -> System.exit(0);
                    case 1 -> Runtime.getRuntime().halt(0);
                    default -> sink = "main returns";
                }
            }
            case "native-exit" -> {
                System.loadLibrary("exits");
                for (int what = 0; what < 3; what++) attached(false, what);
                moment(r);
                attached(false, 3);
                System.exit(7);
            }
            case "signal" -> {
                moment(r);
                System.out.flush();
                Thread.sleep(1_000_000);
            }
            default -> throw new IllegalArgumentException(args[0]);
        }
    }
}
