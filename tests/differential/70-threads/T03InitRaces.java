// covers: getstatic(init-wait,init-recursive) new(init-wait)
// JVMS 5.5: one thread initialises, the others wait; a failure is seen by all; two classes that
// need each other from two threads.
import java.util.concurrent.*;

public class T03InitRaces {
    static class Slow {
        static int runs;
        static final int V;

        static {
            runs++;
            try {
                Thread.sleep(100);
            } catch (InterruptedException e) {
            }
            V = 42;
        }
    }

    static class Fails {
        static int x;

        static {
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
            }
            if (true) throw new IllegalStateException("init");
        }
    }

    static class Self {
        static int a = 1;
        static int got = Thread.currentThread() != null ? peek() : 0;
        static int b = 5;

        static int peek() {
            return a * 10 + b;
        }
    }

    static class Other implements Runnable {
        public void run() {
            System.out.println("does not touch InThread");
        }
    }

    static class InThread {
        static int v;

        static {
            Thread t = new Thread(new Other());
            t.start();
            try {
                t.join();
            } catch (InterruptedException e) {
            }
            v = 3;
        }
    }

    public static void main(String[] args) throws Exception {
        CyclicBarrier start = new CyclicBarrier(4);
        ConcurrentLinkedQueue<Object> seen = new ConcurrentLinkedQueue<>();
        Thread[] ts = new Thread[4];
        for (int i = 0; i < 4; i++) {
            ts[i] =
                    new Thread(
                            () -> {
                                try {
                                    start.await();
                                    seen.add(Slow.V);
                                } catch (Exception e) {
                                    seen.add(e);
                                }
                            });
            ts[i].start();
        }
        for (Thread t : ts) t.join();
        System.out.println(seen + " " + Slow.runs);
        ConcurrentLinkedQueue<String> errs = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < 4; i++) {
            ts[i] =
                    new Thread(
                            () -> {
                                try {
                                    start.await();
                                    System.out.println(Fails.x);
                                } catch (Throwable e) {
                                    errs.add(e.getClass().getSimpleName());
                                }
                            });
            ts[i].start();
        }
        for (Thread t : ts) t.join();
        System.out.println(errs.stream().sorted().toList());
        System.out.println(Self.got + " " + Self.b);
        System.out.println(InThread.v);
    }
}
