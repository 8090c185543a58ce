// covers: athrow(ok,npe,caught,rethrown,finally)
public class E01TryCatch {
    static int log;

    static int finallyReturn() {
        try {
            return 1;
        } finally {
            log += 10;
        }
    }

    @SuppressWarnings("finally")
    static int finallyOverride() {
        try {
            throw new RuntimeException();
        } finally {
            return 2;
        }
    }

    static int finallyValue() {
        int x = 1;
        try {
            return x;
        } finally {
            x = 5;
        }
    }

    static int nested(int k) {
        try {
            try {
                if (k == 0) throw new IllegalArgumentException("zero");
                if (k == 1) throw new IllegalStateException("one");
                if (k == 2) throw new Error("two");
                return 100;
            } catch (IllegalArgumentException e) {
                if (k == 0) throw new RuntimeException("wrapped", e);
                return 3;
            } finally {
                log++;
            }
        } catch (IllegalStateException e) {
            return 4;
        } catch (RuntimeException e) {
            return 5 + e.getCause().getMessage().length();
        } catch (Error e) {
            return 6;
        }
    }

    static void deep(int n) {
        if (n == 0) throw new UnsupportedOperationException("deep");
        deep(n - 1);
    }

    static class Res implements AutoCloseable {
        final String n;

        Res(String n) {
            this.n = n;
            System.out.println("open ".concat(n));
        }

        public void close() {
            System.out.println("close ".concat(n));
            throw new IllegalStateException("close ".concat(n));
        }
    }

    static int loop() {
        int n = 0;
        for (int i = 0; i < 10; i++) {
            try {
                if (i % 3 == 0) continue;
                if (i == 8) break;
                n += i;
            } finally {
                n += 100;
            }
        }
        return n;
    }

    static class MyEx extends Exception {
        final int code;

        MyEx(int c) {
            super("my");
            code = c;
        }
    }

    public static void main(String[] args) {
        System.out.println(finallyReturn());
        System.out.println(finallyOverride());
        System.out.println(finallyValue());
        for (int k = 0; k < 4; k++) System.out.println(nested(k));
        System.out.println(log);
        try {
            deep(50);
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        try (Res a = new Res("a");
                Res b = new Res("b")) {
            throw new RuntimeException("body");
        } catch (RuntimeException e) {
            System.out.println(e.getMessage());
            for (Throwable s : e.getSuppressed()) System.out.println(s.getMessage());
        }
        System.out.println(loop());
        try {
            throw new MyEx(7);
        } catch (MyEx e) {
            System.out.println(e.code);
        }
        try {
            throw null;
        } catch (NullPointerException e) {
            System.out.println("null thrown");
        }
        try {
            RuntimeException none = null;
            throw none;
        } catch (NullPointerException e) {
            System.out.println("null thrown");
        }
        try {
            try {
                throw new MyEx(8);
            } finally {
                System.out.println("f1");
            }
        } catch (Exception e) {
            System.out.println(e.getMessage());
        }
        try {
            Object o = "x";
            Integer i = (Integer) o;
        } catch (ClassCastException | IllegalStateException e) {
            System.out.println(e.getClass().getName());
        }
    }
}
