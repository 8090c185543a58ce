package dev.concord.persist.weaver;

import java.util.Set;
import org.objectweb.asm.Type;

/**
 * How a Java field type is held in the heap. Owns the list of types that can persist and the names shared with the
 * runtime: the accessor suffix and the type letter of the layout text.
 *
 * @param letter the layout's letter
 * @param accessor suffix of the runtime's {@code jnvm$get/put} methods
 * @param runtime descriptor those methods take and give
 * @param capacity most bytes of an inline value, else 0
 */
record FieldCodec(char letter, String accessor, String runtime, int capacity) {
    private static final int MOST_INLINE = 32767;
    static final String FIELDS = "$jnvm$fields";
    static final String FAILURE_ATOMIC = "$jnvm$fa";
    private static final Set<String> VALUES = Set.of("java/lang/String", "java/lang/Boolean", "java/lang/Byte", "java/lang/Short",
            "java/lang/Character", "java/lang/Integer", "java/lang/Long", "java/lang/Float", "java/lang/Double", "java/math/BigDecimal",
            "java/math/BigInteger", "java/util/UUID", "java/time/LocalDate", "java/time/LocalTime", "java/time/LocalDateTime",
            "java/time/Instant", "java/time/Duration", "java/time/ZonedDateTime", "java/time/OffsetDateTime", "java/time/Period");

    private static final Set<String> DYNAMIC = Set.of("java/lang/Comparable", "java/lang/CharSequence", "java/io/Serializable", "java/lang/Number",
            "java/util/Map", "java/util/List", "java/util/Set", "java/util/Collection", "java/util/Queue", "java/util/Deque", "java/util/SortedMap",
            "java/util/NavigableMap", "java/util/SortedSet", "java/util/NavigableSet", "java/util/concurrent/ConcurrentMap",
            "java/util/concurrent/ConcurrentNavigableMap");

    FieldCodec(char letter, String accessor, String runtime) {
        this(letter, accessor, runtime, 0);
    }

    /** The letter, with the capacity if there is one, as the layout's text has it. */
    String typeText() {
        return capacity > 0 ? "" + letter + capacity : String.valueOf(letter);
    }

    /** Bytes an inline value may take as it is encoded: other than a {@code byte[]}, it says what it is. */
    int room() {
        return runtime.equals("[B") ? capacity : capacity + 1;
    }

    /** Width in bytes, for write-backs of one field. */
    int width() {
        return switch (letter) {
            case 'Z', 'B' -> 1;
            case 'C', 'S' -> 2;
            case 'I', 'F' -> 4;
            case 'E' -> 2 + room();
            default -> 8;
        };
    }

    boolean isReference() {
        return letter == 'L';
    }

    static FieldCodec of(ClassIndex.FieldFacts f, ClassIndex index, String where) {
        FieldCodec c = of(f.descriptor(), index, where);
        if (f.capacity() == 0) {
            return c;
        }
        if (!c.accessor.equals("Value")) {
            throw new WeaveException(where + ": only an immutable value can be @Inline");
        }
        if (f.capacity() < 0 || f.capacity() > MOST_INLINE) {
            throw new WeaveException(where + ": @Inline(" + f.capacity() + ") is not within 1 to " + MOST_INLINE);
        }
        return f.descriptor().equals("[B") ? new FieldCodec('E', "InlineBytes", "[B", f.capacity())
                : new FieldCodec('E', "InlineValue", c.runtime, f.capacity());
    }

    static FieldCodec of(String descriptor, ClassIndex index, String where) {
        Type t = Type.getType(descriptor);
        switch (t.getSort()) {
            case Type.BOOLEAN:
                return new FieldCodec('Z', "Boolean", "Z");
            case Type.BYTE:
                return new FieldCodec('B', "Byte", "B");
            case Type.SHORT:
                return new FieldCodec('S', "Short", "S");
            case Type.CHAR:
                return new FieldCodec('C', "Char", "C");
            case Type.INT:
                return new FieldCodec('I', "Int", "I");
            case Type.LONG:
                return new FieldCodec('J', "Long", "J");
            case Type.FLOAT:
                return new FieldCodec('F', "Float", "F");
            case Type.DOUBLE:
                return new FieldCodec('D', "Double", "D");
            case Type.ARRAY:
                of(t.getElementType().getDescriptor(), index, where + " (array element)");
                if (t.getElementType().getSort() == Type.OBJECT && index.isPersistentType(t.getElementType().getInternalName())) {
                    throw new WeaveException(where + ": an array of persistent objects cannot persist; use PArray or PArrayList");
                }
                return new FieldCodec('V', "Value", "Ljava/lang/Object;");
            default:
                return ofObject(t.getInternalName(), index, where);
        }
    }

    private static FieldCodec ofObject(String name, ClassIndex index, String where) {
        if (VALUES.contains(name) || isEnumOrRecord(name, index)) {
            return new FieldCodec('V', "Value", "Ljava/lang/Object;");
        }
        if (index.isPersistentType(name)) {
            return new FieldCodec('L', "Ref", "Ldev/concord/persist/PObject;");
        }
        ClassIndex.ClassFacts f = index.get(name);
        if (name.equals(ClassIndex.OBJECT) || DYNAMIC.contains(name) || f != null && f.isInterface()) {
            // A type variable or an interface: what is stored is checked when it is stored.
            return new FieldCodec('V', "Any", "Ljava/lang/Object;");
        }
        throw new WeaveException(where + ": type " + name.replace('/', '.') + " cannot persist; make it @Persistent, make the field"
                + " transient, or use a persistent collection of dev.concord.persist.collections");
    }

    private static boolean isEnumOrRecord(String name, ClassIndex index) {
        ClassIndex.ClassFacts f = index.get(name);
        return f != null && ("java/lang/Enum".equals(f.superName()) || "java/lang/Record".equals(f.superName()));
    }
}
