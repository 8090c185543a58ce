import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/** References that the code which makes them keeps for itself are cleared, and found in their queues. */
public class G29OwnReferences {
    static boolean real;
    static int left;
    static byte[] bytes;
    static Reference<?> polled;
    static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();

    static void collect() {
        if (real) {
            System.gc();
        } else {
            left--;
        }
    }

    static int weak() {
        WeakReference<Object> w = new WeakReference<>(bytes);
        bytes = null;
        int n = 0;
        while (w.get() != null) {
            if (left == 0) {
                return 0;
            }
            if (++n > 20) {
                return -1;
            }
            collect();
        }
        return 1;
    }

    static void poll() {
        polled = null;
        if (real) {
            System.gc();
            try {
                polled = QUEUE.remove(1000);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static int phantom() {
        PhantomReference<Object> r = new PhantomReference<>(bytes, QUEUE);
        bytes = null;
        int n = 0;
        do {
            poll();
            if (polled != null) {
                return polled == r ? 1 : 2;
            }
        } while (++n < left);
        return -1;
    }

    public static void main(String[] args) {
        for (int i = 0; i < 20_000; i++) {
            left = 3;
            bytes = new byte[10];
            real = i % 4000 == 77;
            weak();
            bytes = new byte[10];
            phantom();
        }
        real = true;
        left = 100;
        bytes = new byte[10];
        System.out.println(weak());
        bytes = new byte[10];
        System.out.println(phantom());
    }
}
