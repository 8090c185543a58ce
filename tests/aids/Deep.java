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
        Step s = new Step() {
            public int go(int n) {
                return d.middle(n);
            }
        };
        int sum = 0;
        for (int i = 0; i <= LAST; i++) {
            sum += outer(s, i);
        }
        System.out.println(sum);
    }
}
