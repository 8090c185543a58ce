// covers: tableswitch(moved) lookupswitch(moved)
// A call, at which all may move; then a switch, one edge of which hands on what another case uses.
public class G11SwitchEdges {
    static Object sink;

    static final class Box {
        final int value;

        Box(int value) {
            this.value = value;
        }
    }

    /** Enough calls and allocations for a collection somewhere. */
    static void churn(int n) {
        Object[] last = null;
        for (int i = 0; i < n; i++) {
            last = new Object[] {last == null || i % 50 == 0 ? null : last, new Box(i)};
        }
        sink = last;
    }

    /** Few cases: one comparison after the other. */
    static Object few(Object a, Object b, int k) {
        churn(40);
        Object x = a;
        switch (k) {
            case 1:
                return a;
            case 2:
                x = b;
                break;
            case 3:
                return b;
        }
        return x;
    }

    /** Many cases. */
    static Object many(Object a, Object b, int k) {
        churn(40);
        Object x = a;
        switch (k) {
            case 1: return a;
            case 2: x = b; break;
            case 3: return b;
            case 4: break;
            case 5: return a;
            case 6: return b;
            case 7: x = b; break;
            case 8: return a;
            case 90: return b;
            case 100: x = b; break;
            case 110: return a;
            case 1200: return b;
        }
        return x;
    }

    static int value(Object o) {
        return ((Box) o).value;
    }

    public static void main(String[] args) {
        int[] keys = {1, 2, 3, 4, 5, 6, 7, 8, 90, 100, 110, 1200, -1};
        long sum = 0;
        for (int i = 0; i < 4000; i++) {
            int k = keys[i % keys.length];
            sum = sum * 31 + value(few(new Box(i), new Box(-i), k % 5)) * 3L + value(many(new Box(i), new Box(-i), k));
        }
        System.out.println(sum);
    }
}
