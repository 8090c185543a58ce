package dev.concord.persist.weaver.samples;

import dev.concord.persist.Persistent;
import java.util.Arrays;

/** Ways to store to an element of a persistent array field. */
public final class Elements {
    private Elements() {
    }

    /** The plain way, lost. */
    @Persistent(fa = "public")
    public static class Direct {
        public int[] a = new int[3];

        public void change() {
            a[1]++;
        }
    }

    /** Through a local, lost. */
    @Persistent(fa = "public")
    public static class Local {
        public String[] a = new String[3];

        public void change(boolean b) {
            String[] x = b ? a : new String[1];
            x[0] = "lost";
        }
    }

    /** Through an outer array, lost. */
    @Persistent(fa = "public")
    public static class Nested {
        public long[][] a = new long[2][2];

        public void change() {
            long[] row = a[1];
            row[0] = 5;
        }
    }

    /** By a method of the JDK, lost. */
    @Persistent(fa = "public")
    public static class Filled {
        public int[] a = new int[3];

        public void change() {
            Arrays.fill(a, 1, 2, 7);
        }
    }

    /** By another method of the JDK, lost. */
    @Persistent(fa = "public")
    public static class Copied {
        public byte[] a = new byte[3];

        public void change(byte[] from) {
            System.arraycopy(from, 0, a, 0, 3);
        }
    }

    /** From a class that is not persistent, lost. */
    public static class Foreign {
        public static void change(Direct d) {
            d.a[0] = 1;
        }
    }

    /** Changed and put back: persists. */
    @Persistent(fa = "public")
    public static class PutBack {
        public int[] a = new int[3];

        public void change() {
            int[] x = a;
            x[1] = 2;
            a = x;
        }
    }

    /** Only reads the field; what it writes to is its own. */
    @Persistent(fa = "public")
    public static class Reads {
        public int[] a = new int[3];
        public transient int[] t = new int[3];

        public int[] change() {
            int[] own = a.clone();
            own[0] = a[1];
            t[0] = a[2];
            return own;
        }
    }
}
