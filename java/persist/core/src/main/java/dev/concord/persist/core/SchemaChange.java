package dev.concord.persist.core;

import dev.concord.persist.Migrate;
import dev.concord.persist.OldObject;
import dev.concord.persist.PersistException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What must be done to objects of one stored version of a class to make them objects of the class as it is now. Owns the
 * decision what is carried over: fields are matched by the heap's names; a field may widen, never narrow; what cannot be
 * carried is refused by class, field and both types, unless the class has a {@link Migrate} method.
 */
final class SchemaChange {
    /** How a field's content comes about. */
    enum Step { COPY, WIDEN, BOX, REBOX, OWN }

    /** One field carried over. */
    record Carried(Layout.FieldInfo from, Layout.FieldInfo to, Step step) {
    }

    private static final String WIDENINGS = "BSIJFD";
    private static final Map<String, Character> BOXES = Map.of("Ljava/lang/Byte;", 'B', "Ljava/lang/Short;", 'S', "Ljava/lang/Character;", 'C',
            "Ljava/lang/Integer;", 'I', "Ljava/lang/Long;", 'J', "Ljava/lang/Float;", 'F', "Ljava/lang/Double;", 'D', "Ljava/lang/Boolean;", 'Z');

    final ClassInfo old;
    final Layout now;
    final Class<?> type;
    final Method migrate;
    final List<Carried> carried = new ArrayList<>();
    /** Owned values that nothing takes over. */
    final List<Layout.FieldInfo> dropped = new ArrayList<>();
    private final ClassTable classes;
    /** Classes by the id the heap knows them under, as far as they are known. */
    private final Map<String, Class<?>> known;
    private final String file;

    SchemaChange(ClassInfo old, Class<?> type, ClassTable classes, Map<String, Class<?>> known, String file) {
        this.known = known;
        this.old = old;
        this.type = type;
        this.now = Layout.of(type);
        this.classes = classes;
        this.file = file;
        // Objects of this very layout may be left by a migration to another one that failed.
        this.migrate = difference(old, now) == null ? null : migrateMethod(type);
        if (old.kind != now.kind) {
            throw refused("it was " + old.kind + " and is " + now.kind);
        }
        Map<String, Layout.FieldInfo> left = keyed(old.fields);
        for (Map.Entry<String, Layout.FieldInfo> e : keyed(now.fields).entrySet()) {
            Layout.FieldInfo from = left.get(e.getKey());
            if (from == null) {
                continue; // added: it has its default, all zeros
            }
            Step s = step(from, e.getValue());
            if (s != null) {
                carried.add(new Carried(from, e.getValue(), s));
                if (s != Step.REBOX) {
                    left.remove(e.getKey());
                }
            } else if (migrate == null) {
                throw refused("field " + from.name() + " was " + describe(from) + " and is " + describe(e.getValue())
                        + ", which cannot hold it; give the class a @Migrate method");
            }
        }
        left.values().stream().filter(f -> f.type() == 'V').forEach(dropped::add);
    }

    /** Where a reference that is carried over lies now, by where it lay; -1 if it is not. */
    int now(int offset) {
        for (Carried c : carried) {
            if (c.from.offset() == offset) {
                return c.step == Step.COPY ? c.to.offset() : -1;
            }
        }
        return -1;
    }

    private PersistException.Incompatible refused(String why) {
        return new PersistException.Incompatible(file + ": class " + now.className + " cannot take over what the heap holds as " + old.name + ": " + why);
    }

    /** Fields by name; a name that a subclass uses again counts as another one. */
    private static Map<String, Layout.FieldInfo> keyed(List<Layout.FieldInfo> fields) {
        Map<String, Layout.FieldInfo> m = new LinkedHashMap<>();
        for (Layout.FieldInfo f : fields) {
            String key = f.name();
            while (m.containsKey(key)) {
                key += '\'';
            }
            m.put(key, f);
        }
        return m;
    }

    private static Method migrateMethod(Class<?> c) {
        for (Method m : c.getDeclaredMethods()) {
            if (m.isAnnotationPresent(Migrate.class)) {
                if (m.getParameterCount() != 1 || m.getParameterTypes()[0] != OldObject.class) {
                    throw new PersistException.Misuse(c.getName() + "." + m.getName() + " is marked @Migrate and must take one OldObject");
                }
                m.setAccessible(true);
                return m;
            }
        }
        return null;
    }

