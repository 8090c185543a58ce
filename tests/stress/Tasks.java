import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;

/** What the threads do. Each task checks what it did. */
final class Tasks {
    private Tasks() {}

    static Map<String, Stress.Task> all(String payloads) {
        Map<String, Stress.Task> m = new TreeMap<>();
        m.put("arrays", Tasks::arrays);
        m.put("classes", r -> classes(payloads, r.nextInt(8) == 0 ? 4000 : 1));
        m.put("finalizers", Tasks::finalizers);
        m.put("handles", Tasks::handles);
        m.put("hashes", Tasks::hashes);
        m.put("intern", Tasks::intern);
        m.put("locks", Tasks::locks);
        m.put("overflow", Tasks::overflow);
        m.put("references", Tasks::references);
        m.put("shared", Tasks::shared);
        m.put("threads", Tasks::threads);
        m.put("throw", Tasks::exceptions);
        m.put("trees", Tasks::trees);
        m.put("wait", Tasks::handOver);
        return m;
    }

    static final class Node {
        Node left, right;
        final long value;

        Node(SplittableRandom r, int depth) {
            value = r.nextInt(1000);
            if (depth > 0) {
                left = new Node(r, depth - 1);
                right = new Node(r, r.nextInt(depth));
            }
        }

        long sum() {
            return value + (left == null ? 0 : left.sum()) + (right == null ? 0 : right.sum());
        }
    }

    static void trees(SplittableRandom r) {
        Node old = new Node(r, 6);
        long expected = old.sum();
        for (int i = 0; i < 5; i++) {
            Node young = new Node(r, 5);
            // An old object that points to a young one.
            expected += young.sum() - old.left.sum();
            old.left = young;
        }
        Stress.check(old.sum() == expected, "a tree has changed");
    }

    static void arrays(SplittableRandom r) {
        int n = 1 + r.nextInt(r.nextInt(50) == 0 ? 100_000 : 300);
        Integer[] from = new Integer[n];
        for (int i = 0; i < n; i += 1 + n / 100) from[i] = 1000 + i;
        Object[] to = from.clone();
        System.arraycopy(to, 0, to, n / 3, n - n / 3);
        for (int i = n / 3, k = 0; i < n; i++, k++) Stress.check(to[i] == from[k], "arraycopy lost element " + i);
        long[][] grid = new long[1 + r.nextInt(8)][1 + r.nextInt(40)];
        grid[grid.length - 1][grid[0].length - 1] = n;
        Stress.check(grid.clone()[grid.length - 1][grid[0].length - 1] == n, "a grid has changed");
    }

    static void classes(String folder, int calls) throws Exception {
        URL[] path = {Path.of(folder).toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
            Class<?> c = loader.loadClass("Payload");
            for (int i = 1; i <= 3; i++) {
                IntSupplier s = (IntSupplier) c.getConstructor().newInstance();
                Stress.check(s.getAsInt() == 1100 + i, "statics of two loaders mixed: " + s.getAsInt());
            }
            IntUnaryOperator next = (IntUnaryOperator) c.getConstructor().newInstance();
            int x = 0, expected = 0;
            for (int i = 0; i < calls; i++) {
                x = next.applyAsInt(x);
                expected = expected * 3 + 1;
            }
            Stress.check(x == expected, "a method of a class that is loaded again and again: " + x);
            Stress.check(c.getClassLoader() == loader && loader.loadClass("Payload") == c, "another class");
        }
    }

    static void intern(SplittableRandom r) {
        int k = r.nextInt(500);
        String a = ("interned " + k).intern();
        String unique = new StringBuilder("once ").append(r.nextLong()).toString().intern();
        Stress.check(a == new String("interned " + k).intern(), "two equal interned strings");
        Stress.check(unique.intern() == unique && unique.startsWith("once"), "an interned string has changed");
    }

    static final Object[] MONITORS = new Object[7];
    static final int[] COUNTERS = new int[MONITORS.length * 16];
    static final ReentrantLock LOCK = new ReentrantLock();
    static int guarded;

    static {
        for (int i = 0; i < MONITORS.length; i++) MONITORS[i] = new Object();
    }

    static void locks(SplittableRandom r) {
        for (int i = 0; i < 20; i++) {
            int k = r.nextInt(MONITORS.length);
            synchronized (MONITORS[k]) {
                int seen = ++COUNTERS[k * 16];
                Object own = new Object();
                synchronized (own) {
                    own.hashCode();
                }
                if (i % 7 == 0) Thread.yield();
                Stress.check(COUNTERS[k * 16] == seen, "two threads in a monitor");
            }
        }
        LOCK.lock();
        try {
            int seen = ++guarded;
            Stress.check(new int[] {guarded}[0] == seen, "two threads in a lock");
        } finally {
            LOCK.unlock();
        }
    }

    static void handOver(SplittableRandom r) throws Exception {
        List<Integer> box = new ArrayList<>();
        int n = 5 + r.nextInt(10);
        Thread t = new Thread(() -> {
            for (int i = 0; i < n; i++) {
                synchronized (box) {
                    box.add(i);
                    box.notifyAll();
                }
            }
        });
        t.start();
        for (int next = 0; next < n;) {
            synchronized (box) {
                while (box.size() == next) box.wait(10_000);
                while (next < box.size()) Stress.check(box.get(next) == next++, "an element got lost");
            }
        }
        t.join();
        Thread waiter = Thread.currentThread();
        Thread interrupter = new Thread(waiter::interrupt);
        synchronized (box) {
            box.wait(1);
            interrupter.start();
            boolean told = false;
            try {
                while (true) box.wait();
            } catch (InterruptedException e) {
                told = Thread.holdsLock(box);
            }
            Stress.check(told && !Thread.interrupted(), "an interrupted wait came back without its monitor, or still interrupted");
        }
        interrupter.join();
    }

