package dev.concord.persist.core;

import java.util.Arrays;

/**
 * The pending stores of one failure-atomic block: eight-byte words, each with a mask of the bytes written. Owns the
 * invariant that a byte nobody wrote is never stored back, so two blocks that write neighbouring fields do not undo each
 * other. Kept in the order of first write, which lets neighbouring words leave as one range.
 */
final class WordSet {
    /** Up to so many are searched one by one, and the index is left alone. */
    private static final int FEW = 8;
    private long[] words = new long[64];
    private long[] values = new long[64];
    private long[] masks = new long[64];
    private int[] index = new int[256];
    private int size;
    /** Words that the index has; the others are entered when one is searched for. */
    private int indexed;

    int size() {
        return size;
    }

    long word(int i) {
        return words[i];
    }

    long value(int i) {
        return values[i];
    }

    long mask(int i) {
        return masks[i];
    }

    private static int hash(long word) {
        long h = (word >>> 3) * 0x9E3779B97F4A7C15L;
        return (int) (h >>> 32);
    }

    /** Position of the word, or -1. */
    int find(long word) {
        if (size <= FEW) {
            for (int i = 0; i < size; i++) {
                if (words[i] == word) {
                    return i;
                }
            }
            return -1;
        }
        if (indexed < size) {
            enter();
        }
        int m = index.length - 1;
        for (int p = hash(word) & m;; p = p + 1 & m) {
            int i = index[p];
            if (i == 0) {
                return -1;
            }
            if (words[i - 1] == word) {
                return i - 1;
            }
        }
    }

    /** Records a store; {@code value} is already shifted to its place and zero outside {@code mask}. */
    void put(long word, long value, long mask) {
        int i = find(word);
        if (i >= 0) {
            values[i] = values[i] & ~mask | value;
            masks[i] |= mask;
            return;
        }
        room(1);
        words[size] = word;
        values[size] = value;
        masks[size] = mask;
        size++;
    }

    /** Records stores of {@code n} words in a row, none of which is in the set. */
    void append(long word, byte[] src, int pos, int n) {
        room(n);
        for (int k = 0; k < n; k++) {
            words[size + k] = word + 8L * k;
            values[size + k] = Bytes.getLong(src, pos + 8 * k);
        }
        Arrays.fill(masks, size, size + n, -1L);
        size += n;
    }

    private void room(int n) {
        if (size + n > words.length) {
            int more = Math.max(size + n, 2 * words.length);
            words = Arrays.copyOf(words, more);
            values = Arrays.copyOf(values, more);
            masks = Arrays.copyOf(masks, more);
        }
    }

    private void enter() {
        if (size * 2 > index.length) {
            index = new int[Integer.highestOneBit(size) * 8];
            indexed = 0;
        }
        int m = index.length - 1;
        for (int i = indexed; i < size; i++) {
            int p = hash(words[i]) & m;
            while (index[p] != 0) {
                p = p + 1 & m;
            }
            index[p] = i + 1;
        }
        indexed = size;
    }

    /** The word as this block sees it, over what memory holds. */
    long read(long word, long memory) {
        int i = find(word);
        return i < 0 ? memory : memory & ~masks[i] | values[i];
    }

    void clear() {
        if (size > 1 << 12) {
            words = new long[64];
            values = new long[64];
            masks = new long[64];
            index = new int[256];
        } else if (indexed > 0) {
            Arrays.fill(index, 0);
        }
        indexed = 0;
        size = 0;
    }
}
