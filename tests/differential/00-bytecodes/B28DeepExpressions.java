// covers: dup2_x1(form1) dup_x2(form1) invokestatic(ok)
public class B28DeepExpressions {
    static int s;
    long l = 5;

    static int f(int a, int b, int c, int d, int e, int g, int h, int i) {
        return a - b + c - d + e - g + h - i;
    }

    static long m(long a, int b, long c, int d, double e, float g) {
        return a * 2 + b * 3 + c * 5 + d * 7 + (long) (e * 11) + (long) (g * 13);
    }

    static int r(int n) {
        return n <= 0 ? 1 : f(r(n - 1), r(n - 2), n, r(n - 3), n * 2, r(n - 4), 3, n);
    }

    B28DeepExpressions next;

    B28DeepExpressions chain(int n) {
        B28DeepExpressions b = this;
        for (int i = 0; i < n; i++) {
            b.next = new B28DeepExpressions();
            b.next.l = b.l * 3 + i;
            b = b.next;
        }
        return this;
    }

    public static void main(String[] args) {
        System.out.println(r(12));
        System.out.println(
                m(
                        m(1, 2, 3, 4, 5, 6),
                        f(1, 2, 3, 4, 5, 6, 7, 8),
                        m(1, s++, s++, s++, s++, s++),
                        s,
                        0.5,
                        0.25f));
        int[][] g = new int[4][4];
        int i = 0;
        g[i++][i++] = g[i][i - 1] = i++ + (g[0][0] = 7);
        System.out.println(g[0][1] + g[2][1] * 10 + g[0][0] * 100 + i);
        long[] a = {1, 2, 3};
        int k = 0;
        a[k++] += a[k++] *= a[k] -= 5;
        System.out.println(a[0] + " ".length() + a[1] * 100 + a[2] * 10000);
        B28DeepExpressions o = new B28DeepExpressions().chain(20);
        System.out.println(
                o.next.next.next.next.next.next.next.l++ + o.next.next.next.next.next.next.next.l);
        o.next.l += o.l = o.next.next.l -= 4;
        System.out.println(o.l + o.next.l);
        System.out.println(
                (1
                        + (2
                                + (3
                                        + (4
                                                + (5
                                                        + (6
                                                                + (7
                                                                        + (8
                                                                                + (9
                                                                                        + (10
                                                                                                + f(
                                                                                                        1,
                                                                                                        (2
                                                                                                                + (3
                                                                                                                        * (4
                                                                                                                                + (5
                                                                                                                                        * (6
                                                                                                                                                + s))))),
                                                                                                        3,
                                                                                                        4,
                                                                                                        5,
                                                                                                        6,
                                                                                                        7,
                                                                                                        8))))))))))));
        double d = 1;
        d =
                ((((d + 0.5) * 2 - 1) / 3 + d) * (d - 0.25)
                        + (((d * d) - (d / 7)) * ((d + 3) - (d * 2))));
        System.out.println(d);
        boolean b = ((s > 3) ^ (s < 9)) | !(s == 5) & ((s & 1) == 1 ? s > 2 : s < 1);
        System.out.println(b);
        String t =
                "a"
                        + (s > 0 ? "b" + (s > 100 ? "c" : "d" + s) : "e")
                        + 'f'
                        + 1
                        + 2L
                        + (1 + 2)
                        + 1.5f
                        + null
                        + true;
        System.out.println(t);
    }
}
