import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicReference;

/** Later uses of a class whose initialization failed tell what failed, where and in which thread. */
public class C30FailedInitializers {
    static class Fails {
        static int x = fail(1);

        static int fail(int n) {
            if (n > 0) throw new IllegalStateException("the state");
            return n;
        }
    }

    static class Silent {
        static int x = none();

        static int none() {
            throw new IllegalArgumentException();
        }
    }

    static class Error {
        static int x = error();

        static int error() {
            throw new UnsatisfiedLinkError("no library");
        }
    }

    static void tell(Throwable t) {
        StringWriter s = new StringWriter();
        t.printStackTrace(new PrintWriter(s, true));
        System.out.print(s);
    }

    public static void main(String[] args) throws Exception {
        AtomicReference<Throwable> first = new AtomicReference<>();
        Runnable[] uses = {() -> Fails.fail(0), Silent::none, Error::error};
        for (Runnable use : uses) {
            Thread t = new Thread(use, "the first");
            t.setUncaughtExceptionHandler((x, e) -> first.set(e));
            t.start();
            t.join();
            System.out.println(first.get());
            Throwable[] causes = new Throwable[2];
            for (int i = 0; i < 2; i++) {
                try {
                    use.run();
                } catch (NoClassDefFoundError e) {
                    tell(e);
                    causes[i] = e.getCause();
                }
                System.gc();
            }
            System.out.println(causes[0] == causes[1]);
        }
    }
}
