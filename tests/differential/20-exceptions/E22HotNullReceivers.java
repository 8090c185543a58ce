/**
 * A receiver is null so often that compiled code throws by itself: the handler is the caller's, in the caller's
 * state, though the method that would be called is translated in place.
 */
public class E22HotNullReceivers {
    static final class T {
        int v = 7;
        static boolean fail = true;

        int f() {
            return v;
        }

        int g() {
            if (fail) throw new IllegalStateException();
            return v;
        }

        int caught(int k) {
            try {
                return g() + k;
            } catch (RuntimeException e) {
                return -1;
            }
        }
    }

    static int pad;

    static int known(T t, int a) {
        pad = a * 31 + (a >> 3) * 17 + (a & 5) * 3;
        try {
            return t.f();
        } catch (NullPointerException e) {
            return t == null ? 42 : -1;
        }
    }

    static int loaded(T t, int a) {
        pad = a * 31 + (a >> 3) * 17 + (a & 5) * 3;
        try {
            try {
                return t.f();
            } catch (NullPointerException e) {
                return t.v;
            }
        } catch (NullPointerException e) {
            return 42;
        }
    }

    static int twoHandlers(T t, int a) {
        pad = a * 31 + (a >> 3) * 17 + (a & 5) * 3;
        try {
            return t.caught(0);
        } catch (NullPointerException e) {
            return 42;
        }
    }

    static int moreLocals(T t, int a) {
        long x = a, y = a + 1L, z = a + 2L;
        pad = a * 31 + (a >> 3) * 17 + (a & 5) * 3;
        try {
            return t.caught(0);
        } catch (NullPointerException e) {
            return x + y + z == 3L * a + 3 ? 42 : -2;
        }
    }

    public static void main(String[] args) {
        T t = new T();
        t.caught(0);
        T.fail = false;
        int[] bad = new int[4];
        for (int i = 0; i < 400_000; i++) {
            T u = (i & 1) == 0 ? null : t;
            int right = u == null ? 42 : 7;
            if (known(u, i) != right) bad[0]++;
            if (loaded(u, i) != right) bad[1]++;
            if (twoHandlers(u, i) != right) bad[2]++;
            if (moreLocals(u, i) != right) bad[3]++;
        }
        System.out.println(java.util.Arrays.toString(bad));
    }
}
