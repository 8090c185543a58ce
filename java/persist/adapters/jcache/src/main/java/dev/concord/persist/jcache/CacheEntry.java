package dev.concord.persist.jcache;

import dev.concord.persist.PersistentObject;
import dev.concord.persist.core.Layout;

/** One pair as it persists: key and value, encoded by {@link Codec}, and the moment it expires. */
final class CacheEntry extends PersistentObject {
    static final long ETERNAL = Long.MAX_VALUE;
    static final String $jnvm$fields = "key:V:Ljava/lang/Object;,value:V:Ljava/lang/Object;,expires:J";
    private static final int KEY = Layout.offset(CacheEntry.class, "key");
    private static final int VALUE = Layout.offset(CacheEntry.class, "value");
    private static final int EXPIRES = Layout.offset(CacheEntry.class, "expires");
    /** Under which the entry is listed; not stored with it. */
    transient long id;

    CacheEntry(Object key, Object value, long expires) {
        jnvm$putAny(key, KEY);
        jnvm$putAny(value, VALUE);
        jnvm$putLong(expires, EXPIRES);
    }

    CacheEntry(Resurrection r) {
        super(r);
    }

    Object key() {
        return jnvm$getAny(KEY);
    }

    Object value() {
        return jnvm$getAny(VALUE);
    }

    void value(Object v) {
        jnvm$putAny(v, VALUE);
    }

    long expires() {
        return jnvm$getLong(EXPIRES);
    }

    void expires(long when) {
        jnvm$putLong(when, EXPIRES);
    }

    boolean isExpired(long now) {
        return expires() <= now;
    }
}
