package dev.concord.persist.crash;

import dev.concord.persist.PersistentObject;
import dev.concord.persist.core.Layout;

/** A persistent class written by hand as the weaver would, without failure-atomic methods. */
public class Cell extends PersistentObject {
    static final String $jnvm$fields = "next:L,name:V,amount:J,flag:I,small:B,tiny:B";
    private static final int NEXT = Layout.offset(Cell.class, "next");
    private static final int NAME = Layout.offset(Cell.class, "name");
    private static final int AMOUNT = Layout.offset(Cell.class, "amount");
    private static final int FLAG = Layout.offset(Cell.class, "flag");
    private static final int SMALL = Layout.offset(Cell.class, "small");
    private static final int TINY = Layout.offset(Cell.class, "tiny");

    public Cell() {
    }

    public Cell(long amount) {
        amount(amount);
    }

    protected Cell(Resurrection r) {
        super(r);
    }

    public Cell next() {
        return (Cell) jnvm$getRef(NEXT);
    }

    public void next(Cell c) {
        jnvm$putRef(c, NEXT);
    }

    public void updateNext(Cell c) {
        jnvm$update(c, NEXT);
    }

    public void updateNextFree(Cell c) {
        jnvm$updateFree(c, NEXT);
    }

    public void pwbNext() {
        jnvm$pwb(NEXT, 8);
    }

    public void pwbAmount() {
        jnvm$pwb(AMOUNT, 8);
    }

    public String name() {
        return (String) jnvm$getValue(NAME);
    }

    public void name(String s) {
        jnvm$putValue(s, NAME);
    }

    public long amount() {
        return jnvm$getLong(AMOUNT);
    }

    public void amount(long v) {
        jnvm$putLong(v, AMOUNT);
    }

    public int flag() {
        return jnvm$getInt(FLAG);
    }

    public void flag(int v) {
        jnvm$putInt(v, FLAG);
    }

    public byte small() {
        return jnvm$getByte(SMALL);
    }

    public void small(byte v) {
        jnvm$putByte(v, SMALL);
    }

    public byte tiny() {
        return jnvm$getByte(TINY);
    }

    public void tiny(byte v) {
        jnvm$putByte(v, TINY);
    }

    /** The chain from here, as text. */
    public static String text(Cell c) {
        StringBuilder s = new StringBuilder("[");
        for (; c != null; c = c.next()) {
            s.append(c.amount()).append('/').append(c.name()).append('/').append(c.flag()).append('/').append(c.small()).append(c.tiny()).append(' ');
        }
        return s.append(']').toString();
    }
}
