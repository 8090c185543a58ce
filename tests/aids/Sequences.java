import java.util.function.IntSupplier;

/** A method with each of the sequences that compiled code has in line. */
public class Sequences {
    Sequences next;
    int n;
    static Object shared = new Object();
    static Object text = "text";

    static int all(Object o, IntSupplier s) {
        Sequences a = new Sequences();
        a.n = s.getAsInt();
        if (o instanceof Comparable<?> c && c.hashCode() == 1) {
            a.n++;
        }
        // The test above has answered its own cast, not this one.
        a.n += ((Comparable<?>) text).hashCode() & 1;
        synchronized (o) {
            a.next = new Sequences();
        }
        shared = a;
        a.n--;
        return a.n;
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 100_000; i++) {
            int k = i;
            sum += all(i % 2 == 0 ? new StringBuilder() : new Object(), i % 3 == 0 ? () -> k : () -> 1);
        }
        System.out.println(sum);
    }
}
