// covers: Class.forName(supplementary,nul) NPE(names) AbstractMethodError NoSuchFieldError
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;

/** Names of classes and members with characters beyond U+FFFF and with U+0000 */
public class C44StrangeNames {
    public static class OddBase {
        public int oddField = 5;
        public static long oddStatic = 6;
        public OddBase oddNext;

        public int oddMethod(OddBase o) {
            return o.oddField;
        }

        public static OddBase oddNull() {
            return null;
        }
    }

    public interface OddFace {
        default int oddDefault() {
            return 7;
        }
    }

    public static class OddUser extends OddBase implements OddFace {
        enum OddEnum {
            ODD_ONE
        }

        public static Object use(int n, Object o) {
            switch (n) {
                case 0:
                    return ((OddBase) o).oddField;
                case 1:
                    return ((OddBase) o).oddNext.oddField;
                case 2:
                    return OddBase.oddNull().oddMethod(null);
                case 3:
                    return new OddUser().oddMethod(null);
                case 4:
                    return new OddUser().oddDefault();
                case 5:
                    return new OddMissing();
                case 6:
                    return OddBase.oddStatic;
                case 7:
                    OddBase[] local = new OddBase[1];
                    return local[0].oddNext;
                case 8:
                    return new OddBase[1][2].getClass();
                case 9:
                    java.util.function.Supplier<Object> s = () -> new OddUser().oddMethod(new OddBase());
                    return s.get();
                case 10:
                    return "odd" + ((OddFace) o).oddDefault();
                case 11:
                    return OddEnum.valueOf("ODD_ONE").ordinal() + OddEnum.valueOf("nothing").ordinal();
                case 12:
                    throw new IllegalStateException(OddBase.class.getName());
                case 13:
                    return OddChanged.lost(o);
                case 14:
                    return OddChanged.lostField;
                case 15:
                    Object[] a = new OddBase[1];
                    a[0] = "s";
                    return a;
                default:
                    throw new AssertionError();
            }
        }
    }

    public static class OddMissing {}

    /** Its members are renamed in another way. */
    public static class OddChanged {
        public static int lostField;

        public static Object lost(Object o) {
            return o;
        }
    }

    /** Renames everything that begins with Odd or odd in the constant pool. */
    static byte[] renamed(byte[] in, String with, boolean lose) throws IOException {
        DataInputStream d = new DataInputStream(new ByteArrayInputStream(in));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeLong(d.readLong());
        int n = d.readUnsignedShort();
        out.writeShort(n);
        for (int i = 1; i < n; i++) {
            int tag = d.readUnsignedByte();
            out.writeByte(tag);
            switch (tag) {
                case 1:
                    String s = d.readUTF();
                    if (!s.equals("odd") && !s.startsWith("odd\u0001")) s = s.replace("Odd", "Odd" + with).replace("odd", "odd" + with);
                    if (lose) s = s.replace("lost", "lo" + with + "st");
                    out.writeUTF(s);
                    break;
                case 5:
                case 6:
                    out.writeLong(d.readLong());
                    i++;
                    break;
                case 7:
                case 8:
                case 16:
                case 19:
                case 20:
                    out.writeShort(d.readUnsignedShort());
                    break;
                case 15:
                    out.writeByte(d.readUnsignedByte());
                    out.writeShort(d.readUnsignedShort());
                    break;
                default:
                    out.writeInt(d.readInt());
            }
        }
        d.transferTo(out);
        return bytes.toByteArray();
    }

    static class L extends ClassLoader {
        final String with;
        final Map<String, Class<?>> known = new HashMap<>();

        L(String with) {
            super("odd", C44StrangeNames.class.getClassLoader());
            this.with = with;
        }

