package dev.concord.persist.core;

import dev.concord.persist.OldObject;
import dev.concord.persist.PersistException;
import dev.concord.persist.PersistentObject;
import dev.concord.persist.PersistentObject.Internals;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Rewrites the objects of classes that changed, when a heap is opened and nobody uses it yet. Owns the order that makes a
 * crash harmless: all changes are judged before the first is made; the class's new version is entered; each object becomes
 * one of the new version by a record of its own; the old version is forgotten when no object bears it. A run that was cut
 * short goes on where it ended.
 *
 * <p>An object that no longer fits its place moves, together with the references to it; see {@link Relocator}. What a method
 * looks up is migrated before it; see {@link MigrationOrder}.
 */
final class Migrator {
    /** Objects whose references are kept in memory at a time, unless their methods look up others; tests lower it. */
    static int pass = 500_000;
    private final HeapCore heap;
    private final Map<String, Class<?>> known = new HashMap<>();
    private final Map<String, Long> migrated = new TreeMap<>();
    private final Map<Long, Long> places = new HashMap<>();
    /** By the id of the version that is to disappear. */
    private final Map<Integer, SchemaChange> changes = new LinkedHashMap<>();
    private final Map<Integer, ClassInfo> successors = new HashMap<>();
    /** Versions that no object bears. */
    private final List<ClassInfo> unused = new ArrayList<>();
    private Relocator relocator;
    /** Objects still to be moved whose references the relocator knows. */
    private final Set<Long> pending = new HashSet<>();
    /** What the method that runs now looked up and has to wait for, or -1. */
    private long needed = -1;

    Migrator(HeapCore heap, List<Class<?>> given) {
        this.heap = heap;
        for (Class<?> c : given) {
            known.put(Layout.of(c).id, c);
            heap.classes.alias(Layout.of(c).id, c);
        }
    }

    Map<String, Long> migrated() {
        return migrated;
    }

    /** Where an object that lay at this offset is now. */
    long now(long off) {
        return places.getOrDefault(off, off);
    }

    void run() {
        List<Class<?>> changed = judge();
        if (changes.isEmpty() && unused.isEmpty()) {
            return;
        }
        if (heap.readOnly) {
            String first = changes.isEmpty() ? unused.get(0).name : changes.values().iterator().next().old.name;
            throw new PersistException.Incompatible(heap.name() + ": objects of class " + first
                    + " must be migrated, which a read-only heap cannot be; open it once for writing");
        }
        for (Class<?> c : changed) {
            heap.classes.supersede(Layout.of(c));
        }
        changes.forEach((id, change) -> successors.put(id, heap.classes.newest(change.now.id)));
        // Classes without a method of their own first: a method may then look into their objects.
        heap.migrator = this;
        try {
            rewrite(false);
            rewrite(true);
        } finally {
            heap.migrator = null;
        }
        changes.values().forEach(c -> heap.classes.forget(c.old));
        unused.forEach(heap.classes::forget);
        heap.engine.psync();
    }

    /** Finds what changed; refuses before anything is written. */
    private List<Class<?>> judge() {
        List<Class<?>> changed = new ArrayList<>();
        List<ClassInfo> all = new ArrayList<>(heap.classes.everyVersion());
        for (ClassInfo c : all) {
            if (c.id >= ClassInfo.FIRST_USER && !c.name.contains("#")) {
                Class<?> k = known.containsKey(c.name) ? known.get(c.name) : ClassTable.find(c.name);
                if (k != null && PersistentObject.class.isAssignableFrom(k) && Layout.of(k).id.equals(c.name)) {
                    known.put(c.name, k);
                }
            }
        }
        for (ClassInfo c : all) {
            Class<?> k = known.get(c.name);
            if (k == null || c.id < ClassInfo.FIRST_USER) {
                continue;
            }
            boolean newest = heap.classes.newest(c.name) == c;
            if (!newest || SchemaChange.difference(c, Layout.of(k)) != null) {
                try {
                    changes.put(c.id, new SchemaChange(c, k, heap.classes, known, heap.name()));
                } catch (PersistException.Incompatible e) {
                    if (hasObjects(c)) {
                        throw e;
                    }
                    unused.add(c);
                }
                if (newest) {
                    changed.add(k);
                }
            }
        }
        return changed;
    }

    private boolean hasObjects(ClassInfo c) {
        boolean[] any = new boolean[1];
        for (int s = 0; s < heap.engine.superblock.segments && !any[0]; s++) {
            heap.units.forEachObject(s, (off, at, h) -> any[0] |= Header.sound(h) && Header.classId(h) == c.id);
        }
        return any[0];
    }

    private boolean mustMove(SchemaChange c) {
        return Units.capacity(Math.max(8, c.old.size)) < c.now.size;
    }

