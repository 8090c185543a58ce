package dev.concord.persist;

/**
 * A persistent object: the volatile proxy of a data structure in a persistent heap. A class is durable if and only if it
 * implements this interface, and only such objects (and immutable values) may be referred to from a heap.
 *
 * <p>The methods are those of the low-level interface. Outside a failure-atomic block, the store to a field of a
 * low-level class is plain: the caller orders it with {@link #pwb()}, {@link #pfence()} and {@link #psync()}.
 */
public interface PObject {
    /** Called on the proxy after it was made for an object found in the heap; re-derives transient fields. */
    default void resurrect() {
    }

    /** Called after a crash on each live object of a class that overrides it; repairs what low-level code left half done. */
    default void recover() {
    }

    /** Schedules the write-back of the object's fields and header. */
    void pwb();

    /** Sets the valid bit and schedules the write-back of the header; no fence. Alive is reachable and valid. */
    void validate();

    /** Orders this thread's earlier stores and write-backs before its later ones. */
    void pfence();

    /** As {@link #pfence()}, and returns only when the write-backs have reached the medium. */
    void psync();

    /** Bytes the fields take in the heap. */
    long persistentSize();

    /** The heap the object lives in. */
    PHeap heap();
}
