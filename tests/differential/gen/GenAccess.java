import jdk.internal.org.objectweb.asm.Handle;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

/** Uses of members of Object, String and others that a class may make and an interface may not, one method each. */
final class GenAccess implements Opcodes {
    private static final String OBJECT = "java/lang/Object", STRING = "java/lang/String", COPY = "()Ljava/lang/Object;";

    static void generate() {
        uses(new Asm("AccessByClass"));
        uses(new Asm(V17, ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, "AccessByInterface", OBJECT));
    }

    private static void uses(Asm c) {
        virtual(c, "cloneOfObject", OBJECT, "clone", COPY);
        virtual(c, "cloneOfArray", "[I", "clone", COPY);
        virtual(c, "finalizeOfObject", OBJECT, "finalize", "()V");
        virtual(c, "finalizeOfArray", "[I", "finalize", "()V");
        MethodVisitor mv = c.staticMethod("privateMethod", "()V");
        mv.visitMethodInsn(INVOKESTATIC, "java/lang/ClassLoader", "registerNatives", "()V", false);
        Asm.end(mv, RETURN);
        mv = c.staticMethod("field", "()V");
        mv.visitFieldInsn(GETSTATIC, STRING, "LATIN1", "B");
        mv.visitInsn(POP);
        Asm.end(mv, RETURN);
        constant(c, "constantOfObject", H_INVOKEVIRTUAL, OBJECT, "clone", COPY);
        constant(c, "constantOfArray", H_INVOKEVIRTUAL, "[I", "clone", COPY);
        constant(c, "constantOfField", H_GETSTATIC, STRING, "LATIN1", "B");
        constant(c, "constantOfProtected", H_GETFIELD, "java/util/AbstractList", "modCount", "I");
        constant(c, "constantOfAbsent", H_GETFIELD, "java/util/AbstractList", "absent", "I");
        c.write();
    }

    private static void virtual(Asm c, String method, String owner, String name, String descriptor) {
        MethodVisitor mv = c.staticMethod(method, "()V");
        if (owner.startsWith("[")) {
            mv.visitInsn(ICONST_0);
            mv.visitIntInsn(NEWARRAY, T_INT);
        } else {
            mv.visitInsn(ACONST_NULL);
        }
        mv.visitMethodInsn(INVOKEVIRTUAL, owner, name, descriptor, false);
        if (!descriptor.endsWith("V")) {
            mv.visitInsn(POP);
        }
        Asm.end(mv, RETURN);
    }

    private static void constant(Asm c, String method, int tag, String owner, String name, String descriptor) {
        MethodVisitor mv = c.staticMethod(method, "()V");
        mv.visitLdcInsn(new Handle(tag, owner, name, descriptor, false));
        mv.visitInsn(POP);
        Asm.end(mv, RETURN);
    }
}
