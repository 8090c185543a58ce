// covers: invokestatic(recursion) invokevirtual(recursion)
public class B17Recursion {
    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static int ackermann(int m, int n) {
        return m == 0
                ? n + 1
                : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }

    static long depth(int n, long acc) {
        return n == 0 ? acc : depth(n - 1, acc + n) + 1;
    }

    int even(int n) {
        return n == 0 ? 1 : odd(n - 1);
    }

    int odd(int n) {
        return n == 0 ? 0 : even(n - 1);
    }

    public static void main(String[] args) {
        System.out.println(fib(20));
        System.out.println(ackermann(2, 50));
        System.out.println(depth(3000, 0));
        System.out.println(new B17Recursion().even(3001));
    }
}
