package dev.concord.persist.weaver.samples;

import dev.concord.persist.PObject;
import dev.concord.persist.Persistent;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.UUID;

/** One field of every kind, and inheritance in both orders of weaving. */
public final class Everything {
    private Everything() {
    }

    /** An enum. */
    public enum Colour { RED, GREEN { @Override public String toString() { return "leaf"; } } }

    /** A record with a nested one. */
    public record Point(int x, double y, String name, Point inner) {
    }

    /** The base. */
    @Persistent(fa = "public")
    public static class Base {
        protected byte b;
        public long l = 5;
        protected transient String derived;

        public void setBoth(byte nb, long nl) {
            b = nb;
            l = nl;
        }

        public void resurrect() {
            derived = "derived from " + l;
        }

        public String derived() {
            return derived;
        }
    }

    /** The rest. */
    @Persistent(fa = "public")
    public static class Derived extends Base {
        public boolean z;
        public char c;
        public short s;
        public int i;
        public float f;
        public double d;
        public String string;
        public Integer box;
        public Colour colour;
        public Point point;
        public BigDecimal decimal;
        public UUID uuid;
        public Instant instant;
        public LocalDate date;
        public ZonedDateTime zoned;
        public int[] ints;
        public String[] strings;
        public byte b2;
        public Derived next;
        public Base anyBase;
        public PObject anything;
        public final int constant;

        public Derived() {
            this(77);
        }

        public Derived(int constant) {
            this.constant = constant;
        }

        public byte baseByte() {
            return b;
        }
    }

    /** A generic holder. */
    @Persistent(fa = "public")
    public static class Box<T extends Comparable<T>> {
        public T content;
        public Object any;

        public T get() {
            return content;
        }

        public void set(T t) {
            content = t;
        }
    }

    /** The constructor fails after its object was allocated. */
    @Persistent(fa = "non-private")
    public static class Failing extends Base {
        int n;

        public Failing(boolean fail) {
            n = 3;
            if (fail) {
                throw new IllegalStateException("on purpose");
            }
        }
    }

    /** Low level, as in the paper's second example. */
    @Persistent
    public static class LowLevel {
        public PObject o;
        public int n;
    }

    /** No annotation: persists only if listed. */
    public static class Listed {
        public int n;
    }

    /** Not persistent, but touches fields of classes that are. */
    public static final class Outsider {
        private Outsider() {
        }

        public static int bump(Derived d) {
            d.i += 2;
            return d.i++;
        }
    }
}
