// Names of class files before version 49 are identifiers of Java, beyond ASCII, too.
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.TreeSet;

public class C47OldIdentifiers extends ClassLoader {
    private int count;

    private byte[] file(int version, String name, String field) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xcafebabe);
        out.writeInt(version);
        out.writeShort(7);
        for (Object constant : new Object[] {name, 1, "java/lang/Object", 3, field, "I"}) {
            out.writeByte(constant instanceof String ? 1 : 7);
            if (constant instanceof String) {
                out.writeUTF((String) constant);
            } else {
                out.writeShort((Integer) constant);
            }
        }
        // Flags, class, superclass, no interfaces, one field, no methods, no attributes.
        for (int i : new int[] {0x21, 2, 4, 0, 1, 1, 5, 6, 0, 0, 0}) {
            out.writeShort(i);
        }
        return bytes.toByteArray();
    }
    private boolean accepts(int version, String field) throws IOException {
        byte[] b = file(version, "Named" + count++, field);
        try {
            return defineClass(null, b, 0, b.length) != null;
        } catch (ClassFormatError e) {
            if (!e.getMessage().startsWith("Illegal field name ")) {
                throw e;
            }
            return false;
        }
    }
    private void name(String name) throws IOException {
        for (int version : new int[] {48, 49}) {
            byte[] b = file(version, name, "f");
            try {
                System.out.println(version + " " + new C47OldIdentifiers().defineClass(null, b, 0, b.length).getName().length());
            } catch (ClassFormatError e) {
                System.out.println(version + " refused");
            }
        }
    }
    public static void main(String[] args) throws IOException {
        TreeSet<Integer> ends = new TreeSet<>();
        for (int c = 0x81; c <= Character.MAX_CODE_POINT; c++) {
            boolean start = Character.isJavaIdentifierStart(c) != Character.isJavaIdentifierStart(c - 1);
            if (start || Character.isJavaIdentifierPart(c) != Character.isJavaIdentifierPart(c - 1)) {
                ends.add(c - 1);
                ends.add(c);
            }
        }
        C47OldIdentifiers loader = new C47OldIdentifiers();
        int begin = 0, follow = 0, hash = 0;
        for (int c : ends) {
            boolean first = loader.accepts(48, Character.toString(c)), second = loader.accepts(48, "a" + Character.toString(c));
            begin += first ? 1 : 0;
            follow += second ? 1 : 0;
            hash = hash * 31 + (first ? 1 : 0) + (second ? 2 : 0);
            if (first != Character.isJavaIdentifierStart(c) || second != Character.isJavaIdentifierPart(c)) {
                System.out.println("otherwise " + Integer.toHexString(c) + " " + first + " " + second);
            }
        }
        System.out.println(ends.size() + " ends, " + begin + " begin, " + follow + " follow, " + hash);
        System.out.println(loader.accepts(48, "\0") + " " + loader.accepts(48, "a\0") + " " + loader.accepts(49, "\u00d7"));
        String pad = "some/";
        loader.name(pad + "\u00e4\u0661");
        loader.name(pad + "\u0661");
        loader.name(pad + "\u00d7");
        loader.name("\u20ac" + pad + "x");
        loader.name("\u0661" + pad + "x");
        loader.name(pad + "\ud835\udc00");
        loader.name(pad + "\ud835");
        loader.name(pad + "\udc00\ud835");
        loader.name(pad + "\ud83d\ude00");
    }
}
