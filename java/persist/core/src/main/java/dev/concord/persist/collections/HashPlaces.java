package dev.concord.persist.collections;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Places by hash. Owns two rules: the cells from where a hash leads to the slot of its key were never empty since the slot was
 * put there, so who looks stops at the first empty cell; and a cell is given to one key only, so a tag and a value read one after the
 * other belong together.
 *
 * <pre>
 * cell i:  tags[i]    the hash; 0 if the cell is empty, and it never is again
 *          slots[i]   its slot, null once that is removed
 *          values[i]  what {@link Slot#value()} is, so that a value of which the tag tells the key is found without the slot
 * </pre>
 *
 * <p>A tag tells the key if all keys of the table are of one kind whose hash is the whole key. A table is never changed into
 * another: when it is full, a new one is made of its slots, and who still looks into the old one looks into the past. A hash whose
 * cells are taken for {@link #REACH} steps, as of keys whose hashes are all alike, goes to a map of the JDK's, which can bear that.
 */
final class HashPlaces implements Places {
    private static final int REACH = 64;
    private static final int FIRST = 16;
    private static final int MOST = 1 << 30;
    private static final VarHandle TAG = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(Cell[].class);
    private static final VarHandle VALUE = MethodHandles.arrayElementVarHandle(Object[].class);

    /** What keys are compared by; of one of the kinds above 0, equal hashes are equal keys. */
    private static final int BY_EQUALS = 0;
    private static final int INT = 1;
    private static final int SMALL_LONG = 2;
    /** The tag of two hashes, and of cells whose slot was removed, so it tells no key. */
    private static final int AMBIGUOUS = 1;

    private static final class Table {
        /** Of all keys, or {@link #BY_EQUALS}. */
        final int kind;
        final int[] tags;
        final Object[] values;
        final Cell[] slots;
        final ConcurrentHashMap<Object, Cell> crowded = new ConcurrentHashMap<>(0);

        Table(int size, int kind) {
            this.kind = kind;
            tags = new int[size];
            values = new Object[size];
            slots = new Cell[size];
        }
    }

    private static final class Cell extends Slot {
        final int tag;
        // Of who holds the map's lock: where the slot is, if it is not among the crowded.
        private Table table;
        private int at;

        Cell(Object key, int index) {
            super(key, index);
            tag = tag(key.hashCode());
        }

        @Override
        void value(Object v) {
            super.value(v);
            if (table != null) {
                VALUE.setRelease(table.values, at, v);
            }
        }
    }

    private volatile Table table = new Table(FIRST, BY_EQUALS);
    // Of who holds the map's lock: cells that are not empty, and slots that are here.
    private int taken;
    private int live;

    private static int kind(Object key) {
        return key instanceof Integer ? INT : key instanceof Long l && l >>> 31 == 0 ? SMALL_LONG : BY_EQUALS;
    }

    private static int tag(int hash) {
        return hash == 0 ? AMBIGUOUS : hash;
    }

    /** Where to look first; neighbouring hashes are spread, those that differ in their upper bits alone too. */
    private static int start(int tag, int cells) {
        return tag * 0x9E3779B9 >>> Integer.numberOfLeadingZeros(cells) + 1;
    }

    /** The value that the slot of an equal key keeps, or null if there is none or it takes a closer look. */
    Object value(Object key) {
        int kind = kind(key);
        int tag = tag(key.hashCode());
        Table t = table;
        if (kind == BY_EQUALS || kind != t.kind || tag == AMBIGUOUS) {
            Slot s = find(key);
            return s == null ? null : s.value();
        }
        int[] tags = t.tags;
        int mask = tags.length - 1;
        for (int i = start(tag, tags.length), n = 0; n < REACH; n++, i = i + 1 & mask) {
            int there = (int) TAG.getAcquire(tags, i);
            if (there == tag) {
                return VALUE.getAcquire(t.values, i);
            }
            if (there == 0) {
                break;
            }
        }
        return null;
    }

    @Override
    public Slot find(Object key) {
        int tag = tag(key.hashCode());
        Table t = table;
        int[] tags = t.tags;
        int mask = tags.length - 1;
        for (int i = start(tag, tags.length), n = 0; n < REACH; n++, i = i + 1 & mask) {
            int there = (int) TAG.getAcquire(tags, i);
            if (there == tag) {
                Cell c = (Cell) CELL.getAcquire(t.slots, i);
                if (c != null && key.equals(c.key)) {
                    return c;
                }
            } else if (there == 0) {
                return null;
            }
        }
        return t.crowded.get(key);
    }

    @Override
    public Slot add(Object key, int index) {
        Table t = table;
        int kind = live == 0 ? kind(key) : t.kind == kind(key) ? t.kind : BY_EQUALS;
        int cells = t.tags.length;
        if (kind != t.kind || taken >= cells / 2 && cells < MOST) {
            rebuild(kind);
        }
        Cell c = new Cell(key, index);
        put(table, c);
        live++;
        return c;
    }

    private void put(Table t, Cell c) {
        int mask = t.tags.length - 1;
        for (int i = start(c.tag, t.tags.length), n = 0; n < REACH; n++, i = i + 1 & mask) {
            if (t.tags[i] == 0) {
                taken++;
                c.table = t;
                c.at = i;
                t.values[i] = c.value();
                t.slots[i] = c;
                TAG.setRelease(t.tags, i, c.tag);
                return;
            }
        }
        c.table = null;
        t.crowded.put(c.key, c);
    }

    /** Makes a table without removed slots, no more than three eighths full: so an eighth of its cells are taken before the next. */
    private void rebuild(int kind) {
        Table old = table;
        int size = FIRST;
        while (8L * live > 3L * size && size < MOST) {
            size *= 2;
        }
        Table t = new Table(size, kind);
        taken = 0;
        for (Cell c : old.slots) {
            if (c != null) {
                put(t, c);
            }
        }
        for (Cell c : old.crowded.values()) {
            put(t, c);
        }
        table = t;
    }

    @Override
    public void remove(Slot s) {
        Cell c = (Cell) s;
        live--;
        if (c.table == null) {
            table.crowded.remove(c.key, c);
            return;
        }
        VALUE.setRelease(c.table.values, c.at, null);
        CELL.setRelease(c.table.slots, c.at, null);
        TAG.setRelease(c.table.tags, c.at, AMBIGUOUS);
        c.table = null;
    }

    @Override
    public Iterator<Slot> walk() {
        Table t = table;
        return new Iterator<>() {
            private int at;
            private Iterator<Cell> crowded;
            private Slot ahead;

            @Override
            public boolean hasNext() {
                while (ahead == null && at < t.slots.length) {
                    ahead = (Cell) CELL.getAcquire(t.slots, at++);
                }
                if (ahead == null && crowded == null) {
                    crowded = t.crowded.values().iterator();
                }
                return ahead != null || crowded.hasNext();
            }

            @Override
            public Slot next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                Slot s = ahead;
                ahead = null;
                return s != null ? s : crowded.next();
            }
        };
    }
}
