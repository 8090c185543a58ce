// covers: invokestatic(initializing) getstatic(initializing) putstatic(initializing) new(initializing)
/**
 * A program that runs in a static initializer: its statics, calls and objects are those of a class that is being
 * initialized all the while, of every type, from here and from other classes; another thread waits for all of it.
 */
public class C48LongInitializer {
    static boolean z;
    static byte b;
    static char c;
    static short s;
    static int i;
    static float f;
    static long l;
    static double d;
    static Object o;
    static volatile long v;
    static final int[] TABLE = new int[16];

    int own;

    static int next(int x) {
        return x * 31 + 7;
    }

    static long wide(long a, double b, int c) {
        return a + (long) b + c;
    }

    C48LongInitializer(int own) {
        this.own = own;
    }

    /** Another class, initialized on the way, that goes back to the first. */
    static class Other {
        static int seen = i;

        static int add(int n) {
            i += n;
            return next(i);
        }
    }

    interface Named {
        int LENGTH = next(3);

        static int twice(int x) {
            return 2 * x;
        }
    }

    static final Thread WAITER;

    static {
        WAITER =
                new Thread(
                        () -> {
                            // Not before all is done.
                            System.out.println("waiter " + next(1) + " " + i + " " + l + " " + new C48LongInitializer(3).own);
                        });
        WAITER.start();
        long sum = 0;
        for (int n = 0; n < 300_000; n++) {
            z = !z;
            b += 3;
            c += 5;
            s += 7;
            i = next(i);
            f = n * 0.5f;
            l += wide(n, n * 1.5, i);
            d = l * 0.25;
            v = v + n;
            C48LongInitializer x = new C48LongInitializer(n);
            o = x;
            sum += ((C48LongInitializer) o).own + Other.add(n & 3) + Named.twice(n);
            TABLE[n & 15] += i;
        }
        System.out.println(z + " " + b + " " + (int) c + " " + s + " " + i + " " + f + " " + l + " " + d + " " + v);
        System.out.println(sum + " " + Other.seen + " " + Named.LENGTH + " " + java.util.Arrays.hashCode(TABLE));
        System.out.println(WAITER.isAlive());
    }

    /** Fails in the end: what was remembered for it is no use to anybody. */
    static class Failing {
        static int n;

        static int count() {
            return ++n;
        }

        static {
            for (int k = 0; k < 1000; k++) count();
            if (n == 1000) throw new IllegalStateException("at " + n);
        }
    }

    public static void main(String[] args) throws Exception {
        WAITER.join();
        for (int k = 0; k < 2; k++) {
            try {
                System.out.println(Failing.count());
            } catch (Throwable t) {
                System.out.println(t + " " + t.getCause());
            }
        }
        int before = i;
        for (int k = 0; k < 1000; k++) i = next(i);
        System.out.println(before != i);
    }
}
