# Redefinitions that add private methods under -XX:+AllowRedefinitionToAddDeleteMethods: native methods of loaded classes are
# wrapped so, which gives them bodies; what refuses to be added is refused as ever, and all of it without the flag.
cat > Wrapped.java <<'J'
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
import jdk.internal.org.objectweb.asm.Type;

public class Wrapped implements Opcodes {
    static final String PREFIX = "$wrapped$_";
    static Instrumentation instrumentation;

    public static void premain(String args, Instrumentation i) {
        instrumentation = i;
    }

    static class Target {
        int f() {
            return 1;
        }
    }

    /** The class with its native method `method` renamed, and one of its name that counts and calls it. */
    static byte[] wrap(byte[] bytes, String owner, String method) {
        ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        new ClassReader(bytes).accept(new ClassVisitor(ASM8, w) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                if (!name.equals(method) || (access & ACC_NATIVE) == 0) return super.visitMethod(access, name, descriptor, signature, exceptions);
                boolean isStatic = (access & ACC_STATIC) != 0;
                super.visitMethod(ACC_NATIVE | ACC_PRIVATE | (isStatic ? ACC_STATIC : ACC_FINAL), PREFIX + name, descriptor, null, null).visitEnd();
                MethodVisitor v = super.visitMethod(access & ~ACC_NATIVE, name, descriptor, signature, exceptions);
                v.visitCode();
                v.visitFieldInsn(GETSTATIC, "Counter", "calls", "I");
                v.visitInsn(ICONST_1);
                v.visitInsn(IADD);
                v.visitFieldInsn(PUTSTATIC, "Counter", "calls", "I");
                int at = 0;
                if (!isStatic) v.visitVarInsn(ALOAD, at++);
                for (Type t : Type.getArgumentTypes(descriptor)) {
                    v.visitVarInsn(t.getOpcode(ILOAD), at);
                    at += t.getSize();
                }
                v.visitMethodInsn(isStatic ? INVOKESTATIC : INVOKESPECIAL, owner, PREFIX + name, descriptor, false);
                v.visitInsn(Type.getReturnType(descriptor).getOpcode(IRETURN));
                v.visitMaxs(0, 0);
                v.visitEnd();
                return null;
            }
        }, 0);
        return w.toByteArray();
    }

    /** Target with another method that f calls. */
    static byte[] with(byte[] bytes, int access) {
        ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        boolean isStatic = (access & ACC_STATIC) != 0;
        new ClassReader(bytes).accept(new ClassVisitor(ASM8, w) {
            @Override
            public MethodVisitor visitMethod(int flags, String name, String descriptor, String signature, String[] exceptions) {
                MethodVisitor v = super.visitMethod(flags, name, descriptor, signature, exceptions);
                if (!name.equals("f")) return v;
                v.visitCode();
                v.visitVarInsn(ALOAD, 0);
                v.visitMethodInsn(isStatic ? INVOKESTATIC : INVOKESPECIAL, "Wrapped$Target", "added" + access, "(LWrapped$Target;)I", false);
                v.visitInsn(IRETURN);
                v.visitMaxs(0, 0);
                v.visitEnd();
                return null;
            }

            @Override
            public void visitEnd() {
                MethodVisitor v = super.visitMethod(access, "added" + access, "(LWrapped$Target;)I", null, null);
                v.visitCode();
                v.visitIntInsn(BIPUSH, access & 0x7f);
                v.visitInsn(IRETURN);
                v.visitMaxs(0, 0);
                v.visitEnd();
                super.visitEnd();
            }
        }, 0);
        return w.toByteArray();
    }

    static byte[] bytes(String name) throws Exception {
        return ClassLoader.getSystemResourceAsStream(name + ".class").readAllBytes();
    }

    static int hot(Object o) {
        int n = 0;
        for (int i = 0; i < 5000; i++) {
            if (Thread.holdsLock(o)) n++;
            if (Runtime.getRuntime().availableProcessors() > 0) n += 10;
        }
        return n;
    }

    public static void main(String[] args) throws Exception {
        Target t = new Target();
        byte[] original = bytes("Wrapped$Target");
        Method f = Target.class.getDeclaredMethod("f");
        int[] kinds = {ACC_PRIVATE | ACC_STATIC, ACC_PRIVATE, ACC_STATIC, ACC_PUBLIC | ACC_STATIC};
        for (int access : kinds) {
            try {
                instrumentation.redefineClasses(new ClassDefinition(Target.class, with(original, access)));
                Method added = Target.class.getDeclaredMethod("added" + access, Target.class);
                added.setAccessible(true);
                System.out.println(access + " " + t.f() + " " + f.invoke(t) + " " + added.invoke(t, t));
                original = with(original, access);
            } catch (UnsupportedOperationException e) {
                System.out.println(access + " " + e.getMessage());
            }
        }
        Object o = new Object();
        synchronized (o) {
            System.out.println(hot(o) + " " + Counter.calls);
        }
        ClassFileTransformer transformer = new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader l, String name, Class<?> c, ProtectionDomain d, byte[] b) {
                if ("java/lang/Thread".equals(name)) return wrap(b, name, "holdsLock");
                return "java/lang/Runtime".equals(name) ? wrap(b, name, "availableProcessors") : null;
            }
        };
        instrumentation.addTransformer(transformer, true);
        instrumentation.setNativeMethodPrefix(transformer, PREFIX);
        try {
            instrumentation.retransformClasses(Thread.class, Runtime.class);
            synchronized (o) {
                System.out.println(hot(o));
            }
            System.out.println(hot(o) + " " + Class.forName("Counter", true, null).getField("calls").get(null));
            Method m = Thread.class.getMethod("holdsLock", Object.class);
            System.out.println(m.invoke(null, o) + " " + m);
            Thread.holdsLock(null);
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        } catch (NullPointerException e) {
            System.out.println("null " + e.getStackTrace()[0] + " " + e.getStackTrace()[1].getMethodName());
        }
    }
}
J
mkdir -p boot
cat > boot/Counter.java <<'J'
public class Counter {
    public static int calls;
}
J
"$JAVAC" -d boot boot/Counter.java
"$JAVAC" -cp boot --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED Wrapped.java
"$JAVA_HOME/bin/jar" cf boot.jar -C boot Counter.class
cat > manifest <<'M'
Premain-Class: Wrapped
Can-Retransform-Classes: true
Can-Redefine-Classes: true
Can-Set-Native-Method-Prefix: true
Boot-Class-Path: boot.jar
M
"$JAVA_HOME/bin/jar" cfm agent.jar manifest
for flag in + -; do
    echo "$flag"
    "$JAVA_HOME/bin/java" $VM_OPTIONS -Xshare:off -XX:${flag}AllowRedefinitionToAddDeleteMethods \
        --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED -javaagent:agent.jar -cp . Wrapped 2>&1 | grep -v warning
done
