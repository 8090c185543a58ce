// skip-mode: zeal move
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicBoolean;

/** An object lives up to its reachability fence, compiled or not, however dead it looks. */
public class G09ReachabilityFence {
    static final Cleaner CLEANER = Cleaner.create();
    static volatile int sink;

    static final class Resource {
        final AtomicBoolean freed = new AtomicBoolean();
        final int id;

        Resource(int id) {
            this.id = id;
            AtomicBoolean f = freed;
            CLEANER.register(this, () -> f.set(true));
        }
    }

    static boolean use(Resource r, boolean collect) throws Exception {
        AtomicBoolean freed = r.freed;
        sink = r.id;
        if (collect) {
            for (int i = 0; i < 4 && !freed.get(); i++) {
                System.gc();
                Thread.sleep(5);
            }
        }
        boolean early = freed.get();
        Reference.reachabilityFence(r);
        return early;
    }

    static boolean run(int n, boolean collect) throws Exception {
        return use(new Resource(n), collect);
    }

    public static void main(String[] args) throws Exception {
        boolean early = false;
        for (int i = 0; i < 20_000; i++) early |= run(i, false);
        for (int i = 0; i < 3; i++) early |= run(i, true);
        System.out.println("freed before the fence: " + early);
    }
}
