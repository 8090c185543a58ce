package dev.concord.persist.core;

import dev.concord.persist.PersistException;
import dev.concord.persist.PersistentObject;
import dev.concord.persist.PersistentObject.Resurrection;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * A class as the heap knows it: what recovery needs to walk its objects without any Java class, and what dereferencing
 * needs to make proxies. Its text form is what the heap stores: {@code id|kind|size|flags|name|field:type:offset:javaType,...}.
 */
final class ClassInfo {
    /** Payload of an immutable value; see {@link Values}. */
    static final int VALUE = 1;
    static final int CLASS_NODE = 2;
    static final int ROOT_NODE = 3;
    static final int ROOT_ARRAY = 4;
    static final int FIRST_USER = 16;

    final int id;
    final String name;
    final Layout.Kind kind;
    final int size;
    final boolean recovers;
    final List<Layout.FieldInfo> fields;
    final int[] refOffsets;
    /** Whether marking has nothing to do with its objects but to note them. */
    final boolean leaf;
    final int[] valueOffsets;
    private Class<?> javaClass;
    private boolean atomic;
    private boolean resurrects;
    private volatile Function<Resurrection, Object> resurrector;

    ClassInfo(int id, String name, Layout.Kind kind, int size, boolean recovers, List<Layout.FieldInfo> fields) {
        this.id = id;
        this.name = name;
        this.kind = kind;
        this.size = size;
        this.recovers = recovers;
        this.fields = List.copyOf(fields);
        this.refOffsets = offsets(fields, "LV");
        this.leaf = !recovers && (kind == Layout.Kind.BYTES || kind == Layout.Kind.FIXED && refOffsets.length == 0);
        this.valueOffsets = offsets(fields, "V");
    }

    /** Offsets of the fields of some types. */
    private static int[] offsets(List<Layout.FieldInfo> fields, String types) {
        int[] found = new int[fields.size()];
        int n = 0;
        for (Layout.FieldInfo f : fields) {
            if (types.indexOf(f.type()) >= 0) {
                found[n++] = f.offset();
            }
        }
        return Arrays.copyOf(found, n);
    }

    String text() {
        StringBuilder s = new StringBuilder();
        s.append(id).append('|').append(kind).append('|').append(size).append('|').append(recovers ? "R" : "").append('|').append(name).append('|');
        for (int i = 0; i < fields.size(); i++) {
            Layout.FieldInfo f = fields.get(i);
            s.append(i == 0 ? "" : ",").append(f.name()).append(':').append(f.typeText()).append(':').append(f.offset()).append(':').append(f.javaType());
        }
        return s.toString();
    }

    static ClassInfo parse(String text, String file) {
        String[] p = text.split("\\|", 6);
        if (p.length != 6) {
            throw new PersistException.Incompatible(file + ": class description cannot be read: " + text);
        }
        List<Layout.FieldInfo> fields = new ArrayList<>();
        if (!p[5].isEmpty()) {
            for (String f : p[5].split(",")) {
                String[] q = f.split(":", 4);
                if (q.length != 4 || q[1].isEmpty() || "ZBCSIJFDLVE".indexOf(q[1].charAt(0)) < 0 || Layout.capacity(q[1]) < 0) {
                    throw new IllegalArgumentException(text);
                }
                fields.add(new Layout.FieldInfo(q[0], q[1].charAt(0), q[3], Integer.parseInt(q[2]), Layout.capacity(q[1])));
            }
        }
        return new ClassInfo(Integer.parseInt(p[0]), p[4], Layout.Kind.valueOf(p[1]), Integer.parseInt(p[2]), p[3].contains("R"), fields);
    }

    /** Binds the Java class whose layout was found to match. */
    void bind(Class<?> c) {
        javaClass = c;
        atomic = Layout.of(c).failureAtomic;
        resurrects = Layout.overrides(c, "resurrect");
        try {
            Constructor<?> k = c.getDeclaredConstructor(Resurrection.class);
            k.setAccessible(true);
            resurrector = new Reflective(k);
        } catch (NoSuchMethodException | RuntimeException e) {
            throw new PersistException.Misuse(c.getName() + " has no accessible resurrect constructor; was it woven? " + e);
        }
    }

    /** The way to the first few proxies of a class: to link a faster one takes longer than to open a heap. */
    private final class Reflective implements Function<Resurrection, Object> {
        private static final int ENOUGH = 12;
        private final Constructor<?> constructor;
        private int calls;

        Reflective(Constructor<?> constructor) {
            this.constructor = constructor;
        }

        @Override
        public Object apply(Resurrection r) {
            if (++calls > ENOUGH) { // racy, and so several may link: to the same
                Function<Resurrection, Object> faster = linked(constructor);
                resurrector = faster;
                return faster.apply(r);
            }
            try {
                return constructor.newInstance(r);
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof RuntimeException x) {
                    throw x;
                }
                if (e.getCause() instanceof Error x) {
                    throw x;
                }
                throw new PersistException("resurrection failed", e.getCause());
            } catch (ReflectiveOperationException e) {
                throw new PersistException("resurrection failed", e);
            }
        }
    }

    /** As fast as a call written by hand for a class of this library's own module, by method handle for others. */
    @SuppressWarnings("unchecked")
    private static Function<Resurrection, Object> linked(Constructor<?> k) {
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(k.getDeclaringClass(), MethodHandles.lookup());
            MethodHandle ctor = lookup.unreflectConstructor(k);
            return !lookup.hasFullPrivilegeAccess() ? invoking(ctor)
                    : (Function<Resurrection, Object>) LambdaMetafactory.metafactory(lookup, "apply", MethodType.methodType(Function.class),
                            MethodType.methodType(Object.class, Object.class), ctor, MethodType.methodType(Object.class, Resurrection.class)).getTarget().invoke();
        } catch (Throwable e) {
            throw new PersistException("the resurrect constructor of " + k.getDeclaringClass().getName() + " cannot be linked", e);
        }
    }

    private static Function<Resurrection, Object> invoking(MethodHandle ctor) {
        MethodHandle exact = ctor.asType(MethodType.methodType(Object.class, Resurrection.class));
        return r -> {
            try {
                return (Object) exact.invokeExact(r);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new PersistException("resurrection failed", e);
            }
        };
    }

    boolean atomic() {
        return atomic;
    }

    boolean resurrects() {
        return resurrects;
    }

    boolean bound() {
        return resurrector != null;
    }

    Class<?> javaClass() {
        return javaClass;
    }

    PersistentObject resurrect(HeapCore heap, long off) {
        return (PersistentObject) resurrector.apply(new Resurrection(heap, off, atomic));
    }
}
