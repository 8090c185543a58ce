package dev.concord.persist;

import dev.concord.persist.core.HeapCore;
import java.nio.file.Path;

/**
 * The paper's interface: one heap per process, made current by {@link #init}. A thin facade over {@link PHeap}, for code
 * written after the paper; new code can hold a {@code PHeap} itself.
 */
public final class JNVM {
    /** The persistent map of named root objects. */
    public static final Root root = new Root();

    private JNVM() {
    }

    /** Named root objects of the current heap. */
    public static final class Root {
        private Root() {
        }

        public void put(String name, Object o) {
            heap().bindRoot(name, o);
        }

        /** Binds weakly: no block and no fence; the object counts once it is validated. */
        public void wput(String name, Object o) {
            heap().core().roots().wput(name, (PObject) o);
        }

        public Object get(String name) {
            return heap().root(name);
        }

        public boolean exists(String name) {
            return heap().core().roots().exists(name);
        }
    }

    /** Opens or creates the region; {@code size} bounds nothing but the first segment, the heap grows as needed. */
    public static PHeap init(String path, long size) {
        long segment = Math.max(256 << 10, Long.highestOneBit(Math.max(1, size - 1)) << 1);
        return init(Path.of(path), PHeapOptions.defaults().segmentSize(Math.min(segment, 64 << 20)));
    }

    public static PHeap init(Path path, PHeapOptions options) {
        if (HeapCore.defaultHeap() != null) {
            throw new PersistException.Misuse("JNVM.init was called before; close that heap first, or use PHeap.open");
        }
        PHeap h = PHeap.open(path, options);
        HeapCore.defaultHeap(h.core());
        return h;
    }

    /** The heap of {@link #init}, or of the block this thread is in. */
    public static PHeap heap() {
        return HeapCore.current().facade();
    }

    public static void close() {
        HeapCore h = HeapCore.defaultHeap();
        if (h != null) {
            h.facade().close();
        }
    }

    /**
     * Makes an object of a persistent class, all zeros, without running a constructor: not valid before {@link
     * PObject#validate}, and without a fence. In a failure-atomic block it is valid once that commits.
     *
     * @param size bytes of its payload: what the fields of the class take, or for an array class its length in bytes
     */
    public static <T> T alloc(Class<T> type, long size) {
        return type.cast(heap().core().allocate(type, size));
    }

    public static void free(Object o) {
        ((PObject) o).heap().free(o);
    }

    public static void faStart() {
        heap().faStart();
    }

    public static void faEnd() {
        heap().faEnd();
    }

    public static void faAbort() {
        heap().faAbort();
    }

    public static void pfence() {
        heap().pfence();
    }

    public static void psync() {
        heap().psync();
    }
}
