package dev.concord.persist;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the method that makes an object of this version of its class out of one of another: {@code @Migrate void
 * migrate(OldObject old)}. It runs when a heap is opened, once for each such object, in the block that rewrites it, after
 * fields that still fit were carried over. A class that has one may change in any way; without one, changes that lose
 * information are refused.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Migrate {
}
