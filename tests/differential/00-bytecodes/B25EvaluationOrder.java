// covers: iastore(aioobe) idiv(arithmetic) putfield(npe)
// JLS 15.7: operands are evaluated left to right, and what was evaluated before an exception stays
// done.
public class B25EvaluationOrder {
    int f;
    static int log;

    static int t(int id, int v) {
        log = log * 10 + id;
        return v;
    }

    static int[] arr(int id, int[] a) {
        log = log * 10 + id;
        return a;
    }

    static B25EvaluationOrder obj(int id, B25EvaluationOrder o) {
        log = log * 10 + id;
        return o;
    }

    static int boom(int id) {
        log = log * 10 + id;
        throw new IllegalStateException();
    }

    static void show(String s) {
        System.out.println(s);
        System.out.println(log);
        log = 0;
    }

    public static void main(String[] args) {
        int[] a = {1, 2, 3};
        try {
            arr(1, null)[t(2, 0)] = t(3, 5);
        } catch (NullPointerException e) {
            show("null array after value");
        }
        try {
            arr(1, a)[t(2, 9)] = t(3, 5);
        } catch (ArrayIndexOutOfBoundsException e) {
            show("index after value");
        }
        try {
            arr(1, a)[t(2, 9)] = boom(3);
        } catch (IllegalStateException e) {
            show("value throws first");
        }
        try {
            arr(1, null)[boom(2)] = t(3, 5);
        } catch (IllegalStateException e) {
            show("index throws");
        }
        try {
            obj(1, null).f = t(2, 5);
        } catch (NullPointerException e) {
            show("null object after value");
        }
        try {
            obj(1, null).f += t(2, 5);
        } catch (NullPointerException e) {
            show("compound reads first");
        }
        try {
            arr(1, a)[t(2, 9)] += t(3, 5);
        } catch (ArrayIndexOutOfBoundsException e) {
            show("compound index first");
        }
        System.out.println(t(1, 2) * t(2, 3) + t(3, 4) / t(4, 2));
        show("arithmetic");
        try {
            System.out.println(t(1, 1) / t(2, 0) + t(3, 1));
        } catch (ArithmeticException e) {
            show("division before the rest");
        }
        int i = 0;
        i = i++ + i++ * --i;
        System.out.println(i);
        int[] b = {0, 0, 0, 0};
        int k = 0;
        b[k++] = b[k++] = k++;
        System.out.println(b[0] + b[1] * 10 + b[2] * 100 + k * 1000);
        k = 1;
        b[k] = k = 2;
        System.out.println(b[1] + k * 10);
        int x = 10;
        x += x++ + ++x;
        System.out.println(x);
        int[] c = a;
        c[0] = (c = new int[] {7})[0];
        System.out.println(a[0] + c[0]);
        boolean r = t(1, 1) == 1 || t(2, 1) == 1 & t(3, 1) == 2;
        show("short circuit");
        r = t(1, 1) == 2 && t(2, 1) == 1 | t(3, 1) == 2;
        show("and");
        r = t(1, 0) == 1 ? t(2, 0) == 0 : t(3, 0) == 0;
        show("conditional");
        System.out.println(r ? 1 : 0);
        int s = 0;
        for (int p = t(1, 0); t(2, p) < 2; p += t(3, 1)) s += p;
        show("for");
        System.out.println(s);
        long wide = 1;
        wide <<= 40;
        int sh = 5;
        sh <<= 33L;
        byte by = 10;
        by *= 30;
        by /= 3;
        char ch = 'a';
        ch += 1.7;
        ch++;
        short so = (short) 40000;
        so >>>= 3;
        float fl = 3;
        fl %= 2.5;
        double dd = 7;
        dd -= 0.5f;
        int tr = 'a' + (by > 0 ? 1 : 2L > 1 ? 3 : 4);
        System.out.println(wide + sh + by + ch + so + tr);
        System.out.println(fl);
        System.out.println(dd);
        System.out.println((Object) (true ? 1 : 2.0));
        System.out.println((Object) (true ? null : 0));
        System.out.println(false ? 'a' : 98);
        final int cc = 98;
        System.out.println(false ? 'a' : cc);
        System.out.println(true ? 'a' : sh);
        System.out.println(
                (byte) 300
                        + (short) 70000
                        + (char) -1
                        + (int) 3.99e10
                        + (long) -1e30
                        + (int) Float.NaN);
    }
}
