package dev.concord.persist;

import dev.concord.persist.PersistentObject.Internals;
import dev.concord.persist.core.HeapCore;
import dev.concord.persist.core.Tx;

/** What woven methods and constructors call; not for use by hand. */
public final class FailureAtomic {
    private FailureAtomic() {
    }

    /** Begins or enters the block of the object's heap. */
    public static void enter(PersistentObject self) {
        Internals.heap(self).begin();
    }

    /** Ends it; the outermost one commits and waits for durability. */
    public static void exit(PersistentObject self) {
        HeapCore heap = Internals.heap(self);
        heap.await(heap.end(heap.requireBlock()));
    }

    /** Ends it because an exception leaves the method. */
    public static void fail(PersistentObject self, Throwable cause) {
        HeapCore heap = Internals.heap(self);
        if (heap.inBlock()) {
            heap.fail(heap.requireBlock(), cause);
        }
    }

    /** End of a woven constructor: the most derived one ends the block that the allocation began. */
    public static void constructed(PersistentObject self, Class<?> constructor) {
        HeapCore heap = Internals.heap(self);
        Tx t = heap.currentBlock();
        if (t != null && self.getClass() == constructor && HeapCore.endsConstruction(t, self)) {
            heap.await(heap.end(t));
        }
    }

    /** An exception leaves a woven constructor. */
    public static void failedConstruction(PersistentObject self, Throwable cause) {
        HeapCore heap = Internals.heap(self);
        Tx t = heap.currentBlock();
        if (t != null && HeapCore.endsConstruction(t, self)) {
            heap.fail(t, cause);
        }
    }
}
