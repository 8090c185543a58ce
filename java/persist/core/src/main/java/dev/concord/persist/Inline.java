package dev.concord.persist;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Keeps the value of a field within its object, in a place of fixed size, instead of as one of its own with a header and a
 * reference: {@code @Inline(100) byte[] field} takes 102 bytes of the object, whatever is stored. For {@code byte[]} and
 * every other immutable value; not for fields typed by an interface or a type variable.
 *
 * <p>A value that does not fit is refused when it is stored. A store changes the place itself, so a thread that reads the
 * field without the lock its writers hold may see some bytes of either value, as with two fields; a crash never does.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.FIELD)
public @interface Inline {
    /** Most bytes of a value, 1 to 32767; a string takes one byte per character, or two if any is beyond Latin-1. */
    int value();
}
