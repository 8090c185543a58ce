import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.BufferedOutputStream;

/**
 * Defines and links every class of a file, each in a loader of its own, and writes what was
 * thrown. Input: count, then length and bytes of each class. Output, per class: length and modified
 * UTF-8 text "exception-class\nmessage", empty if the class was linked.
 */
public class Define extends ClassLoader {
    Define() {
        super(Define.class.getClassLoader());
    }

    public static void main(String[] args) throws Exception {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(args[0])));
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(new FileOutputStream(args[1])))) {
            int count = in.readInt();
            for (int i = 0; i < count; i++) {
                byte[] bytes = new byte[in.readInt()];
                in.readFully(bytes);
                byte[] verdict = verdict(bytes).getBytes("UTF-8");
                out.writeInt(verdict.length);
                out.write(verdict);
            }
        }
    }

    static String verdict(byte[] bytes) {
        try {
            Class<?> c = new Define().defineClass(null, bytes, 0, bytes.length);
            // Listing members links the class without initialising it.
            if (c.isInterface()) {
                c.getDeclaredMethods();
            } else {
                c.getDeclaredConstructors();
            }
            return "";
        } catch (Throwable t) {
            return t.getClass().getName() + "\n" + t.getMessage();
        }
    }
}
