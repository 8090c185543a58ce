import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;

/** System.gc() finds dead what the thread has dropped, however its native stack was used before: by compiled code, by the VM. */
public class G35CollectedInLoops {
    WeakReference<Object> key, value;

    Map<Object, Object> build(int i) {
        Object k = new Object(), v = new Object[] {i, "x" + i};
        Map<Object, Object> map = new HashMap<>();
        map.put(k, new WeakReference<>(v));
        if (map.get(k) == null) throw new AssertionError();
        key = new WeakReference<>(k);
        value = new WeakReference<>(v);
        map.remove(k);
        return map;
    }
    /** Collections until both are gone. */
    int collect(int i) {
        Map<Object, Object> map = build(i);
        int n = 0;
        do {
            System.gc();
            n += map.size() + 1;
        } while (n < 20 && (key.get() != null || value.get() != null));
        return n;
    }
    public static void main(String[] args) {
        G35CollectedInLoops w = new G35CollectedInLoops();
        int most = 0;
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 400; j++) w.build(j);
            for (int j = 0; j < 10; j++) most = Math.max(most, w.collect(j));
        }
        System.out.println(most < 20 ? "found dead" : "kept");
    }
}
