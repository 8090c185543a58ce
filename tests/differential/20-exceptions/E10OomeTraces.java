// skip-mode: zeal move
// vm: own -Xmx32m
// The first OutOfMemoryErrors have a stack trace, later ones are shared and have none; nothing
// can be attached to the shared ones. An exception for whose trace there is no memory has none.
import java.util.*;

public class E10OomeTraces {
    static Object fill(int depth) {
        if (depth > 0) return fill(depth - 1);
        List<long[]> all = new ArrayList<>();
        while (true) all.add(new long[1000]);
    }

    static class Plain extends RuntimeException {
        int mark = 7;
    }

    public static void main(String[] args) {
        List<OutOfMemoryError> errors = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            try {
                fill(i * 10);
            } catch (OutOfMemoryError e) {
                errors.add(e);
            }
            try {
                System.out.println(new int[Integer.MAX_VALUE - 1].length);
            } catch (OutOfMemoryError e) {
                errors.add(e);
            }
        }
        for (OutOfMemoryError e : errors) {
            StackTraceElement[] t = e.getStackTrace();
            System.out.println(e + " " + (t.length > 0) + " " + e.getCause() + " " + e.getSuppressed().length);
        }
        Set<OutOfMemoryError> different = Collections.newSetFromMap(new IdentityHashMap<>());
        different.addAll(errors);
        System.out.println(different.size());
        errors.get(1).printStackTrace(System.out);
        OutOfMemoryError last = errors.get(errors.size() - 1);
        last.addSuppressed(new Plain());
        System.out.println(last.getSuppressed().length);
        try {
            last.initCause(new Plain());
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        last.printStackTrace(System.out);
        System.out.println(new Plain().getStackTrace().length + " " + new Plain().mark);
    }
}
