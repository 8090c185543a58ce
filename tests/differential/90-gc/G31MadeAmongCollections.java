// vm: own -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions -XX:CompileThresholdScaling=0.02 -XX:-BackgroundCompilation -XX:ConcordZealGuard=5 -XX:ConcordZealAlloc=101 -XX:+ConcordZealMove
/** Collections come while the objects are made that compiled code did without, and other threads look at the frames that are left. */
public class G31MadeAmongCollections {
    static final class Pair {
        final Object first;
        final Pair rest;
        int n;

        Pair(Object first, Pair rest, int n) {
            this.first = first;
            this.rest = rest;
            this.n = n;
        }
    }

    static volatile boolean done;
    static int wrong;

    static int inner(int[] a, int n, Object[] young) {
        Pair p = new Pair(young, new Pair(a, null, n + 1), n);
        int sum = 0;
        for (int i = 0; i < a.length; i++) {
            p.n += a[i];
            // Leaves the code now and then, whatever the index.
            sum += a[(i + n) & 7] + ((int[]) p.rest.first)[i] + ((Object[]) p.first).length;
        }
        if (p.first != young || p.rest.first != a || p.rest.n != n + 1) {
            wrong++;
        }
        return sum + p.n;
    }

    static int outer(int turns) {
        int sum = 0;
        for (int n = 0; n < turns; n++) {
            int[] a = {n, 1, 2, 3, 4, 5, 6, 7};
            sum = sum * 31 + inner(a, n, new Object[n & 3]);
        }
        return sum;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread t = new Thread(() -> {
            int sum = 0;
            for (int i = 0; i < 20; i++) {
                sum += outer(300);
            }
            System.out.println(sum + " " + wrong);
            done = true;
        });
        t.start();
        int without = 0, seen = 0;
        while (!done) {
            boolean inside = false, outside = false;
            for (StackTraceElement e : t.getStackTrace()) {
                inside |= e.getMethodName().equals("inner");
                outside |= e.getMethodName().equals("outer");
            }
            seen++;
            without += inside && !outside ? 1 : 0;
            Thread.yield();
        }
        t.join();
        System.out.println(without + " " + (seen > 0));
    }
}
