// vm: own -Xmx64m
// skip-mode: zeal move deopt jitmove
import java.util.HashMap;
import java.util.Random;

/** Small objects that die at random, half of the heap alive: no piece of memory is free, and half of each is. */
public class G15RandomDeath {
    static long replace(int threads) throws InterruptedException {
        long[] sums = new long[threads];
        Thread[] all = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            int number = t;
            all[t] = new Thread(() -> {
                int entries = 240_000 / threads;
                HashMap<Integer, byte[]> map = new HashMap<>(entries * 2);
                Random random = new Random(number);
                for (int i = 0; i < entries; i++) map.put(i, new byte[64]);
                for (int i = 0; i < 5 * entries; i++) {
                    byte[] value = new byte[64];
                    value[0] = (byte) i;
                    sums[number] += map.put(random.nextInt(entries), value)[0];
                }
                for (byte[] v : map.values()) sums[number] = sums[number] * 31 + v[0];
            });
            all[t].start();
        }
        long sum = 0;
        for (int t = 0; t < threads; t++) {
            all[t].join();
            sum += sums[t];
        }
        return sum;
    }

    public static void main(String[] args) throws InterruptedException {
        System.out.println(replace(1));
        System.out.println(replace(3));
    }
}
