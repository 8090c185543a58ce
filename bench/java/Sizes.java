import java.util.HashMap;

/**
 * Live bytes of a million objects of a kind, from the heap's use before and after: {@code size NAME
 * BYTES}.
 */
public final class Sizes {
    private static final int N = 1_000_000;
    static Object[] keep = new Object[N];
    static Integer[] keys = new Integer[N];

    interface Maker {
        Object make(int i);
    }

    public static void main(String[] args) throws Exception {
        byte[] shared = {'x'};
        String text = new String(shared, 0);
        // What the measuring itself needs is loaded and allocated by a first round that is not
        // printed.
        measure(null, i -> new Object());
        measure("Object", i -> new Object());
        measure("Integer", i -> new Integer(i));
        measure("String", i -> new String(text));
        measure("int[1]", i -> new int[1]);
        measure("long[1]", i -> new long[1]);
        for (int i = 0; i < N; i++) {
            keys[i] = i;
        }
        HashMap<Integer, Object> map = new HashMap<>(1 << 21);
        map.put(-1, null);
        long before = used();
        for (int i = 0; i < N; i++) {
            map.put(keys[i], keys);
        }
        print("HashMap-entry", used() - before);
        if (map.size() != N + 1) {
            throw new AssertionError();
        }
    }

    private static void measure(String name, Maker maker) throws Exception {
        java.util.Arrays.fill(keep, null);
        long before = used();
        for (int i = 0; i < N; i++) {
            keep[i] = maker.make(i);
        }
        long bytes = used() - before;
        if (name != null) {
            print(name, bytes);
        }
    }

    private static void print(String name, long bytes) {
        System.out.println("size " + name + " " + Math.round(bytes * 100.0 / N) / 100.0);
    }

    private static long used() throws Exception {
        for (int i = 0; i < 4; i++) {
            System.gc();
            Thread.sleep(10);
        }
        Runtime r = Runtime.getRuntime();
        return r.totalMemory() - r.freeMemory();
    }
}
