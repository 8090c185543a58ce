// covers: iadd(ok,overflow) isub(ok,overflow) imul(ok,overflow) idiv(ok,min/-1,arithmetic)
// covers: irem(ok,min/-1,arithmetic) ineg(ok,min) iand(ok) ior(ok) ixor(ok)
public class B04IntArith {
    static final int[] V = {
        0,
        1,
        -1,
        2,
        -2,
        3,
        7,
        -7,
        10,
        127,
        -128,
        255,
        32767,
        -32768,
        65535,
        65536,
        0x55555555,
        0xaaaaaaaa,
        Integer.MAX_VALUE,
        Integer.MAX_VALUE - 1,
        Integer.MIN_VALUE,
        Integer.MIN_VALUE + 1
    };

    static int add(int a, int b) {
        return a + b;
    }

    static int sub(int a, int b) {
        return a - b;
    }

    static int mul(int a, int b) {
        return a * b;
    }

    static int div(int a, int b) {
        return a / b;
    }

    static int rem(int a, int b) {
        return a % b;
    }

    static int and(int a, int b) {
        return a & b;
    }

    static int or(int a, int b) {
        return a | b;
    }

    static int xor(int a, int b) {
        return a ^ b;
    }

    static int neg(int a) {
        return -a;
    }

    static int not(int a) {
        return ~a;
    }

    public static void main(String[] args) {
        System.out.println(add(2, 3));
        System.out.println(sub(2, 3));
        System.out.println(mul(2, 3));
        System.out.println(div(7, -2));
        System.out.println(rem(7, -2));
        System.out.println(rem(-7, 2));
        System.out.println(div(Integer.MIN_VALUE, -1));
        System.out.println(rem(Integer.MIN_VALUE, -1));
        for (int i = 0; i < V.length; i++) {
            int a = V[i];
            System.out.println(neg(a));
            System.out.println(not(a));
            int hash = 0;
            for (int j = 0; j < V.length; j++) {
                int b = V[j];
                hash = hash * 31 + add(a, b);
                hash = hash * 31 + sub(a, b);
                hash = hash * 31 + mul(a, b);
                hash = hash * 31 + and(a, b);
                hash = hash * 31 + or(a, b);
                hash = hash * 31 + xor(a, b);
                try {
                    hash = hash * 31 + div(a, b);
                } catch (ArithmeticException e) {
                    hash = hash * 31 + 99;
                }
                try {
                    hash = hash * 31 + rem(a, b);
                } catch (ArithmeticException e) {
                    hash = hash * 31 + 98;
                }
            }
            System.out.println(hash);
        }
        try {
            System.out.println(div(1, 0));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(rem(1, 0));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
    }
}
