package dev.concord.persist.core;

import dev.concord.persist.PersistException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;

/**
 * In which order objects are migrated whose methods look each other up. Owns the rule that a method sees every object in its
 * new shape: a run that looks up one still to be migrated is given up and its block rolled back, that one is migrated, and the
 * run begins anew. So a block stays one object's, as a crash needs it, and a chain of lookups is as long as it likes.
 *
 * <p>Who is given up again and again, as one that sums up a collection, has objects that come later in the heap tried ahead of
 * their turn, each time twice as many: the runs are few, whatever the size of the collection. What cannot be migrated yet is
 * left for its turn.
 */
final class MigrationOrder {
    /** Runs of one object given up before others are tried ahead. */
    private static final int PATIENCE = 3;
    private static final int SHOWN = 8;
    /** Migrates an object; gives the one that its method looked up and that must be migrated first, or -1 if it is done. */
    private final LongUnaryOperator migrate;
    private final LongFunction<String> describe;
    private final String file;
    /** Each needs the one above it, or has it tried ahead. */
    private final List<Waiting> stack = new ArrayList<>();
    private final Set<Long> waiting = new HashSet<>();
    /** Tried ahead in vain: they need one that waits, or each other. */
    private final Set<Long> vain = new HashSet<>();
    private List<Long> objects;
    private int next;

    /** Thrown out of a run that begins anew later. */
    static final class Needed extends PersistException {
        Needed(String message) {
            super(message);
        }

        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
    }

    private static final class Waiting {
        final long o;
        /** Where in the stack the one is for whose sake it waits and that is tried ahead, or -1: it is known to be needed. */
        final int ahead;
        int givenUp;
        int toTry;
        int tried;

        Waiting(long o, int ahead) {
            this.o = o;
            this.ahead = ahead;
        }
    }

    MigrationOrder(String file, LongUnaryOperator migrate, LongFunction<String> describe) {
        this.file = file;
        this.migrate = migrate;
        this.describe = describe;
    }

    /** Migrates these objects and all that they need. */
    void run(List<Long> all) {
        objects = all;
        for (next = 0; next < all.size();) {
            push(all.get(next++), -1);
            while (!stack.isEmpty()) {
                step(stack.get(stack.size() - 1));
            }
        }
    }

    private void push(long o, int ahead) {
        stack.add(new Waiting(o, ahead));
        waiting.add(o);
    }

    private void pop() {
        Waiting w = stack.remove(stack.size() - 1);
        waiting.remove(w.o);
        if (w.tried > 0) {
            vain.clear(); // what needed it may be migrated now
        }
    }

    private void step(Waiting w) {
        if (w.toTry > 0) {
            tryOne(w);
            return;
        }
        long needed = migrate.applyAsLong(w.o);
        if (needed < 0) {
            pop();
            return;
        }
        if (w.ahead >= 0 && (waiting.contains(needed) || vain.contains(needed))) {
            while (stack.size() > w.ahead) {
                vain.add(stack.get(stack.size() - 1).o);
                pop();
            }
            return;
        }
        if (waiting.contains(needed)) {
            throw new PersistException.Incompatible(file + ": objects look each other up while they are migrated, so that none can be the first: "
                    + circle(needed) + "; keep such a reference in a field that is carried over, by its name or its @FieldId, and look into it when"
                    + " the heap is open");
        }
        if (++w.givenUp > PATIENCE) {
            w.toTry = 1 << Math.min(w.givenUp, 30);
        }
        push(needed, w.ahead);
    }

    private void tryOne(Waiting w) {
        w.toTry--;
        if (next + w.tried >= objects.size()) {
            w.toTry = 0;
            return;
        }
        long o = objects.get(next + w.tried++);
        if (!waiting.contains(o) && !vain.contains(o)) {
            push(o, stack.size());
        }
    }

    private String circle(long first) {
        int from = stack.size() - 1;
        while (stack.get(from).o != first) {
            from--;
        }
        StringBuilder s = new StringBuilder();
        int n = stack.size() - from;
        for (int i = 0; i < n; i++) {
            if (i < SHOWN || i == n - 1) {
                s.append(describe.apply(stack.get(from + i).o)).append(i == SHOWN - 1 && n > SHOWN + 1 ? " needs, through others, " : " needs ");
            }
        }
        return s.append(describe.apply(first)).toString();
    }
}
