// An InnerClasses attribute that names an inner class twice, or whose outer classes go round, counts for nothing; one with
// the same row twice is refused, except in old versions.
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

class C46Nest {
    public static class One { }
    public static class Two { }
    public static class Six { }
}

public class C46RepeatedInner {
    static class Rows {
        final ByteBuffer b;
        int at, count;

        /** Finds the attribute by the number of its name, and the length that its count gives it. */
        Rows(byte[] bytes) throws IOException {
            b = ByteBuffer.wrap(bytes);
            int name = utf8("InnerClasses");
            for (int i = 10; i < bytes.length - 8; i++) {
                int n = b.getShort(i + 6);
                if (b.getShort(i) == name && n > 1 && b.getInt(i + 2) == 2 + 8 * n) {
                    at = i + 8;
                    count = n;
                }
            }
        }
        int utf8(String text) throws IOException {
            return constant(text, 0);
        }
        /** Number of a text, or where the constant of that number begins. */
        int constant(String text, int number) throws IOException {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(b.array()));
            in.skipBytes(8);
            int n = in.readUnsignedShort();
            for (int i = 1; i < n; i++) {
                if (i == number) {
                    return b.capacity() - in.available();
                }
                int tag = in.readUnsignedByte();
                if (tag == 1) {
                    if (in.readUTF().equals(text)) {
                        return i;
                    }
                } else {
                    in.skipBytes(tag == 5 || tag == 6 ? 8 : tag == 15 ? 3 : tag == 7 || tag == 8 || tag == 16 || tag > 18 ? 2 : 4);
                    i += tag == 5 || tag == 6 ? 1 : 0;
                }
            }
            throw new IOException("no " + text + " " + number);
        }
        /** Fields of a row: inner class, outer class, name, flags. */
        Rows copy(int field, int from, int to) {
            b.putShort(at + 8 * to + 2 * field, b.getShort(at + 8 * from + 2 * field));
            return this;
        }
        Rows put(int field, int row, int value) {
            b.putShort(at + 8 * row + 2 * field, (short) value);
            return this;
        }
        int get(int field, int row) {
            return b.getShort(at + 8 * row + 2 * field);
        }
    }
    static Rows rows() throws IOException {
        try (InputStream in = C46RepeatedInner.class.getResourceAsStream("/C46Nest.class")) {
            return new Rows(in.readAllBytes());
        }
    }
    static void show(String what, Rows r) {
        for (int version : new int[] {48, 49, 50, 61}) {
            byte[] bytes = r.b.array().clone();
            bytes[7] = (byte) version;
            ClassLoader loader = new ClassLoader(null) {
                @Override
                protected Class<?> findClass(String name) throws ClassNotFoundException {
                    byte[] b = bytes;
                    if (!name.equals("C46Nest")) {
                        try (InputStream in = C46RepeatedInner.class.getResourceAsStream("/" + name + ".class")) {
                            b = in.readAllBytes();
                        } catch (IOException e) {
                            throw new ClassNotFoundException(name, e);
                        }
                    }
                    return defineClass(name, b, 0, b.length);
                }
            };
            String told;
            try {
                Class<?> c = loader.loadClass("C46Nest");
                String[] names = Arrays.stream(c.getDeclaredClasses()).map(Class::getName).sorted().toArray(String[]::new);
                told = Arrays.toString(names) + " " + c.getDeclaringClass() + " " + c.getModifiers();
            } catch (ClassNotFoundException | LinkageError e) {
                told = e.getClass().getName() + ": " + e.getMessage().replaceAll("@[0-9a-f]+", "@");
            }
            System.out.println(what + ", version " + version + ": " + told);
        }
    }
    public static void main(String[] args) throws Exception {
        int one = 0, two = 0;
        Rows all = rows();
        for (int i = 0; i < all.count; i++) {
            one = all.get(2, i) == all.utf8("One") ? i : one;
            two = all.get(2, i) == all.utf8("Two") ? i : two;
        }
        show("as it is", rows());
        show("one inner class twice", rows().copy(0, one, two));
        show("twice, once without outer class", rows().copy(0, one, two).put(1, two, 0));
        show("a row twice", rows().copy(0, one, two).copy(1, one, two).copy(2, one, two).copy(3, one, two));
        Rows named = rows();
        named.b.putShort(named.constant("", named.get(0, two)) + 1, named.b.getShort(named.constant("", named.get(0, one)) + 1));
        show("twice by two constants", named);
        show("round", rows().copy(0, one, two).copy(1, one, two).put(0, one, all.get(1, one)).put(1, one, all.get(0, one)));
        show("round the other", rows().put(1, one, all.get(0, two)).put(1, two, all.get(0, one)));
    }
}
