/** Objects nearly all of which are stored where other threads find them, for `run`. */
public class Published {
    static final Published[] known = new Published[64];
    int n;

    static int publish(int from, int to) {
        int sum = 0;
        for (int i = from; i < to; i++) {
            Published p = new Published();
            p.n = i;
            known[i & 63] = p;
            sum += p.n;
        }
        return sum;
    }

    public static void main(String[] args) {
        int sum = 0;
        // Called often, not long: nobody is in the old code for ever.
        for (int i = 0; i < 8_000; i++) {
            sum += publish(i * 1000, (i + 1) * 1000);
        }
        System.out.println(sum);
    }
}
