import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

/** One object that is an array of bytes on one way and of booleans on the other, and stores of ints, of which booleans keep a bit. */
final class GenArrayKinds implements Opcodes {
    private static final String NAME = "ArrayKinds";

    static void generate() {
        Asm c = new Asm(NAME);
        MethodVisitor bytes = c.staticMethod("bytes", "([BI)V");
        store(bytes);
        MethodVisitor same = c.staticMethod("same", "(Ljava/lang/Object;)[B");
        same.visitVarInsn(ALOAD, 0);
        same.visitTypeInsn(CHECKCAST, "[B");
        Asm.end(same, ARETURN);
        either(c, "either", true);
        either(c, "eitherResult", false);
        c.write();
    }

    /** Asks which array it is, and passes arrays of bytes to a method, or gets them back from one. */
    private static void either(Asm c, String name, boolean passes) {
        MethodVisitor either = c.staticMethod(name, "(Ljava/lang/Object;I)V");
        Label booleans = new Label();
        either.visitVarInsn(ALOAD, 0);
        either.visitTypeInsn(INSTANCEOF, "[B");
        either.visitJumpInsn(IFEQ, booleans);
        either.visitVarInsn(ALOAD, 0);
        if (passes) {
            either.visitTypeInsn(CHECKCAST, "[B");
        } else {
            either.visitMethodInsn(INVOKESTATIC, NAME, "same", "(Ljava/lang/Object;)[B", false);
        }
        either.visitVarInsn(ILOAD, 1);
        either.visitMethodInsn(INVOKESTATIC, NAME, "bytes", "([BI)V", false);
        either.visitInsn(RETURN);
        either.visitLabel(booleans);
        either.visitVarInsn(ALOAD, 0);
        either.visitTypeInsn(CHECKCAST, "[Z");
        either.visitVarInsn(ASTORE, 0);
        store(either);
    }

    private static void store(MethodVisitor mv) {
        mv.visitVarInsn(ALOAD, 0);
        mv.visitInsn(ICONST_0);
        mv.visitVarInsn(ILOAD, 1);
        mv.visitInsn(BASTORE);
        Asm.end(mv, RETURN);
    }
}
