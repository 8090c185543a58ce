// exit: 1
// vm: own
// covers: DetachCurrentThread(pending)
public class E05Uncaught {
    static void f(int n) {
        if (n == 0) throw new IllegalStateException("uncaught", new RuntimeException("cause"));
        f(n - 1);
    }

    public static void main(String[] args) {
        System.out.println("before");
        f(3);
    }
}
