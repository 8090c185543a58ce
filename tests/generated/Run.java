import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Runs the programs of a file that Generate wrote, each in a loader of its own, and prints a line per
 * program: its seed, a hash of all it computed, how it ended. {@code Run FILE SKIP REPETITIONS FUEL
 * [-v]}.
 */
public final class Run {
    static final class Loader extends ClassLoader {
        final Map<String, byte[]> classes = new HashMap<>();

        Loader() {
            super("generated", Run.class.getClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] b = classes.get(name);
            if (b == null) throw new ClassNotFoundException(name);
            return defineClass(name, b, 0, b.length);
        }
    }

    /** Called by the programs for an exception that they caught. */
    public static int seen(Throwable t) {
        return t.getClass().getName().hashCode() + t.getStackTrace().length;
    }

    /** Called by the programs to keep strings short. */
    public static String cut(String s) {
        return s != null && s.length() > 40 ? s.substring(0, 20) : s;
    }

    private static long hash;
    private static boolean verbose;

    private static void add(long v) {
        hash = hash * 0x100000001b3L + v;
    }

    private static void add(Object o, IdentityHashMap<Object, Integer> known) throws IllegalAccessException {
        if (o == null) {
            add(0);
        } else if (o instanceof String s) {
            add(s.hashCode());
        } else if (known.containsKey(o)) {
            add(known.get(o));
        } else if (known.size() < 200) {
            known.put(o, known.size() + 1);
            add(o.getClass().getName().hashCode());
            if (o.getClass().isArray()) {
                int n = Array.getLength(o);
                add(n);
                for (int i = 0; i < n; i++) element(Array.get(o, i), o.getClass().getComponentType().isPrimitive(), known);
            } else if (o.getClass().getName().startsWith("P")) {
                fields(o.getClass(), o, known);
            }
        }
    }

    private static void element(Object v, boolean primitive, IdentityHashMap<Object, Integer> known) throws IllegalAccessException {
        if (!primitive) add(v, known);
        else if (v instanceof Float f) add(Float.floatToIntBits(f));
        else if (v instanceof Double d) add(Double.doubleToLongBits(d));
        else add(v.hashCode());
    }

    private static void fields(Class<?> c, Object o, IdentityHashMap<Object, Integer> known) throws IllegalAccessException {
        if (c.getName().endsWith("S")) c = c.getSuperclass();
        Field[] all = c.getFields();
        Arrays.sort(all, Comparator.comparing(Field::getName));
        for (Field f : all) {
            if (Modifier.isStatic(f.getModifiers()) != (o == null)) continue;
            long before = hash;
            element(f.get(o), f.getType().isPrimitive(), known);
            if (verbose && o == null) System.err.println("  " + f.getName() + " " + Long.toHexString(hash - before * 0x100000001b3L));
        }
    }

    private static String ended(Throwable t) {
        String text = String.valueOf(t.getMessage()).replaceAll("@[0-9a-f]+", "@");
        StringBuilder b = new StringBuilder(t.getClass().getName()).append(' ').append(text);
        for (StackTraceElement e : t.getStackTrace()) if (e.getClassName().startsWith("P")) b.append(' ').append(e);
        return b.toString();
    }

    private static String run(Loader l, long seed, int repetitions, int fuel) {
        hash = seed;
        String last = "returned";
        try {
            Class<?> c = l.loadClass("P" + seed);
            for (int i = 0; i < repetitions; i++) {
                c.getField("fuel").setInt(null, fuel);
                try {
                    add((Long) c.getMethod("m0").invoke(null));
                    last = "returned";
                } catch (InvocationTargetException e) {
                    last = ended(e.getCause());
                    add(last.hashCode());
                }
                fields(c, null, new IdentityHashMap<>());
            }
        } catch (Throwable t) {
            last = "failed " + ended(t);
        }
        return seed + " " + Long.toHexString(hash) + " " + last.replace('\n', ' ') + "\n";
    }

    public static void main(String[] args) throws IOException {
        int skip = Integer.parseInt(args[1]);
        int repetitions = Integer.parseInt(args[2]);
        int fuel = Integer.parseInt(args[3]);
        verbose = args.length > 4;
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(args[0])))) {
            while (true) {
                long seed;
                try {
                    seed = in.readLong();
                } catch (java.io.EOFException end) {
                    break;
                }
                Loader l = new Loader();
                int n = in.readInt();
                for (int i = 0; i < n; i++) {
                    String name = in.readUTF();
                    l.classes.put(name, in.readNBytes(in.readInt()));
                }
                if (skip-- > 0) continue;
                out.write((n == 0 ? seed + " too large\n" : run(l, seed, repetitions, fuel)).getBytes());
            }
        }
        out.write("done\n".getBytes());
    }
}
