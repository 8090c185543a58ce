// skip-mode: zeal move
// vm: own -Xmx128m
public class G06BigObjects {
    public static void main(String[] args) {
        long t = 0;
        for (int i = 0; i < 40; i++) {
            long[] a = new long[1_000_000 + i];
            a[a.length - 1] = i;
            Object[] o = new Object[500_000];
            o[499_999] = a;
            t += a[a.length - 1] + (o[0] == null ? 1 : 0) + ((long[]) o[499_999]).length;
        }
        System.out.println(t);
        int[][] grid = new int[1000][1000];
        for (int i = 0; i < 1000; i++) grid[i][i] = i;
        System.gc();
        int s = 0;
        for (int i = 0; i < 1000; i++) s += grid[i][i] + grid[i][(i + 1) % 1000];
        System.out.println(s);
        byte[] b = new byte[30_000_000];
        byte[] c = b.clone();
        c[29_999_999] = 5;
        System.arraycopy(c, 1, b, 0, 29_999_999);
        System.out.println(b[29_999_998]);
        StringBuilder sb = new StringBuilder();
        for (int i = 0; i < 2_000_000; i++) sb.append((char) ('a' + i % 26));
        System.out.println(sb.toString().hashCode());
        for (int size :
                new int[] {
                    0, 1, 7, 8, 31, 32, 33, 127, 1000, 4095, 4096, 8191, 16384, 32767, 32768, 65536,
                    131072, 262144
                }) {
            byte[] x = new byte[size];
            for (byte v : x) if (v != 0) System.out.println("dirty");
            java.util.Arrays.fill(x, (byte) -1);
        }
        System.out.println("clean");
    }
}
