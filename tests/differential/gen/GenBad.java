import jdk.internal.org.objectweb.asm.Attribute;
import jdk.internal.org.objectweb.asm.ByteVector;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.FieldVisitor;
import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;
import jdk.internal.org.objectweb.asm.RecordComponentVisitor;

import java.util.Arrays;

/**
 * Class files that must be refused: by the parser (resources of FORMAT) or by the verifier
 * (resources Verify0..).
 */
final class GenBad implements Opcodes {
    private static final String OBJ = "java/lang/Object";
    private static int verifyCount;

    static void generate() {
        format();
        moreFormats();
        repeated();
        verify();
        Asm count = new Asm("VerifyCount");
        count.constant(ACC_PUBLIC | ACC_STATIC, "count", verifyCount);
        count.write();
    }

    private static byte[] good(String name) {
        Asm c = new Asm(name).constructor();
        c.field(ACC_PUBLIC, "f", "I");
        c.constant(ACC_PUBLIC | ACC_STATIC, "m", 5);
        return c.bytes();
    }

    private static void format() {
        byte[] g = good("FmtGood");
        Generate.writeHidden("FmtGood", g);
        Generate.writeHidden("FmtEmpty", new byte[0]);
        Generate.writeHidden("FmtShort", Arrays.copyOf(g, 6));
        byte[] cut = good("FmtTruncated");
        Generate.writeHidden("FmtTruncated", Arrays.copyOf(cut, cut.length - 3));
        byte[] longer = good("FmtTrailing");
        Generate.writeHidden("FmtTrailing", Arrays.copyOf(longer, longer.length + 2));
        byte[] magic = g.clone();
        magic[0] = 0;
        Generate.writeHidden("FmtMagic", magic);
        byte[] future = g.clone();
        future[7] = 99;
        Generate.writeHidden("FmtFuture", future);
        byte[] preview = g.clone();
        preview[4] = (byte) 0xff;
        preview[5] = (byte) 0xff;
        Generate.writeHidden("FmtPreview", preview);
        byte[] tag = g.clone();
        tag[10] = 99;
        Generate.writeHidden("FmtTag", tag);
        Generate.writeHidden("FmtWrongName", good("FmtOther"));
        Generate.writeHidden("java/lang/FmtProhibited", good("java/lang/FmtProhibited"));
        flags("FmtFinalAbstract", ACC_PUBLIC | ACC_FINAL | ACC_ABSTRACT | ACC_SUPER);
        flags("FmtInterfaceNotAbstract", ACC_PUBLIC | ACC_INTERFACE);
        flags("FmtAnnotationNotInterface", ACC_PUBLIC | ACC_SUPER | ACC_ANNOTATION);
        member(
                "FmtFieldTwice",
                w -> {
                    w.visitField(ACC_PUBLIC, "a", "[Lp/Q;", null, null).visitEnd();
                    w.visitField(ACC_PUBLIC, "a", "[Lp/Q;", null, null).visitEnd();
                });
        member(
                "FmtMethodTwice",
                w -> {
                    w.visitMethod(ACC_PUBLIC | ACC_ABSTRACT, "a", "(Lp/Q;)V", null, null).visitEnd();
                    w.visitMethod(ACC_PUBLIC | ACC_ABSTRACT, "a", "(Lp/Q;)V", null, null).visitEnd();
                });
        member("FmtFieldName", w -> w.visitField(ACC_PUBLIC, "a;b", "I", null, null).visitEnd());
        member(
                "FmtMethodName",
                w ->
                        w.visitMethod(ACC_PUBLIC | ACC_ABSTRACT, "<odd>", "()V", null, null)
                                .visitEnd());
        member("FmtFieldType", w -> w.visitField(ACC_PUBLIC, "a", "Q", null, null).visitEnd());
        member("FmtFieldVoid", w -> w.visitField(ACC_PUBLIC, "a", "V", null, null).visitEnd());
        member(
                "FmtMethodType",
                w -> w.visitMethod(ACC_PUBLIC | ACC_ABSTRACT, "a", "(V)V", null, null).visitEnd());
        member(
                "FmtMethodNoCode",
                w -> w.visitMethod(ACC_PUBLIC, "a", "()V", null, null).visitEnd());
        member(
                "FmtTooManyArguments",
                w ->
                        w.visitMethod(
                                        ACC_PUBLIC | ACC_ABSTRACT,
                                        "a",
                                        "(" + "J".repeat(128) + ")V",
                                        null,
                                        null)
                                .visitEnd());
        member(
                "FmtFieldFlags",
                w -> w.visitField(ACC_PUBLIC | ACC_PRIVATE, "a", "I", null, null).visitEnd());
        member(
                "FmtFieldFinalVolatile",
                w -> w.visitField(ACC_FINAL | ACC_VOLATILE, "a", "I", null, null).visitEnd());
        member(
                "FmtMethodFlags",
                w ->
                        w.visitMethod(ACC_PUBLIC | ACC_ABSTRACT | ACC_FINAL, "a", "()V", null, null)
                                .visitEnd());
        member("FmtClinitArguments", w -> body(w, ACC_STATIC, "<clinit>", "(I)V"));
        member("FmtAbstractCode", w -> body(w, ACC_ABSTRACT, "a", "()V"));
        member(
                "FmtDims",
                w -> w.visitField(ACC_PUBLIC, "a", "[".repeat(256) + "I", null, null).visitEnd());
        member(
                "FmtConstantType",
                w ->
                        w.visitField(ACC_PUBLIC | ACC_STATIC | ACC_FINAL, "a", "I", null, "text")
                                .visitEnd());
        member(
                "FmtEmptyCode",
                w -> {
                    MethodVisitor mv =
                            w.visitMethod(ACC_PUBLIC | ACC_STATIC, "a", "()V", null, null);
                    mv.visitCode();
                    mv.visitMaxs(0, 0);
                    mv.visitEnd();
                });
        ClassWriter itf =
                Asm.raw(V17, ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, "FmtInterfaceField", OBJ);
        itf.visitField(ACC_PUBLIC, "a", "I", null, null).visitEnd();
        finish(itf, "FmtInterfaceField");
        ClassWriter dup =
                Asm.raw(
                        V17,
                        ACC_PUBLIC | ACC_SUPER,
                        "FmtInterfaceTwice",
                        OBJ,
                        "java/lang/Runnable",
                        "java/lang/Runnable");
        finish(dup, "FmtInterfaceTwice");
        ClassWriter itfSuper =
                Asm.raw(
                        V17,
                        ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT,
                        "FmtInterfaceSuper",
                        "java/lang/String");
        finish(itfSuper, "FmtInterfaceSuper");
    }

