/** Owns very many monitors at once, then none, and collects. */
public class Records {
    static final int MONITORS = 1_000_000;
    static final Object[] objects = new Object[MONITORS];
    static volatile int deepest;

    static void all(int from) {
        if (from == MONITORS) {
            deepest = from;
            System.gc();
            return;
        }
        synchronized (objects[from]) {
            all(from + 1);
        }
    }

    public static void main(String[] a) throws Exception {
        for (int i = 0; i < MONITORS; i++) objects[i] = new Object();
        Thread t = new Thread(null, () -> all(0), "deep", 2L << 30);
        t.start();
        t.join();
        System.gc();
        int again = 0;
        for (Object o : objects) synchronized (o) { again++; }
        System.out.println("owned " + deepest + ", again " + again);
    }
}
