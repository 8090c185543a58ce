import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

/** A class of an old version, of which any method may write the final fields: resource OldFinals, to be hidden. */
final class GenOldFinals implements Opcodes {
    private static final String NAME = "OldFinals";

    static void generate() {
        Asm c = new Asm(V1_8, ACC_PUBLIC | ACC_SUPER, NAME, "java/lang/Object", "java/util/function/IntConsumer", "java/util/function/IntSupplier");
        c.constructor();
        c.cw.visitField(ACC_FINAL, "own", "I", null, null).visitEnd();
        c.cw.visitField(ACC_FINAL | ACC_STATIC, "shared", "I", null, null).visitEnd();
        MethodVisitor put = c.method(ACC_PUBLIC, "accept", "(I)V");
        put.visitVarInsn(ALOAD, 0);
        put.visitVarInsn(ILOAD, 1);
        put.visitFieldInsn(PUTFIELD, NAME, "own", "I");
        put.visitVarInsn(ILOAD, 1);
        put.visitFieldInsn(PUTSTATIC, NAME, "shared", "I");
        Asm.end(put, RETURN);
        MethodVisitor get = c.method(ACC_PUBLIC, "getAsInt", "()I");
        get.visitVarInsn(ALOAD, 0);
        get.visitFieldInsn(GETFIELD, NAME, "own", "I");
        get.visitFieldInsn(GETSTATIC, NAME, "shared", "I");
        get.visitInsn(IADD);
        Asm.end(get, IRETURN);
        c.cw.visitEnd();
        Generate.writeHidden(NAME, c.cw.toByteArray());
    }
}
