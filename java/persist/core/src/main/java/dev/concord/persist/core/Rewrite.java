package dev.concord.persist.core;

/**
 * Byte arrays that are changed where they lie. Owns the rule which are: of the same length as what is stored instead, and so like
 * it that a record of what differs is shorter than one of the whole.
 */
final class Rewrite {
    /** Bytes of a value for each word that may differ and still be worth a store of its own: a record's entry takes 20. */
    private static final int BYTES_PER_STORE = 40;

    private Rewrite() {
    }

    /** Makes the value the reference leads to have this content, within the block; false if it is not worth it, or none. */
    static boolean inPlace(HeapValues heap, Tx t, long ref, byte[] content) {
        long v = Header.offset(ref);
        long h = ref == 0 ? 0 : heap.header(v);
        int n = Values.BYTE_ARRAY + content.length;
        if (Header.classId(h) != ClassInfo.VALUE || Header.generation(h) != Header.refGeneration(ref) || Header.bytes(h) != n
                || t.isFresh(v) || !Values.isByteArray(heap.memory.getShort(v))) {
            return false;
        }
        int[] differing = new int[n / BYTES_PER_STORE];
        int count = 0;
        for (int i = 0; i < n;) {
            if (differs(t.readWord(v + i), content, i)) {
                if (count == differing.length) {
                    return false;
                }
                differing[count++] = i;
                i += 8;
            } else {
                i = t.rewritesValues ? i + 8 : nextDifference(heap.memory, v, content, i);
            }
        }
        t.rewritesValues |= count > 0;
        t.confirms |= count == 0;
        for (int k = 0; k < count; k++) {
            int from = Math.max(differing[k], Values.BYTE_ARRAY);
            t.writeBytes(v + from, content, from - Values.BYTE_ARRAY, Math.min(differing[k] + 8, n) - from);
        }
        return true;
    }

    /** The word with the next byte that differs, from the word at {@code i} on, of a value that no block is rewriting; the end if none. */
    private static int nextDifference(Memory memory, long value, byte[] content, int i) {
        int from = Math.max(i, Values.BYTE_ARRAY);
        int end = Values.BYTE_ARRAY + content.length;
        int same = memory.mismatch(value + from, content, from - Values.BYTE_ARRAY, end - from);
        return same < 0 ? end : from + same & -8;
    }

    /** Whether a word of an encoded array, at {@code i}, has another content. */
    private static boolean differs(long word, byte[] content, int i) {
        int from = i - Values.BYTE_ARRAY;
        if (from >= 0 && from + 8 <= content.length) {
            return word != Bytes.getLong(content, from);
        }
        for (int k = Math.max(from, 0); k < Math.min(from + 8, content.length); k++) {
            if ((byte) (word >>> 8 * (k - from)) != content[k]) {
                return true;
            }
        }
        return false;
    }
}
