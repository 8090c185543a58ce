package dev.concord.persist.collections;

import dev.concord.persist.PersistentObject;
import dev.concord.persist.PersistentObject.Internals;
import dev.concord.persist.core.HeapCore;

/**
 * A table of places that grows without moving: a row of chunks, each twice the one before, referred to by 27 fields of its
 * owner. Owns the arithmetic from index to chunk, and adds chunks apart from the block that needs them, so that a rollback
 * does not take them away from under others.
 */
final class ChunkedTable {
    static final int CHUNKS = 27;
    static final String FIELDS = "c0:L,c1:L,c2:L,c3:L,c4:L,c5:L,c6:L,c7:L,c8:L,c9:L,c10:L,c11:L,c12:L,c13:L,c14:L,c15:L,c16:L,c17:L,c18:L,"
            + "c19:L,c20:L,c21:L,c22:L,c23:L,c24:L,c25:L,c26:L";
    private static final int LOG_FIRST = 4;
    private final PersistentObject owner;
    private final int firstField;
    private final int wordsPerPlace;
    private final References[] chunks = new References[CHUNKS];

    /**
     * @param firstField offset of the first of the owner's 27 fields
     * @param wordsPerPlace references a place holds
     */
    ChunkedTable(PersistentObject owner, int firstField, int wordsPerPlace) {
        this.owner = owner;
        this.firstField = firstField;
        this.wordsPerPlace = wordsPerPlace;
    }

    static int chunkOf(int index) {
        return 31 - Integer.numberOfLeadingZeros((index >>> LOG_FIRST) + 1);
    }

    static int base(int chunk) {
        return (1 << chunk) - 1 << LOG_FIRST;
    }

    /** The chunk, or null if the table has not grown to it. */
    References chunk(int k) {
        References c = chunks[k];
        if (c == null && k < CHUNKS) {
            c = (References) heap().getRef(Internals.offset(owner), firstField + 8L * k);
            chunks[k] = c;
        }
        return c;
    }

    private HeapCore heap() {
        return Internals.heap(owner);
    }

    /** Makes the place exist. */
    void ensure(int index) {
        int k = chunkOf(index);
        if (chunk(k) == null) {
            HeapCore h = heap();
            long o = Internals.offset(owner);
            if (h.isOfCurrentBlock(owner)) {
                h.putRef(o, firstField + 8L * k, new References(wordsPerPlace << LOG_FIRST + k));
            } else {
                h.systemBlock(() -> h.putRef(o, firstField + 8L * k, new References(wordsPerPlace << LOG_FIRST + k)));
            }
        }
    }

    long ref(int index, int word) {
        int k = chunkOf(index);
        return chunk(k).ref(wordsPerPlace * (index - base(k)) + word);
    }

    void ref(int index, int word, long ref) {
        int k = chunkOf(index);
        chunk(k).ref(wordsPerPlace * (index - base(k)) + word, ref);
    }

    Object fetchShared(int index, int word) {
        int k = chunkOf(index);
        return chunk(k).fetchShared(wordsPerPlace * (index - base(k)) + word);
    }

    /** Frees the chunks and the values they own. */
    void free() {
        for (int k = 0; k < CHUNKS; k++) {
            References c = (References) heap().getRef(Internals.offset(owner), firstField + 8L * k);
            if (c != null) {
                heap().free(c);
            }
        }
    }
}
