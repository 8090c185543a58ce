// vm: own -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions -XX:CompileThresholdScaling=0.02 -XX:-BackgroundCompilation -XX:+VerifyAfterGC
// covers: publication(small,leaf,nested,cycle,hash,locked,monitor,reference,array,large)
import java.lang.ref.WeakReference;

/**
 * Objects of every shape go from compiled code to another thread, which reads, writes, hashes and locks them and what they
 * lead to. Collections look whether what is reached has been published.
 */
public class T20SmallPublications {
    static final class Leaf {
        int a;
        long b;

        Leaf(int n) {
            a = n;
            b = -n;
        }
    }

    static class One {
        Object x;
        int n;

        One(int n, Object x) {
            this.n = n;
            this.x = x;
        }
    }

    static final class Wide {
        Object a, b, c;
        int n;
        Object d, e;
        long w;
        Object f, g, h;
    }

    static final class Large {
        long f0;
        long f1;
        long f2;
        long f3;
        long f4;
        long f5;
        long f6;
        long f7;
        long f8;
        long f9;
        long f10;
        long f11;
        long f12;
        long f13;
        long f14;
        long f15;
        long f16;
        long f17;
        long f18;
        long f19;
        long f20;
        long f21;
        long f22;
        long f23;
        long f24;
        long f25;
        long f26;
        long f27;
        long f28;
        long f29;
        long f30;
        long f31;
        long f32;
        long f33;
        long f34;
        long f35;
        long f36;
        long f37;
        long f38;
        long f39;
        long f40;
        long f41;
        long f42;
        long f43;
        long f44;
        long f45;
        long f46;
        long f47;
        long f48;
        long f49;
        long f50;
        long f51;
        long f52;
        long f53;
        long f54;
        long f55;
        long f56;
        long f57;
        long f58;
        long f59;
        long f60;
        long f61;
        long f62;
        long f63;
        long f64;
        long f65;
        Object last;
    }

    static final int SIZE = 64, ROUNDS = 12_000, SHAPES = 20;
    static final Object[] ring = new Object[SIZE];
    static volatile int put, taken;
    static final Leaf known = new Leaf(7);

    static Object make(int i, int shape) throws InterruptedException {
        switch (shape) {
            case 0: return new Leaf(i);
            case 1: return new One(i, null);
            case 2: return new One(i, new Leaf(i));
            case 3: return new One(i, new int[] {i, 1});
            case 4: return new One(i, known);
            case 5: return new One(i, new One(i + 1, new Leaf(i)));
            case 6: {
                One o = new One(i, null);
                o.x = o;
                return o;
            }
            case 7: {
                Wide w = new Wide();
                w.n = i;
                w.a = new Leaf(i);
                w.c = new byte[] {(byte) i};
                w.d = known;
                w.f = w.a;
                w.h = new Long(i);
                return w;
            }
            case 8: {
                Wide w = new Wide();
                w.n = i;
                w.b = new long[] {i};
                w.h = new One(i, new Leaf(i));
                w.g = new Leaf(i);
                return w;
            }
            case 9: return new String(new char[] {(char) ('a' + i % 26), 'x'});
            case 10: return new Object[0];
            case 11: return new Object[] {new Leaf(i), null, new One(i, new Leaf(i))};
            case 12: return new WeakReference<>(new One(i, known));
            case 13: {
                Large l = new Large();
                l.f65 = i;
                l.last = new Leaf(i);
                return l;
            }
            case 14: {
                One o = new One(i, new Leaf(i));
                int hash = System.identityHashCode(o) ^ System.identityHashCode(o.x);
                return new One(hash, o);
            }
            case 15: {
                Leaf child = new Leaf(i);
                if (i % 40 == 15) {
                    synchronized (child) {
                        child.wait(0, 1);
                    }
                }
                return new One(i, child);
            }
            case 16: {
                One o = new One(i, new Leaf(i));
                if (i % 40 == 16) {
                    synchronized (o) {
                        o.wait(0, 1);
                    }
                }
                return o;
            }
            case 17: return new One(i, new One(i, new One(i, null)));
            case 18: return new One(i, new int[0]);
            default: return new Integer(i);
        }
    }

    /** Stores it while its maker holds its lock, or that of what it leads to. */
    static void give(int at, Object o) {
        if (o instanceof One && at % 3 == 0) {
            Object child = ((One) o).x;
            synchronized (child == null ? o : child) {
                synchronized (o) {
                    ring[at % SIZE] = o;
                }
            }
        } else {
            ring[at % SIZE] = o;
        }
    }

    static long look(Object o) {
        if (o == null) return 1;
        long sum = System.identityHashCode(o) == 0 ? 1000 : 2;
        synchronized (o) {
            if (o instanceof Leaf) {
                Leaf l = (Leaf) o;
                sum += l.a + (l.b == -l.a ? 0 : 5000);
                l.a += 0;
            } else if (o instanceof One) {
                One n = (One) o;
                Object x = n.x;
                n.x = null;
                sum += x == o ? 3 : look(x);
                n.x = x;
                if (x instanceof One && ((One) x).x instanceof Leaf) {
                    int hash = System.identityHashCode(x) ^ System.identityHashCode(((One) x).x);
                    sum += n.n == hash ? 100 : 0;
                }
            } else if (o instanceof Wide) {
                Wide w = (Wide) o;
                sum += w.n + look(w.a) + look(w.b) + look(w.c) + look(w.d) + look(w.f) + look(w.g) + look(w.h);
                w.e = w.a;
            } else if (o instanceof Object[]) {
                for (Object x : (Object[]) o) sum += look(x);
            } else if (o instanceof WeakReference) {
                Object x = ((WeakReference<?>) o).get();
                sum += x == null ? 9 : look(x) - look(x) + 9;
            } else if (o instanceof Large) {
                Large l = (Large) o;
                sum += l.f65 + look(l.last);
            } else if (o instanceof int[]) {
                sum += ((int[]) o).length;
            } else if (o instanceof Number) {
                sum += ((Number) o).intValue();
            } else if (o instanceof String) {
                sum += ((String) o).charAt(0) + ((String) o).hashCode() % 7;
            }
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        long[] sums = new long[SHAPES];
        Thread taker = new Thread(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                while (put == i) Thread.onSpinWait();
                sums[i % SHAPES] += look(ring[i % SIZE]);
                taken = i + 1;
            }
        });
        taker.start();
        for (int i = 0; i < ROUNDS; i++) {
            while (i - taken >= SIZE) Thread.onSpinWait();
            give(i, make(i, i % SHAPES));
            put = i + 1;
            if (i % 1_500 == 0) System.gc();
        }
        taker.join();
        for (int s = 0; s < SHAPES; s++) System.out.println(s + ": " + sums[s]);
    }
}
