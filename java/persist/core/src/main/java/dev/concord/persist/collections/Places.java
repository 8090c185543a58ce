package dev.concord.persist.collections;

import java.util.Iterator;

/**
 * Finds the slot of a key: the volatile half of a {@link MirrorMap}. Any number of threads look while one, which holds the map's lock,
 * adds or removes. Owns that a key which is here all the time is found all the time, and by a walk exactly once.
 */
interface Places {
    /** The slot of an equal key, or null. */
    Slot find(Object key);

    /** Adds a slot for a key that has none. */
    Slot add(Object key, int index);

    /** Removes a slot, which is there. */
    void remove(Slot s);

    /** Slots that are there, each once; of those that come or go meanwhile some. */
    Iterator<Slot> walk();
}
