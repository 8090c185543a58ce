// covers: monitorenter(contended,inflated,hash-then-lock) monitorexit(contended)
import java.util.*;

public class T04MonitorStress {
    static class Buf {
        final int[] a = new int[8];
        int n, in, out;

        synchronized void put(int v) throws InterruptedException {
            while (n == a.length) wait();
            a[in] = v;
            in = (in + 1) % a.length;
            n++;
            notifyAll();
        }

        synchronized int take() throws InterruptedException {
            while (n == 0) wait();
            int v = a[out];
            out = (out + 1) % a.length;
            n--;
            notifyAll();
            return v;
        }
    }

    public static void main(String[] args) throws Exception {
        Buf b = new Buf();
        long[] sums = new long[3];
        Thread[] ts = new Thread[6];
        for (int i = 0; i < 3; i++) {
            int k = i;
            ts[i] =
                    new Thread(
                            () -> {
                                try {
                                    for (int j = 0; j < 2000; j++) b.put(j);
                                } catch (InterruptedException e) {
                                }
                            });
            ts[i + 3] =
                    new Thread(
                            () -> {
                                try {
                                    for (int j = 0; j < 2000; j++) sums[k] += b.take();
                                } catch (InterruptedException e) {
                                }
                            });
        }
        for (Thread t : ts) t.start();
        for (Thread t : ts) t.join();
        System.out.println(sums[0] + sums[1] + sums[2]);
        Object[] locks = new Object[16];
        int[] hashes = new int[16];
        int[] counts = new int[16];
        for (int i = 0; i < 16; i++) {
            locks[i] = new Object();
            if (i % 2 == 0) hashes[i] = locks[i].hashCode();
        }
        Thread[] us = new Thread[4];
        boolean[] bad = new boolean[1];
        for (int t = 0; t < 4; t++) {
            int seed = t;
            us[t] =
                    new Thread(
                            () -> {
                                Random r = new Random(seed);
                                for (int j = 0; j < 20000; j++) {
                                    int k = r.nextInt(16);
                                    synchronized (locks[k]) {
                                        counts[k]++;
                                        if (j % 100 == 0) {
                                            int h = locks[k].hashCode();
                                            if (hashes[k] == 0) hashes[k] = h;
                                            else if (hashes[k] != h) bad[0] = true;
                                        }
                                        if (k > 0 && j % 50 == 0)
                                            synchronized (locks[k - 1]) {
                                                counts[k - 1]++;
                                            }
                                    }
                                }
                            });
            us[t].start();
        }
        for (Thread t : us) t.join();
        int total = 0;
        for (int c : counts) total += c;
        int expect = 0;
        for (int t = 0; t < 4; t++) {
            Random r = new Random(t);
            for (int j = 0; j < 20000; j++) {
                int k = r.nextInt(16);
                expect++;
                if (k > 0 && j % 50 == 0) expect++;
            }
        }
        System.out.println((total == expect) + " " + bad[0]);
        Object deep = new Object();
        System.out.println(nest(deep, 5000));
        for (int i = 0; i < 100000; i++)
            synchronized (new Object()) {
            }
        Object[] many = new Object[20000];
        for (int i = 0; i < many.length; i++) many[i] = new Object();
        System.out.println(hold(many, 0, 500));
    }

    static int nest(Object o, int n) {
        synchronized (o) {
            return n == 0 ? (Thread.holdsLock(o) ? 1 : 0) : nest(o, n - 1) + 1;
        }
    }

    static int hold(Object[] m, int i, int n) {
        if (i == n) {
            int h = 0;
            for (int k = 0; k < n; k++) if (Thread.holdsLock(m[k])) h++;
            return h;
        }
        synchronized (m[i]) {
            return hold(m, i + 1, n);
        }
    }
}
