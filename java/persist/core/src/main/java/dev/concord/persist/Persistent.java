package dev.concord.persist;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a class whose objects live in a persistent heap. The weaver moves its non-transient instance fields there.
 *
 * <p>Only the values below may be stored: primitives, other persistent objects, and immutable values ({@code String},
 * boxes, enums, records of values, {@code java.time}, {@code BigDecimal}, {@code BigInteger}, {@code UUID}, and arrays of
 * them, which are copied on get and set).
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Persistent {
    /**
     * Which methods and constructors run as failure-atomic blocks: {@code ""} none (the low-level interface),
     * {@code "public"}, or {@code "non-private"}. A field store outside any block is then a block of its own.
     */
    String fa() default "";

    /** Name under which the heap knows the class; keeps its meaning when the class is renamed. */
    String id() default "";
}
