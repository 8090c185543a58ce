/** Publishes a list that is long, by a method that has published short ones before, then one again. */
public class Far {
    static final class Node {
        final Node next;

        Node(Node next) {
            this.next = next;
        }
    }

    static Node list(int n) {
        Node last = null;
        for (int i = 0; i < n; i++) {
            last = new Node(last);
        }
        return last;
    }

    static void put(Node[] to, int at, Node list) {
        to[at] = list;
    }

    static void putShort(Node[] to) {
        for (int i = 0; i < 20_000; i++) {
            put(to, i & 7, list(3));
        }
    }

    static Node[] shared = new Node[8];

    public static void main(String[] args) {
        Node[] to = shared;
        putShort(to);
        for (int i = 0; i < 3; i++) {
            put(to, i, list(50_000));
            putShort(to);
        }
        int found = 0;
        for (Node n = to[0]; n != null; n = n.next) {
            found++;
        }
        System.out.println("found " + found);
    }
}
