package dev.concord.persist.jcache;

import dev.concord.persist.PersistException;
import dev.concord.persist.Serialized;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Set;
import java.util.UUID;
import javax.cache.CacheException;

/**
 * Keys and values of any serialisable class as values of the heap. What the heap knows by itself is stored as it is, the
 * rest in its serialised form. Owns storing by value: what comes out is never the object that went in, unless nobody can
 * change it.
 */
final class Codec {
    private static final Set<Class<?>> IMMUTABLE = Set.of(String.class, Boolean.class, Byte.class, Short.class, Character.class, Integer.class, Long.class,
            Float.class, Double.class, BigInteger.class, BigDecimal.class, UUID.class);
    private final ClassLoader loader;

    Codec(ClassLoader loader) {
        this.loader = loader;
    }

    private static boolean immutable(Object o) {
        return IMMUTABLE.contains(o.getClass());
    }

    Object encode(Object o) {
        try {
            return immutable(o) ? o : Serialized.of(o);
        } catch (PersistException e) {
            throw new CacheException(e.getMessage(), e);
        }
    }

    Object decode(Object stored) {
        try {
            return stored instanceof Serialized s ? s.open(loader) : stored;
        } catch (PersistException e) {
            throw new CacheException(e.getMessage(), e);
        }
    }

    /** A copy nobody else can change. */
    Object copy(Object o) {
        return immutable(o) ? o : decode(encode(o));
    }
}
