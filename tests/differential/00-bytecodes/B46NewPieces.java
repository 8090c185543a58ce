/**
 * Objects of many sizes, one behind the other: compiled code makes room for them piece by piece. All that is new is zero, and
 * what is written into one stays until it is looked at, whatever lies beside it.
 */
public class B46NewPieces {
    private static final class Empty {
    }

    private static final class Small {
        byte a;
        Object b;
    }

    private static final class Wide {
        long a;
        double b;
        Object c;
        int d;
        short e;
    }

    private static final Object[] kept = new Object[256];
    private static int dirty;

    private static void keep(int i, Object o) {
        kept[i & 255] = o;
    }

    private static Small small(int i) {
        Small s = new Small();
        dirty |= s.a | (s.b == null ? 0 : 1);
        s.a = (byte) i;
        s.b = s;
        return s;
    }

    private static Wide wide(int i) {
        Wide w = new Wide();
        dirty |= (int) w.a | (int) w.b | w.d | w.e | (w.c == null ? 0 : 2);
        w.a = -i;
        w.b = i;
        w.d = i;
        w.e = (short) i;
        w.c = w;
        return w;
    }

    private static byte[] bytes(int n, int i) {
        byte[] a = new byte[n];
        for (int k = 0; k < n; k++) {
            dirty |= a[k];
            a[k] = (byte) i;
        }
        return a;
    }

    private static char[] chars(int n, int i) {
        char[] a = new char[n];
        for (int k = 0; k < n; k++) {
            dirty |= a[k];
            a[k] = (char) i;
        }
        return a;
    }

    private static int[] ints(int n, int i) {
        int[] a = new int[n];
        for (int k = 0; k < n; k++) {
            dirty |= a[k];
            a[k] = i;
        }
        return a;
    }

    private static long[] longs(int n, int i) {
        long[] a = new long[n];
        for (int k = 0; k < n; k++) {
            dirty |= (int) a[k];
            a[k] = i;
        }
        return a;
    }

    private static Object[] refs(int n) {
        Object[] a = new Object[n];
        for (int k = 0; k < n; k++) {
            dirty |= a[k] == null ? 0 : 4;
            a[k] = a;
        }
        return a;
    }

    /** Whether it is still what was made in turn {@code i}. */
    private static int look(Object o, int i) {
        if (o instanceof Small) {
            Small s = (Small) o;
            return s.a == (byte) i && s.b == s ? 1 : -1_000_000;
        } else if (o instanceof Wide) {
            Wide w = (Wide) o;
            return w.a == -i && w.b == i && w.d == i && w.e == (short) i && w.c == w ? 2 : -1_000_000;
        } else if (o instanceof byte[]) {
            byte[] a = (byte[]) o;
            return a.length == 0 || a[0] == (byte) i && a[a.length - 1] == (byte) i ? a.length : -1_000_000;
        } else if (o instanceof char[]) {
            char[] a = (char[]) o;
            return a.length == 0 || a[0] == (char) i && a[a.length - 1] == (char) i ? a.length : -1_000_000;
        } else if (o instanceof int[]) {
            int[] a = (int[]) o;
            return a.length == 0 || a[0] == i && a[a.length - 1] == i ? a.length : -1_000_000;
        } else if (o instanceof long[]) {
            long[] a = (long[]) o;
            return a.length == 0 || a[0] == i && a[a.length - 1] == i ? a.length : -1_000_000;
        } else if (o instanceof Object[]) {
            Object[] a = (Object[]) o;
            return a.length == 0 || a[0] == a && a[a.length - 1] == a ? a.length : -1_000_000;
        }
        return 0;
    }

    public static void main(String[] args) {
        long sum = 0;
        int random = 1;
        int[] turn = new int[256];
        for (int i = 0; i < 60_000; i++) {
            random = random * 1_103_515_245 + 12_345;
            int n = (random >>> 16) % ((i & 31) == 0 ? 4_200 : (i & 7) == 0 ? 700 : 40);
            sum += look(kept[i & 255], turn[i & 255]);
            turn[i & 255] = i;
            Object o;
            switch ((random >>> 8) % 9) {
                case 0: o = new Empty(); break;
                case 1:
                case 2: o = small(i); break;
                case 3: o = wide(i); break;
                case 4: o = bytes(n, i); break;
                case 5: o = chars(n, i); break;
                case 6: o = ints(n, i); break;
                case 7: o = longs(n, i); break;
                default: o = refs(n);
            }
            keep(i, o);
        }
        System.out.println(dirty + " " + sum);
        int caught = 0;
        for (int i = 0; i < 20_000; i++) {
            try {
                keep(i, ints(i % 100 == 99 ? -i : i % 5, i));
            } catch (NegativeArraySizeException e) {
                caught += e.getMessage().length();
            }
        }
        System.out.println(caught);
    }
}
