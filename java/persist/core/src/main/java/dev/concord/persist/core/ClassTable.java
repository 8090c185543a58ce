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
    private final Map<String, Class<?>> aliases = new ConcurrentHashMap<>();
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

    String heapName() {
        return heap.name();
    }

    private void define(ClassInfo c) {
        ClassInfo[] t = byId;
        if (c.id >= t.length) {
            t = java.util.Arrays.copyOf(t, Math.max(t.length * 2, c.id + 1));
        }
        t[c.id] = c;
        byId = t;
        // While a migration is under way a name has several entries; the newest counts.
        ClassInfo other = byName.get(c.name);
        if (other == null || other.id < c.id) {
            byName.put(c.name, c);
        }
        next = Math.max(next, c.id + 1);
    }

    /** Reads the chain from the meta unit. */
    synchronized void load() {
        long ref = heap.memory.getLong(heap.meta + HeapCore.META_CLASSES);
        List<ClassInfo> found = new ArrayList<>();
        while (ref != 0) {
            long off = Header.offset(ref);
            long at = heap.units.headerOffsetChecked(off);
            if (at < 0 || Header.classId(heap.memory.getLong(at)) != ClassInfo.CLASS_NODE) {
                throw heap.corrupt(off, "the class table's chain leads to no class node");
            }
            try {
                found.add(ClassInfo.parse((String) heap.getValue(off, 8), heap.name()));
            } catch (ClassCastException | IllegalArgumentException | IndexOutOfBoundsException | NullPointerException e) {
                throw heap.corrupt(off, "the class described here cannot be read: " + e);
            }
            ref = heap.memory.getLong(off);
        }
        for (ClassInfo c : found) {
            define(c);
        }
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
        String difference = SchemaChange.difference(stored, now);
        if (difference != null) {
            throw new PersistException.Incompatible(heap.name() + ": class " + now.className + " does not match what the heap holds as " + stored.name + ": "
                    + difference + "; a heap is migrated when it is opened, by the classes it finds then: name this one in PHeapOptions.classes");
        }
    }

    /** The newest entry of every name, and those it supersedes. */
    synchronized Collection<ClassInfo> everyVersion() {
        List<ClassInfo> l = new ArrayList<>();
        for (ClassInfo c : byId) {
            if (c != null) {
                l.add(c);
            }
        }
        return l;
    }

    synchronized ClassInfo newest(String name) {
        return byName.get(name);
    }

    /** Enters a further version of a class; objects of the older ones are to be rewritten. */
    synchronized ClassInfo supersede(Layout l) {
        return append(l.id, l.kind, l.size, l.recovers, l.fields);
    }

    /** Takes an entry that no object bears any more out of the chain. */
    synchronized void forget(ClassInfo c) {
        heap.system(() -> {
            long holder = heap.meta;
            long field = HeapCore.META_CLASSES;
            for (long ref = heap.getLong(holder, field); ref != 0; ref = heap.getLong(holder, field)) {
                long node = Header.offset(ref);
                if (ClassInfo.parse((String) heap.getValue(node, 8), heap.name()).id == c.id) {
                    heap.putLong(holder, field, heap.getLong(node, 0));
                    heap.drop(heap.getLong(node, 8));
                    heap.freeRaw(node);
                    return;
                }
                holder = node;
                field = 0;
            }
        });
        byId[c.id] = null;
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

    /** The Java class of a stored name, or null if there is none here. */
    static Class<?> find(String name) {
        ClassLoader l = Thread.currentThread().getContextClassLoader();
        try {
            return Class.forName(name, false, l != null ? l : ClassTable.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            return null; // it is needed, and missed by name, when an object of it is looked at
        }
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

    /** As {@link #bound(ClassInfo)}, when the Java class is known. */
    ClassInfo bound(ClassInfo c, Class<?> k) {
        if (forClass(k) != c) {
            throw new PersistException.Incompatible(heap.name() + ": class " + c.name + " now persists as " + Layout.of(k).id);
        }
        return c;
    }

    /** Tells which Java class stands for an id that is not its name. */
    void alias(String id, Class<?> k) {
        aliases.put(id, k);
    }

    /** The Java class of a stored one, loading and checking it on first need. */
    ClassInfo bound(ClassInfo c) {
        if (!c.bound()) {
            if (byName.get(c.name) != c) {
                throw new PersistException.Incompatible(heap.name() + " holds objects of an older version of " + c.name + ", which are migrated when the"
                        + " heap is opened by a program that has the class");
            }
            Class<?> k = aliases.get(c.name);
            k = k != null ? k : loadByName(c.name);
            if (!PersistentObject.class.isAssignableFrom(k)) {
                throw new PersistException.Incompatible(heap.name() + " holds objects of " + c.name + ", which is not persistent here; was it woven?");
            }
            bound(c, k);
        }
        return c;
    }
}
