import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Random;

/**
 * Programs that live by their collector: {@code Collector NAME UNITS THREADS}. Two lengths give the
 * cost of a unit without the start. Prints a check, and the resident memory once nothing lives.
 */
public class Collector {
    private interface Program {
        /** Does {@code units} of work; the result depends on all of it. */
        long run(int units, int thread);
    }

    private static final class Node {
        Node left;
        Node right;
        int value;
    }

    private static final class Small {
        final int a;
        final int b;
        Object c;

        Small(int a, int b) {
            this.a = a;
            this.b = b;
        }
    }

    private static Object sink;

    /** A unit is a million small objects that die at once. */
    private static long raw(int units, int thread) {
        long sum = 0;
        Small last = new Small(0, 0);
        for (int u = 0; u < units; u++) {
            for (int i = 0; i < 1_000_000; i++) {
                Small s = new Small(i, u);
                s.c = i % 1024 == 0 ? null : s;
                sum += last.a ^ s.b;
                last = s;
            }
        }
        sink = last;
        return sum;
    }

    private static Node tree(int depth) {
        Node n = new Node();
        n.value = depth;
        if (depth > 0) {
            n.left = tree(depth - 1);
            n.right = tree(depth - 1);
        }
        return n;
    }

    private static int weight(Node n) {
        return n == null ? 0 : 1 + weight(n.left) + weight(n.right);
    }

    /** A unit is 64 trees of 2^13 nodes beside one of 2^18 that lives on. */
    private static long trees(int units, int thread) {
        Node old = tree(17);
        long sum = 0;
        for (int u = 0; u < units; u++) {
            for (int i = 0; i < 64; i++) {
                sum += weight(tree(12));
            }
        }
        return sum + weight(old);
    }

    /** A unit is 100,000 replacements in a map that holds about 300 MB in all threads together. */
    private static long map(int units, int thread) {
        int entries = 2_000_000 / threads;
        HashMap<Integer, byte[]> map = new HashMap<>(entries * 2);
        for (int i = 0; i < entries; i++) {
            map.put(i, new byte[64]);
        }
        Random random = new Random(thread);
        long sum = 0;
        for (int u = 0; u < units; u++) {
            for (int i = 0; i < 100_000; i++) {
                byte[] value = new byte[64];
                value[0] = (byte) i;
                sum += map.put(random.nextInt(entries), value)[0];
            }
        }
        return sum + map.size();
    }

    /** A unit is 64 MB in arrays of 64 KB to 4 MB, of which the last sixteen live. */
    private static long arrays(int units, int thread) {
        int[][] kept = new int[16][];
        Random random = new Random(thread);
        long sum = 0;
        for (int u = 0; u < units; u++) {
            for (long left = 64 << 20; left > 0; ) {
                int length = 1 << 14 << random.nextInt(7);
                int[] a = new int[length];
                a[length / 2] = u;
                int slot = random.nextInt(kept.length);
                sum += kept[slot] == null ? 0 : kept[slot][kept[slot].length / 2];
                kept[slot] = a;
                left -= length * 4L;
            }
        }
        return sum;
    }

    /** A unit is a list of a million nodes, made and walked. */
    private static long list(int units, int thread) {
        long sum = 0;
        for (int u = 0; u < units; u++) {
            Node head = null;
            for (int i = 0; i < 1_000_000; i++) {
                Node n = new Node();
                n.value = i;
                n.right = head;
                head = n;
            }
            for (Node n = head; n != null; n = n.right) {
                sum += n.value;
            }
        }
        return sum;
    }

    private static int threads;

    public static void main(String[] args) throws Exception {
        int units = Integer.parseInt(args[1]);
        threads = Integer.parseInt(args[2]);
        Program program = switch (args[0]) {
            case "raw" -> Collector::raw;
            case "trees" -> Collector::trees;
            case "map" -> Collector::map;
            case "arrays" -> Collector::arrays;
            case "list" -> Collector::list;
            default -> throw new IllegalArgumentException(args[0]);
        };
        long[] sums = new long[threads];
        Thread[] all = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            int number = t;
            all[t] = new Thread(() -> sums[number] = program.run(units / threads, number));
            all[t].start();
        }
        long check = 0;
        for (int t = 0; t < threads; t++) {
            all[t].join();
            check += sums[t];
        }
        sink = null;
        System.out.println("check " + check);
        if (args.length > 3) {
            for (int i = 0; i < 3; i++) {
                System.gc();
                Thread.sleep(200);
            }
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith("VmRSS:")) {
                    System.out.println("idle " + line.replaceAll("[^0-9]", ""));
                }
            }
        }
    }
}
