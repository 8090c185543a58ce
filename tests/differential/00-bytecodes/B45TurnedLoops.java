/**
 * Loops whose condition moves to their end: what the condition's block defines is read behind the loop, in handlers, by
 * ways out in the middle, in loops around it, and where code enters an inner loop.
 */
public class B45TurnedLoops {
    static final class P {
        P next;
        int v;

        P(int v, P next) {
            this.v = v;
            this.next = next;
        }
    }

    static int atEnd(int[] a, int k) {
        int i = 0;
        while (i < a.length && a[i] != k) {
            i++;
        }
        return i;
    }

    static int twoWaysOut(int[] a, int n) {
        int i;
        int last = -1;
        for (i = 0; i < n; i++) {
            if (a[i] < 0) {
                last = i;
                break;
            }
            if (a[i] == 7) {
                continue;
            }
            last = a[i];
        }
        return i * 1000 + last;
    }

    static long floats(double from, double step, double to) {
        long n = 0;
        for (double d = from; d < to; d += step) {
            n++;
            if (n > 5000) {
                return -n;
            }
        }
        for (double d = from; !(d >= to); d += step) {
            n += 3;
            if (n > 50000) {
                return -n;
            }
        }
        for (float f = (float) from; f != (float) to; f += (float) step) {
            n += 7;
            if (n > 500000) {
                return -n;
            }
        }
        return n;
    }

    static int checkedHead(P p) {
        int n = 0;
        while (p.next != null) {
            n += p.v;
            p = p.next;
        }
        return n * 10 + p.v;
    }

    static String thrown(P p, int turns) {
        int n = 0;
        try {
            while (p.v >= 0) {
                n++;
                p = p.next;
                if (n == turns) {
                    throw new IllegalStateException("at " + p.v);
                }
            }
        } catch (NullPointerException e) {
            return "null after " + n;
        } catch (IllegalStateException e) {
            return e.getMessage() + " after " + n;
        }
        return "ended after " + n + " at " + p.v;
    }

    static int handlerInside(int[] a, int n) {
        int s = 0;
        for (int i = 0, j = n; i < j; i++) {
            try {
                s += a[i] / (i % 5);
            } catch (ArithmeticException e) {
                s += i;
                j--;
            } catch (ArrayIndexOutOfBoundsException e) {
                return s * 31 + i;
            }
        }
        return s;
    }

    static long nested(int n) {
        long s = 0;
        int i = 0;
        for (; i < n; i++) {
            int j = i;
            inner:
            while (j-- > 0) {
                for (int k = j; ; k--) {
                    if (k < 0) {
                        continue inner;
                    }
                    if (k == 3) {
                        break inner;
                    }
                    s += k ^ i;
                }
            }
            s = s * 3 + j;
        }
        return s + i;
    }

    /** Long enough that the code enters it in the inner loop. */
    static long entered(int outer, int inner) {
        long s = 0;
        P last = new P(1, null);
        for (int u = 0; u < outer; u++) {
            for (int i = 0; i < inner; i++) {
                P p = new P(i, i % 1024 == 0 ? null : last);
                s += last.v ^ u;
                last = p;
                if (i % 4096 == 5) {
                    last.next = null;
                }
            }
            s = s * 5 + u;
        }
        return s + last.v;
    }

    /** What is carried is null in one turn, long after code has entered the loop. */
    static String carried(int n, int nullAt) {
        P last = new P(3, null);
        int i = 0;
        long s = 0;
        try {
            for (; i < n; i++) {
                s += last.v;
                last = i == nullAt ? null : new P(i, null);
            }
        } catch (NullPointerException e) {
            return "null at " + i + " sum " + s;
        }
        return "sum " + s;
    }

    static long locked(Object lock, int n) {
        long s = 0;
        synchronized (lock) {
            P p = new P(0, null);
            for (int i = 0; i < n; i++) {
                s += p.v;
                p = new P(i, null);
                synchronized (p) {
                    s ^= i;
                }
            }
        }
        return s + (Thread.holdsLock(lock) ? 1 : 0);
    }