    private Step step(Layout.FieldInfo from, Layout.FieldInfo to) {
        char a = from.type();
        char b = to.type();
        if (a == Layout.INLINE || b == Layout.INLINE) {
            return inlineStep(from, to);
        }
        if (a == b && from.javaType().equals(to.javaType())) {
            return Step.COPY;
        }
        if (!Layout.isReference(a) && !Layout.isReference(b)) {
            return widens(a, b) ? Step.WIDEN : null;
        }
        Character boxB = BOXES.get(to.javaType());
        if (!Layout.isReference(a)) {
            return boxB != null && (a == boxB || widens(a, boxB)) || boxB == null && b == 'V' && holdsAnything(to) ? Step.BOX : null;
        }
        Character boxA = BOXES.get(from.javaType());
        if (boxA != null && boxB != null && widens(boxA, boxB)) {
            return Step.REBOX;
        }
        return Layout.isReference(b) && (a == b || b == 'V') && assignable(from.javaType(), to.javaType()) ? Step.COPY : null;
    }

    /** An inline value may get more room or be one of its own; the other way it might not fit. */
    private Step inlineStep(Layout.FieldInfo from, Layout.FieldInfo to) {
        if (from.type() == to.type()) {
            return from.javaType().equals(to.javaType()) && from.capacity() <= to.capacity() ? Step.COPY : null;
        }
        return to.type() == 'V' && assignable(from.javaType(), to.javaType()) ? Step.OWN : null;
    }

    private static boolean holdsAnything(Layout.FieldInfo f) {
        return f.javaType().isEmpty() || f.javaType().equals("Ljava/lang/Object;");
    }

    /** The widening conversions of primitives that Java makes by itself. */
    static boolean widens(char from, char to) {
        if (from == 'C') {
            return to == 'I' || to == 'J' || to == 'F' || to == 'D';
        }
        int i = WIDENINGS.indexOf(from);
        return i >= 0 && i < WIDENINGS.indexOf(to);
    }

    private boolean assignable(String from, String to) {
        if (from.isEmpty() || to.isEmpty()) {
            return true; // written by hand without a type: what is stored is checked when it is read
        }
        Class<?> t = load(to);
        Class<?> f = load(from);
        if (f == null && from.startsWith("L")) {
            // A class known by an id: the name it had is the id of what it is now.
            ClassInfo renamed = classes.newest(from.substring(1, from.length() - 1).replace('/', '.'));
            f = renamed == null ? null : renamed.bound() ? renamed.javaClass() : known.get(renamed.name);
        }
        return t != null && f != null && t.isAssignableFrom(f);
    }

    private static Class<?> load(String descriptor) {
        return ClassTable.find(descriptor.startsWith("L") ? descriptor.substring(1, descriptor.length() - 1).replace('/', '.') : descriptor.replace('/', '.'));
    }

    /** The first difference between a stored class and a Java class, as text, or null if there is none. */
    static String difference(ClassInfo stored, Layout now) {
        if (stored.kind != now.kind) {
            return "it was " + stored.kind + " and is " + now.kind;
        }
        Map<String, Layout.FieldInfo> left = keyed(stored.fields);
        for (Map.Entry<String, Layout.FieldInfo> e : keyed(now.fields).entrySet()) {
            Layout.FieldInfo f = e.getValue();
            Layout.FieldInfo o = left.remove(e.getKey());
            if (o == null) {
                return "field " + f.name() + " of type " + describe(f) + " is new";
            }
            if (o.type() != f.type() || o.capacity() != f.capacity() || !o.javaType().equals(f.javaType())) {
                return "field " + f.name() + " was " + describe(o) + " and is " + describe(f);
            }
            if (o.offset() != f.offset()) {
                return "field " + f.name() + " has moved";
            }
        }
        return left.isEmpty() ? null : "fields " + left.keySet() + " are gone";
    }

    static String describe(Layout.FieldInfo f) {
        String d = f.javaType().isEmpty() ? String.valueOf(f.type()) : f.javaType();
        int dims = d.lastIndexOf('[') + 1;
        String element = d.substring(dims);
        String name = element.startsWith("L") && element.endsWith(";") ? element.substring(1, element.length() - 1).replace('/', '.') : switch (element) {
            case "Z" -> "boolean";
            case "B" -> "byte";
            case "C" -> "char";
            case "S" -> "short";
            case "I" -> "int";
            case "J" -> "long";
            case "F" -> "float";
            case "D" -> "double";
            case "L" -> "a reference";
            case "V" -> "a value";
            case "E" -> "an inline value";
            default -> element;
        };
        return name + "[]".repeat(dims) + (f.capacity() > 0 ? " of at most " + f.capacity() + " bytes" : "");
    }

    static char boxed(String javaType) {
        return BOXES.getOrDefault(javaType, 'V');
    }
}
