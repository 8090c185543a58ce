import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

/** Class files that the verifier is to judge, most of them to be refused (resources Verify0..); VerifyCount has their number. */
final class GenUnverified implements Opcodes {
    private static final String OBJ = "java/lang/Object";
    private static int count;

    static void generate() {
        reject("()V", 2, 1, mv -> insns(mv, RETURN));
        reject("()V", 2, 1, mv -> insns(mv, POP, RETURN));
        reject("()V", 1, 1, mv -> insns(mv, ICONST_0, ICONST_1, POP2, RETURN));
        reject("()V", 2, 1, mv -> insns(mv, ICONST_0));
        reject("()I", 2, 1, mv -> insns(mv, RETURN));
        reject("()V", 2, 1, mv -> insns(mv, ICONST_0, IRETURN));
        reject("()J", 2, 1, mv -> insns(mv, ICONST_0, IRETURN));
        reject(
                "()Ljava/lang/String;",
                2,
                1,
                mv -> {
                    mv.visitTypeInsn(NEW, OBJ);
                    insns(mv, ARETURN);
                });
        local("(Ljava/lang/Object;)Ljava/lang/String;", 2, 1, ALOAD, 0, ARETURN);
        local("(I)V", 2, 1, ALOAD, 0, POP, RETURN);
        local("(F)V", 2, 1, ILOAD, 0, POP, RETURN);
        local("()V", 2, 1, ILOAD, 0, POP, RETURN);
        local("()V", 2, 1, ILOAD, 5, POP, RETURN);
        reject("(J)V", 2, 2, mv -> insns(mv, LCONST_0, POP, RETURN));
        reject("(J)V", 3, 2, mv -> insns(mv, ICONST_0, LCONST_1, IADD, POP, RETURN));
        local("(J)V", 2, 2, ILOAD, 1, POP, RETURN);
        reject("()V", 2, 1, mv -> insns(mv, ICONST_0, ACONST_NULL, IADD, POP, RETURN));
        reject("()V", 2, 1, mv -> insns(mv, ICONST_0, ATHROW));
        reject(
                "()V",
                2,
                1,
                mv -> {
                    mv.visitLdcInsn("x");
                    insns(mv, ATHROW);
                });
        reject(
                "()V",
                2,
                1,
                mv -> {
                    mv.visitInsn(ICONST_0);
                    mv.visitFieldInsn(PUTSTATIC, "Verify19", "s", "Ljava/lang/String;");
                    insns(mv, RETURN);
                });
        reject(
                "(Ljava/lang/Object;)V",
                2,
                1,
                mv -> {
                    mv.visitVarInsn(ALOAD, 0);
                    mv.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "length", "()I", false);
                    insns(mv, POP, RETURN);
                });
        reject(
                "()V",
                2,
                1,
                mv -> {
                    mv.visitTypeInsn(NEW, OBJ);
                    mv.visitMethodInsn(INVOKEVIRTUAL, OBJ, "hashCode", "()I", false);
                    insns(mv, POP, RETURN);
                });
        reject(
                "(Ljava/lang/Object;)V",
                2,
                1,
                mv -> {
                    mv.visitVarInsn(ALOAD, 0);
                    mv.visitMethodInsn(INVOKESPECIAL, OBJ, "<init>", "()V", false);
                    insns(mv, RETURN);
                });
        reject(
                "()V",
                4,
                1,
                mv -> {
                    mv.visitTypeInsn(NEW, OBJ);
                    mv.visitInsn(DUP);
                    mv.visitMethodInsn(INVOKESPECIAL, OBJ, "<init>", "()V", false);
                    mv.visitMethodInsn(INVOKESPECIAL, OBJ, "<init>", "()V", false);
                    insns(mv, RETURN);
                });
        // A jump without a frame at its target.
        reject(
                "(I)V",
                2,
                1,
                mv -> {
                    Label l = new Label();
                    mv.visitVarInsn(ILOAD, 0);
                    mv.visitJumpInsn(IFEQ, l);
                    insns(mv, NOP);
                    mv.visitLabel(l);
                    insns(mv, RETURN);
                });
        // A frame that does not fit: stack height, local type.
        reject(
                "(I)V",
                2,
                1,
                mv -> {
                    Label l = new Label();
                    mv.visitVarInsn(ILOAD, 0);
                    mv.visitJumpInsn(IFEQ, l);
                    insns(mv, NOP);
                    mv.visitLabel(l);
                    mv.visitFrame(F_NEW, 1, new Object[] {INTEGER}, 1, new Object[] {INTEGER});
                    insns(mv, RETURN);
                });
        reject(
                "(I)V",
                2,
                1,
                mv -> {
                    Label l = new Label();
                    mv.visitVarInsn(ILOAD, 0);
                    mv.visitJumpInsn(IFEQ, l);
                    insns(mv, NOP);
                    mv.visitLabel(l);
                    mv.visitFrame(F_NEW, 1, new Object[] {"java/lang/String"}, 0, new Object[0]);
                    insns(mv, RETURN);
                });
        // Code after goto without a frame.
        reject(
                "()V",
                2,
                1,
                mv -> {
                    Label l = new Label();
                    mv.visitJumpInsn(GOTO, l);
                    mv.visitInsn(NOP);
                    mv.visitLabel(l);
                    mv.visitFrame(F_NEW, 0, new Object[0], 0, new Object[0]);
                    insns(mv, RETURN);
                });
        reject(
                "()V",
                2,
                1,
                mv -> {
                    mv.visitIntInsn(BIPUSH, 3);
                    mv.visitTypeInsn(CHECKCAST, "java/lang/String");
                    insns(mv, POP, RETURN);
                });
        reject(
                "()V",
                3,
                1,
                mv -> {
                    mv.visitInsn(ICONST_1);
                    mv.visitIntInsn(NEWARRAY, T_INT);
                    insns(mv, ICONST_0, LALOAD, POP2, RETURN);
                });
        reject(
                "()V",
                3,
                1,
                mv -> {
                    mv.visitLdcInsn("x");
                    insns(mv, ARRAYLENGTH, POP, RETURN);
                });
        reject(
                "()V",
                3,
                1,
                mv -> {
                    mv.visitLdcInsn("x");
                    insns(mv, ICONST_0, AALOAD, POP, RETURN);
                });
        reject(
                "(Ljava/lang/Object;)V",
                3,
                1,
                mv -> {
                    mv.visitVarInsn(ALOAD, 0);
                    mv.visitFieldInsn(GETFIELD, "java/lang/String", "hash", "I");
                    insns(mv, POP, RETURN);
                });
        // A handler that is not a Throwable.
        reject(
                "()V",
                3,
                1,
                mv -> {
                    Label s = new Label(), e = new Label(), h = new Label();
                    mv.visitTryCatchBlock(s, e, h, "java/lang/String");
                    mv.visitLabel(s);
                    mv.visitInsn(NOP);
                    mv.visitLabel(e);
                    mv.visitInsn(RETURN);
                    mv.visitLabel(h);
                    mv.visitFrame(F_NEW, 0, new Object[0], 1, new Object[] {"java/lang/String"});
                    insns(mv, POP, RETURN);
                });
        // ldc of a wide constant's type in a narrow place.
        reject(
                "()V",
                3,
                1,
                mv -> {
                    mv.visitLdcInsn(1.5f);
                    insns(mv, INEG, POP, RETURN);
                });
        // No array class, and a long of which one half fits.
        reject(
                "()V",
                3,
                1,
                mv -> {
                    insns(mv, ICONST_1, ICONST_1);
                    mv.visitMultiANewArrayInsn("java/lang/Integer", 2);
                    insns(mv, POP, RETURN);
                });
        reject(
                "(Ljava/lang/Object;)V",
                1,
                1,
                mv -> {
                    mv.visitFieldInsn(GETSTATIC, OBJ, "x", "J");
                    insns(mv, POP2, RETURN);
                });
        reject(
                "(Ljava/lang/Object;)V",
                1,
                1,
                mv -> {
                    mv.visitMethodInsn(INVOKESTATIC, OBJ, "x", "()D", false);
                    insns(mv, POP2, RETURN);
                });
        // jsr is refused from version 51 on.
        reject(
                "()V",
                3,
                2,
                mv -> {
                    Label l = new Label();
                    mv.visitJumpInsn(JSR, l);
                    mv.visitInsn(RETURN);
                    mv.visitLabel(l);
                    mv.visitVarInsn(ASTORE, 0);
                    mv.visitVarInsn(RET, 0);
                });
        // Splitting a long by dup_x1 and by swap.
        reject("()V", 5, 1, mv -> insns(mv, ICONST_0, LCONST_0, SWAP, POP, POP2, RETURN));
        reject("()V", 5, 1, mv -> insns(mv, LCONST_0, ICONST_0, DUP_X1, POP2, POP2, RETURN));
        // An access to a boolean array through a short instruction.
        reject(
                "()V",
                4,
                1,
                mv -> {
                    mv.visitInsn(ICONST_1);
                    mv.visitIntInsn(NEWARRAY, T_BOOLEAN);
                    insns(mv, ICONST_0, SALOAD, POP, RETURN);
                });
        // An interface type is treated as Object: this one must be accepted.
        reject(
                "(Ljava/lang/Object;)V",
                3,
                1,
                mv -> {
                    mv.visitVarInsn(ALOAD, 0);
                    mv.visitMethodInsn(INVOKEINTERFACE, "java/lang/Runnable", "run", "()V", true);
                    insns(mv, RETURN);
                });
        Asm number = new Asm("VerifyCount");
        number.constant(ACC_PUBLIC | ACC_STATIC, "count", count);
        number.write();
    }

    private interface Code {
        void accept(MethodVisitor mv);
    }

    /**
     * One class with one method m; the stack map is what the test writes, so a wrong one stays
     * wrong.
     */
    private static void reject(String descriptor, int stack, int locals, Code code) {
        String name = "Verify" + count++;
        ClassWriter w = Asm.raw(V17, ACC_PUBLIC | ACC_SUPER, name, OBJ);
        w.visitField(ACC_PUBLIC | ACC_STATIC, "s", "Ljava/lang/String;", null, null).visitEnd();
        MethodVisitor mv = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "m", descriptor, null, null);
        mv.visitCode();
        code.accept(mv);
        mv.visitMaxs(stack, locals);
        mv.visitEnd();
        w.visitEnd();
        Generate.writeHidden(name, w.toByteArray());
    }

    /** The same with a method that accesses one local first. */
    private static void local(String descriptor, int stack, int locals, int access, int slot, int... ops) {
        reject(
                descriptor,
                stack,
                locals,
                mv -> {
                    mv.visitVarInsn(access, slot);
                    insns(mv, ops);
                });
    }

    private static void insns(MethodVisitor mv, int... ops) {
        for (int op : ops) {
            mv.visitInsn(op);
        }
    }
}
