import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.lang.ref.WeakReference;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.function.IntSupplier;

/**
 * Works with objects whose fields are of all types, in a hierarchy, from several threads, and prints what came of it: the same,
 * however often their layouts change meanwhile.
 *
 * <pre>java Relaid THREADS ROUNDS</pre>
 */
public class Relaid {
    static class Base {
        byte b; short s; char c; boolean z; int i; long l; float f; double d; Object o; Base next;
        volatile long hot;
        Base(int n) {
            b = (byte) n; s = (short) (n * 3); c = (char) (n * 5); z = (n & 1) != 0; i = n * 7; l = n * 11L; f = n * 13f; d = n * 17d;
            o = "o" + n % 10; hot = n;
        }
        long sum() { return b + s + c + (z ? 1 : 0) + i + l + (long) f + (long) d + o.hashCode() + hot; }
        void step(int by) { b++; s += 2; c++; z = !z; i += by; l -= by; f += 1; d -= 1; hot++; }
        int get() { return i; }
    }
    static class Middle extends Base {
        int more; Middle twin; static int made; static volatile long total; static Object last; static double ratio = 1;
        Middle(int n) { super(n); more = ~n; made(); }
        static synchronized void made() { made++; }
        @Override long sum() { return super.sum() + more; }
        @Override void step(int by) { super.step(by); more += by; }
        @Override int get() { return more; }
    }
    static final class Leaf extends Middle implements Cloneable {
        final long[] array; final String name; byte tail;
        Leaf(int n) { super(n); array = new long[n % 5]; name = "leaf" + n; tail = (byte) -n; }
        @Override long sum() { return super.sum() + array.length + name.length() + tail; }
        @Override public Leaf clone() {
            try { return (Leaf) super.clone(); } catch (CloneNotSupportedException e) { throw new AssertionError(e); }
        }
    }
    static class Cell { volatile long value; int pad; }
    /** A record's and a lambda's fields are known to be final. */
    record Point(int x, long y, Object what) { }
    static class Weak extends WeakReference<Object> {
        final int key;
        Weak(Object o, int key) { super(o); this.key = key; }
    }
    static class Failure extends RuntimeException {
        final int at;
        Failure(int at) { super("at " + at, null, false, false); this.at = at; }
    }
    enum Color { RED, GREEN, BLUE; int uses; synchronized void use() { uses++; } }
    interface Shape { int SIDES = 4 + Integer.parseInt("0"); default int sides() { return SIDES; } }
    static class Square implements Shape { int side = 3; long area() { return (long) side * side * sides(); } }

