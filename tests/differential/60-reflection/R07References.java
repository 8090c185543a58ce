// vm: own
// covers: JVM_ReferenceRefersTo JVM_PhantomReferenceRefersTo JVM_GetAndClearReferencePendingList
// covers: JVM_WaitForReferencePendingList
import java.lang.ref.*;

public class R07References {
    static class Fin {
        static volatile int count;

        protected void finalize() {
            count++;
        }
    }

    static WeakReference<Object> weak;
    static PhantomReference<Object> phantom;
    static SoftReference<Object> soft;
    static ReferenceQueue<Object> q = new ReferenceQueue<>();
    static Object strong = new Object();

    static void make() {
        Object o = new Object();
        weak = new WeakReference<>(o, q);
        phantom = new PhantomReference<>(o, q);
        soft = new SoftReference<>(new Object());
        for (int i = 0; i < 10; i++) new Fin();
        System.out.println(
                (weak.get() == o)
                        + " "
                        + phantom.get()
                        + " "
                        + weak.refersTo(o)
                        + phantom.refersTo(o)
                        + (soft.get() != null));
    }

    /** What the stack still held at one collection is not held at a later one. */
    static boolean cleaned(java.util.concurrent.CountDownLatch l) throws InterruptedException {
        for (int i = 0; i < 3000; i++) {
            if (l.await(20, java.util.concurrent.TimeUnit.MILLISECONDS)) return true;
            System.gc();
        }
        return false;
    }

    static void clearStack(int n) {
        long a = n, b = n, c = n, d = n;
        if (n > 0) clearStack(n - 1);
    }

    public static void main(String[] args) throws Exception {
        make();
        clearStack(50);
        WeakReference<Object> kept = new WeakReference<>(strong);
        Cleaner cl = Cleaner.create();
        java.util.concurrent.CountDownLatch cleaned = new java.util.concurrent.CountDownLatch(1);
        cl.register(new Object(), cleaned::countDown);
        for (int i = 0; i < 3000 && (weak.get() != null || Fin.count < 10); i++) {
            System.gc();
            System.runFinalization();
            Thread.sleep(10);
        }
        System.out.println(
                (weak.get() == null)
                        + " "
                        + weak.refersTo(null)
                        + " "
                        + (kept.get() == strong)
                        + Fin.count
                        + (soft.get() != null));
        int n = 0;
        for (int i = 0; i < 2; i++) {
            Reference<?> r = q.remove(60_000);
            if (r == weak || r == phantom) n++;
        }
        System.out.println(
                n
                        + " "
                        + (q.poll() == null)
                        + " "
                        + weak.isEnqueued()
                        + " "
                        + cleaned(cleaned));
        java.util.WeakHashMap<Object, String> m = new java.util.WeakHashMap<>();
        m.put(new Object(), "gone");
        m.put(strong, "kept");
        for (int i = 0; i < 3000 && m.size() > 1; i++) {
            System.gc();
            Thread.sleep(5);
        }
        System.out.println(m.values());
        ThreadLocal<String> tl = ThreadLocal.withInitial(() -> "init");
        System.out.println(tl.get());
        tl.set("set");
        System.out.println(tl.get());
        tl.remove();
        System.out.println(tl.get());
        Reference.reachabilityFence(strong);
        weak.clear();
        new WeakReference<>(strong).enqueue();
    }
}
