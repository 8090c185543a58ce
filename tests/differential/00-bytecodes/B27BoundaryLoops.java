// covers: if_icmplt(taken) iinc(overflow) lcmp(less)
public class B27BoundaryLoops {
    public static void main(String[] args) {
        int n = 0;
        for (int i = Integer.MAX_VALUE - 3; i > 0; i++) n++;
        System.out.println(n);
        n = 0;
        for (int i = Integer.MIN_VALUE + 3; i < 0; i--) n++;
        System.out.println(n);
        n = 0;
        for (byte b = 0; b >= 0; b++) n++;
        System.out.println(n);
        n = 0;
        for (char c = 1; c != 0; c++) n++;
        System.out.println(n);
        n = 0;
        for (short s = 0; s >= 0; s += 100) n++;
        System.out.println(n);
        n = 0;
        for (long l = Long.MAX_VALUE - 2; l > 0; l++) n++;
        System.out.println(n);
        n = 0;
        for (float f = 0; f < 1; f += 0.1f) n++;
        System.out.println(n);
        n = 0;
        for (double d = 1; d > 0; d /= 2) n++;
        System.out.println(n);
        float big = 16777216f;
        System.out.println(big + 1 == big);
        n = 0;
        for (double d = Double.NaN; !(d >= 0) && n < 3; ) n++;
        System.out.println(n);
        long acc = 0;
        for (int i = 0; i < 100000; i++) {
            acc += i * i;
            acc ^= acc << 7;
            acc = acc % 1000000007L;
        }
        System.out.println(acc);
        int h = 17;
        for (int i = 0; i < 300000; i++) {
            h = h * 31 + (i ^ h >>> 3);
            if ((h & 7) == 3) h -= i;
            else if (h < 0) h = -h;
            else h |= 1;
        }
        System.out.println(h);
        int w = 0;
        while (true) {
            if (++w > 1000) break;
            if (w % 3 == 0) continue;
            w += w & 1;
        }
        System.out.println(w);
        label:
        {
            if (w > 5) break label;
            System.out.println("no");
        }
        int m = 0;
        do {
            m += 3;
            if (m == 9) continue;
            if (m > 20) break;
        } while (m < 100);
        System.out.println(m);
        System.out.println(nested(12));
    }

    static int nested(int k) {
        int r = 0;
        a:
        for (int i = 0; i < k; i++) {
            b:
            for (int j = 0; j < k; j++) {
                for (int q = 0; q < k; q++) {
                    if (q == 5) continue b;
                    if (j == 7) continue a;
                    if (i == 9) break a;
                    r += i + j * q;
                }
            }
        }
        return r;
    }
}
