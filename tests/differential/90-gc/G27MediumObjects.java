// vm: own -Xmx64m
// skip-mode: zeal move jitmove
import java.util.HashMap;
import java.util.Random;

/**
 * Three quarters of a heap live in arrays of 3 to 12 KB, of which a few fit into a block: replaced at random they leave room for
 * each other.
 */
public class G27MediumObjects {
    public static void main(String[] args) {
        long alive = 49 << 20;
        int n = (int) (alive / 7560);
        HashMap<Integer, byte[]> map = new HashMap<>(n * 2);
        Random random = new Random(1);
        for (int i = 0; i < n; i++) {
            map.put(i, new byte[3000 + random.nextInt(9000)]);
        }
        long sum = 0;
        for (long bytes = 4 * alive; bytes > 0; ) {
            byte[] b = new byte[3000 + random.nextInt(9000)];
            b[0] = 1;
            sum += map.put(random.nextInt(n), b)[0];
            bytes -= b.length;
        }
        System.out.println(map.size() + " " + sum);
    }
}
