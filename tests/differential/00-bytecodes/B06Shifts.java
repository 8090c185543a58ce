// covers: ishl(ok,beyond) ishr(ok,beyond) iushr(ok,beyond) lshl(ok,beyond) lshr(ok,beyond)
// covers: lushr(ok,beyond)
public class B06Shifts {
    static final int[] COUNTS = {
        0, 1, 5, 31, 32, 33, 63, 64, 65, -1, -32, -33, Integer.MIN_VALUE, Integer.MAX_VALUE
    };
    static final int[] INTS = {1, -1, 0x12345678, Integer.MIN_VALUE, Integer.MAX_VALUE};
    static final long[] LONGS = {1, -1, 0x123456789abcdef0L, Long.MIN_VALUE, Long.MAX_VALUE};

    public static void main(String[] args) {
        for (int c : COUNTS) {
            for (int v : INTS) {
                System.out.println(v << c);
                System.out.println(v >> c);
                System.out.println(v >>> c);
            }
            for (long v : LONGS) {
                System.out.println(v << c);
                System.out.println(v >> c);
                System.out.println(v >>> c);
            }
        }
        System.out.println(1 << 33L);
        System.out.println(-1 >>> 28);
        // Known to a compiler, not folded by javac.
        int minus = -17, by = 35;
        long wide = -17L << 32;
        System.out.println((minus << by) + " " + (minus >> by) + " " + (minus >>> by));
        System.out.println((wide << by) + " " + (wide >> by) + " " + (wide >>> by));
        byte b = -1;
        b >>>= 1;
        System.out.println(b);
    }
}