    /** Each kind of constant for a static field of each type; long lists of members that repeat one. */
    private static void moreFormats() {
        String[] types = {"Z", "B", "C", "S", "I", "J", "F", "D", "Ljava/lang/String;", "Ljava/lang/Object;", "[I"};
        Object[] values = {1, 2L, 1.5f, 2.5, "text"};
        for (int i = 0; i < types.length; i++) {
            for (int k = 0; k < values.length; k++) {
                String type = types[i];
                Object value = values[k];
                member("FmtConstant" + i + "By" + k, w -> w.visitField(ACC_PUBLIC | ACC_STATIC | ACC_FINAL, "a", type, null, value).visitEnd());
            }
        }
        for (int again : new int[] {0, 7, 19, 20}) {
            member("FmtManyFields" + again, w -> {
                for (int i = 0; i <= 20; i++) {
                    w.visitField(ACC_PUBLIC, "f" + (i == 20 ? again : i), "I", null, null).visitEnd();
                }
            });
            member("FmtManyMethods" + again, w -> {
                for (int i = 0; i <= 20; i++) {
                    w.visitMethod(ACC_PUBLIC | ACC_ABSTRACT, "m" + (i == 20 ? again : i), "()V", null, null).visitEnd();
                }
            });
            String[] interfaces = new String[21];
            for (int i = 0; i <= 20; i++) {
                interfaces[i] = "HugeI" + (i == 20 ? again : i);
            }
            finish(Asm.raw(V17, ACC_PUBLIC | ACC_SUPER, "FmtManyInterfaces" + again, OBJ, interfaces), "FmtManyInterfaces" + again);
        }
    }

    private interface Body {
        void accept(ClassWriter w);
    }

    private static void flags(String name, int flags) {
        finish(Asm.raw(V17, flags, name, OBJ), name);
    }

    private static void member(String name, Body body) {
        ClassWriter w = Asm.raw(V17, ACC_PUBLIC | ACC_SUPER | ACC_ABSTRACT, name, OBJ);
        body.accept(w);
        finish(w, name);
    }

