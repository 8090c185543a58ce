package dev.concord.persist.bench;

import dev.concord.persist.PersistentObject;
import dev.concord.persist.core.Layout;

/** Ten values of up to 100 bytes within one object: what the weaver makes of ten fields {@code @Inline(100) byte[]}. */
final class Record extends PersistentObject {
    static final int FIELDS = 10;
    static final int BYTES = 100;
    static final String $jnvm$fields = fields();
    static final String $jnvm$fa = "public";
    private static final int[] OFFSETS = offsets();

    Record() {
    }

    Record(Resurrection r) {
        super(r);
    }

    private static String fields() {
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < FIELDS; i++) {
            s.append(i == 0 ? "" : ",").append("field").append(i).append(":E").append(BYTES).append(":[B");
        }
        return s.toString();
    }

    private static int[] offsets() {
        int[] o = new int[FIELDS];
        for (int i = 0; i < FIELDS; i++) {
            o[i] = Layout.offset(Record.class, "field" + i);
        }
        return o;
    }

    byte[] get(int i) {
        return jnvm$getInlineBytes(OFFSETS[i], BYTES);
    }

    void set(int i, byte[] v) {
        jnvm$putInlineBytes(v, OFFSETS[i], BYTES);
    }
}