        protected Class<?> loadClass(String n, boolean r) throws ClassNotFoundException {
            if (!n.startsWith("C44StrangeNames$Odd")) return super.loadClass(n, r);
            String plain = n.replace("Odd" + with, "Odd");
            if (plain.endsWith("OddMissing")) throw new ClassNotFoundException(n);
            if (known.containsKey(n)) return known.get(n);
            try (InputStream in = C44StrangeNames.class.getResourceAsStream(plain + ".class")) {
                byte[] b = renamed(in.readAllBytes(), with, plain.endsWith("Changed"));
                Class<?> c = defineClass(n, b, 0, b.length);
                known.put(n, c);
                return c;
            } catch (IOException e) {
                throw new ClassNotFoundException(n, e);
            }
        }
    }

    /** As text that shows what is in it. */
    static void print(String s) {
        StringBuilder b = new StringBuilder();
        s = s.replaceAll("@[0-9a-f]+", "@").replaceAll("Lambda\\$\\d+/0x[0-9a-f]+", "Lambda").replaceAll("/0x[0-9a-f]+", "/");
        for (char c : s.toCharArray()) {
            if (c < 32 || c > 126) b.append(String.format("{%x}", (int) c));
            else b.append(c);
        }
        System.out.println(b);
    }

    static void attempt(String what, java.util.concurrent.Callable<Object> c) {
        try {
            print(what + ": " + c.call());
        } catch (Throwable e) {
            Throwable t = e instanceof InvocationTargetException ? e.getCause() : e;
            print(what + ": " + t);
            if (t.getCause() != null) print("    " + t.getCause());
            StackTraceElement[] trace = t.getStackTrace();
            if (trace.length > 0) print("    " + trace[0] + " " + trace[0].getMethodName());
        }
    }

    public static void main(String[] args) throws Exception {
        for (String with : new String[] {"\ud83d\ude00", "\u0000", "\u0000x\ud835\udcb3\u0101"}) {
            print("-- " + with);
            L l = new L(with);
            String base = "C44StrangeNames$Odd" + with + "Base";
            Class<?> b = Class.forName(base, true, l);
            Class<?> u = Class.forName("C44StrangeNames$Odd" + with + "User", true, l);
            attempt("simple", b::getSimpleName);
            print(b + " " + b.getTypeName() + " " + b.descriptorString() + " " + (l.known.get(base) == b));
            for (Field f : b.getDeclaredFields()) print(f.toString());
            for (Method m : b.getDeclaredMethods()) if (m.getName().endsWith("Null")) print(m.toString());
            attempt("array", () -> Class.forName("[L" + base + ";", false, l));
            attempt("no array", () -> Class.forName("[L" + base + "No;", false, l));
            attempt("field", () -> b.getField("odd" + with + "Field").get(b.getConstructor().newInstance()));
            attempt("no field", () -> b.getField("odd" + with + "No"));
            attempt("method", () -> b.getMethod("odd" + with + "Null").invoke(null));
            attempt("handle", () -> MethodHandles.publicLookup().findStatic(b, "odd" + with + "Null", MethodType.methodType(b)));
            attempt("no handle", () -> MethodHandles.publicLookup().findStatic(b, "odd" + with + "No", MethodType.methodType(b)));
            attempt("type", () -> MethodType.fromMethodDescriptorString("(L" + base.replace('.', '/') + ";)V", l));
            attempt("not found", () -> Class.forName(base + "No", false, l));
            attempt("app", () -> Class.forName("No" + with));
            Object[] values = {null, b.getConstructor().newInstance(), Array.newInstance(b, 2), "s"};
            Method use = u.getMethod("use", int.class, Object.class);
            for (int n = 0; n < 16; n++) {
                for (int v = 0; v < values.length; v++) {
                    if (v > 0 && n > 1 && n != 10) continue;
                    int which = n;
                    Object o = values[v];
                    attempt(n + " " + v, () -> use.invoke(null, which, o));
                }
            }
            Thread t = new Thread(() -> print(Thread.currentThread().getName()), "t" + with);
            t.start();
            t.join();
            System.setProperty("p" + with, with);
            print(System.getProperty("p" + with));
        }
    }
}
