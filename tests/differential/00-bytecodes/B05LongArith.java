// covers: ladd(ok,overflow) lsub(ok,overflow) lmul(ok,overflow) ldiv(ok,min/-1,arithmetic)
// covers: lrem(ok,min/-1,arithmetic) lneg(ok,min) land(ok) lor(ok) lxor(ok) lconst_0(ok)
// covers: lconst_1(ok)
// covers: ldc2_w(long)
public class B05LongArith {
    static final long[] V = {
        0,
        1,
        -1,
        2,
        -2,
        10,
        255,
        65536,
        0xffffffffL,
        0x100000000L,
        -0x100000000L,
        0x5555555555555555L,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        Long.MIN_VALUE + 1
    };

    static long add(long a, long b) {
        return a + b;
    }

    static long sub(long a, long b) {
        return a - b;
    }

    static long mul(long a, long b) {
        return a * b;
    }

    static long div(long a, long b) {
        return a / b;
    }

    static long rem(long a, long b) {
        return a % b;
    }

    static long and(long a, long b) {
        return a & b;
    }

    static long or(long a, long b) {
        return a | b;
    }

    static long xor(long a, long b) {
        return a ^ b;
    }

    public static void main(String[] args) {
        System.out.println(0L);
        System.out.println(1L);
        System.out.println(add(Long.MAX_VALUE, 1));
        System.out.println(sub(Long.MIN_VALUE, 1));
        System.out.println(mul(0x100000001L, 0x100000001L));
        System.out.println(div(Long.MIN_VALUE, -1));
        System.out.println(rem(Long.MIN_VALUE, -1));
        for (int i = 0; i < V.length; i++) {
            long a = V[i];
            System.out.println(-a);
            System.out.println(~a);
            long hash = 0;
            for (int j = 0; j < V.length; j++) {
                long b = V[j];
                hash = hash * 31 + add(a, b);
                hash = hash * 31 + sub(a, b);
                hash = hash * 31 + mul(a, b);
                hash = hash * 31 + and(a, b);
                hash = hash * 31 + or(a, b);
                hash = hash * 31 + xor(a, b);
                try {
                    hash = hash * 31 + div(a, b);
                } catch (ArithmeticException e) {
                    hash++;
                }
                try {
                    hash = hash * 31 + rem(a, b);
                } catch (ArithmeticException e) {
                    hash += 2;
                }
            }
            System.out.println(hash);
        }
        try {
            System.out.println(div(5, 0));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(rem(5, 0));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
    }
}
