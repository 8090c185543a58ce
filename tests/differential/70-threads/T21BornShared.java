// vm: own -Xmx24m -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions -XX:CompileThresholdScaling=0.02 -XX:-BackgroundCompilation -XX:+VerifyAfterGC
// covers: birth(local,shared,copy,array,late-store)
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Objects of a few classes stay where they were made for a while, and then nearly all go to other threads, over many collections:
 * compiled code makes them SHARED from some collection on, with LOCAL objects in their fields. Readers look whether
 * what they find is whole.
 */
public class T21BornShared {
    static final class Leaf {
        final int n;

        Leaf(int n) {
            this.n = n;
        }
    }

    /** Most of these stay with their thread. */
    static final class Mixed {
        final int n;

        Mixed(int n) {
            this.n = n;
        }
    }

    /** Refers to one that was made before it. */
    static final class Link {
        final Mixed to;

        Link(Mixed to) {
            this.to = to;
        }
    }

    static class Node implements Cloneable {
        int n;
        Leaf leaf;
        Link link;
        int[] numbers;
        Object[] others;
        Node next;

        Node(int n) {
            this.n = n;
            leaf = new Leaf(n);
            Mixed first = new Mixed(n);
            link = new Link(first);
            numbers = new int[] {n, -n, n ^ 0x55};
            others = new Object[] {leaf, numbers, null, null};
        }

        Node copy() {
            try {
                return (Node) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    static final int SLOTS = 256;
    static final AtomicReferenceArray<Node> table = new AtomicReferenceArray<>(SLOTS);
    static volatile boolean done;

    /** What is wrong with a node that another thread has made. */
    static String wrong(Node d) {
        int n = d.n;
        if (d.leaf == null || d.link == null || d.numbers == null || d.others == null) return "a field is null";
        if (d.leaf.n != n || d.link.to.n != n || d.numbers[0] != n || d.numbers[1] != -n || d.numbers[2] != (n ^ 0x55)) return "fields of different nodes";
        if (d.others[0] != d.leaf || d.others[1] != d.numbers) return "an array of another node";
        Object late = d.others[2];
        if (late != null && ((Leaf) late).n != n + 1) return "a late leaf of another node";
        Node next = d.next;
        return next == null || next.leaf.n == n + 2 ? null : "another successor";
    }

    /** Nobody else sees these. */
    static long keepToMyself(int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            Node d = new Node(i);
            d.others[2] = new Leaf(i + 1);
            d.next = d.copy();
            synchronized (d) {
                sum += d.next.numbers[2] + ((Leaf) d.others[2]).n;
            }
        }
        return sum;
    }

    static long publish(int thread, int from, int to) {
        long sum = 0;
        Mixed[] mine = new Mixed[8];
        for (int i = from; i < to; i++) {
            for (int k = 0; k < 4; k++) {
                mine[i + k & 7] = new Mixed(i);
            }
            Node d = new Node(i);
            if (i % 3 == 0) {
                d.next = new Node(i + 2);
            }
            table.set(thread * 64 + (i & 63), d);
            // Late: others may have it by now.
            d.others[2] = new Leaf(i + 1);
            if (i % 5 == 0) {
                Node copy = d.copy();
                // Before anybody sees it, whoever made it.
                copy.next = new Node(i + 2);
                copy.others = new Object[] {copy.leaf, copy.numbers, new Leaf(i + 1), null};
                sum += copy.next.n;
                table.set(thread * 64 + (i * 7 & 63), copy);
            }
            synchronized (d) {
                sum += d.numbers[2] + mine[i & 7].n;
            }
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        long[] sums = new long[4];
        String[] found = new String[2];
        long[] looks = new long[2];
        Thread[] readers = new Thread[2];
        for (int r = 0; r < 2; r++) {
            int me = r;
            readers[r] = new Thread(() -> {
                int i = me;
                while (!done) {
                    Node d = table.get(i++ & SLOTS - 1);
                    String w = d == null ? null : wrong(d);
                    if (w != null) found[me] = w;
                    looks[me]++;
                    if ((i & 1023) == 0) Thread.yield();
                }
            });
            readers[r].start();
        }
        Thread[] writers = new Thread[4];
        for (int t = 0; t < 4; t++) {
            int me = t;
            writers[t] = new Thread(() -> {
                sums[me] = keepToMyself(0, 3_000) + publish(me, 0, 90_000) + keepToMyself(0, 3_000) + publish(me, 0, 30_000);
            });
            writers[t].start();
        }
        for (Thread t : writers) t.join();
        done = true;
        for (Thread t : readers) t.join();
        for (long s : sums) System.out.println(s);
        System.out.println(found[0] + " " + found[1] + " " + (looks[0] > 0 && looks[1] > 0));
    }
}
