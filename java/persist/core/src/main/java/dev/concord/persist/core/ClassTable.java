package dev.concord.persist.core;

import dev.concord.persist.PersistException;
import dev.concord.persist.PersistentObject;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The heap's own list of classes. Owns the invariant that a class id is on the medium before any object that bears it,
 * and never changes its meaning. Stored as a chain of nodes {next, text} whose head is in the meta unit.
 */
final class ClassTable {
    private final HeapCore heap;
    private volatile ClassInfo[] byId = new ClassInfo[64];
    private final Map<String, ClassInfo> byName = new TreeMap<>();
    private final Map<Class<?>, ClassInfo> byClass = new ConcurrentHashMap<>();
    private int next = ClassInfo.FIRST_USER;

    ClassTable(HeapCore heap) {
        this.heap = heap;
        define(new ClassInfo(ClassInfo.VALUE, "<value>", Layout.Kind.BYTES, 0, false, List.of()));
        define(new ClassInfo(ClassInfo.CLASS_NODE, "<class>", Layout.Kind.FIXED, 16, false,
                List.of(new Layout.FieldInfo("next", 'L', "", 0), new Layout.FieldInfo("text", 'V', "", 8))));
        define(new ClassInfo(ClassInfo.ROOT_NODE, "<root>", Layout.Kind.FIXED, 16, false,
                List.of(new Layout.FieldInfo("target", 'L', "", 0), new Layout.FieldInfo("name", 'V', "", 8))));
        define(new ClassInfo(ClassInfo.ROOT_ARRAY, "<roots>", Layout.Kind.REFS, 0, false, List.of()));
    }

    private void define(ClassInfo c) {
        ClassInfo[] t = byId;
        if (c.id >= t.length) {
            t = java.util.Arrays.copyOf(t, Math.max(t.length * 2, c.id + 1));
        }
        t[c.id] = c;
        byId = t;
        byName.put(c.name, c);
        next = Math.max(next, c.id + 1);
    }

    /** Reads the chain from the meta unit. */
    synchronized void load() {
        long ref = heap.memory.getLong(heap.meta + HeapCore.META_CLASSES);
        List<ClassInfo> found = new ArrayList<>();
        while (ref != 0) {
            long off = Header.offset(ref);
            long at = heap.allocator.headerOffsetChecked(off);
            if (at < 0 || Header.classId(heap.memory.getLong(at)) != ClassInfo.CLASS_NODE) {
                throw heap.corrupt(off, "the class table's chain leads to no class node");
            }
            found.add(ClassInfo.parse((String) heap.getValue(off, 8), heap.name()));
            ref = heap.memory.getLong(off);
        }
        found.forEach(this::define);
    }

    ClassInfo byId(int id) {
        ClassInfo[] t = byId;
        ClassInfo c = id < t.length ? t[id] : null;
        if (c == null) {
            throw new PersistException(heap.name() + ": unknown class id " + id);
        }
        return c;
    }

    ClassInfo byIdOrNull(int id) {
        ClassInfo[] t = byId;
        return id < t.length ? t[id] : null;
    }

    synchronized Collection<ClassInfo> all() {
        return List.copyOf(byName.values());
    }

    ClassInfo forClass(Class<?> c) {
        ClassInfo i = byClass.get(c);
        return i != null ? i : register(c);
    }

    private synchronized ClassInfo register(Class<?> c) {
        ClassInfo known = byClass.get(c);
        if (known != null) {
            return known;
        }
        Layout l = Layout.of(c);
        ClassInfo stored = byName.get(l.id);
        if (stored == null) {
            stored = append(l.id, l.kind, l.size, l.recovers, l.fields);
        } else {
            requireSame(stored, l);
        }
        stored.bind(c);
        byClass.put(c, stored);
        return stored;
    }

