package dev.concord.persist.collections;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Places in the natural order of their keys: a skip list that one thread at a time changes. Owns the rule that every way through
 * it goes to greater keys only and ends: what is removed keeps the references it had when it was, so who stands on it comes
 * back to what was behind it then.
 *
 * <p>Entries of the index, and nodes, hold the prefix of their key ({@link KeyOrder}), so that a step costs one load where
 * prefixes differ, and the key is not looked at. That holds as long as all keys are of one kind; {@link #mixed} is set before
 * another kind is linked in, and whoever searched by prefix meanwhile searches again by the keys themselves.
 */
final class SkipPlaces implements Places {
    private static final int MOST_LEVELS = 15;

    private static final class Node extends Slot {
        final long prefix;
        volatile Node next;

        Node(Object key, int index, long prefix) {
            super(key, index);
            this.prefix = prefix;
        }
    }

    /** One level's way past many nodes; every fourth node has one, every fourth of these one on the next level. */
    private static final class Index {
        final long prefix;
        final Node node;
        final Index down;
        volatile Index right;

        Index(Node node, Index down) {
            this.prefix = node.prefix;
            this.node = node;
            this.down = down;
        }
    }

    /** What is before every key. */
    private final Node base = new Node(null, -1, 0);
    private volatile Index head = new Index(base, null);
    /** Of the first key there ever was. */
    private volatile int kind = KeyOrder.UNDECIDED;
    /** Whether a key of another kind came since, so that prefixes tell nothing. */
    private volatile boolean mixed;
    // Of who holds the map's lock.
    private int levels = 1;
    private int random = 1;

    // ---- searching ------------------------------------------------------------------------------------------------

    /** Whether a node comes before what is searched for. */
    private static boolean isBefore(long prefix, Node n, Comparable<Object> key, long p, int by, boolean inclusive) {
        if (by != KeyOrder.OTHER && prefix != p) {
            return prefix < p;
        }
        int c = KeyOrder.exact(by) ? 0 : key.compareTo(n.key);
        return c > 0 || c == 0 && inclusive;
    }

    /** The last node before a key, or at it if {@code inclusive}. */
    private Node last(Comparable<Object> key, boolean inclusive) {
        for (;;) {
            int by = by(key);
            Node n = last(key, KeyOrder.prefix(key, by), by, inclusive);
            // A node of another kind was linked after this was set: who saw it sees this too.
            if (by == by(key)) {
                return n;
            }
        }
    }

    @Override
    public Slot find(Object o) {
        Comparable<Object> key = comparable(o);
        for (;;) {
            int by = by(key);
            long p = KeyOrder.prefix(key, by);
            Node n = last(key, p, by, true);
            boolean equal = n != base && (KeyOrder.exact(by) ? n.prefix == p : key.compareTo(n.key) == 0);
            if (by == by(key)) {
                return equal ? n : null;
            }
        }
    }

    /** By what a key is compared with those here. */
    private int by(Object key) {
        int k = KeyOrder.kind(key, null);
        return mixed || k != kind ? KeyOrder.OTHER : k;
    }

    private Node last(Comparable<Object> key, long p, int by, boolean inclusive) {
        Index q = head;
        for (;;) {
            for (Index r = q.right; r != null && isBefore(r.prefix, r.node, key, p, by, inclusive); r = q.right) {
                q = r;
            }
            if (q.down == null) {
                break;
            }
            q = q.down;
        }
        Node b = q.node;
        for (Node n = b.next; n != null && isBefore(n.prefix, n, key, p, by, inclusive); n = b.next) {
            b = n;
        }
        return b;
    }

    @SuppressWarnings("unchecked")
    private static Comparable<Object> comparable(Object key) {
        return (Comparable<Object>) key;
    }

    /** The last of all. */
    private Node last() {
        Index q = head;
        for (;;) {
            for (Index r = q.right; r != null; r = q.right) {
                q = r;
            }
            if (q.down == null) {
                break;
            }
            q = q.down;
        }
        Node b = q.node;
        for (Node n = b.next; n != null; n = b.next) {
            b = n;
        }
        return b;
    }

    /** The first slot from a key on in one of both directions, null if there is none; of all if the key is null. */
    Slot from(Object key, boolean inclusive, boolean descending) {
        if (descending) {
            Node n = key == null ? last() : last(comparable(key), inclusive);
            return n == base ? null : n;
        }
        return (key == null ? base : last(comparable(key), !inclusive)).next;
    }

    /** The slot that comes after one, whether or not that is still there. */
    Slot after(Slot s, boolean descending) {
        return descending ? from(s.key, false, true) : ((Node) s).next;
    }

    @Override
    public Iterator<Slot> walk() {
        return new Iterator<>() {
            private Node ahead = base.next;

            @Override
            public boolean hasNext() {
                return ahead != null;
            }

            @Override
            public Slot next() {
                Node n = ahead;
                if (n == null) {
                    throw new NoSuchElementException();
                }
                ahead = n.next;
                return n;
            }
        };
    }

    // ---- changing -------------------------------------------------------------------------------------------------

    @Override
    public Slot add(Object key, int index) {
        comparable(key).compareTo(key); // a key that compares with nothing is refused even if it is the first
        Node before = last(comparable(key), false);
        int k = KeyOrder.kind(key, null);
        if (kind == KeyOrder.UNDECIDED) {
            kind = k;
        } else if (k != kind) {
            mixed = true;
        }
        Node n = new Node(key, index, KeyOrder.prefix(key, k));
        n.next = before.next;
        before.next = n;
        int height = height();
        if (height > 0) {
            raise(n, height);
        }
        return n;
    }

    /** Levels of the index for a new node, each with a quarter of the one below. */
    private int height() {
        random ^= random << 13;
        random ^= random >>> 17;
        random ^= random << 5;
        int height = Integer.numberOfTrailingZeros(random) / 2;
        return Math.min(height, Math.min(levels + 1, MOST_LEVELS));
    }

    private void raise(Node n, int height) {
        if (height > levels) {
            head = new Index(base, head);
            levels++;
        }
        Index[] before = new Index[levels];
        int level = levels;
        int by = by(n.key);
        for (Index q = head; q != null; q = q.down) {
            for (Index r = q.right; r != null && isBefore(r.prefix, r.node, comparable(n.key), n.prefix, by, false); r = q.right) {
                q = r;
            }
            before[--level] = q;
        }
        Index below = null;
        for (int i = 0; i < height; i++) {
            Index made = new Index(n, below);
            made.right = before[i].right;
            before[i].right = made;
            below = made;
        }
    }

    @Override
    public void remove(Slot s) {
        Node n = (Node) s;
        int by = by(n.key);
        for (Index q = head; q != null; q = q.down) {
            for (Index r = q.right; r != null && isBefore(r.prefix, r.node, comparable(n.key), n.prefix, by, false); r = q.right) {
                q = r;
            }
            if (q.right != null && q.right.node == n) {
                q.right = q.right.right;
            }
        }
        last(comparable(n.key), false).next = n.next;
    }
}
