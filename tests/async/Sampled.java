import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Does a bit of everything while the agent samples it; the agent prints what it saw. */
public class Sampled {
    static native void register();

    static native void unregister();

    static native void start();

    static native void stop(String title, String expected);

    static native long spin(long n);

    static native int taken();

    static native void strangers();

    static native void upcall(Runnable r);

    static final int ENOUGH = 50;
    static final long PATIENCE = 20_000_000_000L;

    static volatile long sink;
    static volatile boolean done;

    // A chain of calls of known order, whose innermost method loops.
    static long leaf(long x) {
        long s = 0;
        for (int i = 0; i < 20000; i++) {
            s += x * i ^ (s >>> 3);
        }
        return s;
    }

    static long middle(long x) {
        return leaf(x) + 1;
    }

    static long outer(long x) {
        return middle(x) + 1;
    }

    // Calls that are compiled on their own, recursion included.
    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    // A routine of the VM that compiled code calls without leaving a trace of it, where another method has just had its
    // frame, from which the VM was called with one.
    static boolean same(byte[] a, byte[] b) {
        return Arrays.equals(a, b);
    }

    static int decoy(int n) {
        return Integer.toString(n).length() + new int[n % 7].length;
    }

    static long pairs(byte[] a, byte[] b) {
        long s = 0;
        for (int i = 0; i < 200; i++) {
            s += decoy(i) + (same(a, b) ? 1 : 0);
        }
        return s;
    }

    // Objects that become visible to other threads, many at a time, by a walk in the VM; as many others do not.
    static final class Node {
        final Node next;

        Node(Node next) {
            this.next = next;
        }
    }

    static final Node[] shared = new Node[4];

    static Node list(int length) {
        Node last = null;
        for (int i = 0; i < length; i++) {
            last = new Node(last);
        }
        return last;
    }

    static void share(int length) {
        Node mine = list(length);
        shared[length & 3] = list(length);
        sink += mine == null ? 1 : 0;
    }

    static void publications(long end) {
        while (goesOn(end)) {
            share(2000);
        }
    }

    interface Work {
        void run(int round) throws Exception;
    }

    static class Item implements Comparable<Item> {
        final int key;

        Item(int key) {
            this.key = key;
        }

        public int compareTo(Item o) {
            return Integer.compare(key, o.key);
        }
    }