    static int swapped(int n) {
        int a = 0;
        int b = 1;
        int c = 2;
        for (int i = 0; i < n; i++) {
            int t = a;
            a = b;
            b = c;
            c = t + i;
        }
        return a * 7 + b * 5 + c;
    }

    static long longs(long from, long to) {
        long s = 0;
        do {
            while (from < to) {
                s += from;
                from += 3;
            }
            to -= 100;
        } while (to > 0);
        return s;
    }

    static String tests(Object[] all) {
        int strings = 0;
        int nulls = 0;
        long chars = 0;
        for (Object o : all) {
            if (o instanceof String) {
                chars += ((String) o).length();
                strings += o instanceof String ? 1 : 100;
            } else if (o == null) {
                String s = (String) o;
                nulls += s instanceof String ? 100 : 1;
            } else {
                Number x = (Number) o;
                chars += ((Number) o).intValue() + (o instanceof Number ? 1 : 100) + x.intValue();
            }
        }
        return strings + " " + nulls + " " + chars;
    }

    static int arrays(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            byte[] b = new byte[3];
            boolean[] z = new boolean[n % 7 + 1];
            b[i % 3] = (byte) (i * 5);
            z[0] = (i & 2) != 0;
            Object o = i % 2 == 0 ? b : z;
            s += b[i % 3] + b.length + z.length + (z[0] ? 1 : 0);
            s += o instanceof byte[] ? ((byte[]) o).length : ((boolean[]) o).length;
        }
        return s;
    }

    static String outside(int n) {
        try {
            byte[] b = new byte[n];
            b[3] = 1;
            return "length " + b.length;
        } catch (ArrayIndexOutOfBoundsException | NegativeArraySizeException e) {
            return e.getMessage();
        }
    }

    public static void main(String[] args) {
        int[] a = new int[300];
        for (int i = 0; i < a.length; i++) {
            a[i] = i * 37 % 101;
        }
        P list = null;
        for (int i = 0; i < 50; i++) {
            list = new P(i, list);
        }
        Object[] mixed = {"one", null, 3, "three", 4L, null, 2.5, "x"};
        long s = 0;
        for (int r = 0; r < 4000; r++) {
            s = s * 31 + atEnd(a, r % 103);
            s = s * 31 + twoWaysOut(a, r % 300);
            s = s * 31 + checkedHead(list);
            s = s * 31 + handlerInside(a, r % 310);
            s = s * 31 + nested(r % 12);
            s = s * 31 + swapped(r % 40);
            s = s * 31 + longs(r, 3 * (r % 200));
            s = s * 31 + thrown(list, r % 60).hashCode();
            s = s * 31 + tests(mixed).hashCode();
            s = s * 31 + arrays(r % 30);
            s = s * 31 + outside(r % 6).hashCode();
        }
        System.out.println(s);
        System.out.println(floats(0, 0.5, 100) + " " + floats(0, Double.NaN, 1) + " " + floats(Double.NaN, 1, 5) + " "
                + floats(0, 1, Double.NaN) + " " + floats(5, 1, 0));
        for (int r = 0; r < 300; r++) {
            s += floats(r, 1, 2 * r);
        }
        System.out.println(s);
        System.out.println(entered(3, 200_000) + " " + entered(200_000, 3) + " " + entered(0, 9));
        System.out.println(carried(300_000, 250_000) + ", " + carried(300_000, -1) + ", " + carried(10, 0));
        System.out.println(locked(new Object(), 200_000));
        System.out.println(thrown(list, 50) + ", " + thrown(list, 49) + ", " + outside(-1) + ", " + outside(3));
        try {
            checkedHead(null);
        } catch (NullPointerException e) {
            System.out.println("no list");
        }
    }
}
