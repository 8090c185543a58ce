// covers: NameAndType(versions) CONSTANT_Class(versions) EnclosingMethod(index)
import java.io.InputStream;

/** Names and descriptors by class file version, and a prohibited package under no name. */
public class C29OldNames {
    static class Loader extends ClassLoader {
        Loader() {
            super("old", C29OldNames.class.getClassLoader());
        }

        Class<?> define(byte[] b) {
            return defineClass(null, b, 0, b.length);
        }
    }

    private static byte[] read(String name) throws Exception {
        try (InputStream in = C29OldNames.class.getResourceAsStream("/bad/" + name + ".bin")) {
            return in.readAllBytes();
        }
    }

    private static void define(String name) throws Exception {
        try {
            System.out.println(name + " " + new Loader().define(read(name)).getName());
        } catch (LinkageError | SecurityException e) {
            System.out.println(name + " " + e.toString().replaceAll("@[0-9a-f]+", "@HASH"));
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < OldCount.count(); i++) {
            define("Old" + i);
        }
        define("java/lang/FmtProhibited");
    }
}
