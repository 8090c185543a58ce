package dev.concord.annotations;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives code or a field the Java memory model on a virtual machine that is sequentially consistent
 * by default.
 *
 * <ul>
 *   <li>On a method or constructor: stores by its own body. Methods that it calls and the bodies of
 *       its lambdas (methods of their own) are not included.
 *   <li>On a class: stores by the bodies of all its methods and lambdas. Nested, inner, local and
 *       anonymous classes and subclasses are classes of their own.
 *   <li>On a package (in {@code package-info.java}): the same for each of its classes; not for
 *       packages whose names begin with its name.
 *   <li>On a field: stores to it by any code.
 * </ul>
 *
 * What is {@code volatile} stays so. Other virtual machines ignore the annotation.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.PACKAGE, ElementType.TYPE, ElementType.METHOD, ElementType.CONSTRUCTOR, ElementType.FIELD})
public @interface Relaxed {}
