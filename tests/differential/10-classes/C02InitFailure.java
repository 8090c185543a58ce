// covers: getstatic(ExceptionInInitializerError,NoClassDefFoundError) new(NoClassDefFoundError)
public class C02InitFailure {
    static int fail() {
        throw new IllegalStateException("boom");
    }

    static class Bad {
        static int x = fail();

        static void m() {}
    }

    static class BadError {
        static {
            if (true) throw new OutOfMemoryError("made up");
        }

        static int x;
    }

    static class Sub extends Bad {
        static int y = 1;
    }

    static class Good {
        static int ok = 6;
    }

    static void report(Throwable t) {
        System.out.println(t.getClass().getName());
        System.out.println(t.getMessage());
        Throwable c = t.getCause();
        while (c != null) {
            System.out.println("cause " + c.getClass().getName());
            System.out.println("cause " + c.getMessage());
            c = c.getCause();
        }
    }

    public static void main(String[] args) {
        try {
            System.out.println(Bad.x);
        } catch (Throwable t) {
            report(t);
        }
        try {
            System.out.println(Bad.x);
        } catch (Throwable t) {
            report(t);
        }
        try {
            Bad.m();
        } catch (Throwable t) {
            report(t);
        }
        try {
            new Bad();
        } catch (Throwable t) {
            report(t);
        }
        try {
            System.out.println(Sub.y);
        } catch (Throwable t) {
            report(t);
        }
        try {
            System.out.println(BadError.x);
        } catch (Throwable t) {
            report(t);
        }
        try {
            System.out.println(BadError.x);
        } catch (Throwable t) {
            report(t);
        }
        System.out.println(Good.ok);
        try {
            Class.forName("C02InitFailure$Bad");
        } catch (Throwable t) {
            report(t);
        }
    }
}
