// covers: publication(field,static,array,arraycopy,clone,cas,varhandle,unsafe,reflection,thread,reference,finalizer,intern,monitor,stop)
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.*;
import java.lang.ref.*;
import java.lang.reflect.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

/**
 * Every way in which an object that one thread has made gets to another one. The other reads, writes, hashes and locks
 * all that the object leads to.
 */
public class T14EscapePaths {
    static class Leaf {
        int n;
        long[] wide = new long[3];

        Leaf(int n) {
            this.n = n;
            wide[2] = n;
        }
    }

    static class Tree {
        Leaf leaf;
        Object[] many;
        Tree next;

        Tree(int n) {
            leaf = new Leaf(n);
            many = new Object[] {new Leaf(n + 1), new int[] {n + 2}, null};
            if (n % 2 == 0) next = new Tree(n + 1);
        }

        int look() {
            synchronized (this) {
                int sum = leaf.n + (int) leaf.wide[2] + ((Leaf) many[0]).n + ((int[]) many[1])[0];
                leaf.n += 0;
                leaf.wide[1] = sum;
                many[2] = leaf;
                if (System.identityHashCode(leaf) == 0) sum = -1;
                synchronized (leaf) {
                    sum += leaf.wide[1] == sum ? 0 : 1000;
                }
                return next == null ? sum : sum + next.look();
            }
        }
    }

    static final class Box {
        Tree field;
        volatile Tree vol;
        Object any;
    }

    static final Box box = new Box();
    static Tree shared;
    static final Object[] array = new Object[8];
    static final AtomicReference<Tree> atomic = new AtomicReference<>();
    static final VarHandle FIELD, ELEMENT = MethodHandles.arrayElementVarHandle(Object[].class);
    static final sun.misc.Unsafe U;
    static final long OFFSET;
    static final Field REFLECTED;

