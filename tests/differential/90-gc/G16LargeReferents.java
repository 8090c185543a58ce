import java.lang.ref.*;
import java.util.*;

/** Weak and phantom references to young arrays too large for the nursery's blocks are cleared by young collections, too. */
public class G16LargeReferents {
    static final int N = 40;
    static Object sink;
    static final ReferenceQueue<Object> queue = new ReferenceQueue<>();

    static List<Reference<byte[]>> make(int i) {
        byte[] array = new byte[50_000 + i * 1000];
        return List.of(new WeakReference<>(array), new PhantomReference<>(array, queue));
    }

    public static void main(String[] args) throws Exception {
        List<List<Reference<byte[]>>> all = new ArrayList<>();
        for (int i = 0; i < N; i++) all.add(make(i));
        byte[] kept = new byte[70_000];
        WeakReference<byte[]> of = new WeakReference<>(kept);
        long cleared = 0;
        // 400 MB of garbage, that is dozens of young collections and none of the whole heap.
        for (int i = 0; i < 400_000 && cleared < N - 5; i++) {
            sink = new byte[1000];
            if (i % 1000 == 0) cleared = all.stream().filter(r -> r.get(0).get() == null).count();
        }
        // A word left on the stack may look like one of the arrays.
        System.out.println(cleared >= N - 5);
        int queued = 0;
        while (queued < N - 5 && queue.remove(60_000) != null) queued++;
        System.out.println(queued >= N - 5);
        System.out.println(of.get() == kept);
        System.out.println(of.get().length);
    }
}
