// vm: own
// Finalizers run once, also for clones and for constructors that failed; an object may save
// itself, once.
import java.util.concurrent.atomic.*;

public class R08Finalizers {
    static AtomicInteger plain = new AtomicInteger(),
            failed = new AtomicInteger(),
            cloned = new AtomicInteger(),
            saved = new AtomicInteger(),
            threw = new AtomicInteger();
    static volatile Object rescue;

    static class Plain {
        protected void finalize() {
            plain.incrementAndGet();
        }
    }

    static class Failing {
        Failing() {
            throw new IllegalStateException();
        }

        protected void finalize() {
            failed.incrementAndGet();
        }
    }

    static class Cl implements Cloneable {
        protected void finalize() {
            cloned.incrementAndGet();
        }

        protected Object clone() throws CloneNotSupportedException {
            return super.clone();
        }
    }

    static class Saver {
        protected void finalize() {
            saved.incrementAndGet();
            rescue = this;
        }
    }

    static class Thrower {
        protected void finalize() {
            threw.incrementAndGet();
            throw new RuntimeException("ignored");
        }
    }

    static class Trivial {
        protected void finalize() {}
    }

    static void make() throws Exception {
        for (int i = 0; i < 20; i++) {
            new Plain();
            new Trivial();
            new Thrower();
            try {
                new Failing();
            } catch (IllegalStateException e) {
            }
        }
        Cl c = new Cl();
        c.clone();
        c.clone();
        new Saver();
    }

    static void deep(int n) {
        long a = n, b = n, c = n;
        if (n > 0) deep(n - 1);
    }

    static void wait(AtomicInteger a, int n) throws Exception {
        for (int i = 0; i < 3000 && a.get() < n; i++) {
            System.gc();
            System.runFinalization();
            Thread.sleep(5);
        }
    }

    public static void main(String[] args) throws Exception {
        make();
        deep(100);
        wait(plain, 20);
        wait(failed, 20);
        wait(cloned, 3);
        wait(saved, 1);
        wait(threw, 20);
        System.out.println(
                plain
                        + " "
                        + failed
                        + " "
                        + cloned
                        + " "
                        + saved
                        + " "
                        + threw
                        + " "
                        + (rescue != null));
        rescue = null;
        deep(100);
        for (int i = 0; i < 5; i++) {
            System.gc();
            System.runFinalization();
        }
        System.out.println(saved + " " + (rescue == null));
    }
}