    static {
        try {
            FIELD = MethodHandles.lookup().findVarHandle(Box.class, "field", Tree.class);
            Field f = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
            f.setAccessible(true);
            U = (sun.misc.Unsafe) f.get(null);
            REFLECTED = Box.class.getDeclaredField("field");
            OFFSET = U.objectFieldOffset(REFLECTED);
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
    }

    static final SynchronousQueue<Callable<Object>> jobs = new SynchronousQueue<>();
    static final SynchronousQueue<Object> answers = new SynchronousQueue<>();

    /** Lets the other thread do it. It finds what it needs where the caller has put it. */
    static Object there(Callable<Object> job) throws Exception {
        jobs.put(job);
        return answers.take();
    }

    static void path(String name, Runnable put, Callable<Tree> get) throws Exception {
        for (int i = 0; i < 3; i++) {
            put.run();
            // Written again after it was published, then looked at on both sides.
            System.out.println(name + " " + there(() -> get.call().look()) + " " + get.call().look());
        }
    }

    static class Finalized {
        Tree tree = new Tree(4);
        static final CountDownLatch done = new CountDownLatch(1);
        static volatile int seen;

        @Override
        protected void finalize() {
            seen = tree.look();
            done.countDown();
        }
    }

    static class Tracked extends WeakReference<Object> {
        final Tree tree;

        Tracked(Object o, ReferenceQueue<Object> q, Tree tree) {
            super(o, q);
            this.tree = tree;
        }
    }

    static Tracked drop(ReferenceQueue<Object> q) {
        return new Tracked(new Object(), q, new Tree(6));
    }

    static void finalized() {
        new Finalized();
    }

    static Tree chain(int n) {
        Tree t = null;
        for (int i = 0; i < n; i++) {
            Tree u = new Tree(1);
            u.next = t;
            t = u;
        }
        return t;
    }

    static int length(Tree t) {
        int n = 0;
        for (; t != null; t = t.next) n += t.leaf.n;
        return n;
    }

    public static void main(String[] args) throws Exception {
        Thread other =
                new Thread(
                        () -> {
                            try {
                                for (; ; ) {
                                    Object r;
                                    try {
                                        r = jobs.take().call();
                                    } catch (InterruptedException e) {
                                        return;
                                    } catch (Exception e) {
                                        r = e;
                                    }
                                    answers.put(r);
                                }
                            } catch (InterruptedException e) {
                                return;
                            }
                        });
        other.start();
        path("field", () -> box.field = new Tree(2), () -> box.field);
        path("volatile", () -> box.vol = new Tree(2), () -> box.vol);
        path("static", () -> shared = new Tree(2), () -> shared);
        path("element", () -> array[1] = new Tree(2), () -> (Tree) array[1]);
        path("arraycopy", () -> System.arraycopy(new Object[] {new Tree(2), new Leaf(1)}, 0, array, 2, 2), () -> (Tree) array[2]);
        path("checked arraycopy", () -> System.arraycopy(new Object[] {new Tree(2)}, 0, trees, 0, 1), () -> trees[0]);
        path("clone", () -> box.any = new Object[] {new Tree(2)}.clone(), () -> (Tree) ((Object[]) box.any)[0]);
        path("copyOf", () -> box.any = Arrays.copyOf(new Tree[] {new Tree(2)}, 4), () -> ((Tree[]) box.any)[0]);
        path("multi", () -> {
            Tree[][] a = new Tree[2][2];
            a[1][1] = new Tree(2);
            box.any = a;
        }, () -> ((Tree[][]) box.any)[1][1]);
        path("set", () -> atomic.set(new Tree(2)), atomic::get);
        path("lazySet", () -> atomic.lazySet(new Tree(2)), atomic::get);
        path("compareAndSet", () -> atomic.compareAndSet(atomic.get(), new Tree(2)), atomic::get);
        path("getAndSet", () -> atomic.getAndSet(new Tree(2)), atomic::get);
        path("VarHandle.set", () -> FIELD.set(box, new Tree(2)), () -> box.field);
        path("VarHandle.setRelease", () -> FIELD.setRelease(box, new Tree(2)), () -> box.field);
        path("VarHandle.compareAndExchange", () -> FIELD.compareAndExchange(box, box.field, new Tree(2)), () -> box.field);
        path("VarHandle element", () -> ELEMENT.setOpaque(array, 3, new Tree(2)), () -> (Tree) array[3]);
        path("Unsafe", () -> U.putObject(box, OFFSET, new Tree(2)), () -> box.field);
        path("Unsafe volatile", () -> U.putObjectVolatile(box, OFFSET, new Tree(2)), () -> box.field);
        path("Unsafe CAS", () -> U.compareAndSwapObject(box, OFFSET, box.field, new Tree(2)), () -> box.field);
        path("Unsafe allocateInstance", () -> {
            try {
                Box b = (Box) U.allocateInstance(Box.class);
                b.field = new Tree(2);
                box.any = b;
            } catch (InstantiationException e) {
                throw new Error(e);
            }
        }, () -> ((Box) box.any).field);
        path("Field.set", () -> {
            try {
                REFLECTED.set(box, new Tree(2));
            } catch (IllegalAccessException e) {
                throw new Error(e);
            }
        }, () -> box.field);
        path("Array.set", () -> Array.set(array, 4, new Tree(2)), () -> (Tree) array[4]);
        path("Array.newInstance", () -> {
            Object a = Array.newInstance(Tree.class, 2);
            Array.set(a, 1, new Tree(2));
            box.any = a;
        }, () -> ((Tree[]) box.any)[1]);
        path("newInstance", () -> {
            try {
                box.any = Tree.class.getDeclaredConstructor(int.class).newInstance(2);
            } catch (ReflectiveOperationException e) {
                throw new Error(e);
            }
        }, () -> (Tree) box.any);
        path("capture", () -> {
            Tree t = new Tree(2);
            Supplier<Tree> s = () -> t;
            box.any = s;
        }, () -> (Tree) ((Supplier<?>) box.any).get());
        path("throwable", () -> {
            Tree t = new Tree(2);
            try {
                throw new RuntimeException(t.toString().substring(0, 3)) {
                    final Tree tree = t;

                    @Override
                    public String getMessage() {
                        return tree.look() + super.getMessage().substring(3);
                    }
                };
            } catch (RuntimeException e) {
                box.any = e;
                box.field = t;
            }
        }, () -> {
            if (((Throwable) box.any).getStackTrace().length == 0) throw new Error();
            return Integer.parseInt(((Throwable) box.any).getMessage()) > 0 ? box.field : null;
        });
        path("collections", () -> {
            Map<String, Object> m = new ConcurrentHashMap<>(Map.of("a", new Tree(2)));
            m.computeIfAbsent("b", k -> List.of(new Tree(2)));
            box.any = m;
        }, () -> (Tree) ((List<?>) ((Map<?, ?>) box.any).get("b")).get(0));
        path("weak", () -> {
            Tree t = new Tree(2);
            box.any = new Object[] {t, new WeakReference<>(t), new SoftReference<>(t)};
        }, () -> (Tree) ((WeakReference<?>) ((Object[]) box.any)[1]).get());
        path("soft", () -> box.any = new SoftReference<>(new Tree(2)), () -> (Tree) ((SoftReference<?>) box.any).get());
        path("intern", () -> {
            String s = new StringBuilder("inter").append(new Tree(2).look()).toString();
            box.any = s.intern() == s;
            box.field = new Tree(2);
        }, () -> {
            String s = new StringBuilder("inter").append(new Tree(2).look()).toString().intern();
            return s.hashCode() != 0 && s.equals("inter" + new Tree(2).look()) ? box.field : null;
        });

        // Started threads: the target, what it captures, what is inherited.
        InheritableThreadLocal<Tree> inherited = new InheritableThreadLocal<>();
        inherited.set(new Tree(2));
        Tree captured = new Tree(4);
        int[] sums = new int[2];
        Thread t = new Thread(() -> {
            sums[0] = captured.look();
            sums[1] = inherited.get().look();
        });
        t.start();
        t.join();
        System.out.println("thread " + sums[0] + " " + sums[1]);
        captured.leaf.n++;

        // Long graphs.
        box.field = chain(20_000);
        Object[] wide = new Object[5000];
        for (int i = 0; i < wide.length; i++) wide[i] = new Leaf(i);
        box.any = wide;
        System.out.println("long " + there(() -> length(box.field)) + " " + there(() -> ((Leaf) ((Object[]) box.any)[4321]).n));

        // Hashed and locked before, during and after.
        Object o = new Leaf(1);
        int hash = System.identityHashCode(o);
        synchronized (o) {
            synchronized (o) {
                box.any = o;
                System.out.println("hash " + (hash == (Integer) there(() -> System.identityHashCode(box.any))));
                Thread w = (Thread) there(() -> {
                    Thread x = new Thread(() -> {
                        synchronized (box.any) {
                            ((Leaf) box.any).n++;
                            box.any.notifyAll();
                        }
                    });
                    x.start();
                    return x;
                });
                while (((Leaf) o).n == 1) o.wait(10_000);
                w.join(0);
            }
        }
        System.out.println("unlocked " + there(() -> ((Leaf) box.any).n));
        System.out.println("lock " + ((Leaf) o).n + " " + Thread.holdsLock(o) + " " + (hash == System.identityHashCode(o)));

        // Another thread's monitors, seen from outside.
        CountDownLatch in = new CountDownLatch(1), out = new CountDownLatch(1);
        Thread holder = new Thread(() -> {
            Leaf mine = new Leaf(7);
            int h = System.identityHashCode(mine);
            synchronized (mine) {
                in.countDown();
                try {
                    out.await();
                } catch (InterruptedException e) {
                    throw new Error(e);
                }
                mine.n = h;
            }
            sums[0] = mine.n;
        });
        holder.start();
        in.await();
        int seen = 0;
        for (ThreadInfo i : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true))
            if (i.getThreadId() == holder.getId())
                for (MonitorInfo m : i.getLockedMonitors())
                    if (m.getClassName().endsWith("Leaf")) seen = m.getIdentityHashCode();
        out.countDown();
        holder.join();
        System.out.println("monitor of another " + (seen == sums[0]));

        // Through the collector.
        ReferenceQueue<Object> q = new ReferenceQueue<>();
        Tracked tracked = drop(q);
        Reference<?> r = null;
        for (int i = 0; i < 100 && r == null; i++) {
            System.gc();
            r = q.remove(50);
        }
        System.out.println("reference " + (r == tracked) + " " + ((Tracked) r).tree.look());
        finalized();
        for (int i = 0; i < 100 && Finalized.done.getCount() != 0; i++) {
            System.gc();
            Finalized.done.await(50, TimeUnit.MILLISECONDS);
        }
        System.out.println("finalizer " + Finalized.seen);
        Cleaner cleaner = Cleaner.create();
        Tree kept = new Tree(8);
        AtomicInteger cleaned = new AtomicInteger();
        Cleaner.Cleanable c = cleaner.register(new Object(), () -> cleaned.set(kept.look()));
        for (int i = 0; i < 100 && cleaned.get() == 0; i++) {
            System.gc();
            Thread.sleep(20);
        }
        if (cleaned.get() == 0) c.clean();
        System.out.println("cleaner " + cleaned.get());
        stopped();
        jobs.put(() -> {
            throw new InterruptedException();
        });
        other.join();
    }

    static final Tree[] trees = new Tree[4];

    static class Thrown extends Error {
        final Tree tree = new Tree(10);
    }

    @SuppressWarnings("removal")
    static void stopped() throws Exception {
        int[] sum = new int[1];
        CountDownLatch running = new CountDownLatch(1);
        Thread t = new Thread(() -> {
            try {
                running.countDown();
                for (long i = 0; ; i++) if (i < 0) break;
            } catch (ThreadDeath e) {
                sum[0] = 1;
            }
        });
        t.start();
        running.await();
        t.stop();
        t.join();
        Thread u = new Thread(() -> {
            throw new Thrown();
        });
        u.setUncaughtExceptionHandler((x, e) -> box.any = e);
        u.start();
        u.join();
        System.out.println("stop " + sum[0] + " uncaught " + ((Thrown) box.any).tree.look());
    }
}
