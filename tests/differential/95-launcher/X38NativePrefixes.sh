# An agent that wraps native methods: renamed by a prefix, they are linked by their old names.
mkdir agent
cat > agent/Agent.java <<'J'
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import jdk.internal.org.objectweb.asm.*;
public class Agent implements ClassFileTransformer {
    final String prefix;
    Agent(String p) { prefix = p; }
    public static void premain(String a, Instrumentation i) {
        System.out.println(i.isNativeMethodPrefixSupported());
        for (String p : a.split(",")) {
            Agent t = new Agent(p);
            i.addTransformer(t, p.startsWith("again"));
            try {
                i.setNativeMethodPrefix(t, p);
            } catch (UnsupportedOperationException e) {
                System.out.println(e);
            }
        }
    }
    public byte[] transform(ClassLoader l, String name, Class<?> c, ProtectionDomain d, byte[] b) {
        if (!name.equals("java/util/zip/Adler32") && !name.equals("Own")) return null;
        ClassReader r = new ClassReader(b);
        ClassWriter w = new ClassWriter(r, ClassWriter.COMPUTE_MAXS);
        r.accept(new ClassVisitor(Opcodes.ASM8, w) {
            public MethodVisitor visitMethod(int access, String m, String desc, String s, String[] e) {
                if ((access & Opcodes.ACC_NATIVE) == 0) return super.visitMethod(access, m, desc, s, e);
                MethodVisitor v = super.visitMethod(access & ~Opcodes.ACC_NATIVE, m, desc, s, e);
                v.visitCode();
                v.visitFieldInsn(Opcodes.GETSTATIC, "java/lang/System", "out", "Ljava/io/PrintStream;");
                v.visitLdcInsn(prefix + " around " + m);
                v.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/io/PrintStream", "println", "(Ljava/lang/String;)V", false);
                int at = 0;
                for (Type t : Type.getArgumentTypes(desc)) {
                    v.visitVarInsn(t.getOpcode(Opcodes.ILOAD), at);
                    at += t.getSize();
                }
                v.visitMethodInsn(Opcodes.INVOKESTATIC, name, prefix + m, desc, false);
                v.visitInsn(Type.getReturnType(desc).getOpcode(Opcodes.IRETURN));
                v.visitMaxs(0, 0);
                v.visitEnd();
                super.visitMethod(Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_NATIVE, prefix + m, desc, s, e);
                return null;
            }
        }, 0);
        return w.toByteArray();
    }
}
J
cat > Own.java <<'J'
public class Own {
    static native int nobody(int x);
}
J
cat > Main.java <<'J'
public class Main {
    public static void main(String[] a) {
        java.util.zip.Adler32 sum = new java.util.zip.Adler32();
        sum.update(7);
        sum.update(new byte[] {1, 2, 3});
        System.out.println(sum.getValue());
        try {
            System.out.println(Own.nobody(1));
        } catch (UnsatisfiedLinkError e) {
            System.out.println(e.getMessage());
        }
    }
}
J
X="--add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED"
"$JAVAC" $X -Xlint:none -d ag agent/Agent.java 2>/dev/null; "$JAVAC" Main.java Own.java
for can in true false; do
    printf "Premain-Class: Agent\nCan-Retransform-Classes: true\nCan-Set-Native-Method-Prefix: $can\n" > mf
    "$JAVA_HOME/bin/jar" cfm agent-$can.jar mf -C ag .
done
run() { "$JAVA_HOME/bin/java" $VM_OPTIONS $X -cp . "$@" Main 2>&1 | grep -v warning; }
run
run -javaagent:agent-true.jar=inner_
run -javaagent:agent-true.jar=inner_,again_
run -javaagent:agent-true.jar=inner_ -javaagent:agent-true.jar=outer_
run -javaagent:agent-false.jar=inner_
