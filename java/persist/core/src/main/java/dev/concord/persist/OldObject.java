package dev.concord.persist;

import java.util.Map;

/**
 * An object as it was stored before its class changed. What it refers to is as it is now, whether its class changed or not; see
 * {@link Migrate} for objects that are still to be migrated. Classes without a {@link Migrate} method are migrated before those
 * that have one.
 */
public final class OldObject {
    private final String className;
    private final Map<String, Object> fields;

    /** Called by the library only. */
    public OldObject(String className, Map<String, Object> fields) {
        this.className = className;
        this.fields = fields;
    }

    public boolean has(String field) {
        return fields.containsKey(field);
    }

    /** A field's value: a boxed primitive, an immutable value, a persistent object or null. */
    public Object get(String field) {
        if (!fields.containsKey(field)) {
            throw new PersistException.Misuse("the stored " + className + " has no field " + field + ", only " + fields.keySet());
        }
        Object v = fields.get(field);
        return v instanceof Later l ? l.get() : v;
    }

    public long getLong(String field) {
        return ((Number) get(field)).longValue();
    }

    public double getDouble(String field) {
        return ((Number) get(field)).doubleValue();
    }

    public String getString(String field) {
        return (String) get(field);
    }

    @Override
    public String toString() {
        return className + fields.keySet();
    }

    /** A reference that is followed when it is asked for. */
    @FunctionalInterface
    public interface Later {
        Object get();
    }
}
