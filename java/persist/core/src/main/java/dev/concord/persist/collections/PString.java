package dev.concord.persist.collections;

import dev.concord.persist.PersistentObject;
import java.nio.charset.StandardCharsets;

/**
 * An immutable string that is an object of its own: any number of fields and collections may lead to one, where a {@code
 * String} stored as a value belongs to its holder and is copied. Owns the encoding: a byte that says how wide the characters
 * are, then one byte each if all fit, else two. The text is read once and kept while the proxy lives.
 */
public final class PString extends PersistentObject implements CharSequence, Comparable<PString> {
    static final String $jnvm$fields = "[B";
    private static final byte NARROW = 0;
    private static final byte WIDE = 1;
    private transient String text;

    public PString(String s) {
        this(s, encode(s));
    }

    private PString(String s, byte[] b) {
        super(b.length);
        jnvm$core().putBytes(jnvm$live(), 0, b, 0, b.length);
        text = s;
    }

    PString(Resurrection r) {
        super(r);
    }

    private static byte[] encode(String s) {
        int n = s.length();
        for (int i = 0; i < n; i++) {
            if (s.charAt(i) > 0xFF) {
                byte[] wide = new byte[2 * n + 1];
                wide[0] = WIDE;
                for (int k = 0; k < n; k++) {
                    wide[2 * k + 1] = (byte) s.charAt(k);
                    wide[2 * k + 2] = (byte) (s.charAt(k) >> 8);
                }
                return wide;
            }
        }
        byte[] narrow = new byte[n + 1];
        narrow[0] = NARROW;
        System.arraycopy(s.getBytes(StandardCharsets.ISO_8859_1), 0, narrow, 1, n);
        return narrow;
    }

    /** Character by character, because a half of a pair is a character too. */
    private static String wide(byte[] b) {
        char[] c = new char[b.length / 2];
        for (int i = 0; i < c.length; i++) {
            c[i] = (char) (b[2 * i + 1] & 0xFF | b[2 * i + 2] << 8);
        }
        return new String(c);
    }

    private String text() {
        long o = jnvm$live();
        String s = text;
        if (s == null) {
            byte[] b = new byte[(int) persistentSize()];
            jnvm$core().getBytes(o, 0, b, 0, b.length);
            s = b[0] == NARROW ? new String(b, 1, b.length - 1, StandardCharsets.ISO_8859_1) : wide(b);
            text = s;
        }
        return s;
    }

    @Override
    public int length() {
        return text().length();
    }

    @Override
    public char charAt(int i) {
        return text().charAt(i);
    }

    @Override
    public CharSequence subSequence(int from, int to) {
        return text().subSequence(from, to);
    }

    @Override
    public int compareTo(PString o) {
        return text().compareTo(o.text());
    }

    /** Equal text, as for {@code String}; whether it is the same object, {@code ==} tells. */
    @Override
    public boolean equals(Object o) {
        return o instanceof PString p && text().equals(p.text());
    }

    @Override
    public int hashCode() {
        return text().hashCode();
    }

    @Override
    public String toString() {
        return text();
    }
}
