/** Compiled frames of several kinds above a native: static, virtual, interface, and a loop that was entered while it ran. */
public class Deep {
    interface Step {
        int go(int n);
    }

    static final int LAST = 50_000;

    static int inner(int n, long a, double b, Object c) {
        if (n == LAST) {
            System.out.write('!');
            System.out.flush();
        }
        return n + (int) a + (int) b + c.hashCode() * 0;
    }

    int middle(int n) {
        return inner(n, n, n, this) ^ 1;
    }

    static int outer(Step s, int n) {
        return s.go(n) + 1;
    }

    public static void main(String[] args) {
        Deep d = new Deep();
        // Two classes by turns: neither is the usual one, whose method would be inlined.
        Step[] steps = {
            new Step() {
                public int go(int n) {
                    return d.middle(n);
                }
            },
            new Step() {
                public int go(int n) {
                    return d.middle(n) + 1;
                }
            },
        };
        int sum = 0;
        for (int i = 0; i <= LAST; i++) {
            sum += outer(steps[i % 2], i);
        }
        System.out.println(sum);
    }
}
