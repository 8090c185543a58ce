/**
 * Persistent collections with the contracts of {@code java.util}. Elements, keys and values are persistent objects, which
 * a collection refers to but does not own, or immutable values, which it owns: they are freed when they are replaced or
 * removed. Neither may be null.
 *
 * <p>Every modification is a failure-atomic block, or part of the one the thread is in. Maps, sets and queues may be used by
 * any number of threads; a modification inside a block is seen by others when the block has committed, and keeps other
 * modifiers of the same collection waiting until then. Iterators are weakly consistent. Lists are, like
 * {@code ArrayList}, for one thread at a time.
 */
package dev.concord.persist.collections;
