/** Stores whose number and targets are known, for `run`. */
public class Counted {
    int field;
    static int total;
    static Counted shared = new Counted();
    static int[] elements = new int[64];

    static void toShared(Counted c, int n) {
        for (int i = 0; i < n; i++) {
            c.field = i;
        }
    }
    static void toStatic(int n) {
        for (int i = 0; i < n; i++) {
            total = i;
        }
    }
    static void toElements(int[] a, int n) {
        for (int i = 0; i < n; i++) {
            a[i & 63] = i;
        }
    }
    /** Three stores and one load: compiled code fences them once. */
    static int together(Counted c, int[] a, int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            c.field = i;
            a[i & 63] = i;
            total = i;
            sum += c.field;
        }
        return sum;
    }

    public static void main(String[] args) {
        int n = 1_000_000;
        toShared(shared, n);
        toShared(new Counted(), n);
        toStatic(n);
        toElements(elements, n);
        toElements(new int[64], n);
        System.out.println(together(shared, elements, n));
    }
}
