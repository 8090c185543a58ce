package dev.concord.persist.collections;

import dev.concord.persist.PersistentObject;
import dev.concord.persist.PersistentObject.Internals;
import java.lang.ref.SoftReference;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What was looked up in a sorted map lately, by key, so that a lookup seldom walks the index. Owns the rule that a pair in
 * it is one that everybody finds in the index: a modification takes out what it changes before it changes it, and puts in
 * what it stored when others may see it; a lookup puts in what it found only while no modification is under way. All of
 * that under the map's lock; readers take none.
 *
 * <p>Bounded, whatever the size of the map, and given back when the Java heap is short. Deliberately absent: values that
 * are no persistent objects, for these are copies, and keys that are neither numbers nor strings.
 */
final class Recall<V> {
    private static final int MOST = 1 << 17;
    private static final int LEAST = 64;
    /** One in so many lookups of a key whose place is another's takes it over. */
    private static final int PATIENCE = 8;

    /** A pair and where it lay when the index had this version; {@code key} is null where the prefix says it all. */
    static final class Pair<V> {
        private final int kind;
        private final long prefix;
        private final Object key;
        final V value;
        private final long place;
        private final long version;

        Pair(Object key, int kind, V value, long place, long version) {
            this.kind = kind;
            this.prefix = KeyOrder.prefix(key, kind);
            this.key = KeyOrder.exact(kind) ? null : key;
            this.value = value;
            this.place = place;
            this.version = version;
        }

        private boolean has(Object k, int kindOfK, long prefixOfK) {
            return prefix == prefixOfK && kind == kindOfK && (key == null || key.equals(k));
        }

        /** Where the pair lies, -1 if that may have changed. */
        long place(long versionNow) {
            return version == versionNow ? place : -1;
        }

        boolean freed() {
            return Internals.rawOffset((PersistentObject) value) == 0;
        }
    }

    private volatile SoftReference<AtomicReferenceArray<Pair<V>>> table = new SoftReference<>(null);

    static boolean takes(int kind) {
        return kind > KeyOrder.OTHER;
    }

    private static int at(AtomicReferenceArray<?> t, Object key, int kind) {
        long h = kind == KeyOrder.INT ? (Integer) key : kind == KeyOrder.LONG ? (Long) key : key.hashCode();
        return (int) (h * 0x9E3779B97F4A7C15L >>> 1 + Long.numberOfLeadingZeros(t.length()));
    }

    /** The pair with this key, or null. */
    Pair<V> find(Object key, int kind) {
        AtomicReferenceArray<Pair<V>> t = table.get();
        if (t == null) {
            return null;
        }
        Pair<V> p = t.getAcquire(at(t, key, kind));
        return p != null && p.has(key, kind, KeyOrder.prefix(key, kind)) ? p : null;
    }

    /** Whether a pair that was not there is worth being kept: what is asked for again comes by often enough. */
    boolean wants(Object key, int kind) {
        AtomicReferenceArray<Pair<V>> t = table.get();
        return t == null || t.getAcquire(at(t, key, kind)) == null || ThreadLocalRandom.current().nextInt(PATIENCE) == 0;
    }

    /** With the map's lock held. */
    void put(Pair<V> p, Object key, int size) {
        AtomicReferenceArray<Pair<V>> t = table.get();
        if (t == null || t.length() < size && t.length() < MOST) {
            t = new AtomicReferenceArray<>(Math.min(MOST, Math.max(LEAST, Integer.highestOneBit(Math.min(size, MOST)) << 1)));
            table = new SoftReference<>(t);
        }
        t.setRelease(at(t, key, p.kind), p);
    }

    /** With the map's lock held, before the key's pair is changed. */
    void remove(Object key, int kind) {
        AtomicReferenceArray<Pair<V>> t = table.get();
        if (t != null) {
            int i = at(t, key, kind);
            Pair<V> p = t.getPlain(i);
            if (p != null && p.has(key, kind, KeyOrder.prefix(key, kind))) {
                t.setRelease(i, null);
            }
        }
    }
}
