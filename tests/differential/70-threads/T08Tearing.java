// covers: lastore(atomic) laload(atomic) JVM_ArrayCopy(concurrent) JVM_Clone(concurrent)
// 64-bit values are never seen in halves, whatever copies them; neighbours of a byte are never
// rewritten.
import java.util.*;

public class T08Tearing {
    static long[] la = new long[64], lb = new long[64];
    static double[] da = new double[64];
    long lf;
    double df;
    static long ls;
    static byte[] ba = new byte[64];
    static volatile boolean stop;
    static volatile String bad;

    static void ck(long v) {
        if (v != 0 && v != -1L && v != 0x5555555555555555L) bad = Long.toHexString(v);
    }

    public static void main(String[] args) throws Exception {
        T08Tearing o = new T08Tearing();
        List<Thread> ts = new ArrayList<>();
        long[] vals = {0, -1L, 0x5555555555555555L};
        ts.add(
                new Thread(
                        () -> {
                            for (int i = 0; !stop; i++) {
                                long v = vals[i % 3];
                                la[i & 63] = v;
                                o.lf = v;
                                ls = v;
                                o.df = Double.longBitsToDouble(v == 0x5555555555555555L ? v : 0);
                                da[i & 63] = Double.longBitsToDouble(v == -1L ? 0 : v);
                                if ((i & 1023) == 0) System.arraycopy(la, 1, la, 2, 60);
                                if ((i & 2047) == 1) Arrays.fill(la, v);
                            }
                        }));
        ts.add(
                new Thread(
                        () -> {
                            for (int i = 0; !stop; i++) {
                                ck(la[i & 63]);
                                ck(o.lf);
                                ck(ls);
                                ck(Double.doubleToRawLongBits(o.df));
                                ck(Double.doubleToRawLongBits(da[i & 63]));
                                if ((i & 511) == 0) {
                                    System.arraycopy(la, 0, lb, 0, 64);
                                    for (long v : lb) ck(v);
                                    for (long v : la.clone()) ck(v);
                                    for (long v : Arrays.copyOf(la, 40)) ck(v);
                                    try {
                                        T08Tearing c = (T08Tearing) o.getClass().cast(o);
                                        ck(c.lf);
                                    } catch (ClassCastException e) {
                                    }
                                }
                            }
                        }));
        for (int k = 0; k < 2; k++) {
            int me = k;
            ts.add(
                    new Thread(
                            () -> {
                                for (int i = 0; i < 200000; i++) {
                                    ba[me]++;
                                    ba[me + 8]--;
                                    ba[32 + me] ^= 1;
                                }
                                synchronized (la) {
                                    bytes += ba[me] + ba[me + 8];
                                }
                            }));
        }
        for (Thread t : ts) t.start();
        ts.get(2).join();
        ts.get(3).join();
        Thread.sleep(300);
        stop = true;
        for (Thread t : ts) t.join();
        System.out.println(bad + " " + ba[0] + ba[1] + ba[8] + ba[9] + " " + bytes);
    }

    static int bytes;
}
