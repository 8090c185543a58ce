package dev.concord.persist.core;

import dev.concord.persist.PersistentObject;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/**
 * Maps a reference to an object to its one live proxy. Owns the invariant that two dereferences of one object give one
 * Java object while anybody holds it, so {@code ==}, monitors and transient fields behave as for ordinary objects; and that
 * a reference finds nothing once its object was freed, whoever has the place now.
 *
 * <p>Readers take no lock: chains are immutable behind their head. A writer copies the part of a chain before the node
 * it removes.
 */
final class IdentityCache {
    private static final int SHARDS = 32;
    private final Shard[] shards = new Shard[SHARDS];

    IdentityCache() {
        for (int i = 0; i < SHARDS; i++) {
            shards[i] = new Shard();
        }
    }

    private static int hash(long ref) {
        long h = (Header.offset(ref) >>> 3) * 0x9E3779B97F4A7C15L;
        return (int) (h >>> 32);
    }

    PersistentObject get(long ref) {
        int h = hash(ref);
        return shards[h >>> 27].get(ref, h);
    }

    /** The proxy already there, or {@code fresh} after it was entered. */
    PersistentObject putIfAbsent(long ref, PersistentObject fresh) {
        int h = hash(ref);
        return shards[h >>> 27].putIfAbsent(ref, h, fresh);
    }

    PersistentObject remove(long ref) {
        int h = hash(ref);
        return shards[h >>> 27].remove(ref, h);
    }

    /** Proxies entered, some of which may be gone. */
    long size() {
        long n = 0;
        for (Shard s : shards) {
            n += s.count;
        }
        return n;
    }

    /** Offsets of the objects that have a proxy now. */
    void forEachLive(java.util.function.LongConsumer visit) {
        for (Shard s : shards) {
            for (Node head : s.table) {
                for (Node n = head; n != null; n = n.next) {
                    if (n.get() != null) {
                        visit.accept(Header.offset(n.ref));
                    }
                }
            }
        }
    }

    private static final class Node extends WeakReference<PersistentObject> {
        final long ref;
        final Node next;

        Node(long ref, PersistentObject p, ReferenceQueue<PersistentObject> q, Node next) {
            super(p, q);
            this.ref = ref;
            this.next = next;
        }
    }

    private static final class Shard {
        private final ReferenceQueue<PersistentObject> queue = new ReferenceQueue<>();
        private volatile Node[] table = new Node[64];
        private int count;

        PersistentObject get(long ref, int h) {
            Node[] t = table;
            for (Node n = t[h & t.length - 1]; n != null; n = n.next) {
                if (n.ref == ref) {
                    return n.get();
                }
            }
            return null;
        }

        synchronized PersistentObject putIfAbsent(long ref, int h, PersistentObject fresh) {
            expunge();
            PersistentObject old = get(ref, h);
            if (old != null) {
                return old;
            }
            removeNode(ref, h);
            if (count > table.length) {
                grow();
            }
            Node[] t = table;
            int i = h & t.length - 1;
            t[i] = new Node(ref, fresh, queue, t[i]);
            count++;
            table = t;
            return fresh;
        }

        synchronized PersistentObject remove(long ref, int h) {
            PersistentObject old = get(ref, h);
            if (old != null) {
                removeNode(ref, h);
            }
            return old;
        }

        /** Removes what is entered for the place, of this or an earlier object. */
        private void removeNode(long ref, int h) {
            Node[] t = table;
            int i = h & t.length - 1;
            for (Node n = t[i]; n != null; n = n.next) {
                if (Header.offset(n.ref) == Header.offset(ref)) {
                    t[i] = without(t[i], n);
                    count--;
                    return;
                }
            }
        }

        private Node without(Node head, Node gone) {
            Node rest = gone.next;
            for (Node n = head; n != gone; n = n.next) {
                PersistentObject p = n.get();
                if (p != null) {
                    rest = new Node(n.ref, p, queue, rest);
                } else {
                    count--;
                }
            }
            return rest;
        }

        private void expunge() {
            for (Object dead = queue.poll(); dead != null; dead = queue.poll()) {
                Node d = (Node) dead;
                int h = hash(d.ref);
                Node[] t = table;
                int i = h & t.length - 1;
                for (Node n = t[i]; n != null; n = n.next) {
                    if (n == d) {
                        t[i] = without(t[i], n);
                        count--;
                        break;
                    }
                }
            }
        }

        private void grow() {
            Node[] old = table;
            Node[] t = new Node[old.length * 2];
            int live = 0;
            for (Node head : old) {
                for (Node n = head; n != null; n = n.next) {
                    PersistentObject p = n.get();
                    if (p != null) {
                        int i = hash(n.ref) & t.length - 1;
                        t[i] = new Node(n.ref, p, queue, t[i]);
                        live++;
                    }
                }
            }
            count = live;
            table = t;
        }
    }
}
