// covers: ifeq(taken,not) ifne(taken,not) iflt(taken,not) ifge(taken,not) ifgt(taken,not)
// covers: ifle(taken,not) if_icmpeq(taken,not) if_icmpne(taken,not) if_icmplt(taken,not)
// covers: if_icmpge(taken,not) if_icmpgt(taken,not) if_icmple(taken,not) if_acmpeq(taken,not)
// covers: if_acmpne(taken,not) ifnull(taken,not) ifnonnull(taken,not) goto(forward,backward)
// covers: lcmp(less,equal,greater)
public class B10Branches {
    static int zero(int a) {
        int r = 0;
        if (a == 0) r |= 1;
        if (a != 0) r |= 2;
        if (a < 0) r |= 4;
        if (a >= 0) r |= 8;
        if (a > 0) r |= 16;
        if (a <= 0) r |= 32;
        return r;
    }

    static int two(int a, int b) {
        int r = 0;
        if (a == b) r |= 1;
        if (a != b) r |= 2;
        if (a < b) r |= 4;
        if (a >= b) r |= 8;
        if (a > b) r |= 16;
        if (a <= b) r |= 32;
        return r;
    }

    static int longs(long a, long b) {
        int r = 0;
        if (a == b) r |= 1;
        if (a != b) r |= 2;
        if (a < b) r |= 4;
        if (a >= b) r |= 8;
        if (a > b) r |= 16;
        if (a <= b) r |= 32;
        return r;
    }

    static int refs(Object a, Object b) {
        int r = 0;
        if (a == b) r |= 1;
        if (a != b) r |= 2;
        if (a == null) r |= 4;
        if (a != null) r |= 8;
        return r;
    }

    public static void main(String[] args) {
        int[] v = {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE};
        for (int a : v) {
            System.out.println(zero(a));
            for (int b : v) {
                System.out.println(two(a, b));
            }
        }
        long[] l = {
            0, 1, -1, 0x100000000L, -0x100000000L, 0xffffffffL, Long.MAX_VALUE, Long.MIN_VALUE
        };
        for (long a : l) {
            for (long b : l) {
                System.out.println(longs(a, b));
            }
        }
        Object o = new Object();
        Object p = new Object();
        System.out.println(refs(o, o));
        System.out.println(refs(o, p));
        System.out.println(refs(null, p));
        System.out.println(refs(null, null));
        int sum = 0;
        outer:
        for (int i = 0; i < 100; i++) {
            for (int j = 0; j < 100; j++) {
                if (j > i) {
                    continue outer;
                }
                if (i * j > 2000) {
                    break outer;
                }
                sum += i ^ j;
            }
        }
        System.out.println(sum);
        do {
            sum -= 7;
        } while (sum > 0);
        System.out.println(sum);
    }
}
