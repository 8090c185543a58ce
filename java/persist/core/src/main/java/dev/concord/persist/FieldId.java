package dev.concord.persist;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The name under which the heap knows a field, for a field that was renamed: {@code @FieldId("cents") long balance} is
 * what objects stored as {@code cents}. Without it the heap's name is that of the field.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.FIELD)
public @interface FieldId {
    String value();
}
