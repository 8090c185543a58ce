/** Whether a power of two divides a number is seen from its lowest bits; the remainder itself has a sign. */
public class B43DividesByPower {
    private static int ints(int x) {
        int bits = 0;
        bits |= x % 1024 == 0 ? 1 : 0;
        bits |= x % -1024 != 0 ? 2 : 0;
        bits |= x % Integer.MIN_VALUE == 0 ? 4 : 0;
        bits |= x % 2 == 1 ? 8 : 0;
        bits |= x % 2 == -1 ? 16 : 0;
        bits |= x % 1 == 0 ? 32 : 0;
        bits |= x % -1 != 0 ? 64 : 0;
        bits |= x % 8 < 0 ? 128 : 0;
        bits |= x % 1000 == 0 ? 256 : 0;
        int r = x % 16;
        return bits + (r == 0 ? 512 : r * 1024);
    }

    private static int longs(long x) {
        int bits = 0;
        bits |= x % 1024L == 0L ? 1 : 0;
        bits |= x % -1024L != 0L ? 2 : 0;
        bits |= x % Long.MIN_VALUE == 0L ? 4 : 0;
        bits |= x % 2L == 1L ? 8 : 0;
        bits |= x % (1L << 40) == 0L ? 16 : 0;
        bits |= x % 1L == 0L ? 32 : 0;
        bits |= x % 8L <= 0L ? 64 : 0;
        return bits + (int) (x % 4096L) * 128;
    }

    public static void main(String[] args) {
        int[] some = {0, 1, -1, 2, -2, 1023, 1024, -1024, 1025, -1025, 2048, 1000, -3000, 1 << 30,
            Integer.MIN_VALUE, Integer.MIN_VALUE + 1, Integer.MAX_VALUE, Integer.MIN_VALUE + 1024};
        long sum = 0;
        for (int round = 0; round < 2000; round++) {
            for (int x : some) {
                sum = sum * 31 + ints(x + round % 3) + longs(((long) x << 20) + round % 5) + longs(x);
            }
        }
        for (int x : some) {
            System.out.println(x + " " + ints(x) + " " + longs(x) + " " + longs((long) x << 33));
        }
        System.out.println(longs(Long.MIN_VALUE) + " " + longs(Long.MAX_VALUE) + " " + longs(1L << 40) + " " + sum);
    }
}
