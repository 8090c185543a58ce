package dev.concord.persist.core;

import dev.concord.persist.PersistException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Immutable values as bytes. Owns the encoding: one tag byte and the content, self-describing, so a value can be read
 * without knowing the field it came from. Equal values have equal bytes for the types that serve as map keys, which is
 * what lets a persistent index compare keys without decoding.
 *
 * <p>Enums and records name their class by its id in the heap's class table; an enum constant by its name, a record's
 * components by position with the names kept in the class table, so that components may be added or removed later.
 */
final class Values {
    private static final int NULL = 0;
    private static final int LATIN1 = 1;
    private static final int UTF16 = 2;
    private static final int BOOLEAN = 3;
    private static final int BYTE = 4;
    private static final int SHORT = 5;
    private static final int CHAR = 6;
    private static final int INT = 7;
    private static final int LONG = 8;
    private static final int FLOAT = 9;
    private static final int DOUBLE = 10;
    private static final int BIG_INTEGER = 11;
    private static final int BIG_DECIMAL = 12;
    private static final int UUID_ = 13;
    private static final int LOCAL_DATE = 14;
    private static final int LOCAL_TIME = 15;
    private static final int LOCAL_DATE_TIME = 16;
    private static final int INSTANT = 17;
    private static final int DURATION = 18;
    private static final int ZONED = 19;
    private static final int OFFSET = 20;
    private static final int PERIOD = 21;
    private static final int ENUM = 22;
    private static final int RECORD = 23;
    private static final int PRIMITIVE_ARRAY = 24;
    private static final int OBJECT_ARRAY = 25;
    private static final String PRIMITIVES = "ZBCSIJFD";
    /** Bytes before the content of an encoded {@code byte[]}, which may be copied from where it lies. */
    static final int BYTE_ARRAY = 2;
    /** These, as a little-endian number. */
    static final short BYTE_ARRAY_HEAD = PRIMITIVE_ARRAY | 'B' << 8;

    /** A record class taken apart once. */
    private record Shape(Constructor<?> constructor, RecordComponent[] components) {
    }

