// covers: JVM_ArrayCopy
public class S06Arraycopy {
    static int h;

    static void mix(long v) {
        h = h * 31 + (int) (v ^ v >>> 32);
    }

    public static void main(String[] args) {
        for (int len = 0; len < 40; len++) {
            for (int src = 0; src < 9; src++) {
                for (int dst = 0; dst < 9; dst += 2) {
                    byte[] b = new byte[64];
                    short[] s = new short[64];
                    int[] i = new int[64];
                    long[] l = new long[64];
                    char[] c = new char[64];
                    float[] f = new float[64];
                    double[] d = new double[64];
                    boolean[] z = new boolean[64];
                    Object[] o = new Object[64];
                    for (int k = 0; k < 64; k++) {
                        b[k] = (byte) (k * 3);
                        s[k] = (short) (k * 5);
                        i[k] = k * 7;
                        l[k] = k * 11L;
                        c[k] = (char) (k * 13);
                        f[k] = k;
                        d[k] = k;
                        z[k] = k % 3 == 0;
                        o[k] = k;
                    }
                    System.arraycopy(b, src, b, dst, len);
                    System.arraycopy(s, src, s, dst, len);
                    System.arraycopy(i, src, i, dst, len);
                    System.arraycopy(l, src, l, dst, len);
                    System.arraycopy(c, src, c, dst, len);
                    System.arraycopy(f, src, f, dst, len);
                    System.arraycopy(d, src, d, dst, len);
                    System.arraycopy(z, src, z, dst, len);
                    System.arraycopy(o, src, o, dst, len);
                    for (int k = 0; k < 64; k++) {
                        mix(b[k]);
                        mix(s[k]);
                        mix(i[k]);
                        mix(l[k]);
                        mix(c[k]);
                        mix((long) f[k]);
                        mix((long) d[k]);
                        mix(z[k] ? 1 : 0);
                        mix((Integer) o[k]);
                    }
                }
            }
            System.out.println(h);
        }
        // A store check fails in the middle: what was copied before stays.
        Object[] from = {"a", "b", 3, "d"};
        String[] to = new String[4];
        try {
            System.arraycopy(from, 0, to, 0, 4);
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(java.util.Arrays.toString(to));
        System.out.println(
                java.util.Arrays.toString(java.util.Arrays.copyOf(new int[] {1, 2, 3}, 5)));
        System.out.println(java.util.Arrays.copyOfRange(new String[] {"x", "y", "z"}, 1, 3)[1]);
        System.out.println(
                java.util.Arrays.copyOf(new Object[] {"x"}, 2, String[].class)
                        .getClass()
                        .getName());
    }
}