    private void rewrite(boolean withMethod) {
        for (;;) {
            List<Long> some = toMigrate(withMethod, false);
            if (some.isEmpty()) {
                return;
            }
            relocator = new Relocator(heap);
            pending.clear();
            for (long o : some) {
                if (mustMove(changes.get(Header.classId(header(o))))) {
                    pending.add(o);
                }
            }
            if (!pending.isEmpty()) {
                relocator.scan(pending::contains);
            }
            new MigrationOrder(heap.name(), this::one, this::describe).run(some);
        }
    }

    /** Objects of changed classes in the order of the heap, no more than a pass takes; or only those that move and are not pending. */
    private List<Long> toMigrate(boolean withMethod, boolean onlyMore) {
        List<Long> some = new ArrayList<>();
        for (int s = 0; s < heap.engine.superblock.segments && some.size() < pass; s++) {
            heap.units.forEachObject(s, (off, at, h) -> {
                SchemaChange c = Header.sound(h) ? changes.get(Header.classId(h)) : null;
                if (c != null && (c.migrate != null) == withMethod && some.size() < pass && !(onlyMore && (pending.contains(off) || !mustMove(c)))) {
                    some.add(off);
                }
            });
        }
        return some;
    }

    private long header(long o) {
        return heap.memory.getLong(heap.units.headerOffset(o));
    }

    private String describe(long o) {
        SchemaChange c = changes.get(Header.classId(header(o)));
        return c.type.getName() + "." + c.migrate.getName() + " at offset " + o;
    }

    /** A method, or one that it calls, looks an object up: none that is still to be migrated. */
    void lookedUp(long o, ClassInfo c) {
        if (changes.containsKey(c.id)) {
            needed = needed < 0 ? o : needed;
            throw new MigrationOrder.Needed(heap.name() + ": the object of " + c.name + " at offset " + o + " is migrated before the one whose method looked it up");
        }
    }

    /** Migrates one object; gives the one that has to be migrated before it, or -1 if it is done. */
    private long one(long o) {
        if (places.containsKey(o) || heap.units.headerOffsetChecked(o) < 0) {
            return -1; // moved before, or freed by the method of another one: who knows what lies there now
        }
        long h = header(o);
        SchemaChange change = changes.get(Header.classId(h));
        if (change == null) {
            return -1;
        }
        if (!Header.valid(h)) {
            heap.system(() -> heap.freeRaw(o)); // never published: nothing refers to it
            return -1;
        }
        if (mustMove(change) && !pending.contains(o)) {
            // One of a later pass is needed now: this pass takes in the next ones as well.
            pending.addAll(toMigrate(true, true));
            pending.add(o);
            relocator.scan(pending::contains);
        }
        needed = -1;
        try {
            rewrite(o, h, change);
        } catch (VirtualMachineError e) {
            throw e;
        } catch (RuntimeException | Error e) {
            // Whatever a method made of it.
            if (needed < 0) {
                throw e;
            }
            return needed;
        }
        migrated.merge(change.now.id, 1L, Long::sum);
        return -1;
    }

    private void rewrite(long o, long h, SchemaChange change) {
        ClassInfo to = successors.get(change.old.id);
        boolean moves = mustMove(change);
        long[] place = {o};
        LongStack[] storing = new LongStack[1];
        heap.system(() -> {
            Tx t = heap.requireBlock();
            Map<String, Object> before = change.migrate == null ? Map.of() : contents(o, change.old, Header.ref(o, h), place);
            long[] words = content(o, change, to.size);
            if (moves) {
                place[0] = relocator.move(t, o, to.id, to.size, change::now);
                toItself(words, change, Header.ref(o, h), heap.refTo(place[0]));
                for (int i = 0; i < words.length; i++) {
                    heap.memory.putLong(place[0] + 8L * i, words[i]); // where nobody sees it yet, and a method of the class stores, too
                }
            } else {
                t.words.put(heap.units.headerOffset(o), Header.of(to.id, true, Header.generation(h), to.size), -1L);
                for (int i = 0; i < words.length; i++) {
                    t.words.put(o + 8L * i, words[i], -1L);
                }
            }
            if (change.migrate != null) {
                call(t, change, to, place[0], before);
            }
            change.dropped.forEach(f -> heap.drop(heap.memory.getLong(o + f.offset())));
            storing[0] = change.migrate == null ? null : relocator.storing(t);
        });
        if (moves) {
            pending.remove(o);
            relocator.moved(Header.ref(o, h), change.old.size, heap.refTo(place[0]), change::now);
            places.put(o, place[0]);
        } else {
            relocator.changed(o, change.old.size, change::now);
        }
        if (storing[0] != null) {
            relocator.stored(storing[0]);
        }
    }

    /** The references of an object to itself lead to its new place. */
    private static void toItself(long[] words, SchemaChange change, long old, long now) {
        for (SchemaChange.Carried c : change.carried) {
            int i = c.to().offset() >> 3;
            if (Layout.isReference(c.to().type()) && words[i] == old) {
                words[i] = now;
            }
        }
    }

