// vm: own -Xmx64m -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions -XX:CompileThresholdScaling=0.02 -XX:-BackgroundCompilation
// covers: publication(far,list,array,recursion,loop)
/**
 * Objects that lead to many others become visible to other threads at one store, by code that has published little so far, while
 * other threads ask for collections: in a method that is called, in one that calls itself, and in a loop that is never left.
 */
public class T22FarPublication {
    static final class Node {
        final Node next;
        int n;

        Node(Node next, int n) {
            this.next = next;
            this.n = n;
        }
    }

    static final class Box {
        Object content;
    }

    static final Box[] BOXES = new Box[16];
    static volatile boolean ended;

    static Node list(int length) {
        Node last = null;
        for (int i = 0; i < length; i++) {
            last = new Node(last, i);
        }
        return last;
    }

    static Node[] array(int length) {
        Node[] a = new Node[length];
        for (int i = 0; i < length; i += 3) {
            a[i] = new Node(null, i);
        }
        return a;
    }

    static void put(int at, Object content) {
        BOXES[at & 15].content = content;
    }

    static long putDeep(int depth, int length) {
        Node own = list(depth);
        if (depth > 0) {
            putDeep(depth - 1, length);
        }
        put(depth, depth == 4 ? list(length) : own);
        return sum(BOXES[depth & 15].content);
    }

    static long putInLoop(int rounds, int far) {
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            Node own = new Node(null, i);
            BOXES[i & 15].content = i % far == far - 1 ? list(30_000) : new Node(own, 1);
            sum += own.n + i;
        }
        return sum;
    }

    static long sum(Object content) {
        long sum = 0;
        if (content instanceof Node[] a) {
            for (Node n : a) {
                sum += n == null ? 1 : n.n;
            }
        } else {
            for (Node n = (Node) content; n != null; n = n.next) {
                sum += n.n;
            }
        }
        return sum;
    }

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 16; i++) {
            BOXES[i] = new Box();
        }
        long[] read = new long[1];
        Thread collector = new Thread(() -> {
            while (!ended) {
                System.gc();
                Thread.yield();
            }
        });
        Thread reader = new Thread(() -> {
            while (!ended) {
                for (Box b : BOXES) {
                    read[0] += sum(b.content) & 1;
                }
            }
        });
        collector.start();
        reader.start();
        long sum = 0;
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < 2_000; i++) {
                put(i, list(i & 3));
                sum += sum(BOXES[i & 15].content);
            }
            put(round, list(60_000));
            sum += sum(BOXES[round].content);
            put(round + 1, array(60_000));
            sum += sum(BOXES[round + 1].content);
            for (int i = 0; i < 200; i++) {
                sum += putDeep(8, i == 150 ? 40_000 : 2);
            }
        }
        sum += putInLoop(60_000, 20_000);
        ended = true;
        collector.join();
        reader.join();
        System.out.println(sum + " " + (read[0] >= 0));
    }
}
