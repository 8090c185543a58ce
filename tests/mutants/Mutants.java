import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Damages class files and prints what the VM says of each: {@code Mutants FOLDER FROM COUNT [FILE]}.
 * Invariant: the same seed gives the same mutant of the same class files on every VM. No code of a
 * mutant runs.
 */
public final class Mutants {
    static final class Loader extends ClassLoader {
        Loader() {
            super("mutants", Mutants.class.getClassLoader());
        }

        Class<?> define(byte[] b) {
            return defineClass(null, b, 0, b.length);
        }
    }

    /** The places of a class file that are worth damage. */
    static final class Places {
        final byte[] b;
        int at;
        int poolEnd;
        final List<Integer> tags = new ArrayList<>();
        final List<Integer> texts = new ArrayList<>();
        final List<int[]> codes = new ArrayList<>();
        final List<int[]> maps = new ArrayList<>();
        final List<Integer> members = new ArrayList<>();

        Places(byte[] b) {
            this.b = b;
            at = 8;
            int n = u2();
            for (int i = 1; i < n; i++) {
                tags.add(at);
                switch (b[at++]) {
                    case 1 -> {
                        texts.add(at - 1);
                        skip(u2());
                    }
                    case 5, 6 -> {
                        at += 8;
                        i++;
                    }
                    case 7, 8, 16, 19, 20 -> at += 2;
                    case 15 -> at += 3;
                    default -> at += 4;
                }
            }
            poolEnd = at;
            at += 6;
            skip(2 * u2());
            for (int kind = 0; kind < 2; kind++) {
                for (int k = u2(); k > 0; k--) {
                    members.add(at);
                    at += 6;
                    attributes();
                }
            }
        }

        private void skip(int n) {
            at += n;
        }

        private int u2() {
            at += 2;
            return (b[at - 2] & 255) << 8 | b[at - 1] & 255;
        }

        private int u4() {
            return u2() << 16 | u2();
        }

        private void attributes() {
            for (int k = u2(); k > 0; k--) {
                String name = name(u2());
                int length = u4();
                int start = at;
                if (name.equals("Code")) {
                    codes.add(new int[] {start, length});
                    at += 4;
                    skip(u4());
                    skip(8 * u2());
                    attributes();
                } else if (name.equals("StackMapTable")) {
                    maps.add(new int[] {start, length});
                }
                at = start + length;
            }
        }

        private String name(int index) {
            int p = 0;
            int i = 1;
            for (int t : tags) {
                if (i == index) p = t;
                i += b[t] == 5 || b[t] == 6 ? 2 : 1;
            }
            int length = (b[p + 1] & 255) << 8 | b[p + 2] & 255;
            return new String(b, p + 3, length, StandardCharsets.ISO_8859_1);
        }
    }

    private static final byte[] LETTERS = "BCDFIJSZV[L;()/.<>a".getBytes(StandardCharsets.ISO_8859_1);

    static byte[] mutate(byte[] original, Random r) {
        byte[] b = original.clone();
        Places p = new Places(original);
        if (r.nextInt(3) == 0) b[7] = (byte) new int[] {45, 46, 48, 49, 49, 50, 50, 51, 52, 53, 55, 61}[r.nextInt(12)];
        int n = r.nextInt(10) == 0 ? 0 : 1 + r.nextInt(2);
        for (int i = 0; i < n; i++) {
            switch (r.nextInt(12)) {
                case 0 -> {
                    if (r.nextInt(4) == 0) return java.util.Arrays.copyOf(b, r.nextInt(b.length));
                    change(b, r.nextInt(b.length), r);
                }
                case 1 -> change(b, p.poolEnd + r.nextInt(b.length - p.poolEnd), r);
                case 2 -> {
                    // A constant's tag or index.
                    int t = p.tags.get(r.nextInt(p.tags.size()));
                    if (b[t] != 1) change(b, t + r.nextInt(3), r);
                }
                case 3 -> {
                    int t = p.texts.get(r.nextInt(p.texts.size()));
                    int length = (original[t + 1] & 255) << 8 | original[t + 2] & 255;
                    if (length > 0) b[t + 3 + r.nextInt(length)] = LETTERS[r.nextInt(LETTERS.length)];
                }
                case 4 -> {
                    if (!p.members.isEmpty()) change(b, p.members.get(r.nextInt(p.members.size())) + r.nextInt(6), r);
                }
                case 5 -> {
                    if (!p.maps.isEmpty()) {
                        int[] m = p.maps.get(r.nextInt(p.maps.size()));
                        if (m[1] > 0) change(b, m[0] + r.nextInt(m[1]), r);
                    }
                }
                case 6 -> {
                    // max_stack and max_locals.
                    if (!p.codes.isEmpty()) change(b, p.codes.get(r.nextInt(p.codes.size()))[0] + 1 + 2 * r.nextInt(2), r);
                }
                default -> {
                    if (!p.codes.isEmpty()) {
                        int[] c = p.codes.get(r.nextInt(p.codes.size()));
                        change(b, c[0] + 8 + r.nextInt(Math.max(1, c[1] - 8)), r);
                    }
                }
            }
        }
        return b;
    }

