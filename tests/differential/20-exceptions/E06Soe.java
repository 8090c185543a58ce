// vm: own -Xss512k
// covers: invokestatic(StackOverflowError) invokevirtual(StackOverflowError)
public class E06Soe {
    static int depth;

    static void down() {
        depth++;
        down();
    }

    int wide(long a, long b, double c, Object d) {
        depth++;
        return wide(a + 1, b, c, this) + 1;
    }

    synchronized void locked() {
        depth++;
        locked();
    }

    static class Init {
        static {
            try {
                down();
            } catch (StackOverflowError e) {
                System.out.println("in clinit");
            }
        }

        static void touch() {}
    }

    interface I {
        void go(I i);
    }

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            depth = 0;
            try {
                down();
            } catch (StackOverflowError e) {
                System.out.println(depth > 1000);
                System.out.println(e.getMessage());
                System.out.println(e.getStackTrace().length);
            }
        }
        depth = 0;
        try {
            new E06Soe().wide(1, 2, 3, null);
        } catch (StackOverflowError e) {
            System.out.println(depth > 500);
        }
        E06Soe o = new E06Soe();
        try {
            o.locked();
        } catch (StackOverflowError e) {
            System.out.println("locked");
        }
        System.out.println(Thread.holdsLock(o));
        Init.touch();
        I i =
                new I() {
                    public void go(I x) {
                        x.go(this);
                    }
                };
        try {
            i.go(i);
        } catch (StackOverflowError e) {
            System.out.println("interface");
        }
        System.out.println("alive");
    }
}
