package dev.concord.persist.crash;

import dev.concord.persist.PersistentObject;
import dev.concord.persist.core.Layout;

/** A persistent class with inline values, written by hand as the weaver would. */
public final class Packed extends PersistentObject {
    static final String $jnvm$fields = "a:E21:[B,mark:I,name:E13:Ljava/lang/String;,b:E70:[B,flag:B";
    static final String $jnvm$fa = "public";
    private static final int A = Layout.offset(Packed.class, "a");
    private static final int MARK = Layout.offset(Packed.class, "mark");
    private static final int NAME = Layout.offset(Packed.class, "name");
    private static final int B = Layout.offset(Packed.class, "b");
    private static final int FLAG = Layout.offset(Packed.class, "flag");

    public Packed() {
        jnvm$putInt(1, MARK);
    }

    Packed(Resurrection r) {
        super(r);
    }

    void a(byte[] v) {
        jnvm$putInlineBytes(v, A, 21);
    }

    void b(byte[] v) {
        jnvm$putInlineBytes(v, B, 70);
    }

    void name(String v) {
        jnvm$putInlineValue(v, NAME, 14);
    }

    void mark(int v) {
        jnvm$putInt(v, MARK);
        jnvm$putByte((byte) v, FLAG);
    }

    String text() {
        return java.util.Arrays.toString(jnvm$getInlineBytes(A, 21)) + jnvm$getInlineValue(NAME, 14) + java.util.Arrays.toString(jnvm$getInlineBytes(B, 70))
                + jnvm$getInt(MARK) + "/" + jnvm$getByte(FLAG);
    }
}