    private static final ClassValue<Shape> SHAPES = new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> c) {
            RecordComponent[] rc = c.getRecordComponents();
            Class<?>[] types = new Class<?>[rc.length];
            for (int i = 0; i < rc.length; i++) {
                types[i] = rc[i].getType();
                rc[i].getAccessor().setAccessible(true);
            }
            try {
                Constructor<?> k = c.getDeclaredConstructor(types);
                k.setAccessible(true);
                return new Shape(k, rc);
            } catch (NoSuchMethodException e) {
                throw new PersistException.Misuse(c.getName() + " has no canonical constructor");
            }
        }
    };

    private final ClassTable classes;

    Values(ClassTable classes) {
        this.classes = classes;
    }

    /** Whether an encoding that begins with these two bytes, as a little-endian number, is a {@code byte[]}'s. */
    static boolean isByteArray(short head) {
        return head == BYTE_ARRAY_HEAD;
    }

    static boolean isValueType(Class<?> c) {
        return c == String.class || c == Boolean.class || c == Character.class || Number.class.isAssignableFrom(c) && isNumber(c)
                || c == UUID.class || c == LocalDate.class || c == LocalTime.class || c == LocalDateTime.class || c == Instant.class
                || c == Duration.class || c == ZonedDateTime.class || c == OffsetDateTime.class || c == Period.class || c.isEnum()
                || c.isRecord() || c.isArray();
    }

    private static boolean isNumber(Class<?> c) {
        return c == Byte.class || c == Short.class || c == Integer.class || c == Long.class || c == Float.class || c == Double.class
                || c == BigInteger.class || c == BigDecimal.class;
    }

    byte[] encode(Object v) {
        if (v instanceof String s) {
            return encodeString(s);
        }
        if (v instanceof byte[] a) {
            byte[] b = new byte[BYTE_ARRAY + a.length];
            b[0] = PRIMITIVE_ARRAY;
            b[1] = 'B';
            System.arraycopy(a, 0, b, BYTE_ARRAY, a.length);
            return b;
        }
        Bytes out = new Bytes(16);
        write(v, out);
        return out.toArray();
    }

    private static byte[] encodeString(String s) {
        int n = s.length();
        byte[] b = new byte[n + 1];
        b[0] = LATIN1;
        for (int i = 0; i < n; i++) {
            char c = s.charAt(i);
            if (c > 0xFF) {
                byte[] w = new byte[2 * n + 1];
                w[0] = UTF16;
                for (int k = 0; k < n; k++) {
                    w[2 * k + 1] = (byte) s.charAt(k);
                    w[2 * k + 2] = (byte) (s.charAt(k) >> 8);
                }
                return w;
            }
            b[i + 1] = (byte) c;
        }
        return b;
    }

    private void write(Object v, Bytes out) {
        if (v == null) {
            out.put(NULL);
        } else if (v instanceof String s) {
            out.putBytes(encodeString(s));
        } else if (v instanceof Integer i) {
            out.put(INT);
            out.putInt(i);
        } else if (v instanceof Long l) {
            out.put(LONG);
            out.putLong(l);
        } else if (v instanceof Boolean b) {
            out.put(BOOLEAN);
            out.put(b ? 1 : 0);
        } else if (v instanceof Double d) {
            out.put(DOUBLE);
            out.putLong(Double.doubleToRawLongBits(d));
        } else if (v instanceof Byte b) {
            out.put(BYTE);
            out.put(b);
        } else if (v instanceof Short s) {
            out.put(SHORT);
            out.putShort(s);
        } else if (v instanceof Character c) {
            out.put(CHAR);
            out.putShort(c);
        } else if (v instanceof Float f) {
            out.put(FLOAT);
            out.putInt(Float.floatToRawIntBits(f));
        } else if (v instanceof BigInteger b) {
            out.put(BIG_INTEGER);
            out.putBytes(b.toByteArray());
        } else if (v instanceof BigDecimal d) {
            out.put(BIG_DECIMAL);
            out.putInt(d.scale());
            out.putBytes(d.unscaledValue().toByteArray());
        } else if (v instanceof UUID u) {
            out.put(UUID_);
            out.putLong(u.getMostSignificantBits());
            out.putLong(u.getLeastSignificantBits());
        } else if (v instanceof Enum<?> e) {
            out.put(ENUM);
            out.putShort(classes.valueClass(e.getDeclaringClass()));
            out.putBytes(e.name().getBytes(StandardCharsets.UTF_8));
        } else if (v instanceof Record) {
            writeRecord(v, out);
        } else if (v.getClass().isArray()) {
            writeArray(v, out);
        } else if (!writeTime(v, out)) {
            throw new PersistException.Misuse(v.getClass().getName() + " cannot persist: it is neither a persistent object nor a known immutable value");
        }
    }

    private boolean writeTime(Object v, Bytes out) {
        if (v instanceof LocalDate d) {
            out.put(LOCAL_DATE);
            out.putLong(d.toEpochDay());
        } else if (v instanceof LocalTime t) {
            out.put(LOCAL_TIME);
            out.putLong(t.toNanoOfDay());
        } else if (v instanceof LocalDateTime t) {
            out.put(LOCAL_DATE_TIME);
            putDateTime(t, out);
        } else if (v instanceof Instant i) {
            out.put(INSTANT);
            out.putLong(i.getEpochSecond());
            out.putInt(i.getNano());
        } else if (v instanceof Duration d) {
            out.put(DURATION);
            out.putLong(d.getSeconds());
            out.putInt(d.getNano());
        } else if (v instanceof ZonedDateTime z) {
            out.put(ZONED);
            putDateTime(z.toLocalDateTime(), out);
            out.putInt(z.getOffset().getTotalSeconds());
            out.putBytes(z.getZone().getId().getBytes(StandardCharsets.UTF_8));
        } else if (v instanceof OffsetDateTime o) {
            out.put(OFFSET);
            putDateTime(o.toLocalDateTime(), out);
            out.putInt(o.getOffset().getTotalSeconds());
        } else if (v instanceof Period p) {
            out.put(PERIOD);
            out.putInt(p.getYears());
            out.putInt(p.getMonths());
            out.putInt(p.getDays());
        } else {
            return false;
        }
        return true;
    }

    private static void putDateTime(LocalDateTime t, Bytes out) {
        out.putLong(t.toLocalDate().toEpochDay());
        out.putLong(t.toLocalTime().toNanoOfDay());
    }

    private static LocalDateTime getDateTime(Bytes in) {
        return LocalDateTime.of(LocalDate.ofEpochDay(in.getLong()), LocalTime.ofNanoOfDay(in.getLong()));
    }

    private void writeNested(Object v, Bytes out) {
        int at = out.at;
        out.putInt(0);
        write(v, out);
        int end = out.at;
        out.at = at;
        out.putInt(end - at - 4);
        out.at = end;
    }

    private Object readNested(Bytes in) {
        int n = in.getInt();
        return decode(in.getBytes(n));
    }

    private void writeRecord(Object v, Bytes out) {
        Shape shape = SHAPES.get(v.getClass());
        out.put(RECORD);
        out.putShort(classes.valueClass(v.getClass()));
        for (RecordComponent c : shape.components) {
            try {
                writeNested(c.getAccessor().invoke(v), out);
            } catch (ReflectiveOperationException e) {
                throw new PersistException("component " + c + " cannot be read", e);
            }
        }
    }

    private Object readRecord(Bytes in) {
        ClassInfo stored = classes.byId(in.getShort() & 0xFFFF);
        Class<?> c = classes.load(stored);
        Shape shape = SHAPES.get(c);
        Map<String, Object> parts = new HashMap<>();
        for (Layout.FieldInfo f : stored.fields) {
            parts.put(f.name(), readNested(in));
        }
        Object[] args = new Object[shape.components.length];
        for (int i = 0; i < args.length; i++) {
            Class<?> t = shape.components[i].getType();
            Object part = parts.get(shape.components[i].getName());
            args[i] = part == null && t.isPrimitive() ? Array.get(Array.newInstance(t, 1), 0) : part;
        }
        try {
            return shape.constructor.newInstance(args);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw new PersistException.Incompatible(classes.heapName() + ": record " + c.getName() + " cannot be made from its stored components: "
                    + mismatch(shape, args) + ", " + (e.getCause() != null ? e.getCause() : e));
        }
    }

    private static String mismatch(Shape shape, Object[] args) {
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < args.length; i++) {
            s.append(i == 0 ? "" : ", ").append(shape.components[i].getName()).append(" was ").append(args[i] == null ? "null" : args[i].getClass().getName())
                    .append(" and is ").append(shape.components[i].getType().getName());
        }
        return s.toString();
    }

    private void writeArray(Object v, Bytes out) {
        Class<?> t = v.getClass().getComponentType();
        int n = Array.getLength(v);
        if (!t.isPrimitive()) {
            out.put(OBJECT_ARRAY);
            byte[] name = t.getName().getBytes(StandardCharsets.UTF_8);
            out.putShort(name.length);
            out.putBytes(name);
            out.putInt(n);
            for (int i = 0; i < n; i++) {
                writeNested(Array.get(v, i), out);
            }
            return;
        }
        out.put(PRIMITIVE_ARRAY);
        out.put(t.descriptorString().charAt(0));
        if (v instanceof byte[] b) {
            out.putBytes(b);
        } else if (v instanceof boolean[] b) {
            for (boolean x : b) {
                out.put(x ? 1 : 0);
            }
        } else if (v instanceof char[] b) {
            for (char x : b) {
                out.putShort(x);
            }
        } else if (v instanceof short[] b) {
            for (short x : b) {
                out.putShort(x);
            }
        } else if (v instanceof int[] b) {
            for (int x : b) {
                out.putInt(x);
            }
        } else if (v instanceof long[] b) {
            for (long x : b) {
                out.putLong(x);
            }
        } else if (v instanceof float[] b) {
            for (float x : b) {
                out.putInt(Float.floatToRawIntBits(x));
            }
        } else {
            for (double x : (double[]) v) {
                out.putLong(Double.doubleToRawLongBits(x));
            }
        }
    }

    private static Object readPrimitiveArray(Bytes in) {
        char t = (char) in.get();
        if (PRIMITIVES.indexOf(t) < 0) {
            throw new IllegalArgumentException("array of unknown type " + (int) t);
        }
        int w = Layout.width(t);
        int n = (in.buf.length - in.at) / w;
        Class<?> c = switch (t) {
            case 'Z' -> boolean.class;
            case 'B' -> byte.class;
            case 'C' -> char.class;
            case 'S' -> short.class;
            case 'I' -> int.class;
            case 'J' -> long.class;
            case 'F' -> float.class;
            default -> double.class;
        };
        if (t == 'B') {
            return in.getBytes(n);
        }
        Object a = Array.newInstance(c, n);
        for (int i = 0; i < n; i++) {
            switch (t) {
                case 'Z' -> Array.setBoolean(a, i, in.get() != 0);
                case 'C' -> Array.setChar(a, i, (char) in.getShort());
                case 'S' -> Array.setShort(a, i, in.getShort());
                case 'I' -> ((int[]) a)[i] = in.getInt();
                case 'J' -> ((long[]) a)[i] = in.getLong();
                case 'F' -> ((float[]) a)[i] = Float.intBitsToFloat(in.getInt());
                default -> ((double[]) a)[i] = Double.longBitsToDouble(in.getLong());
            }
        }
        return a;
    }

    private Object readObjectArray(Bytes in) {
        String name = new String(in.getBytes(in.getShort() & 0xFFFF), StandardCharsets.UTF_8);
        int n = in.getInt();
        List<Object> items = new ArrayList<>(Math.min(n, 1 << 16));
        for (int i = 0; i < n; i++) {
            items.add(readNested(in));
        }
        Object a = Array.newInstance(classes.loadByName(name), n);
        for (int i = 0; i < n; i++) {
            Array.set(a, i, items.get(i));
        }
        return a;
    }

    Object decode(byte[] b) {
        int rest = b.length - 1;
        if (rest >= 0 && b[0] == LATIN1) {
            return new String(b, 1, rest, StandardCharsets.ISO_8859_1); // as class and root names are, when a heap is opened
        }
        Bytes in = new Bytes(b);
        int tag = in.get();
        return switch (tag) {
            case NULL -> null;
            case UTF16 -> {
                char[] cs = new char[rest / 2];
                for (int i = 0; i < cs.length; i++) {
                    cs[i] = (char) in.getShort();
                }
                yield new String(cs);
            }
            case BOOLEAN -> in.get() != 0;
            case BYTE -> in.get();
            case SHORT -> in.getShort();
            case CHAR -> (char) in.getShort();
            case INT -> in.getInt();
            case LONG -> in.getLong();
            case FLOAT -> Float.intBitsToFloat(in.getInt());
            case DOUBLE -> Double.longBitsToDouble(in.getLong());
            case BIG_INTEGER -> new BigInteger(in.getBytes(rest));
            case BIG_DECIMAL -> {
                int scale = in.getInt();
                yield new BigDecimal(new BigInteger(in.getBytes(rest - 4)), scale);
            }
            case UUID_ -> new UUID(in.getLong(), in.getLong());
            case LOCAL_DATE -> LocalDate.ofEpochDay(in.getLong());
            case LOCAL_TIME -> LocalTime.ofNanoOfDay(in.getLong());
            case LOCAL_DATE_TIME -> getDateTime(in);
            case INSTANT -> Instant.ofEpochSecond(in.getLong(), in.getInt());
            case DURATION -> Duration.ofSeconds(in.getLong(), in.getInt());
            case ZONED -> {
                LocalDateTime t = getDateTime(in);
                ZoneOffset o = ZoneOffset.ofTotalSeconds(in.getInt());
                yield ZonedDateTime.ofInstant(t, o, ZoneId.of(new String(in.getBytes(b.length - in.at), StandardCharsets.UTF_8)));
            }
            case OFFSET -> OffsetDateTime.of(getDateTime(in), ZoneOffset.ofTotalSeconds(in.getInt()));
            case PERIOD -> Period.of(in.getInt(), in.getInt(), in.getInt());
            case ENUM -> readEnum(in);
            case RECORD -> readRecord(in);
            case PRIMITIVE_ARRAY -> readPrimitiveArray(in);
            case OBJECT_ARRAY -> readObjectArray(in);
            default -> throw new IllegalArgumentException("unknown tag " + tag);
        };
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private Object readEnum(Bytes in) {
        Class<?> c = classes.load(classes.byId(in.getShort() & 0xFFFF));
        String name = new String(in.getBytes(in.buf.length - in.at), StandardCharsets.UTF_8);
        try {
            return Enum.valueOf((Class) c, name);
        } catch (IllegalArgumentException e) {
            throw new PersistException.Incompatible(classes.heapName() + ": enum " + c.getName() + " has no constant " + name + " any more, which the heap holds");
        }
    }
}