    private Map<String, Object> contents(long o, ClassInfo old, long self, long[] place) {
        Map<String, Object> m = new LinkedHashMap<>();
        for (Layout.FieldInfo f : old.fields) {
            if (f.type() == Layout.INLINE) {
                m.put(f.name(), heap.getInline(o, f));
                continue;
            }
            long bits = bits(o + f.offset(), f.type());
            if (bits == self && Layout.isReference(f.type())) {
                m.put(f.name(), (OldObject.Later) () -> heap.deref(heap.refTo(place[0])));
            } else if (f.type() == 'V') {
                m.put(f.name(), bits != 0 && Header.classId(heap.memory.getLong(heap.units.headerOffset(Header.offset(bits)))) == ClassInfo.VALUE
                        ? heap.valueAt(bits) : (OldObject.Later) () -> heap.fetch(bits));
            } else if (f.type() == 'L') {
                m.put(f.name(), (OldObject.Later) () -> heap.deref(bits));
            } else {
                m.put(f.name(), box(f.type(), bits));
            }
        }
        return m;
    }

    /** The carried fields at their new offsets, everything else zero. */
    private long[] content(long o, SchemaChange change, int size) {
        long[] words = new long[size / 8];
        for (SchemaChange.Carried c : change.carried) {
            Layout.FieldInfo from = c.from();
            Layout.FieldInfo to = c.to();
            if (from.type() == Layout.INLINE) {
                if (c.step() == SchemaChange.Step.OWN) {
                    words[to.offset() >> 3] = heap.newValue(heap.getInline(o, from));
                } else {
                    copy(o + from.offset(), from.width(), words, to.offset());
                }
                continue;
            }
            long bits = bits(o + from.offset(), from.type());
            long made = switch (c.step()) {
                case COPY -> bits;
                case WIDEN -> unbox(to.type(), widen(to.type(), box(from.type(), bits)));
                case BOX -> heap.newValue(SchemaChange.boxed(to.javaType()) == 'V' ? box(from.type(), bits)
                        : widen(SchemaChange.boxed(to.javaType()), box(from.type(), bits)));
                case OWN -> throw new IllegalStateException("of an inline value only");
                case REBOX -> bits == 0 ? 0 : heap.newValue(widen(SchemaChange.boxed(to.javaType()), heap.valueAt(bits)));
            };
            int shift = 8 * (to.offset() & 7);
            long mask = to.width() == 8 ? -1L : (1L << 8 * to.width()) - 1;
            words[to.offset() >> 3] |= (made & mask) << shift;
        }
        return words;
    }

    private void copy(long at, int len, long[] words, int to) {
        for (int i = 0; i < len; i++, to++) {
            words[to >> 3] |= (heap.memory.getByte(at + i) & 0xFFL) << 8 * (to & 7);
        }
    }

    private long bits(long at, char type) {
        return heap.memory.getLong(at & -8) >>> 8 * (at & 7) & (Layout.width(type) == 8 ? -1L : (1L << 8 * Layout.width(type)) - 1);
    }

    private static Object box(char type, long bits) {
        return switch (type) {
            case 'Z' -> bits != 0;
            case 'B' -> (byte) bits;
            case 'S' -> (short) bits;
            case 'C' -> (char) bits;
            case 'I' -> (int) bits;
            case 'F' -> Float.intBitsToFloat((int) bits);
            case 'D' -> Double.longBitsToDouble(bits);
            default -> bits;
        };
    }

    private static Object widen(char to, Object v) {
        Number n = v instanceof Character c ? Integer.valueOf(c) : v instanceof Number x ? x : null;
        if (n == null) {
            return v; // a boolean, which widens to nothing else
        }
        return switch (to) {
            case 'S' -> n.shortValue();
            case 'I' -> n.intValue();
            case 'J' -> n.longValue();
            case 'F' -> n.floatValue();
            case 'D' -> n.doubleValue();
            default -> v;
        };
    }

    private static long unbox(char type, Object v) {
        return switch (type) {
            case 'F' -> Float.floatToRawIntBits((Float) v);
            case 'D' -> Double.doubleToRawLongBits((Double) v);
            default -> ((Number) v).longValue();
        };
    }

    private void call(Tx t, SchemaChange change, ClassInfo to, long place, Map<String, Object> before) {
        heap.classes.bound(to, change.type);
        PersistentObject p = heap.proxies.putIfAbsent(heap.refTo(place), to.resurrect(heap, place));
        t.onRollback(() -> Internals.setOffset(p, 0));
        try {
            change.migrate.invoke(p, new OldObject(change.old.name, before));
            if (needed >= 0) {
                throw new MigrationOrder.Needed("the method caught it"); // and went on without what it looked up
            }
        } catch (InvocationTargetException e) {
            throw new PersistException(heap.name() + ": " + change.type.getName() + "." + change.migrate.getName() + " failed for the object at offset "
                    + place, e.getCause());
        } catch (IllegalAccessException e) {
            throw new PersistException.Misuse(change.type.getName() + "." + change.migrate.getName() + " cannot be called: " + e.getMessage());
        } finally {
            // Made without resurrect(): whoever looks the object up next gets a proper one.
            heap.proxies.remove(heap.refTo(place));
        }
    }
}
