import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** Objects that compiled code need not make: of all kinds of fields, in one another, over loops, and what is seen of them when the code is left. */
public class B51ObjectsAsFields {
    static class All {
        boolean z;
        byte b;
        char c;
        short s;
        int i;
        long j;
        float f;
        double d;
        Object o;
        volatile int v;

        void set(int n) {
            z = (n & 2) != 0;
            b = (byte) n;
            c = (char) (n * 3);
            s = (short) (n * 5);
            i = n * 7;
            j = n * 0x1_0000_0001L;
            f = n * 0.5f;
            d = n * 0.25;
            o = "o" + (n & 3);
            v = n;
        }

        @Override
        public String toString() {
            return z + " " + b + " " + (int) c + " " + s + " " + i + " " + j + " " + f + " " + d + " " + o + " " + v;
        }
    }

    static class Point {
        final int x, y;

        Point(int x, int y) {
            this.x = x;
            this.y = y;
        }

        Point plus(Point p) {
            return new Point(x + p.x, y + p.y);
        }

        int length() {
            return x * x + y * y;
        }
    }

    static final class Far extends Point {
        final Point from;

        Far(Point from, int x) {
            super(x, from.y);
            this.from = from;
        }

        @Override
        int length() {
            return super.length() + from.length();
        }
    }

    static class Node {
        Node next;
        final int n;

        Node(int n, Node next) {
            this.n = n;
            this.next = next;
        }
    }

    /** Read only when the code is left. */
    static Object seen;
    static int[] numbers = new int[16];

    /** Narrow fields keep what fits; the index leaves the code with all fields set, half of them by the second time. */
    static String kinds(int n, int at) {
        All a = new All();
        String before = a.z + " " + a.b + " " + a.o;
        a.set(n);
        try {
            numbers[at] = a.c + a.b;
            a.set(n + 1);
            numbers[at + 1] += a.s;
        } catch (ArrayIndexOutOfBoundsException e) {
            seen = a;
            return before + " caught " + a;
        }
        return before + " " + (a.i + a.j + a.f + a.d) + a.v + a.z;
    }

    static int narrow(int n) {
        All a = new All();
        a.b = (byte) n;
        a.c = (char) n;
        a.s = (short) n;
        a.z = n > 5;
        a.f = n;
        return a.b + a.c * 3 + a.s * 5 + (a.z ? 7 : 0) + (int) a.f;
    }

    /** Each turn's object is another; the last one leaves. */
    static int turns(int n, int divisor) {
        Point sum = new Point(0, 0);
        int lengths = 0;
        for (int i = 0; i < n; i++) {
            Point p = new Point(i, i / (divisor - i / 90));
            sum = sum.plus(p);
            lengths += p.length();
        }
        return lengths + sum.x + sum.y;
    }

    /** An object that changes in a loop, and is seen when it ends early. */
    static Object counted(int[] a, int stop) {
        All sum = new All();
        for (int x : a) {
            sum.i += x;
            sum.d += 0.5;
            sum.j ^= sum.i;
            sum.o = sum.o == null ? "first" : "later";
            if (x == stop) {
                return sum.toString();
            }
        }
        return sum.i + " " + sum.d + " " + sum.j + " " + sum.o;
    }

    static int nested(int n, Point other) {
        Point p = new Point(n, n + 1);
        Far f = new Far(p, 3);
        Far g = new Far(f, n);
        if (other == p || other == f) {
            return -1;
        }
        Point same = g.from;
        int r = same == f ? 1 : 0;
        // Leaves the code where `other` is null: g, f and p are made.
        return r + g.length() + ((Far) g.from).from.x + (g.from instanceof Far ? 10 : 0) + other.x + ((Object) g instanceof Comparable ? 100 : 0);
    }

    static Object chain(int n, int wanted) {
        Node a = new Node(n, null);
        Node b = new Node(n + 1, a);
        Node c = new Node(n + 2, b);
        int sum = 0;
        for (Node at = c; at != null; at = at.next) {
            sum += at.n;
        }
        a.next = n == wanted ? c : null;
        // A ring, seen by others, or nothing.
        return n == wanted ? c.next.next.next == c : sum;
    }

    static Node ring(int n, int[] a) {
        Node x = new Node(n, null);
        x.next = x;
        Node y = new Node(n + 1, x);
        // Leaves the code with x in itself and y.
        return a[n & 7] < 0 ? y : x.next == x && y.next == x ? null : y;
    }

    /** The object is in a frame that waits for a call, which ends by an exception. */
    static String caught(int n) {
        Point p = new Point(n, 2 * n);
        int before = p.x;
        try {
            return "" + (before + thrower(n));
        } catch (IllegalStateException e) {
            return e.getMessage() + p.x + p.y + p.length();
        } finally {
            seen = p.x;
        }
    }

    static int thrower(int n) {
        if (n % 1000 == 999) {
            throw new IllegalStateException("thrown ");
        }
        return n;
    }

    static synchronized int locked(int n, Object lock) {
        Point p = new Point(n, n);
        synchronized (lock) {
            Point q = new Point(p.y, 1);
            return q.plus(p).length() / (n - 3000);
        }
    }

    static int iterated(List<Integer> l, List<Integer> changed, int at) {
        int sum = 0;
        for (Integer i : l) {
            sum += i;
            if (i == at) {
                changed.add(1);
            }
        }
        return sum;
    }

    static int lambda(int n) {
        int[] box = {n};
        Runnable twice = () -> box[0] *= 2;
        twice.run();
        twice.run();
        return box[0];
    }

