package dev.concord.persist.core;

import dev.concord.persist.PersistentObject;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/**
 * Maps the offset of an object to its one live proxy. Owns the invariant that two dereferences of one object give one
 * Java object while anybody holds it, so {@code ==}, monitors and transient fields behave as for ordinary objects.
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

    private static int hash(long off) {
        long h = (off >>> 3) * 0x9E3779B97F4A7C15L;
        return (int) (h >>> 32);
    }

    PersistentObject get(long off) {
        int h = hash(off);
        return shards[h >>> 27].get(off, h);
    }

    /** The proxy already there, or {@code fresh} after it was entered. */
    PersistentObject putIfAbsent(long off, PersistentObject fresh) {
        int h = hash(off);
        return shards[h >>> 27].putIfAbsent(off, h, fresh);
    }

    PersistentObject remove(long off) {
        int h = hash(off);
        return shards[h >>> 27].remove(off, h);
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
                        visit.accept(n.off);
                    }
                }
            }
        }
    }

    private static final class Node extends WeakReference<PersistentObject> {
        final long off;
        final Node next;

        Node(long off, PersistentObject p, ReferenceQueue<PersistentObject> q, Node next) {
            super(p, q);
            this.off = off;
            this.next = next;
        }
    }

    private static final class Shard {
        private final ReferenceQueue<PersistentObject> queue = new ReferenceQueue<>();
        private volatile Node[] table = new Node[64];
        private int count;

        PersistentObject get(long off, int h) {
            Node[] t = table;
            for (Node n = t[h & t.length - 1]; n != null; n = n.next) {
                if (n.off == off) {
                    return n.get();
                }
            }
            return null;
        }

        synchronized PersistentObject putIfAbsent(long off, int h, PersistentObject fresh) {
            expunge();
            PersistentObject old = get(off, h);
            if (old != null) {
                return old;
            }
            removeNode(off, h);
            if (count > table.length) {
                grow();
            }
            Node[] t = table;
            int i = h & t.length - 1;
            t[i] = new Node(off, fresh, queue, t[i]);
            count++;
            table = t;
            return fresh;
        }

        synchronized PersistentObject remove(long off, int h) {
            PersistentObject old = get(off, h);
            removeNode(off, h);
            return old;
        }

        private void removeNode(long off, int h) {
            Node[] t = table;
            int i = h & t.length - 1;
            for (Node n = t[i]; n != null; n = n.next) {
                if (n.off == off) {
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
                    rest = new Node(n.off, p, queue, rest);
                } else {
                    count--;
                }
            }
            return rest;
        }

        private void expunge() {
            for (Object dead = queue.poll(); dead != null; dead = queue.poll()) {
                Node d = (Node) dead;
                int h = hash(d.off);
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
                        int i = hash(n.off) & t.length - 1;
                        t[i] = new Node(n.off, p, queue, t[i]);
                        live++;
                    }
                }
            }
            count = live;
            table = t;
        }
    }
}
