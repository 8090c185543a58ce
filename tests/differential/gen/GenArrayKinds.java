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
        MethodVisitor either = c.staticMethod("either", "(Ljava/lang/Object;I)V");
        Label booleans = new Label();
        either.visitVarInsn(ALOAD, 0);
        either.visitTypeInsn(INSTANCEOF, "[B");
        either.visitJumpInsn(IFEQ, booleans);
        either.visitVarInsn(ALOAD, 0);
        either.visitTypeInsn(CHECKCAST, "[B");
        either.visitVarInsn(ILOAD, 1);
        either.visitMethodInsn(INVOKESTATIC, NAME, "bytes", "([BI)V", false);
        either.visitInsn(RETURN);
        either.visitLabel(booleans);
        either.visitVarInsn(ALOAD, 0);
        either.visitTypeInsn(CHECKCAST, "[Z");
        either.visitVarInsn(ASTORE, 0);
        store(either);
        c.write();
    }

    private static void store(MethodVisitor mv) {
        mv.visitVarInsn(ALOAD, 0);
        mv.visitInsn(ICONST_0);
        mv.visitVarInsn(ILOAD, 1);
        mv.visitInsn(BASTORE);
        Asm.end(mv, RETURN);
    }
}
