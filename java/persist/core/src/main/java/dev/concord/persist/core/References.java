package dev.concord.persist.core;

import java.util.function.LongConsumer;

/** Where in an object references lie, by the class table alone. */
final class References {
    private References() {
    }

    /** Visits the address of every reference of an object that is not null. */
    static void forEach(HeapCore heap, long o, LongConsumer visit) {
        long h = heap.memory.getLong(heap.units.headerOffset(o));
        ClassInfo c = heap.classes.byId(Header.classId(h));
        switch (c.kind) {
            case FIXED -> {
                for (int off : c.refOffsets) {
                    visit(heap, o + off, visit);
                }
            }
            case REFS -> {
                for (long off = 0, n = Header.bytes(h); off < n; off += 8) {
                    visit(heap, o + off, visit);
                }
            }
            case BYTES -> {
            }
        }
    }

    /** Whether a reference lies at this address, which is within the object. */
    static boolean isOne(HeapCore heap, long o, long at) {
        ClassInfo c = heap.classes.byId(Header.classId(heap.memory.getLong(heap.units.headerOffset(o))));
        if (c.kind != Layout.Kind.FIXED) {
            return c.kind == Layout.Kind.REFS;
        }
        for (int off : c.refOffsets) {
            if (o + off == at) {
                return true;
            }
        }
        return false;
    }

    private static void visit(HeapCore heap, long at, LongConsumer visit) {
        if (heap.memory.getLong(at) != 0) {
            visit.accept(at);
        }
    }
}
