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
        if (o instanceof Small s) {
            return s.a == (byte) i && s.b == s ? 1 : -1_000_000;
        } else if (o instanceof Wide w) {
            return w.a == -i && w.b == i && w.d == i && w.e == (short) i && w.c == w ? 2 : -1_000_000;
        } else if (o instanceof byte[] a) {
            return a.length == 0 || a[0] == (byte) i && a[a.length - 1] == (byte) i ? a.length : -1_000_000;
        } else if (o instanceof char[] a) {
            return a.length == 0 || a[0] == (char) i && a[a.length - 1] == (char) i ? a.length : -1_000_000;
        } else if (o instanceof int[] a) {
            return a.length == 0 || a[0] == i && a[a.length - 1] == i ? a.length : -1_000_000;
        } else if (o instanceof long[] a) {
            return a.length == 0 || a[0] == i && a[a.length - 1] == i ? a.length : -1_000_000;
        } else if (o instanceof Object[] a) {
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
            switch ((random >>> 8) % 9) {
                case 0 -> keep(i, new Empty());
                case 1, 2 -> keep(i, small(i));
                case 3 -> keep(i, wide(i));
                case 4 -> keep(i, bytes(n, i));
                case 5 -> keep(i, chars(n, i));
                case 6 -> keep(i, ints(n, i));
                case 7 -> keep(i, longs(n, i));
                default -> keep(i, refs(n));
            }
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
