import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

/**
 * Classes at the format's limits: many members, deep hierarchies, a method near 64 KB, a long
 * string constant.
 */
final class GenHuge implements Opcodes {
    private static final String OBJ = "java/lang/Object";
    private static final int FIELDS = 400;
    private static final int METHODS = 500;
    private static final int INTERFACES = 120;
    private static final int DEPTH = 150;

    static void generate() {
        String[] names = new String[INTERFACES];
        for (int i = 0; i < INTERFACES; i++) {
            names[i] = "HugeI" + i;
            Asm itf = new Asm(V17, ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, names[i], OBJ);
            itf.method(ACC_PUBLIC | ACC_ABSTRACT, "i" + i, "()I").visitEnd();
            itf.write();
        }
        members(names);
        hierarchy();
        callers(names);
    }

    private static void members(String[] interfaces) {
        Asm c = new Asm(V17, ACC_PUBLIC | ACC_SUPER, "HugeClass", OBJ, interfaces).constructor();
        String[] types = {"I", "J", "B", "D", "S", "F", "Z", "C", "Ljava/lang/Object;"};
        for (int i = 0; i < FIELDS; i++) {
            c.field(ACC_PUBLIC, "f" + i, types[i % types.length]);
        }
        for (int i = 0; i < METHODS; i++) {
            c.constant(ACC_PUBLIC, "m" + i, i * 3);
        }
        for (int i = 0; i < INTERFACES; i++) {
            c.constant(ACC_PUBLIC, "i" + i, 10_000 + i);
        }
        MethodVisitor mv = c.method(ACC_PUBLIC, "sum", "()J");
        for (int i = 0; i < FIELDS; i += types.length) {
            mv.visitVarInsn(ALOAD, 0);
            mv.visitLdcInsn(i + 1);
            mv.visitFieldInsn(PUTFIELD, c.name, "f" + i, "I");
        }
        mv.visitInsn(LCONST_0);
        for (int i = 0; i < FIELDS; i += types.length) {
            mv.visitVarInsn(ALOAD, 0);
            mv.visitFieldInsn(GETFIELD, c.name, "f" + i, "I");
            mv.visitInsn(I2L);
            mv.visitInsn(LADD);
        }
        for (int i = 0; i < METHODS; i++) {
            mv.visitVarInsn(ALOAD, 0);
            mv.visitMethodInsn(INVOKEVIRTUAL, c.name, "m" + i, "()I", false);
            mv.visitInsn(I2L);
            mv.visitInsn(LADD);
        }
        Asm.end(mv, LRETURN);
        c.write();
    }

    /**
     * HugeD0 <- HugeD1 <- ...: each adds a method, and every third overrides a method of the root.
     */
    private static void hierarchy() {
        for (int i = 0; i < DEPTH; i++) {
            String up = i == 0 ? OBJ : "HugeD" + (i - 1);
            Asm c =
                    new Asm(V17, ACC_PUBLIC | ACC_SUPER, "HugeD" + i, up)
                            .constructor(up)
                            .constant(ACC_PUBLIC, "d" + i, i);
            c.field(ACC_PUBLIC, "x" + i, i % 2 == 0 ? "B" : "J");
            if (i % 3 == 0) {
                c.constant(ACC_PUBLIC, "root", i);
            }
            c.write();
        }
    }

    private static void callers(String[] interfaces) {
        Asm c = new Asm("HugeCaller");
        MethodVisitor deep = c.staticMethod("deep", "()I");
        String last = "HugeD" + (DEPTH - 1);
        deep.visitTypeInsn(NEW, last);
        deep.visitInsn(DUP);
        deep.visitMethodInsn(INVOKESPECIAL, last, "<init>", "()V", false);
        deep.visitVarInsn(ASTORE, 0);
        deep.visitVarInsn(ALOAD, 0);
        deep.visitMethodInsn(INVOKEVIRTUAL, "HugeD0", "root", "()I", false);
        for (int i = 0; i < DEPTH; i++) {
            deep.visitVarInsn(ALOAD, 0);
            deep.visitMethodInsn(INVOKEVIRTUAL, "HugeD" + i, "d" + i, "()I", false);
            deep.visitInsn(IADD);
        }
        Asm.end(deep, IRETURN);
        MethodVisitor itf = c.staticMethod("interfaces", "()I");
        itf.visitTypeInsn(NEW, "HugeClass");
        itf.visitInsn(DUP);
        itf.visitMethodInsn(INVOKESPECIAL, "HugeClass", "<init>", "()V", false);
        itf.visitVarInsn(ASTORE, 0);
        itf.visitInsn(ICONST_0);
        for (int i = 0; i < interfaces.length; i++) {
            itf.visitIntInsn(BIPUSH, 3);
            itf.visitInsn(IMUL);
            itf.visitVarInsn(ALOAD, 0);
            itf.visitMethodInsn(INVOKEINTERFACE, interfaces[i], "i" + i, "()I", true);
            itf.visitInsn(IADD);
        }
        Asm.end(itf, IRETURN);
        // 65 000 bytes of code with branches over parts of it.
        MethodVisitor big = c.staticMethod("big", "(I)I");
        for (int i = 0; i < 5000; i++) {
            Label skip = new Label();
            big.visitVarInsn(ILOAD, 0);
            big.visitInsn(ICONST_3);
            big.visitInsn(IAND);
            big.visitJumpInsn(IFEQ, skip);
            big.visitIincInsn(0, i % 100);
            big.visitLabel(skip);
            big.visitIincInsn(0, 7);
        }
        big.visitVarInsn(ILOAD, 0);
        Asm.end(big, IRETURN);
        MethodVisitor text = c.staticMethod("text", "()Ljava/lang/String;");
        text.visitLdcInsn("0123456789".repeat(6553));
        Asm.end(text, ARETURN);
        c.write();
    }
}
