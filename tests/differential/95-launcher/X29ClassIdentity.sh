# Who a class is: accessors' superclasses and loaders known by more than their name, hidden classes beside ordinary ones of
# the same name, initializers by descriptor, names with a plus sign; preview features.
# timeout: 120
cat > Identity.java <<'J'
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import static jdk.internal.org.objectweb.asm.Opcodes.*;

public class Identity {
    static class Loader extends ClassLoader {
        final Map<String, byte[]> files = new HashMap<>();

        Loader() {
            super(Identity.class.getClassLoader());
        }

        Class<?> define(String name, byte[] b) {
            return defineClass(name, b, 0, b.length);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            byte[] b = files.remove(name);
            Class<?> c = findLoadedClass(name);
            return c != null ? c : b != null ? define(name, b) : super.loadClass(name, resolve);
        }
    }

    public static class Platform extends ClassLoader {
        public Class<?> define(byte[] b) {
            return defineClass(null, b, 0, b.length);
        }
    }

    static ClassWriter type(int version, String name, String parent) {
        ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        w.visit(version, ACC_PUBLIC, name, null, parent, null);
        MethodVisitor v = w.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
        v.visitVarInsn(ALOAD, 0);
        v.visitMethodInsn(INVOKESPECIAL, parent, "<init>", "()V", false);
        v.visitInsn(RETURN);
        v.visitMaxs(0, 0);
        return w;
    }