    private static void finish(ClassWriter w, String name) {
        w.visitEnd();
        Generate.writeHidden(name, w.toByteArray());
    }

    private static void body(ClassWriter w, int access, String name, String descriptor) {
        MethodVisitor mv = w.visitMethod(access, name, descriptor, null, null);
        mv.visitCode();
        mv.visitInsn(RETURN);
        mv.visitMaxs(0, 4);
        mv.visitEnd();
    }

    private interface Code {
        void accept(MethodVisitor mv);
    }

    /**
     * One class with one method m; the stack map is what the test writes, so a wrong one stays
     * wrong.
     */
    private static void reject(String descriptor, int stack, int locals, Code code) {
        String name = "Verify" + verifyCount++;
        ClassWriter w = Asm.raw(V17, ACC_PUBLIC | ACC_SUPER, name, OBJ);
        w.visitField(ACC_PUBLIC | ACC_STATIC, "s", "Ljava/lang/String;", null, null).visitEnd();
        MethodVisitor mv = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "m", descriptor, null, null);
        mv.visitCode();
        code.accept(mv);
        mv.visitMaxs(stack, locals);
        mv.visitEnd();
        finish(w, name);
    }

    private static void insns(MethodVisitor mv, int... ops) {
        for (int op : ops) {
            mv.visitInsn(op);
        }
    }

    private static void verify() {
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
        reject(
                "(Ljava/lang/Object;)Ljava/lang/String;",
                2,
                1,
                mv -> {
                    mv.visitVarInsn(ALOAD, 0);
                    insns(mv, ARETURN);
                });
        reject(
                "(I)V",
                2,
                1,
                mv -> {
                    mv.visitVarInsn(ALOAD, 0);
                    insns(mv, POP, RETURN);
                });
        reject(
                "(F)V",
                2,
                1,
                mv -> {
                    mv.visitVarInsn(ILOAD, 0);
                    insns(mv, POP, RETURN);
                });
        reject(
                "()V",
                2,
                1,
                mv -> {
                    mv.visitVarInsn(ILOAD, 0);
                    insns(mv, POP, RETURN);
                });
        reject(
                "()V",
                2,
                1,
                mv -> {
                    mv.visitVarInsn(ILOAD, 5);
                    insns(mv, POP, RETURN);
                });
        reject("(J)V", 2, 2, mv -> insns(mv, LCONST_0, POP, RETURN));
        reject("(J)V", 3, 2, mv -> insns(mv, ICONST_0, LCONST_1, IADD, POP, RETURN));
        reject(
                "(J)V",
                2,
                2,
                mv -> {
                    mv.visitVarInsn(ILOAD, 1);
                    insns(mv, POP, RETURN);
                });
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
    }

    /** An attribute without annotations. */
    private static final class Empty extends Attribute {
        Empty(String name) {
            super(name);
        }

        @Override
        protected ByteVector write(ClassWriter cw, byte[] code, int length, int stack, int locals) {
            return type.contains("Parameter") ? new ByteVector().putByte(0) : new ByteVector().putShort(0);
        }
    }

    /** Attributes of annotations twice, of a class, a field, a method and a record's component, and of a class before Java 5. */
    private static void repeated() {
        String[] names = {"Annotations", "ParameterAnnotations", "TypeAnnotations"};
        for (int n = 0; n < 30; n++) {
            String attribute = (n % 2 == 0 ? "RuntimeVisible" : "RuntimeInvisible") + names[n % 6 / 2];
            Asm c = new Asm(n / 6 == 4 ? V1_4 : V17, ACC_PUBLIC | ACC_SUPER, "FmtRepeated" + n, OBJ);
            FieldVisitor f = c.cw.visitField(ACC_PUBLIC, "f", "I", null, null);
            MethodVisitor m = c.cw.visitMethod(ACC_PUBLIC | ACC_ABSTRACT, "m", "()V", null, null);
            RecordComponentVisitor r = n / 6 == 3 ? c.cw.visitRecordComponent("r", "I", null) : null;
            for (int i = 0; i < 2; i++) {
                Attribute a = new Empty(attribute);
                switch (n / 6) {
                    case 1 -> f.visitAttribute(a);
                    case 2 -> m.visitAttribute(a);
                    case 3 -> r.visitAttribute(a);
                    default -> c.cw.visitAttribute(a);
                }
            }
            Generate.writeHidden(c.name, c.bytes());
        }
    }
}