    static final class Marked extends Exception {
        final Object mark;

        Marked(Object mark, Throwable cause) {
            super("marked", cause);
            this.mark = mark;
        }
    }

    static Object dive(int depth, Object mark) throws Marked {
        Object own = new Object();
        try {
            if (depth == 0) throw new Marked(mark, new IllegalStateException("at the bottom"));
            synchronized (own) {
                return dive(depth - 1, mark);
            }
        } finally {
            Stress.check(!Thread.holdsLock(own), "a monitor was kept");
        }
    }

    static void exceptions(SplittableRandom r) {
        int depth = r.nextInt(40);
        Object mark = new Object();
        try {
            dive(depth, mark);
            Stress.check(false, "no exception");
        } catch (Marked e) {
            Stress.check(e.mark == mark, "another exception");
            Stress.check(e.getStackTrace().length > depth, "a short trace");
            Stress.check(e.getStackTrace()[depth].getMethodName().equals("dive"), "a wrong trace");
        }
        try {
            Object o = mark;
            Stress.check(((String) o).isEmpty(), "cast");
        } catch (ClassCastException e) {
            Stress.check(e.getMessage().contains("java.lang.String"), e.getMessage());
        }
    }

    static int deep(Object o, int n) {
        return o == null ? n : deep(o, n + 1) + 1;
    }

    static void overflow(SplittableRandom r) {
        if (r.nextInt(20) != 0) return;
        try {
            deep(new Object(), 0);
            Stress.check(false, "no overflow");
        } catch (StackOverflowError e) {
            Stress.check(e.getMessage() == null && e.getStackTrace().length > 100, "a wrong overflow");
        }
    }

    static final class Tracked extends PhantomReference<Object> {
        Tracked(Object o, ReferenceQueue<Object> q) {
            super(o, q);
        }
    }

    static final Map<Object, String> WEAK = java.util.Collections.synchronizedMap(new WeakHashMap<>());

    static void references(SplittableRandom r) {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Object strong = new Object();
        WeakReference<Object> weak = new WeakReference<>(strong, queue);
        SoftReference<Object> soft = new SoftReference<>(new int[10]);
        List<Reference<?>> lost = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            lost.add(new WeakReference<>(new Object(), queue));
            lost.add(new Tracked(new Object(), queue));
            WEAK.put(new Object(), "value");
        }
        WEAK.put(strong, "kept");
        if (r.nextInt(200) == 0) System.gc();
        Reference<?> q;
        while ((q = queue.poll()) != null) {
            Stress.check(q != weak && lost.remove(q), "a reference came out of the queue twice");
            Stress.check(q.get() == null, "an enqueued reference is not cleared");
        }
        Stress.check(weak.get() == strong, "a referent died although it is reachable");
        Stress.check("kept".equals(WEAK.get(strong)), "a weak map lost a live key");
        Object s = soft.get();
        Stress.check(s == null || ((int[]) s).length == 10, "a soft referent has changed");
        Reference.reachabilityFence(strong);
    }

    static final class Dying {
        final int[] data = {42};

        @Override
        @SuppressWarnings({"deprecation", "removal"})
        protected void finalize() {
            if (data[0] != 42) Stress.failure = new AssertionError("a finalizer saw changed data");
        }
    }

    static void finalizers(SplittableRandom r) {
        for (int i = 0; i < 10; i++) new Dying();
    }

    static void hashes(SplittableRandom r) {
        Map<Object, Integer> known = new IdentityHashMap<>();
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            Object o = new byte[r.nextInt(40)];
            known.put(o, System.identityHashCode(o));
            all.add(o);
        }
        trees(r);
        for (Object o : all) Stress.check(known.get(o) == System.identityHashCode(o), "an identity hash has changed");
    }

    static String joined(String a, int b) {
        return a + b;
    }

    static void handles(SplittableRandom r) throws Throwable {
        int n = r.nextInt(1000);
        var type = MethodType.methodType(String.class, String.class, int.class);
        var h = MethodHandles.lookup().findStatic(Tasks.class, "joined", type);
        var bound = MethodHandles.insertArguments(h, 1, n);
        Stress.check(("x" + n).equals((String) bound.invokeExact("x")), "a bound handle");
        Object viaReflection = Tasks.class.getDeclaredMethod("joined", String.class, int.class).invoke(null, "y", n);
        Stress.check(("y" + n).equals(viaReflection), "a reflective call");
    }

    static final ConcurrentHashMap<Integer, List<String>> SHARED = new ConcurrentHashMap<>();

    static void shared(SplittableRandom r) {
        for (int i = 0; i < 20; i++) {
            int k = r.nextInt(200);
            if (r.nextInt(3) == 0) {
                SHARED.put(k, List.of("v" + k, "w" + k));
            } else {
                List<String> v = SHARED.get(k);
                Stress.check(v == null || v.get(0).equals("v" + k) && v.get(1).equals("w" + k), "a shared list has changed");
            }
        }
    }

    static void threads(SplittableRandom r) throws Exception {
        Map<String, Object> seen = new HashMap<>();
        Thread[] all = new Thread[3];
        SplittableRandom[] seeds = {r.split(), r.split(), r.split()};
        for (int i = 0; i < all.length; i++) {
            SplittableRandom own = seeds[i];
            all[i] = new Thread(() -> {
                arrays(own);
                synchronized (seen) {
                    seen.put(Thread.currentThread().getName(), new Object());
                }
            }, "child-" + i);
            all[i].start();
        }
        for (Thread t : all) t.join();
        Stress.check(seen.size() == all.length, "a child did not run");
    }
}