    private static void change(byte[] b, int at, Random r) {
        if (at >= b.length) return;
        b[at] = switch (r.nextInt(6)) {
            case 0 -> (byte) r.nextInt();
            case 1 -> (byte) (b[at] + 1);
            case 2 -> (byte) (b[at] - 1);
            case 3 -> (byte) (b[at] ^ 1 << r.nextInt(8));
            case 4 -> (byte) r.nextInt(203);
            default -> 0;
        };
    }

    private static String told(Throwable t) {
        StringBuilder b = new StringBuilder(t.getClass().getName()).append(": ").append(t.getMessage());
        for (Throwable c = t.getCause(); c != null; c = c.getCause()) b.append(" by ").append(c.getClass().getName()).append(": ").append(c.getMessage());
        return b.toString().replaceAll("@[0-9a-f]+", "@").replace("\n", "\\n");
    }

    /** What the VM says of the class and, if it can be linked, of its attributes. */
    static String judge(byte[] b) {
        Class<?> c;
        try {
            c = new Loader().define(b);
        } catch (Throwable t) {
            return "define " + told(t);
        }
        try {
            // Linking, without initialization.
            c.getDeclaredMethods();
        } catch (Throwable t) {
            return "link " + told(t);
        }
        StringBuilder s = new StringBuilder("accepted");
        int step = 0;
        while (step < 9) {
            try {
                switch (step++) {
                    case 0 -> s.append(' ').append(c.getModifiers());
                    case 1 -> c.getDeclaredFields();
                    case 2 -> c.getDeclaredConstructors();
                    case 3 -> s.append(' ').append(c.getDeclaredClasses().length);
                    case 4 -> s.append(' ').append(c.getEnclosingClass());
                    case 5 -> s.append(' ').append(c.getGenericSuperclass());
                    case 6 -> s.append(' ').append(c.getAnnotations().length);
                    case 7 -> s.append(' ').append(c.getNestHost().getName());
                    default -> {
                        int sum = 0;
                        for (java.lang.reflect.Method m : c.getDeclaredMethods()) sum += m.toGenericString().hashCode();
                        s.append(' ').append(sum);
                    }
                }
            } catch (Throwable t) {
                s.append(" | ").append(told(t));
            }
        }
        return s.toString().replace("\n", "\\n");
    }

    public static void main(String[] args) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(Path.of(args[0]))) {
            all.filter(p -> p.toString().endsWith(".class")).forEach(files::add);
        }
        Collections.sort(files);
        List<byte[]> bases = new ArrayList<>();
        for (Path p : files) bases.add(Files.readAllBytes(p));
        long from = Long.parseLong(args[1]);
        long count = Long.parseLong(args[2]);
        OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out));
        for (long seed = from; seed < from + count; seed++) {
            Random r = new Random(seed * 0x9E3779B97F4A7C15L + 7);
            int which = r.nextInt(bases.size());
            byte[] b = mutate(bases.get(which), r);
            if (args.length > 3) {
                Files.write(Path.of(args[3]), b);
                System.err.println("mutant of " + files.get(which));
            }
            out.write((seed + " v" + (b.length > 7 ? b[7] & 255 : 0) + " " + judge(b) + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
        out.write("done\n".getBytes());
        out.flush();
    }
}
