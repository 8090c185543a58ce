// covers: iinc(ok) goto(backward)
public class B20Loops {
    static int sieve(int n) {
        boolean[] composite = new boolean[n + 1];
        int count = 0;
        for (int i = 2; i <= n; i++) {
            if (!composite[i]) {
                count++;
                for (int j = i + i; j <= n; j += i) composite[j] = true;
            }
        }
        return count;
    }

    static int collatz(int limit) {
        int best = 0, at = 0;
        for (int i = 1; i < limit; i++) {
            long n = i;
            int steps = 0;
            while (n != 1) {
                n = (n & 1) == 0 ? n >> 1 : 3 * n + 1;
                steps++;
            }
            if (steps > best) {
                best = steps;
                at = i;
            }
        }
        return at * 1000 + best;
    }

    static int gcd(int a, int b) {
        while (b != 0) {
            int t = a % b;
            a = b;
            b = t;
        }
        return a;
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

    static long matrix(int n) {
        double[][] a = new double[n][n], b = new double[n][n], c = new double[n][n];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                a[i][j] = i + j;
                b[i][j] = i - j;
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double s = 0;
                for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];
                c[i][j] = s;
            }
        double t = 0;
        for (double[] row : c) for (double x : row) t += x * 0.5;
        return (long) t;
    }

    public static void main(String[] args) {
        System.out.println(sieve(20000));
        System.out.println(collatz(3000));
        System.out.println(gcd(1071 * 64, 462 * 64));
        int seed = 42;
        int[] a = new int[200];
        for (int i = 0; i < a.length; i++) {
            seed = seed * 1103515245 + 12345;
            a[i] = seed >>> 16;
        }
        sort(a);
        int h = 0;
        for (int v : a) h = h * 31 + v;
        System.out.println(h);
        System.out.println(matrix(24));
    }
}
