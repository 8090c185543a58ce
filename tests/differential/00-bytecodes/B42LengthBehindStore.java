/** An array's length never changes: where it is subtracted in place, a fence owed by a store may wait behind it. */
public class B42LengthBehindStore {
    static int s = 3;
    static int t;

    static int minus(int[] a) {
        int early = s;
        t = early;
        return (short) (early - a.length);
    }
    static int and(int[] a, int n) {
        int early = s;
        t = n;
        return early & a.length;
    }
    static boolean less(long[] a) {
        int early = s;
        t = 5;
        return early < a.length;
    }
    public static void main(String[] args) {
        int[] a = new int[7];
        long[] b = new long[4];
        int sum = 0;
        for (int i = 1; i < 5000; i++) {
            sum += minus(a) + and(a, i) + (less(b) ? 1 : 0);
            s = i & 15;
        }
        System.out.println(sum + " " + t);
    }
}
