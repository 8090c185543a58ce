package dev.concord.persist.core;

import dev.concord.persist.PersistException;
import dev.concord.persist.Persistent;
import dev.concord.persist.PersistentObject;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Where the fields of a persistent class lie. Owns the rule that makes it a function of the class alone: the superclass's
 * fields first, then the class's own, widest first and otherwise in order of declaration, each aligned to its width.
 *
 * <p>A class says its fields in the static {@code $jnvm$fields}: {@code name:type[:javaType[:id]],...} with type a primitive's
 * descriptor letter, {@code L} for a reference to a persistent object, {@code V} for an immutable value owned by the
 * field or {@code E100} for one of up to 100 bytes embedded in the object: two bytes that say one more than its length, 0
 * for null, then the value, a {@code byte[]} as it is, others as {@link Values} encodes them. {@code [R} and {@code [B} instead declare an array of references or bytes. The weaver writes it; classes of this
 * library do it by hand.
 */
public final class Layout {
    /** What the payload consists of. */
    public enum Kind { FIXED, REFS, BYTES }

    /** One field. */
    public record FieldInfo(String name, char type, String javaType, int offset, int capacity) {
        FieldInfo(String name, char type, String javaType, int offset) {
            this(name, type, javaType, offset, 0);
        }

        int width() {
            return type == INLINE ? 2 + room() : Layout.width(type);
        }

        /** Whether an inline value is its own encoding. */
        boolean raw() {
            return javaType.equals("[B");
        }

        /** Bytes an inline value may take as it is encoded. */
        int room() {
            return raw() ? capacity : capacity + 1;
        }

        /** The type as text: its letter, and the capacity if it has one. */
        String typeText() {
            return type == INLINE ? "" + type + capacity : String.valueOf(type);
        }
    }

    static final char INLINE = 'E';
    private static final int MOST_INLINE = 32767;

    private static final ClassValue<Layout> CACHE = new ClassValue<>() {
        @Override
        protected Layout computeValue(Class<?> c) {
            return compute(c);
        }
    };

    final String className;
    final String id;
    final Kind kind;
    final List<FieldInfo> fields;
    /** Names in the source, by position; those of {@link #fields} are what the heap calls them. */
    private final List<String> javaNames;
    final int size;
    final boolean failureAtomic;
    final boolean recovers;

    private Layout(String className, String id, Kind kind, List<FieldInfo> fields, List<String> javaNames, int size, boolean failureAtomic,
            boolean recovers) {
        this.javaNames = javaNames;
        this.className = className;
        this.id = id;
        this.kind = kind;
        this.fields = fields;
        this.size = size;
        this.failureAtomic = failureAtomic;
        this.recovers = recovers;
    }

    static Layout of(Class<?> c) {
        return CACHE.get(c);
    }

    /** Offset of a field declared by this very class; woven code keeps it in a constant. */
    public static int offset(Class<?> c, String name) {
        Layout l = of(c);
        int i = l.javaNames.lastIndexOf(name);
        if (i >= 0) {
            return l.fields.get(i).offset;
        }
        throw new PersistException.Misuse(c.getName() + " has no persistent field " + name);
    }

    static int width(char type) {
        return switch (type) {
            case 'Z', 'B' -> 1;
            case 'C', 'S' -> 2;
            case 'I', 'F' -> 4;
            case 'J', 'D', 'L', 'V' -> 8;
            default -> throw new PersistException.Misuse("unknown field type " + type);
        };
    }

    private static int alignment(char type) {
        return type == INLINE ? 2 : width(type);
    }

    /** The capacity in the text of a type, 0 for one that has none, -1 if it makes no sense. */
    static int capacity(String type) {
        if (type.charAt(0) != INLINE) {
            return type.length() == 1 ? 0 : -1;
        }
        int n = type.matches("E[0-9]{1,5}") ? Integer.parseInt(type.substring(1)) : -1;
        return n > 0 && n <= MOST_INLINE ? n : -1;
    }

    static boolean isReference(char type) {
        return type == 'L' || type == 'V';
    }

    private static Layout compute(Class<?> c) {
        if (!PersistentObject.class.isAssignableFrom(c) || c == PersistentObject.class) {
            throw new PersistException.Misuse(c.getName() + " is not persistent: it was not woven, or lacks @Persistent");
        }
        Persistent p = c.getAnnotation(Persistent.class);
        String id = p != null && !p.id().isEmpty() ? p.id() : c.getName();
        boolean fa = declaration(c, "$jnvm$fa") != null;
        boolean recovers = overrides(c, "recover");
        String own = declaration(c, "$jnvm$fields");
        if ("[R".equals(own) || "[B".equals(own)) {
            return new Layout(c.getName(), id, own.equals("[R") ? Kind.REFS : Kind.BYTES, List.of(), List.of(), 0, fa, recovers);
        }
        List<FieldInfo> fields = new ArrayList<>();
        List<String> javaNames = new ArrayList<>();
        int at = 0;
        if (c.getSuperclass() != PersistentObject.class) {
            Layout parent = of(c.getSuperclass());
            if (parent.kind != Kind.FIXED) {
                return new Layout(c.getName(), id, parent.kind, List.of(), List.of(), 0, fa, recovers);
            }
            fields.addAll(parent.fields);
            javaNames.addAll(parent.javaNames);
            at = parent.size;
        }
        List<String[]> declared = new ArrayList<>();
        if (own != null && !own.isEmpty()) {
            for (String f : own.split(",")) {
                declared.add(f.split(":", 4));
            }
        }
        for (int w = 8; w > 0; w /= 2) {
            for (String[] f : declared) {
                if (alignment(f[1].charAt(0)) != w) {
                    continue;
                }
                at = at + w - 1 & -w;
                int capacity = capacity(f[1]);
                if (capacity < 0) {
                    throw new PersistException.Misuse(c.getName() + "." + f[0] + " has unknown type " + f[1]);
                }
                FieldInfo made = new FieldInfo(f.length > 3 ? f[3] : f[0], f[1].charAt(0), f.length > 2 ? f[2] : "", at, capacity);
                fields.add(made);
                javaNames.add(f[0]);
                at += made.width();
            }
        }
        return new Layout(c.getName(), id, Kind.FIXED, Collections.unmodifiableList(fields), javaNames, at + 7 & -8, fa, recovers);
    }

    private static String declaration(Class<?> c, String name) {
        try {
            Field f = c.getDeclaredField(name);
            f.setAccessible(true);
            return (String) f.get(null);
        } catch (NoSuchFieldException e) {
            return null;
        } catch (IllegalAccessException e) {
            throw new PersistException.Misuse(c.getName() + "." + name + " cannot be read: " + e.getMessage());
        }
    }

    static boolean overrides(Class<?> c, String method) {
        try {
            return c.getMethod(method).getDeclaringClass() != dev.concord.persist.PObject.class;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }
}
