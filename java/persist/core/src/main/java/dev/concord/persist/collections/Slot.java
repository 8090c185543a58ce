package dev.concord.persist.collections;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The place of a pair in a map's table. Owns the order between a reader who remembers what the place held and who gives it to
 * another key: {@link #gone} is set before, and looked at after. What finds slots by key extends it with what it looks for.
 */
abstract class Slot {
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(Slot.class, "value", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final Object key;
    final int index;
    /**
     * What everybody sees at this place, the block that modifies the map included; null if that is not known or not the
     * same for all. Changes only under the map's lock.
     */
    @SuppressWarnings("unused")
    private Object value;
    /** Set before the place may be given to another key: what a reader found there then may be that key's. */
    volatile boolean gone;

    Slot(Object key, int index) {
        this.key = key;
        this.index = index;
    }

    final Object value() {
        return VALUE.getAcquire(this);
    }

    /** Who reads the old value a little longer reads before the change, as far as anybody can tell. */
    void value(Object v) {
        VALUE.setRelease(this, v);
    }
}
