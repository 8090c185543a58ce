package dev.concord.persist.core;

import java.util.Arrays;

/** A growable stack of longs; not thread-safe, its user guards it. */
final class LongStack {
    private long[] items;
    private int size;

    LongStack(int capacity) {
        items = new long[capacity];
    }

    void push(long v) {
        if (size == items.length) {
            items = Arrays.copyOf(items, size * 2);
        }
        items[size++] = v;
    }

    long pop() {
        return items[--size];
    }

    long get(int i) {
        return items[i];
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void clear() {
        size = 0;
        if (items.length > 1 << 16) {
            items = new long[64];
        }
    }

    /** Removes every item from {@code from} up to, not including, {@code to}. */
    void removeRange(long from, long to) {
        int n = 0;
        for (int i = 0; i < size; i++) {
            if (items[i] < from || items[i] >= to) {
                items[n++] = items[i];
            }
        }
        size = n;
    }

    /** Takes the oldest half away, for a worker that has none. */
    long[] takeHalf() {
        int n = size / 2;
        long[] half = Arrays.copyOf(items, n);
        System.arraycopy(items, n, items, 0, size - n);
        size -= n;
        return half;
    }
}
