package dev.concord.persist.core;

import java.util.Arrays;

/**
 * Byte arrays that are changed where they lie. Owns the rule which are: of the same length as what is stored instead, and so like
 * it that a record of what differs is shorter than one of the whole.
 */
final class Rewrite {
    /** Bytes of a value for each word that may differ and still be worth a store of its own: a record's entry takes 20. */
    private static final int BYTES_PER_STORE = 40;
    /** A value that takes longer to compare is looked at in so many places first. */
    private static final int PLACES = 8;
    private static final int LONG_VALUE = 1024;

    private Rewrite() {
    }

    /** Makes the value the reference leads to have this content, within the block; false if it is not worth it, or none. */
    static boolean inPlace(HeapValues heap, Tx t, long ref, byte[] src, int pos, int len) {
        long v = Header.offset(ref);
        long h = ref == 0 ? 0 : heap.header(v);
        int n = Values.BYTE_ARRAY + len;
        if (Header.classId(h) != ClassInfo.VALUE || Header.generation(h) != Header.refGeneration(ref) || Header.bytes(h) != n
                || t.isFresh(v) || !Values.isByteArray(heap.memory.getShort(v)) || !t.rewritesValues && isAnother(heap.memory, v, src, pos, len)) {
            return false;
        }
        boolean again = t.rewritesValues;
        int most = n / BYTES_PER_STORE;
        int[] runs = new int[16];
        int ends = 0;
        int count = 0;
        for (int i = 0; i < n;) {
            int run = again ? differs(t.readWord(v + i), src, pos, len, i) ? 1 : 0 : differing(heap.memory, v, src, pos, len, i, most + 1 - count);
            if (run == 0) {
                i = again ? i + 8 : nextDifference(heap.memory, v, src, pos, len, i);
                continue;
            }
            count += run;
            if (count > most) {
                return false;
            }
            runs = ends == runs.length ? Arrays.copyOf(runs, 2 * ends) : runs;
            runs[ends++] = i;
            i += 8 * run;
            runs[ends++] = i;
        }
        t.rewritesValues |= count > 0;
        t.confirms |= count == 0;
        for (int k = 0; k < ends; k += 2) {
            int from = Math.max(runs[k], Values.BYTE_ARRAY);
            int to = Math.min(runs[k + 1], n);
            if (again || (from & 7) != 0 || (to & 7) != 0) {
                t.writeBytes(v + from, src, pos + from - Values.BYTE_ARRAY, to - from);
            } else {
                t.words.append(v + from, src, pos + from - Values.BYTE_ARRAY, to - from >>> 3);
            }
        }
        return true;
    }

    /** How many words from the one at {@code i} on differ in a row, of a value that no block is rewriting; fewer at either end of it. */
    private static int differing(Memory memory, long value, byte[] src, int pos, int len, int i, int most) {
        int whole = Values.BYTE_ARRAY + len - i >>> 3;
        if (i > 0 && whole > 0) {
            return memory.differing(value + i, src, pos + i - Values.BYTE_ARRAY, Math.min(whole, most));
        }
        return differs(memory.getLong(value + i), src, pos, len, i) ? 1 : 0;
    }

    /** Whether a long value that no block is rewriting differs in most of a few places, so that it need not be compared. */
    private static boolean isAnother(Memory memory, long value, byte[] src, int pos, int len) {
        if (len < LONG_VALUE) {
            return false;
        }
        int differing = 0;
        int step = len / PLACES & -8;
        for (int k = 0; k < PLACES; k++) {
            int i = 8 + k * step;
            differing += memory.getLong(value + i) != Bytes.getLong(src, pos + i - Values.BYTE_ARRAY) ? 1 : 0;
        }
        return differing > PLACES / 2;
    }

    /** The word with the next byte that differs, from the word at {@code i} on, of a value that no block is rewriting; the end if none. */
    private static int nextDifference(Memory memory, long value, byte[] src, int pos, int len, int i) {
        int from = Math.max(i, Values.BYTE_ARRAY);
        int end = Values.BYTE_ARRAY + len;
        int same = memory.mismatch(value + from, src, pos + from - Values.BYTE_ARRAY, end - from);
        return same < 0 ? end : from + same & -8;
    }

    /** Whether a word of an encoded array, at {@code i}, has another content. */
    private static boolean differs(long word, byte[] src, int pos, int len, int i) {
        int from = i - Values.BYTE_ARRAY;
        if (from >= 0 && from + 8 <= len) {
            return word != Bytes.getLong(src, pos + from);
        }
        for (int k = Math.max(from, 0); k < Math.min(from + 8, len); k++) {
            if ((byte) (word >>> 8 * (k - from)) != src[pos + k]) {
                return true;
            }
        }
        return false;
    }
}
