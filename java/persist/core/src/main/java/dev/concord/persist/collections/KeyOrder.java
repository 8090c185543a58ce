package dev.concord.persist.collections;

import java.util.Comparator;

/**
 * Compares keys by an eight-byte prefix where that decides, so that a search in a persistent index seldom decodes a key.
 * Owns the rule that the order of prefixes is that of the keys wherever prefixes differ, which holds for one kind of key
 * in its natural order; other keys, and those under a comparator, have the prefix 0.
 */
final class KeyOrder {
    static final int UNDECIDED = 0;
    static final int OTHER = 1;
    static final int INT = 2;
    static final int LONG = 3;
    static final int STRING = 4;

    private KeyOrder() {
    }

    static int kind(Object key, Comparator<?> comparator) {
        return comparator != null ? OTHER : key instanceof Integer ? INT : key instanceof Long ? LONG : key instanceof String ? STRING : OTHER;
    }

    /** Whether equal prefixes mean equal keys. */
    static boolean exact(int kind) {
        return kind == INT || kind == LONG;
    }

    static long prefix(Object key, int kind) {
        return switch (kind) {
            case INT -> (Integer) key;
            case LONG -> (Long) key;
            case STRING -> prefix((String) key);
            default -> 0;
        };
    }

    /** The first four characters; a missing one sorts like the smallest, which leaves such keys equal or in order. */
    private static long prefix(String s) {
        long p = 0;
        for (int i = 0; i < 4; i++) {
            p = p << 16 | (i < s.length() ? s.charAt(i) : 0);
        }
        return p ^ Long.MIN_VALUE;
    }
}
