# Code of a named module that an agent transforms may call what the agent has put on the class paths: its module reads the
# unnamed modules from then on; not after a redefinition. Generated accessors, which are not verified, can be retransformed.
cat > Woven.java <<'J'
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.security.ProtectionDomain;
import jdk.internal.org.objectweb.asm.ClassReader;
import jdk.internal.org.objectweb.asm.ClassVisitor;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

public class Woven {
    static Instrumentation instrumentation;

    public static void premain(String args, Instrumentation i) {
        instrumentation = i;
    }

    /** A call of Helper.hit at the begin of a method. */
    static byte[] weave(byte[] bytes, String method) {
        ClassWriter w = new ClassWriter(0);
        new ClassReader(bytes).accept(new ClassVisitor(Opcodes.ASM8, w) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                MethodVisitor v = super.visitMethod(access, name, descriptor, signature, exceptions);
                if (!name.equals(method) || !descriptor.equals("()V")) return v;
                return new MethodVisitor(Opcodes.ASM8, v) {
                    @Override
                    public void visitCode() {
                        super.visitCode();
                        visitMethodInsn(Opcodes.INVOKESTATIC, "Helper", "hit", "()V", false);
                    }
                };
            }
        }, 0);
        return w.toByteArray();
    }

    static byte[] bytes(Class<?> c) throws Exception {
        return ClassLoader.getSystemResourceAsStream(c.getName().replace('.', '/') + ".class").readAllBytes();
    }

    static void transform(String target, String method) {
        instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader l, String name, Class<?> c, ProtectionDomain d, byte[] b) {
                return target.equals(name) ? weave(b, method) : null;
            }
        }, true);
    }

    public static int answer() {
        return 42;
    }

    public static void main(String[] args) throws Exception {
        // Whatever weaving needs is loaded before.
        weave(bytes(Thread.class), "start");
        switch (args[0]) {
            case "retransform":
                transform("java/lang/Thread", "start");
                instrumentation.retransformClasses(Thread.class);
                break;
            case "redefine":
                instrumentation.redefineClasses(new ClassDefinition(Thread.class, weave(bytes(Thread.class), "start")));
                break;
            case "load":
                transform("java/util/zip/CRC32C", "reset");
                new java.util.zip.CRC32C().reset();
                break;
            case "unchanged":
                transform("no/Such", "start");
                instrumentation.retransformClasses(Thread.class);
                break;
            default:
                break;
        }
        try {
            Thread t = new Thread(() -> {});
            t.start();
            t.join();
            System.out.println("hit " + (Class.forName("Helper", true, null).getField("hits").getInt(null) > 0));
        } catch (IllegalAccessError e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-fx]+", "@"));
        }
        System.out.println("reads " + Object.class.getModule().canRead(Woven.class.getModule()));
        Method m = Woven.class.getMethod("answer");
        for (int i = 0; i < 50; i++) m.invoke(null);
        int accessors = 0;
        for (Class<?> c : instrumentation.getAllLoadedClasses()) {
            if (c.getName().startsWith("jdk.internal.reflect.Generated")) {
                instrumentation.retransformClasses(c);
                accessors++;
            }
        }
        System.out.println("accessors " + (accessors > 0) + " " + m.invoke(null));
    }
}
J
mkdir -p helper
cat > helper/Helper.java <<'J'
public class Helper {
    public static int hits;

    public static void hit() {
        hits++;
    }
}
J
"$JAVAC" -d helper helper/Helper.java
"$JAVAC" --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED Woven.java
"$JAVA_HOME/bin/jar" cf boot.jar -C helper Helper.class
cat > manifest <<'M'
Premain-Class: Woven
Can-Retransform-Classes: true
Can-Redefine-Classes: true
Boot-Class-Path: boot.jar
M
"$JAVA_HOME/bin/jar" cfm agent.jar manifest
for how in retransform redefine load unchanged none; do
    echo "$how"
    "$JAVA_HOME/bin/java" $VM_OPTIONS -Xshare:off --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED \
        -javaagent:agent.jar -cp . Woven $how 2>&1
done