    /** A class whose code no verifier accepts, and that reads a private field. */
    static byte[] unverified(String parent) {
        ClassWriter w = type(52, "Evil", parent);
        MethodVisitor v = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "address", "(Ljava/lang/Object;)I", null, null);
        v.visitVarInsn(ALOAD, 0);
        v.visitInsn(IRETURN);
        v.visitMaxs(0, 0);
        v = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "value", "(Ljava/lang/String;)[B", null, null);
        v.visitVarInsn(ALOAD, 0);
        v.visitFieldInsn(GETFIELD, "java/lang/String", "value", "[B");
        v.visitInsn(ARETURN);
        v.visitMaxs(0, 0);
        return w.toByteArray();
    }

    static void show(String what, Callable<Object> body) {
        String s;
        try {
            s = String.valueOf(body.call());
        } catch (Throwable t) {
            s = (t + " " + t.getCause()).split("\n")[0];
        }
        System.out.println(what + ": " + s.replaceAll("@[0-9a-f]+", "@").replaceAll("0x[0-9a-f]+", "0x"));
    }

    public static class V {
        public int a = 7;
    }

    public static V make() {
        return new V();
    }

    static byte[] wideV(int version) {
        ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        w.visit(version, ACC_PUBLIC, "Identity$V", null, "java/lang/Object", null);
        for (int i = 0; i < 40; i++) {
            w.visitField(ACC_PUBLIC, "x" + i, "J", null, null);
        }
        MethodVisitor v = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "f", "(J)J", null, null);
        v.visitMethodInsn(INVOKESTATIC, "Identity", "make", "()LIdentity$V;", false);
        v.visitInsn(DUP);
        v.visitVarInsn(LLOAD, 0);
        v.visitFieldInsn(PUTFIELD, "Identity$V", "x30", "J");
        v.visitFieldInsn(GETFIELD, "Identity$V", "x30", "J");
        v.visitInsn(LRETURN);
        v.visitMaxs(0, 0);
        return w.toByteArray();
    }

    static byte[] oldInitializers() {
        ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        w.visit(50, ACC_PUBLIC, "Old", null, "java/lang/Object", null);
        w.visitField(ACC_PUBLIC | ACC_STATIC | ACC_FINAL, "flag", "Z", null, 2);
        for (String d : new String[] {"(Ljava/lang/Object;JLjava/lang/Object;)V", "()V"}) {
            MethodVisitor v = w.visitMethod(ACC_STATIC, "<clinit>", d, null, null);
            v.visitFieldInsn(GETSTATIC, "java/lang/System", "out", "Ljava/io/PrintStream;");
            if (d.startsWith("(L")) {
                v.visitVarInsn(ALOAD, 3);
            } else {
                v.visitLdcInsn("the initializer");
            }
            v.visitMethodInsn(INVOKEVIRTUAL, "java/io/PrintStream", "println", "(Ljava/lang/Object;)V", false);
            v.visitInsn(RETURN);
            v.visitMaxs(0, 0);
        }
        return w.toByteArray();
    }

    interface Body {
        void write(MethodVisitor v);
    }

    /** What T.t() does, twice. */
    static void called(String what, Loader l, Body body) {
        ClassWriter w = type(52, "T", "java/lang/Object");
        MethodVisitor v = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "t", "()Ljava/lang/String;", null, null);
        body.write(v);
        v.visitInsn(ARETURN);
        v.visitMaxs(0, 0);
        for (int i = 0; i < 2; i++) {
            show(what, () -> once(l, w).getMethod("t").invoke(null));
        }
    }

    static Class<?> once(Loader l, ClassWriter w) throws Exception {
        try {
            return l.loadClass("T");
        } catch (ClassNotFoundException e) {
            return l.define("T", w.toByteArray());
        }
    }

    public static MethodHandle handle() throws Throwable {
        return MethodHandles.lookup().findVirtual(String.class, "trim", MethodType.methodType(String.class));
    }

    public static void main(String[] args) throws Throwable {
        String accessor = "jdk/internal/reflect/MagicAccessorImpl";
        for (String parent : new String[] {accessor, "jdk/internal/reflect/MethodAccessorImpl"}) {
            show(parent, () -> new Loader().define("Evil", unverified(parent)).getMethod("address", Object.class).invoke(null, "x") != null);
        }
        show("own accessor", () -> {
            Loader l = new Loader();
            l.files.put(accessor.replace('/', '.'), type(52, accessor, "java/lang/Object").toByteArray());
            return l.define("Evil", unverified(accessor)).getMethod("value", String.class).invoke(null, "x");
        });
        show("own platform loader", () -> {
            String name = "jdk/internal/loader/ClassLoaders$PlatformClassLoader";
            Class<?> c = new Loader().define(name.replace('/', '.'), type(52, name, "Identity$Platform").toByteArray());
            Platform p = (Platform) c.getConstructor().newInstance();
            return p.define(type(52, "java/lang/Evil", "java/lang/Object").toByteArray());
        });
        for (int version : new int[] {49, 52}) {
            show("hidden " + version, () -> {
                Class<?> c = MethodHandles.lookup().defineHiddenClass(wideV(version), true).lookupClass();
                MethodHandle m = MethodHandles.lookup().findStatic(c, "f", MethodType.methodType(long.class, long.class));
                try {
                    return (long) m.invoke(0x4141414141414141L);
                } catch (Throwable t) {
                    throw new Exception(t);
                }
            });
        }
        show("hidden in class", () -> {
            Class<?> c = MethodHandles.lookup().defineHiddenClass(type(52, "H+p", "java/lang/Object").toByteArray(), true).lookupClass();
            return c.getName() + " " + c.getSimpleName() + " " + Array.newInstance(c, 0).getClass().getName() + " " + c.isHidden();
        });
        show("nest", () -> MethodHandles.lookup().defineHiddenClass(type(55, "Member", "java/lang/Object").toByteArray(), true,
                MethodHandles.Lookup.ClassOption.NESTMATE).lookupClass().getNestMembers().length);
        show("hidden final parent", () -> MethodHandles.lookup().defineHiddenClass(type(52, "HX", "java/lang/String").toByteArray(), true));
        show("hidden interface parent", () -> MethodHandles.lookup().defineHiddenClass(type(52, "HX", "java/lang/Runnable").toByteArray(), true));
        show("hidden own parent", () -> MethodHandles.lookup().defineHiddenClass(type(52, "HX", "HX").toByteArray(), true));
        show("old", () -> {
            Class<?> c = new Loader().define("Old", oldInitializers());
            Class.forName("Old", true, c.getClassLoader());
            return c.getField("flag").getBoolean(null);
        });
        String handles = "java/lang/invoke/MethodHandle";
        called("invokeExact without a receiver", new Loader(), v -> {
            v.visitMethodInsn(INVOKESTATIC, handles, "invokeExact", "()V", false);
            v.visitInsn(ACONST_NULL);
        });
        called("linkToStatic", new Loader(), v -> {
            v.visitLdcInsn("hello");
            v.visitMethodInsn(INVOKESTATIC, handles, "linkToStatic", "(Ljava/lang/Object;)V", false);
            v.visitInsn(ACONST_NULL);
        });
        called("invokeBasic", new Loader(), v -> {
            v.visitMethodInsn(INVOKESTATIC, "Identity", "handle", "()L" + handles + ";", false);
            v.visitLdcInsn(12345678912345L);
            v.visitMethodInsn(INVOKEVIRTUAL, handles, "invokeBasic", "(J)Ljava/lang/String;", false);
        });
        Loader family = new Loader();
        for (String[] c : new String[][] {{"S0", "java/lang/Object", ""}, {"S1", "S0", "static"}, {"D", "S1", "call"}}) {
            ClassWriter w = type(52, c[0], c[1]);
            MethodVisitor v = w.visitMethod(ACC_PUBLIC | (c[2].equals("static") ? ACC_STATIC : 0), c[2].equals("call") ? "q" : "m", "()Ljava/lang/String;", null, null);
            if (c[2].equals("call")) {
                v.visitVarInsn(ALOAD, 0);
                v.visitMethodInsn(INVOKESPECIAL, "S0", "m", "()Ljava/lang/String;", false);
            } else {
                v.visitLdcInsn(c[0] + ".m");
            }
            v.visitInsn(ARETURN);
            v.visitMaxs(0, 0);
            family.files.put(c[0], w.toByteArray());
        }
        called("static method between", family, v -> {
            v.visitTypeInsn(NEW, "D");
            v.visitInsn(DUP);
            v.visitMethodInsn(INVOKESPECIAL, "D", "<init>", "()V", false);
            v.visitMethodInsn(INVOKEVIRTUAL, "D", "q", "()Ljava/lang/String;", false);
        });
        show("plus", () -> {
            Class<?> c = new Loader().define("p.A+B", type(52, "p/A+B", "java/lang/Object").toByteArray());
            Class<?> array = Array.newInstance(c, 1).getClass();
            Object o = c.getConstructor().newInstance();
            String message = "";
            try {
                String s = (String) o;
            } catch (ClassCastException e) {
                message = e.getMessage();
            }
            return c.getName() + " " + array.getName() + " " + Class.forName(array.getName(), false, c.getClassLoader()) + " " + message;
        });
    }
}
J
exports="--add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED"
"$JAVAC" -nowarn -XDignore.symbol.file $exports -d . Identity.java
"$JAVA_HOME/bin/java" $exports -cp . Identity
cat > Preview.java <<'J'
public class Preview {
    public static void main(String[] args) {
        Object o = args.length;
        System.out.println(switch (o) { case Integer i -> "int " + i; default -> "other"; });
    }
}
J
"$JAVAC" --release 17 --enable-preview -d . Preview.java 2> /dev/null
"$JAVA_HOME/bin/java" --enable-preview -cp . Preview
"$JAVA_HOME/bin/java" -cp . Preview 2>&1 || echo "exit $?"
