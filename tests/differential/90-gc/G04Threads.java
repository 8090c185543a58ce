// skip-mode: zeal move
// vm: own -Xmx64m
import java.util.*;

public class G04Threads {
    static final Object[] shared = new Object[64];
    static volatile boolean stop;

    public static void main(String[] args) throws Exception {
        Thread[] ts = new Thread[4];
        String[] bad = new String[4];
        for (int t = 0; t < 4; t++) {
            int me = t;
            ts[t] =
                    new Thread(
                            () -> {
                                Random r = new Random(me);
                                ArrayList<int[]> mine = new ArrayList<>();
                                for (int i = 0; i < 60000; i++) {
                                    int[] x = {i, me, i ^ me};
                                    mine.add(x);
                                    if (mine.size() > 500) mine.remove(r.nextInt(500));
                                    synchronized (shared) {
                                        shared[r.nextInt(64)] = x;
                                    }
                                    Object[] o;
                                    int[] y;
                                    synchronized (shared) {
                                        y = (int[]) shared[r.nextInt(64)];
                                    }
                                    if (y != null && (y[0] ^ y[1]) != y[2]) bad[me] = "corrupt";
                                }
                                for (int[] x : mine) if ((x[0] ^ x[1]) != x[2]) bad[me] = "corrupt";
                            });
            ts[t].start();
        }
        Thread g =
                new Thread(
                        () -> {
                            while (!stop) {
                                System.gc();
                                try {
                                    Thread.sleep(5);
                                } catch (InterruptedException e) {
                                }
                            }
                        });
        g.start();
        Thread sp =
                new Thread(
                        () -> {
                            long n = 0;
                            while (!stop) n++;
                        });
        sp.start();
        for (Thread t : ts) t.join();
        stop = true;
        g.join();
        sp.join();
        System.out.println(Arrays.toString(bad));
        Thread[] many = new Thread[100];
        int[] c = new int[1];
        for (int i = 0; i < 100; i++) {
            many[i] =
                    new Thread(
                            () -> {
                                byte[][] k = new byte[20][];
                                for (int j = 0; j < 200; j++) k[j % 20] = new byte[500];
                                synchronized (c) {
                                    c[0]++;
                                }
                            });
            many[i].start();
        }
        for (Thread t : many) t.join();
        System.out.println(c[0]);
    }
}
