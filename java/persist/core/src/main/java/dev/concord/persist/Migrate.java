package dev.concord.persist;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the method that makes an object of this version of its class out of one of another: {@code @Migrate void
 * migrate(OldObject old)}. It runs when a heap is opened, for each such object, in the block that rewrites it, after
 * fields that still fit were carried over. A class that has one may change in any way; without one, changes that lose
 * information are refused.
 *
 * <p>The method may look other objects up, by {@link OldObject#get}, by its fields and through collections, and finds each in
 * its new shape: one that is itself still to be migrated is migrated first, with all that its method needs. The run that asked
 * for it is given up for that, by an exception out of the lookup that is best not caught; what its block did is undone, and the
 * method begins anew. So the method may run several times for an object and must have no effect but on persistent objects.
 * The order of objects that do not need each other is not defined.
 *
 * <p>Objects that need each other in a circle are refused, by a {@link PersistException.Incompatible} that names their classes
 * and methods, and so is the heap; what was migrated before stays so, and another version of the class can go on from there.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Migrate {
}
