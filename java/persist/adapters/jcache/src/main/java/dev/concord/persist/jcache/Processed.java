package dev.concord.persist.jcache;

import java.util.Objects;
import javax.cache.processor.MutableEntry;

/** The entry an entry processor works on; what is to become of the real one is decided when the processor is done. */
final class Processed<K, V> implements MutableEntry<K, V> {
    /** What the processor did. */
    enum Outcome { NOTHING, READ, LOADED, SET, REMOVED }

    private final K key;
    private final boolean existed;
    private final Through<K, V> through;
    private V value;
    private Outcome outcome = Outcome.NOTHING;

    Processed(K key, V value, Through<K, V> through) {
        this.key = key;
        this.value = value;
        this.existed = value != null;
        this.through = through;
    }

    Outcome outcome() {
        return outcome;
    }

    V value() {
        return value;
    }

    @Override
    public boolean exists() {
        return value != null;
    }

    @Override
    public void remove() {
        // What never was there need not be removed, unless nobody looked: the writer may know it.
        outcome = !existed && (outcome == Outcome.SET || outcome == Outcome.LOADED) ? Outcome.NOTHING : Outcome.REMOVED;
        value = null;
    }

    @Override
    public V getValue() {
        if (outcome == Outcome.NOTHING) {
            if (value != null) {
                outcome = Outcome.READ;
            } else {
                value = through.read(key);
                outcome = value == null ? Outcome.NOTHING : Outcome.LOADED;
            }
        }
        return value;
    }

    @Override
    public void setValue(V v) {
        value = Objects.requireNonNull(v, "value");
        outcome = Outcome.SET;
    }

    @Override
    public K getKey() {
        return key;
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        throw new IllegalArgumentException("an entry is no " + type.getName());
    }
}