    /** Stored into an object that others see, or not. */
    static Point escapes(int n) {
        Point p = new Point(n, 1);
        if (n % 5000 == 4999) {
            seen = p;
        }
        return p.plus(p);
    }

    static boolean compared(Object o, int n) {
        Point p = new Point(n, 0);
        Object q = p;
        return p == o || q != p || o == q || p == null || !p.equals(q) || p.equals(o);
    }

    static int hashed(int n) {
        Object o = new Object();
        return n > 100 ? o.hashCode() == System.identityHashCode(o) ? 1 : 2 : 3;
    }

    /** The object of each turn takes the place of the last one's; which one it is, is asked, and left with. */
    static Object replaced(int n, int[] a, Object other) {
        Point p = new Point(0, 1), q = new Point(1, 0);
        int same = 0;
        for (int i = 0; i < n; i++) {
            Point next = i % 3 == 0 ? new Point(p.x + i, p.y) : new Point(p.x, p.y + a[i]);
            same += next == p ? 100 : p == q ? 10 : next == other ? 1000 : 0;
            Point old = p;
            p = (i & 1) == 0 ? q : next;
            q = (i & 1) == 0 ? next : old;
        }
        return p.x + " " + p.y + " " + q.x + " " + q.y + " " + same;
    }

    /** Two names of one object, of which it is changed by one and read by the other. */
    static int twoNames(int n, boolean first) {
        All a = new All(), b = new All();
        All c = first ? a : b;
        c.i = n;
        a.j = 2;
        return a.i + 2 * b.i + (c == a ? 5 : 0) + (int) c.j;
    }

    /** Its fields have two types in two classes at the same place. */
    static long merged(int n) {
        Object o = n > 3 ? (Object) new Point(n, 2) : new Node(n, null);
        return o instanceof Point ? ((Point) o).x : ((Node) o).n * 2L;
    }

    static Object[] published = new Object[4];

    /** What is made when the code is left goes to another thread. */
    static void publish(int n) {
        Point inner = new Point(n, n + 1);
        Node list = new Node(n, new Node(n + 1, null));
        int check = inner.x + list.next.n;
        try {
            published[n & 7] = check;
        } catch (ArrayIndexOutOfBoundsException e) {
            published[0] = inner;
            published[1] = list;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long check = 0;
        int[] a16 = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
        for (int n = 0; n < 4000; n++) {
            String k = kinds(n, n % 15);
            check = check * 31 + k.hashCode();
            check = check * 31 + narrow(n * 40);
            check = check * 31 + turns(n & 31, 1000);
            check = check * 31 + nested(n, new Point(n, n));
            check = check * 31 + chain(n, 3999).hashCode();
            check = check * 31 + (ring(n, new int[8]) == null ? 1 : 2);
            check = check * 31 + caught(n % 999).hashCode();
            check = check * 31 + locked(n % 2999, args);
            check = check * 31 + lambda(n);
            check = check * 31 + escapes(n).length();
            check = check * 31 + (compared(k, n) ? 1 : 2);
            check = check * 31 + hashed(n);
            check = check * 31 + replaced(n & 15, a16, k).hashCode();
            check = check * 31 + twoNames(n, n % 3 == 0);
            check = check * 31 + merged(n & 7);
            publish(n & 3);
        }
        System.out.println(check);
        try {
            System.out.println(replaced(16, a16, null) + " " + replaced(17, a16, null));
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(kinds(77, 16));
        System.out.println(kinds(78, 15));
        System.out.println(kinds(-79, -1) + " " + seen);
        System.out.println(escapes(4999).x + " " + ((Point) seen).x);
        System.out.println(chain(3999, 3999));
        int[] negative = {0, 0, -1, 0, 0, 0, 0, 0};
        Node r = ring(2, negative);
        System.out.println(r.n + " " + r.next.n + " " + (r.next.next == r.next));
        System.out.println(caught(999) + " " + seen);
        try {
            System.out.println(turns(200, 1));
        } catch (ArithmeticException e) {
            System.out.println(e + " " + e.getStackTrace()[0].getLineNumber());
        }
        try {
            System.out.println(locked(3000, "lock"));
        } catch (ArithmeticException e) {
            System.out.println(e + " " + Thread.holdsLock("lock") + Thread.holdsLock(B51ObjectsAsFields.class));
        }
        try {
            System.out.println(nested(5, null));
        } catch (NullPointerException e) {
            System.out.println(e.getStackTrace()[0].getMethodName());
        }
        int[] a = new int[300];
        for (int i = 0; i < 300; i++) {
            a[i] = i * i;
        }
        for (int i = 0; i < 200; i++) {
            check += counted(a, -1).hashCode();
        }
        System.out.println(check + " " + counted(a, -1));
        System.out.println(counted(a, 10000));
        System.out.println(counted(a, 0));
        List<Integer> l = new ArrayList<>(Arrays.asList(1, 2, 3, 4, 5, 6, 7, 8, 9)), other = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            check += iterated(l, other, -1);
        }
        System.out.println(check + " " + iterated(l, other, 4) + " " + other);
        try {
            System.out.println(iterated(l, l, 4));
        } catch (java.util.ConcurrentModificationException e) {
            System.out.println(e + " " + l);
        }
        Iterator<Integer> it = l.iterator();
        System.out.println(it.next() + " " + iterated(l, other, 9));
        publish(7);
        Thread t = new Thread(() -> {
            Node n = (Node) published[1];
            System.out.println(((Point) published[0]).length() + " " + n.n + n.next.n + n.next.next);
        });
        t.start();
        t.join();
        synchronized (published[0]) {
            System.out.println(published[0].hashCode() == System.identityHashCode(published[0]));
        }
    }
}
