package dev.concord.persist.collections;

import dev.concord.persist.PersistentObject;
import dev.concord.persist.core.HeapCore;
import dev.concord.persist.core.Layout;
import java.util.AbstractCollection;
import java.util.AbstractQueue;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** A first-in first-out queue of linked nodes; any number of threads may use it. */
public final class PQueue<E> extends PCollection<E> implements Queue<E> {
    static final String $jnvm$fields = "head:L,tail:L,count:I";
    private static final int HEAD = Layout.offset(PQueue.class, "head");
    private static final int TAIL = Layout.offset(PQueue.class, "tail");
    private static final int COUNT = Layout.offset(PQueue.class, "count");
    private final transient ReentrantLock lock = new ReentrantLock();

    /** One element. */
    static final class Node extends PersistentObject {
        static final String $jnvm$fields = "next:L,item:V:Ljava/lang/Object;";
        private static final int NEXT = Layout.offset(Node.class, "next");
        private static final int ITEM = Layout.offset(Node.class, "item");

        Node(Object item) {
            jnvm$putAny(item, ITEM);
        }

        Node(Resurrection r) {
            super(r);
        }

        Node next() {
            return (Node) jnvm$getRef(NEXT);
        }

        void next(Node n) {
            jnvm$putRef(n, NEXT);
        }

        Object item() {
            return jnvm$getAny(ITEM);
        }
    }

    public PQueue() {
        PArrayList.publish(this);
    }

    PQueue(Resurrection r) {
        super(r);
    }

    /** As {@link PersistentMap#change}. */
    private <R> R change(Supplier<R> body) {
        return look(() -> {
            jnvm$core().confirm();
            return body.get();
        });
    }

    private <R> R look(Supplier<R> body) {
        HeapCore h = jnvm$core();
        return h.atomic(() -> {
            h.lockUntilEnd(lock);
            return body.get();
        });
    }

    private Node head() {
        return (Node) jnvm$getRef(HEAD);
    }

    private void unlink(Node before, Node n) {
        Node next = n.next();
        if (before == null) {
            jnvm$putRef(next, HEAD);
        } else {
            before.next(next);
        }
        if (next == null) {
            jnvm$putRef(before, TAIL);
        }
        jnvm$putInt(jnvm$getInt(COUNT) - 1, COUNT);
        jnvm$core().free(n);
    }

    private final transient AbstractQueue<E> view = new AbstractQueue<>() {
        @Override
        public boolean offer(E e) {
            Objects.requireNonNull(e);
            return change(() -> {
                Node n = new Node(e);
                Node tail = (Node) jnvm$getRef(TAIL);
                if (tail == null) {
                    jnvm$putRef(n, HEAD);
                } else {
                    tail.next(n);
                }
                jnvm$putRef(n, TAIL);
                jnvm$putInt(jnvm$getInt(COUNT) + 1, COUNT);
                return true;
            });
        }

        @Override
        @SuppressWarnings("unchecked")
        public E poll() {
            return change(() -> {
                Node n = head();
                if (n == null) {
                    return null;
                }
                E e = (E) n.item();
                unlink(null, n);
                return e;
            });
        }

        @Override
        @SuppressWarnings("unchecked")
        public E peek() {
            return look(() -> {
                Node n = head();
                return n == null ? null : (E) n.item();
            });
        }

        @Override
        public int size() {
            return jnvm$getInt(COUNT);
        }

        @Override
        public boolean remove(Object o) {
            return change(() -> {
                Node before = null;
                for (Node n = head(); n != null; before = n, n = n.next()) {
                    if (n.item().equals(o)) {
                        unlink(before, n);
                        return true;
                    }
                }
                return false;
            });
        }

        @Override
        public Iterator<E> iterator() {
            return new Snapshot();
        }
    };

    private boolean removeNode(Node gone) {
        return change(() -> {
            Node before = null;
            for (Node n = head(); n != null; before = n, n = n.next()) {
                if (n == gone) {
                    unlink(before, n);
                    return true;
                }
            }
            return false;
        });
    }

    /** Iterates over what the queue held when it began. */
    private final class Snapshot implements Iterator<E> {
        private final List<Node> nodes = new ArrayList<>();
        private final List<Object> items = new ArrayList<>();
        private int at;
        private boolean removable;

        Snapshot() {
            look(() -> {
                for (Node n = head(); n != null; n = n.next()) {
                    nodes.add(n);
                    items.add(n.item());
                }
                return null;
            });
        }

        @Override
        public boolean hasNext() {
            return at < nodes.size();
        }

        @Override
        @SuppressWarnings("unchecked")
        public E next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            removable = true;
            return (E) items.get(at++);
        }

        @Override
        public void remove() {
            if (!removable) {
                throw new IllegalStateException();
            }
            removable = false;
            removeNode(nodes.get(at - 1));
        }
    }

    @Override
    AbstractCollection<E> view() {
        return view;
    }

    @Override
    public int size() {
        return view.size();
    }

    @Override
    public boolean offer(E e) {
        return view.offer(e);
    }

    @Override
    public E remove() {
        return view.remove();
    }

    @Override
    public E poll() {
        return view.poll();
    }

    @Override
    public E element() {
        return view.element();
    }

    @Override
    public E peek() {
        return view.peek();
    }

    @Override
    public boolean equals(Object o) {
        return this == o;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    protected void jnvm$freeParts() {
        for (Node n = head(); n != null;) {
            Node next = n.next();
            jnvm$core().free(n);
            n = next;
        }
    }
}
