// covers: athrow(caught,rethrown) JVM_FillInStackTrace
import java.util.*;

public class E11OddExceptions {
    static class NoTrace extends RuntimeException {
        NoTrace(String m) {
            super(m);
        }

        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    static class BadMessage extends Exception {
        public String getMessage() {
            throw new IllegalStateException("getMessage fails");
        }
    }

    static class BadToString extends Exception {
        public String toString() {
            return null;
        }
    }

    static class Cyclic extends Exception {
        Cyclic other;

        public synchronized Throwable getCause() {
            return other;
        }
    }

    static <T extends Throwable> void sneak(Throwable t) throws T {
        throw (T) t;
    }

    static class InitFail extends RuntimeException {
        static int x = 1 / Integer.parseInt("0");
    }

    static void thrower() {
        throw new InitFail();
    }

    static int nestedFinally() {
        int r = 0;
        try {
            try {
                try {
                    throw new RuntimeException("1");
                } finally {
                    r += 1;
                    throw new IllegalStateException("2");
                }
            } finally {
                r += 10;
            }
        } catch (IllegalStateException e) {
            r += 100;
        } finally {
            r += 1000;
        }
        return r;
    }

    static int loopFinally() {
        for (int i = 0; ; i++) {
            try {
                if (i < 5) continue;
                return i;
            } finally {
                if (i == 5) {
                    i = 50;
                }
            }
        }
    }

    static int multi(int k) {
        try {
            switch (k) {
                case 0:
                    throw new java.io.FileNotFoundException("f");
                case 1:
                    throw new IllegalArgumentException("i");
                case 2:
                    Object o = "s";
                    Integer i = (Integer) o;
                default:
                    return 0;
            }
        } catch (java.io.IOException | IllegalArgumentException e) {
            return e.getMessage().charAt(0);
        } catch (RuntimeException e) {
            return -1;
        }
    }

    public static void main(String[] args) {
        try {
            throw new NoTrace("quiet");
        } catch (NoTrace e) {
            System.out.println(e + " " + e.getStackTrace().length);
        }
        try {
            throw new BadMessage();
        } catch (BadMessage e) {
            try {
                e.printStackTrace();
            } catch (IllegalStateException x) {
                System.out.println(x.getMessage());
            }
        }
        try {
            throw new BadToString();
        } catch (BadToString e) {
            e.printStackTrace();
        }
        Cyclic a = new Cyclic(), b = new Cyclic();
        a.other = b;
        b.other = a;
        a.printStackTrace();
        Exception s = new Exception("main");
        s.addSuppressed(new RuntimeException("supp", new Error("supp cause")));
        s.addSuppressed(s.getSuppressed()[0]);
        s.printStackTrace();
        try {
            s.addSuppressed(s);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            s.initCause(s);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            new Exception("c", null).initCause(new Error());
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            E11OddExceptions.<RuntimeException>sneak(new java.io.IOException("sneaky"));
        } catch (Exception e) {
            System.out.println(e);
        }
        for (int i = 0; i < 2; i++)
            try {
                thrower();
            } catch (Throwable t) {
                System.out.println(t.getClass().getName());
            }
        System.out.println(
                nestedFinally()
                        + " "
                        + loopFinally()
                        + " "
                        + multi(0)
                        + multi(1)
                        + multi(2)
                        + multi(3));
        try {
            List.of(3, 1, 2).stream()
                    .sorted(
                            (x, y) -> {
                                throw new IllegalStateException("in comparator");
                            })
                    .toList();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            new ArrayList<>(List.of(1, 2))
                    .forEach(
                            x -> {
                                if (x == 2) throw new NoTrace("in forEach");
                            });
        } catch (NoTrace e) {
            System.out.println(e.getMessage());
        }
        Object o =
                new Object() {
                    public String toString() {
                        throw new NoTrace("in concat");
                    }
                };
        try {
            String t = "a" + o;
        } catch (NoTrace e) {
            System.out.println(e.getMessage());
        }
        try {
            java.security.AccessController.doPrivileged(
                    (java.security.PrivilegedExceptionAction<Void>)
                            () -> {
                                throw new java.io.IOException("privileged");
                            });
        } catch (java.security.PrivilegedActionException e) {
            System.out.println(e.getCause());
        }
        long n = 0;
        for (int i = 0; i < 20000; i++) {
            try {
                if ((i & 1) == 0) throw new NoTrace("n");
                int[] z = new int[1];
                z[i] = 1;
            } catch (NoTrace e) {
                n++;
            } catch (ArrayIndexOutOfBoundsException e) {
                n += 2;
            }
        }
        System.out.println(n);
        StackTraceElement[] st = new Throwable().getStackTrace();
        System.out.println(
                st[0].getMethodName()
                        + st[0].equals(new Throwable().getStackTrace()[0])
                        + st.length * 0);
    }
}
