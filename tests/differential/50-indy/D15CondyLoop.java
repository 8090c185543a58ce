import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandles;

/**
 * A dynamic constant that is its own bootstrap argument, directly or by way of another: resolving it ends
 * with the stack, and the thread goes on.
 */
public class D15CondyLoop {
    public static Object bootstrap(MethodHandles.Lookup l, String name, Class<?> type, Object o) {
        return o;
    }

    /** A class whose method get() loads constant 12, whose bootstrap argument is constant {@code argument}. */
    static byte[] looping(String name, int argument) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream d = new DataOutputStream(bytes);
        d.writeInt(0xCAFEBABE);
        d.writeInt(55);
        d.writeShort(22);
        utf8(d, name);
        pair(d, 7, 1); // 2
        utf8(d, "java/lang/Object");
        pair(d, 7, 3); // 4
        utf8(d, "get");
        utf8(d, "()Ljava/lang/Object;");
        utf8(d, "Code");
        utf8(d, "BootstrapMethods");
        utf8(d, "self");
        utf8(d, "Ljava/lang/Object;");
        pair(d, 12, 9, 10); // 11
        pair(d, 17, 0, 11); // 12
        utf8(d, "D15CondyLoop");
        pair(d, 7, 13); // 14
        utf8(d, "bootstrap");
        utf8(
                d,
                "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;"
                        + "Ljava/lang/Object;)Ljava/lang/Object;");
        pair(d, 12, 15, 16); // 17
        pair(d, 10, 14, 17); // 18
        d.writeByte(15); // 19
        d.writeByte(6);
        d.writeShort(18);
        pair(d, 17, 1, 11); // 20
        utf8(d, "unused");
        d.writeShort(0x21);
        d.writeShort(2);
        d.writeShort(4);
        d.writeInt(0);
        d.writeShort(1);
        d.writeShort(9);
        d.writeShort(5);
        d.writeShort(6);
        d.writeShort(1);
        d.writeShort(7);
        d.writeInt(15);
        d.writeShort(1);
        d.writeShort(0);
        d.writeInt(3);
        d.writeByte(0x12);
        d.writeByte(12);
        d.writeByte(0xb0);
        d.writeInt(0);
        d.writeShort(1);
        d.writeShort(8);
        d.writeInt(14);
        d.writeShort(2);
        d.writeShort(19);
        d.writeShort(1);
        d.writeShort(argument);
        d.writeShort(19);
        d.writeShort(1);
        d.writeShort(12);
        return bytes.toByteArray();
    }

    static void utf8(DataOutputStream d, String s) throws IOException {
        d.writeByte(1);
        d.writeUTF(s);
    }

    static void pair(DataOutputStream d, int tag, int... parts) throws IOException {
        d.writeByte(tag);
        for (int p : parts) d.writeShort(p);
    }

    static class Loader extends ClassLoader {
        Class<?> define(String name, byte[] b) {
            return defineClass(name, b, 0, b.length);
        }
    }

    public static void main(String[] args) throws Exception {
        String[] names = {"Self", "Mutual"};
        int[] arguments = {12, 20};
        for (int i = 0; i < names.length; i++) {
            Class<?> c = new Loader().define(names[i], looping(names[i], arguments[i]));
            for (int again = 0; again < 2; again++) {
                try {
                    c.getMethod("get").invoke(null);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    System.out.println(names[i] + ": " + e.getCause());
                }
            }
        }
    }
}