    /** Fields that are reached by handles, updaters and reflection, all of which keep their offsets. */
    static class Handled {
        int before; volatile int number; volatile long count; volatile Object what; byte small; long after; int plain; double mean; String text;
        static final VarHandle NUMBER, COUNT, WHAT, SMALL, MEAN;
        static final MethodHandle GET_AFTER, SET_AFTER;
        static VarHandle notFinal;
        static final Field PLAIN, TEXT, SEEN;
        static int seen;
        static final AtomicIntegerFieldUpdater<Handled> NUMBERS = AtomicIntegerFieldUpdater.newUpdater(Handled.class, "number");
        static final AtomicLongFieldUpdater<Handled> COUNTS = AtomicLongFieldUpdater.newUpdater(Handled.class, "count");
        static final AtomicReferenceFieldUpdater<Handled, Object> WHATS = AtomicReferenceFieldUpdater.newUpdater(Handled.class, Object.class, "what");
        static {
            try {
                MethodHandles.Lookup l = MethodHandles.lookup();
                NUMBER = l.findVarHandle(Handled.class, "number", int.class);
                COUNT = l.findVarHandle(HandledToo.class, "count", long.class);
                WHAT = l.findVarHandle(Handled.class, "what", Object.class);
                SMALL = l.findVarHandle(Handled.class, "small", byte.class);
                MEAN = l.findVarHandle(Handled.class, "mean", double.class);
                GET_AFTER = l.findGetter(Handled.class, "after", long.class);
                SET_AFTER = l.findSetter(HandledToo.class, "after", long.class);
                notFinal = COUNT;
                PLAIN = Handled.class.getDeclaredField("plain");
                TEXT = Handled.class.getDeclaredField("text");
                SEEN = Handled.class.getDeclaredField("seen");
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
        long sum() { return before + number + count + what.hashCode() + small + after + plain + (long) mean + text.length(); }
    }
    static class HandledToo extends Handled { long more; volatile int last; }

    static long handles(int n, boolean fresh) {
        HandledToo h = new HandledToo();
        h.what = "what"; h.text = "text"; h.more = n; h.before = -n; h.last = n;
        try {
            VarHandle count = Handled.COUNT, last = fresh ? MethodHandles.lookup().findVarHandle(HandledToo.class, "last", int.class) : null;
            for (int i = 0; i < 20; i++) {
                Handled.NUMBER.setVolatile((Handled) h, i);
                Handled.NUMBERS.getAndAdd(h, 3);
                count.getAndAdd(h, (long) i);
                Handled.notFinal.compareAndSet(h, h.count, h.count + 1);
                Handled.COUNTS.incrementAndGet(h);
                Handled.WHAT.compareAndSet((Handled) h, h.what, (Object) ("w" + i));
                Handled.WHATS.updateAndGet(h, w -> w + "x");
                Handled.SMALL.setOpaque((Handled) h, (byte) i);
                Handled.MEAN.set((Handled) h, (double) i);
                Handled.SET_AFTER.invokeExact(h, (long) Handled.GET_AFTER.invokeExact((Handled) h) + 2);
                Handled.PLAIN.setInt(h, Handled.PLAIN.getInt(h) + 1);
                Handled.TEXT.set(h, Handled.TEXT.get(h) + "t");
                Handled.SEEN.setInt(null, 5 + Handled.SEEN.getInt(null) / 1000);
                if (last != null && (int) last.getAndAdd(h, 1) != n + i) throw new AssertionError("last " + h.last);
            }
            if (Handled.seen != 5) throw new AssertionError("seen " + Handled.seen);
            return h.sum() + h.more + (fresh ? 0 : h.last);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** A thread whose fields are its own. */
    static class Worker extends Thread {
        final int number, rounds; final CountDownLatch all; long count, result; Base mine;
        Worker(int number, int rounds, CountDownLatch all) { this.number = number; this.rounds = rounds; this.all = all; }
        @Override public void run() {
            for (int i = 0; i < rounds; i++) {
                count++;
                mine = work(new Random(number * 1000L + i), number, i, mine);
                result = result * 31 + mine.sum();
            }
            all.countDown();
        }
    }

    static final Object LOCK = new Object();
    static final Map<Integer, Base> SHARED = new HashMap<>();

    static Base work(Random random, int number, int round, Base old) {
        List<Base> all = new ArrayList<>();
        Base chain = old;
        for (int n = 0; n < 60; n++) {
            Base b = n % 3 == 0 ? new Leaf(n) : n % 3 == 1 ? new Middle(n) : new Base(n);
            b.next = n % 20 == 0 ? null : chain;
            if (b instanceof Middle m && chain instanceof Middle t) m.twin = t;
            chain = b;
            all.add(b);
        }
        Base[] array = all.toArray(new Base[0]);
        Map<Base, Integer> byIdentity = new IdentityHashMap<>();
        for (Base b : array) byIdentity.put(b, b.get());
        long sum = 0;
        for (int n = 0; n < 400; n++) {
            Base b = array[random.nextInt(array.length)];
            b.step(n);
            sum += b.get() + points(n) + closures(n);
            if (b instanceof Leaf leaf && n % 7 == 0) {
                Leaf copy = leaf.clone();
                copy.step(1);
                sum += copy.sum() - leaf.sum();
            }
            if (n % 50 == 0) {
                synchronized (b) {
                    synchronized (LOCK) { SHARED.put(number, b); Middle.total += n; Middle.last = b; }
                }
                Color.values()[n % 3].use();
            }
            try {
                if (n % 90 == 89) throw new Failure(n);
            } catch (Failure e) {
                sum += e.at;
            }
        }
        for (Base b : array) {
            if (!byIdentity.containsKey(b)) throw new AssertionError("identity of " + b.sum());
        }
        Weak[] weak = new Weak[8];
        for (int i = 0; i < weak.length; i++) weak[i] = new Weak(array[i], i);
        for (Weak w : weak) {
            if (w.get() != array[w.key]) throw new AssertionError("referent " + w.key);
        }
        sum += new Square().area();
        for (int n = 0; n < 40; n++) sum += across(n) + Kept.look(n);
        for (int n = 0; n < 20; n++) sum += handles(n, n == 7);
        for (Base b = chain; b != null; b = b.next) sum = sum * 17 + b.sum();
        Base result = new Leaf(round);
        result.l = sum;
        return result;
    }
    /** Objects that compiled code has as values. */
    static long points(int n) {
        long sum = 0;
        for (int i = 0; i < 10; i++) {
            Point p = new Point(n + i, n * 3L, i % 3 == 0 ? "a" : null);
            Point q = new Point(p.y() > 40 ? p.x() : i, p.x(), p);
            sum += q.x() + q.y() + (q.what() == p ? 1 : 0) + (p.what() == null ? 5 : 7);
        }
        return sum;
    }
    /** A field of which the program keeps the offset. */
    static class Kept {
        int before; volatile long hot; byte behind;
        static final sun.misc.Unsafe UNSAFE;
        static final long HOT;
        static {
            try {
                Field f = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
                f.setAccessible(true);
                UNSAFE = (sun.misc.Unsafe) f.get(null);
                HOT = UNSAFE.objectFieldOffset(Kept.class.getDeclaredField("hot"));
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
        static long look(int n) {
            Kept k = new Kept();
            k.before = k.behind = (byte) n;
            UNSAFE.putLong(k, HOT, n * 3L);
            if (k.hot != n * 3L || k.before != (byte) n || k.behind != (byte) n) throw new AssertionError("kept " + k.hot);
            return UNSAFE.getLong(k, HOT);
        }
    }
    static class Mixed { byte a; long b; int c; Object d; short e; double f; }
    /** The same over a loop that stops: who leaves the code there finds them in frames. */
    static long across(int n) {
        Point p = new Point(n, n * 3L, "what");
        Mixed m = new Mixed();
        m.a = (byte) n; m.b = n * 5L; m.c = ~n; m.d = p; m.e = (short) (n * 7); m.f = n * 9d;
        long sum = 0;
        for (int i = 0; i < 20_000; i++) sum += i ^ n;
        if (m.d != p || p.what() != "what") throw new AssertionError("references of " + n);
        return sum + p.x() + p.y() + m.a + m.b + m.c + m.e + (long) m.f;
    }
    static long closures(int n) {
        Cell cell = new Cell();
        cell.pad = n;
        IntSupplier s = () -> (int) cell.value++ + cell.pad;
        return s.getAsInt() + s.getAsInt();
    }

    public static void main(String[] args) throws InterruptedException {
        int threads = Integer.parseInt(args[0]), rounds = Integer.parseInt(args[1]);
        Cell[] cells = new Cell[threads];
        Arrays.setAll(cells, i -> new Cell());
        CountDownLatch all = new CountDownLatch(threads);
        Worker[] workers = new Worker[threads];
        for (int i = 0; i < threads; i++) (workers[i] = new Worker(i, rounds, all)).start();
        Thread[] counters = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            Cell own = cells[t];
            (counters[t] = new Thread(() -> { while (all.getCount() > 0) { own.value++; own.pad ^= 1; } })).start();
        }
        // One loop that is entered once.
        Base b = new Leaf(1);
        long steps = 0;
        while (all.getCount() > 0) { b.step(1); steps++; if (b.l != 11 - steps) throw new AssertionError(b.l + " after " + steps); }
        for (Thread t : counters) t.join();
        for (Worker w : workers) {
            w.join();
            System.out.println(w.number + ": " + w.count + " " + w.result);
        }
        System.out.println(Middle.made + " " + Middle.total + " " + (Middle.last instanceof Base) + " " + Middle.ratio + " " + SHARED.size()
                + " " + Arrays.stream(Color.values()).mapToInt(c -> c.uses).sum());
    }
}
