import java.util.Arrays;

/** Array indices of loops and behind tests: those that always fit, and those that do not because of their start, step, end, array or a wrap. */
public class B50BoundsInLoops {
    static int up(int[] a, int from, int to) {
        int sum = 0;
        for (int i = from; i < to; i++) {
            sum = sum * 31 + a[i];
        }
        return sum;
    }

    static int whole(int[] a) {
        int sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum = sum * 31 + a[i];
        }
        for (int i = a.length - 1; i >= 0; i--) {
            sum = sum * 17 + a[i];
        }
        return sum;
    }

    static int ahead(int[] a) {
        int sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i + 1] - a[i];
        }
        return sum;
    }

    static int behind(int[] a, int by) {
        int sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i - by];
        }
        return sum;
    }

    static int steps(int[] a, int step) {
        int sum = 0;
        for (int i = 0; i < a.length; i += 2) {
            sum += a[i];
        }
        for (int i = 0; i < a.length; i += step) {
            sum = sum * 3 + a[i];
        }
        return sum;
    }

    static int other(int[] a, int[] b) {
        int sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum = sum * 5 + b[i];
        }
        return sum;
    }

    static int changed(int[] a, int[] b) {
        int sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum = sum * 5 + a[i];
            if (i == 2) {
                a = b;
                sum += a[i];
            }
        }
        return sum;
    }

    // Ends at what is greater than the greatest index, or by a wrap.
    static int equal(int[] a, int end) {
        int sum = 0;
        for (int i = 0; i != end; i++) {
            sum += a[i];
        }
        return sum;
    }

    static int wraps(int[] a, int from) {
        int sum = 0;
        for (int i = from; i < Integer.MAX_VALUE; ) {
            i++;
            if (i < a.length) {
                sum += a[i];
            }
            if (i == Integer.MAX_VALUE) {
                i++;
                if (i < a.length) {
                    return sum + a[i];
                }
            }
        }
        return sum;
    }

    static int tested(int[] a, int i) {
        if (i < 0 || i >= a.length) {
            return -i;
        }
        return a[i];
    }

    static int halfTested(int[] a, int i) {
        int sum = i < a.length ? a[i] : 1000;
        return i >= 0 ? sum + a[i] : sum;
    }

    static int masked(int[] a, byte[] b, int i) {
        int sum = 0;
        if ((i & 7) < a.length) {
            sum += a[i & 7];
        }
        for (byte x : b) {
            int n = x & 0xff;
            if (n < a.length) {
                sum = sum * 3 + a[n];
            }
            if (x < a.length) {
                sum = sum * 3 + a[x];
            }
        }
        return sum;
    }

    static int text(String s, int from, int to) {
        int h = 0;
        for (int i = from; i < to; i++) {
            h = h * 31 + s.charAt(i);
        }
        return h;
    }

    static int nested(int[][] m) {
        int sum = 0;
        for (int i = 0; i < m.length; i++) {
            for (int j = 0; j < m[i].length; j++) {
                sum = sum * 3 + m[i][j] - m[j][i];
            }
        }
        return sum;
    }

    static void sort(int[] a) {
        for (int i = 1; i < a.length; i++) {
            int v = a[i], j = i - 1;
            while (j >= 0 && a[j] > v) {
                a[j + 1] = a[j];
                j--;
            }
            a[j + 1] = v;
        }
    }

    static int shown;
    static long hash;

    interface Try {
        int run();
    }

    static void show(String name, Try t) {
        String said;
        try {
            said = name + " " + t.run();
        } catch (IndexOutOfBoundsException e) {
            said = name + " " + e.getMessage();
        }
        hash = hash * 31 + said.hashCode();
        if (shown++ % 2003 < 24) {
            System.out.println(said);
        }
    }

    public static void main(String[] args) {
        int[] a = {5, 3, 8, 1, 9, 2}, none = {}, one = {7}, two = {1, 2}, eight = {8, 7, 6, 5, 4, 3, 2, 1};
        byte[] bytes = {0, 1, 5, 6, 127}, negative = {1, -1};
        int[][] square = {{1, 2}, {3, 4}}, ragged = {{1, 2, 3}, {4}, {5, 6}};
        for (int round = 0; round < 4000; round++) {
            int r = round;
            boolean odd = round > 1500 && round % 7 == 0;
            show("up", () -> up(a, odd ? -1 : 0, odd ? 3 : 6));
            show("up to", () -> up(a, 2, r % 9));
            show("whole", () -> whole(r % 2 == 0 ? a : r % 3 == 0 ? none : one));
            if (odd) {
                show("ahead", () -> ahead(a));
                show("behind", () -> behind(a, 1));
                show("equal", () -> equal(two, 3));
                show("negative", () -> masked(a, negative, r));
                show("ragged", () -> nested(ragged));
                show("wraps", () -> wraps(a, Integer.MAX_VALUE - 3));
                show("half", () -> halfTested(a, -1));
            }
            show("behind by none", () -> behind(a, 0));
            show("steps", () -> steps(r % 2 == 0 ? a : eight, 1 + r % 5));
            show("other", () -> other(a, odd ? two : eight));
            show("changed", () -> changed(a, r % 3 == 0 ? eight : odd ? two : a));
            show("equal", () -> equal(a, 6));
            show("tested", () -> tested(a, r % 11 - 3));
            show("half", () -> halfTested(a, r % 8));
            show("masked", () -> masked(a, bytes, r));
            show("text", () -> text("some text", r % 3, odd ? 10 : 9));
            show("nested", () -> nested(square));
            int[] copy = a.clone();
            sort(copy);
            hash = hash * 31 + Arrays.hashCode(copy);
        }
        System.out.println(hash);
    }
}