    private void requireSame(ClassInfo stored, Layout now) {
        String what = heap.name() + ": class " + now.className + " does not match what the heap holds as " + stored.name + ": ";
        if (stored.kind != now.kind) {
            throw new PersistException.Incompatible(what + "it was " + stored.kind + " and is " + now.kind);
        }
        Map<String, Layout.FieldInfo> old = new TreeMap<>();
        stored.fields.forEach(f -> old.put(f.name(), f));
        for (Layout.FieldInfo f : now.fields) {
            Layout.FieldInfo o = old.remove(f.name());
            if (o == null) {
                throw new PersistException.Incompatible(what + "field " + f.name() + " of type " + describe(f) + " is new");
            }
            if (o.type() != f.type() || !o.javaType().equals(f.javaType())) {
                throw new PersistException.Incompatible(what + "field " + f.name() + " was " + describe(o) + " and is " + describe(f));
            }
            if (o.offset() != f.offset()) {
                throw new PersistException.Incompatible(what + "field " + f.name() + " has moved");
            }
        }
        if (!old.isEmpty()) {
            throw new PersistException.Incompatible(what + "fields " + old.keySet() + " are gone");
        }
    }

    private static String describe(Layout.FieldInfo f) {
        return f.javaType().isEmpty() ? String.valueOf(f.type()) : f.javaType();
    }

    private ClassInfo append(String name, Layout.Kind kind, int size, boolean recovers, List<Layout.FieldInfo> fields) {
        if (next > 0xFFFF) {
            throw new PersistException.Full(heap.name() + " knows 65535 classes, there is no room for " + name);
        }
        ClassInfo c = new ClassInfo(next, name, kind, size, recovers, fields);
        heap.system(() -> {
            long node = heap.allocateRaw(ClassInfo.CLASS_NODE, 16);
            heap.putLong(node, 0, heap.getLong(heap.meta, HeapCore.META_CLASSES));
            heap.putValue(node, 8, c.text());
            heap.putLong(heap.meta, HeapCore.META_CLASSES, heap.refTo(node));
        });
        define(c);
        return c;
    }

    /** Id of an enum or record class, entered on first use. */
    int valueClass(Class<?> c) {
        ClassInfo i = byClass.get(c);
        return i != null ? i.id : registerValue(c).id;
    }

    private synchronized ClassInfo registerValue(Class<?> c) {
        List<Layout.FieldInfo> parts = new ArrayList<>();
        if (c.isRecord()) {
            for (RecordComponent rc : c.getRecordComponents()) {
                parts.add(new Layout.FieldInfo(rc.getName(), 'V', rc.getType().descriptorString(), parts.size()));
            }
        }
        // A record whose components changed is entered anew; values written before keep the id that describes them.
        String name = c.getName() + (parts.isEmpty() ? "" : "#" + parts.stream().map(Layout.FieldInfo::name).toList());
        ClassInfo stored = byName.get(name.replace(", ", ";"));
        if (stored == null) {
            stored = append(name.replace(", ", ";"), Layout.Kind.BYTES, 0, false, parts);
        }
        byClass.put(c, stored);
        return stored;
    }

    Class<?> load(ClassInfo c) {
        int cut = c.name.indexOf('#');
        return loadByName(cut < 0 ? c.name : c.name.substring(0, cut));
    }

    Class<?> loadByName(String name) {
        for (Class<?> p : new Class<?>[] {byte.class, int.class, long.class}) {
            if (p.getName().equals(name)) {
                return p;
            }
        }
        ClassLoader l = Thread.currentThread().getContextClassLoader();
        try {
            return Class.forName(name, true, l != null ? l : ClassTable.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new PersistException.Incompatible(heap.name() + " holds objects of " + name + ", which is not on the class path");
        }
    }

    /** The Java class of a stored one, loading and checking it on first need. */
    ClassInfo bound(ClassInfo c) {
        if (!c.bound()) {
            Class<?> k = loadByName(c.name);
            if (!PersistentObject.class.isAssignableFrom(k)) {
                throw new PersistException.Incompatible(heap.name() + " holds objects of " + c.name + ", which is not persistent here; was it woven?");
            }
            if (forClass(k) != c) {
                throw new PersistException.Incompatible(heap.name() + ": class " + c.name + " now persists as " + Layout.of(k).id);
            }
        }
        return c;
    }
}