    static void collections(int round) {
        Random random = new Random(round);
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            items.add(new Item(random.nextInt()));
        }
        Collections.sort(items);
        Map<String, Integer> counts = new HashMap<>();
        for (Item i : items) {
            counts.merge("" + i.key % 100, 1, Integer::sum);
        }
        sink += counts.size() + items.stream().filter(i -> i.key > 0).mapToInt(i -> i.key & 7).sum();
    }

    static int thrower(int depth) {
        if (depth == 0) {
            throw new IllegalStateException("thrown");
        }
        return thrower(depth - 1) + 1;
    }

    static void exceptions(int round) {
        for (int i = 0; i < 50; i++) {
            try {
                sink += thrower(i);
            } catch (IllegalStateException e) {
                sink += e.getStackTrace().length;
            }
            try {
                sink += ((int[]) (i % 2 == 0 ? null : new int[1]))[i];
            } catch (NullPointerException | ArrayIndexOutOfBoundsException e) {
                sink++;
            }
        }
    }

    static int endless(int n) {
        return endless(n + 1) + 1;
    }

    static void overflow(int round) {
        if (round % 50 == 0) {
            try {
                sink += endless(0);
            } catch (StackOverflowError e) {
                sink++;
            }
        }
        sink += fib(15);
    }

    static void nested(int n) {
        if (n > 0) {
            upcall(() -> nested(n - 1));
        } else {
            sink += fib(10) + spin(1000);
        }
    }

    static void upcalls(int round) {
        nested(round % 8);
    }

    static void garbage(int round) {
        Object[] keep = new Object[100];
        for (int i = 0; i < 20000; i++) {
            keep[i % 100] = new byte[i % 300];
        }
        sink += keep.length;
        if (round % 20 == 0) {
            System.gc();
        }
    }

    /** Defined again and again by loaders that go. */
    public static class Payload implements Runnable {
        static long result;

        public void run() {
            long s = 0;
            for (int i = 0; i < 20000; i++) {
                s += helper(i);
            }
            result = s;
        }

        private static long helper(int i) {
            return i * 31L ^ i >>> 2;
        }
    }

    static class Loader extends ClassLoader {
        Class<?> payload(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }
    }

    static byte[] payload;

    static void unloading(int round) throws Exception {
        ((Runnable) new Loader().payload(payload).getConstructor().newInstance()).run();
    }

    static void handles(int round) throws Exception {
        MethodHandle h = MethodHandles.lookup().findStatic(Sampled.class, "fib", MethodType.methodType(int.class, int.class));
        h = MethodHandles.insertArguments(h, 0, 8 + round % 4);
        try {
            for (int i = 0; i < 20; i++) {
                sink += (int) h.invokeExact();
            }
            sink += (int) Sampled.class.getDeclaredMethod("fib", int.class).invoke(null, 8);
        } catch (Throwable t) {
            throw new Exception(t);
        }
    }

    static final Object lock = new Object();

    static void locks(int round) throws Exception {
        for (int i = 0; i < 100; i++) {
            synchronized (lock) {
                sink += i;
            }
        }
        Thread t = new Thread(() -> {
            register();
            sink += fib(12);
            unregister();
        });
        t.start();
        t.join();
    }

    static void copies(int round) {
        byte[] a = new byte[5000];
        byte[] b = new byte[5000];
        for (int i = 0; i < 500; i++) {
            System.arraycopy(a, 0, b, 1, 4000);
            sink += new String(b, 0, 100).indexOf('x') + System.nanoTime() % 2 + (long) (i % 3.5);
        }
    }

    static void everything(long millis) throws Exception {
        payload = Files.readAllBytes(Path.of(System.getProperty("java.class.path"), "Sampled$Payload.class"));
        Work[] all = {
            Sampled::collections, Sampled::exceptions, Sampled::overflow, Sampled::upcalls, Sampled::garbage,
            Sampled::unloading, Sampled::handles, Sampled::locks, Sampled::copies,
        };
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (Work w : all) {
            Thread t = new Thread(() -> {
                register();
                try {
                    long end = in(millis);
                    for (int i = 0; goesOn(end); i++) {
                        w.run(i);
                    }
                } catch (Throwable e) {
                    failures.add(e);
                }
            });
            threads.add(t);
            t.start();
        }
        for (Thread t : threads) {
            t.join();
        }
        for (Throwable t : failures) {
            t.printStackTrace(System.out);
        }
    }

    static void chain(long end) {
        while (goesOn(end)) {
            sink += outer(sink);
        }
    }

    static void recursion(long end) {
        while (goesOn(end)) {
            sink += fib(20);
        }
    }

    static void routines(long end) {
        byte[] a = new byte[64 << 10];
        byte[] b = a.clone();
        while (goesOn(end)) {
            sink += pairs(a, b);
        }
    }

    static void foreign(long end) {
        while (goesOn(end)) {
            sink += spin(100000);
        }
    }

    /** A phase lasts as long as asked, and on a busy machine until there is something to judge. */
    static boolean goesOn(long end) {
        long left = end - System.nanoTime();
        return left > 0 || taken() < ENOUGH && left > -PATIENCE;
    }

    static long in(long millis) {
        return System.nanoTime() + millis * 1000000;
    }

    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        long millis = Long.parseLong(args[1]);
        register();
        final String rest = " LSampled;main";
        start();
        chain(in(millis));
        stop("chain", "LSampled;leaf LSampled;middle LSampled;outer LSampled;chain" + rest);
        start();
        recursion(in(millis));
        stop("recursion", "LSampled;fib LSampled;fib LSampled;fib");
        for (int i = 0; i < 500; i++) {
            // Compiled before it is looked at.
            sink += pairs(new byte[99], new byte[99]);
        }
        start();
        routines(in(millis));
        stop("routines", "LSampled;same LSampled;pairs LSampled;routines" + rest);
        for (int i = 0; i < 3000; i++) {
            share(20);
        }
        start();
        publications(in(millis));
        stop("publications", "LSampled;share LSampled;publications" + rest);
        start();
        foreign(in(millis));
        stop("native", "LSampled;spin LSampled;foreign" + rest);
        unregister();
        strangers();
        start();
        everything(2 * millis);
        stop("everything", "");
        System.out.println("end");
    }
}
