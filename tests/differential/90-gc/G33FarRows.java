// vm: own -Xbatch -XX:ReservedCodeCacheSize=2047m
/** Code that lies too far from the VM for a short call: what it calls is reached by way of jumps. */
public class G33FarRows {
    interface Shape { int area(); }
    record Square(int side) implements Shape { public int area() { return side * side; } }
    record Strip(int length) implements Shape { public int area() { return length; } }

    static Object[] shared = new Object[64];
    static volatile Shape last;

    static int rows(int n) {
        int[] a = new int[n & 15];
        Shape s = (n & 1) == 0 ? new Square(n & 7) : new Strip(n);
        shared[n & 63] = s;
        last = s;
        int sum = a.length + s.area();
        try {
            sum += a[n & 31];
        } catch (ArrayIndexOutOfBoundsException e) {
            sum += e.getMessage().length();
        }
        synchronized (shared) {
            sum += shared[(n * 7) & 63] instanceof Square q ? q.side() : 1;
        }
        sum += "abc".compareTo("ab" + (char) ('a' + (n & 3)));
        sum += a.clone().length + System.identityHashCode(s) * 0;
        sum += (int) Math.sin(n) + new int[2][3].length;
        System.arraycopy(shared, 0, shared, 1, 8);
        try {
            Shape none = (n & 255) == 0 ? null : s;
            sum += none.area();
        } catch (NullPointerException e) {
            sum += 3;
        }
        return sum;
    }

    public static void main(String[] args) {
        long sum = 0;
        for (int i = 0; i < 60_000; i++) {
            sum += rows(i);
        }
        System.out.println(sum);
    }
}
