import jdk.internal.org.objectweb.asm.Handle;
import jdk.internal.org.objectweb.asm.Label;

/** Rules of the bytes that no assembler writes, of supers, and of old class files. */
final class GenRulesBytes extends GenRules {
    static void generate() {
        bytes();
        supers();
    }

    /** Bytes of instructions and tables that only a damaged class has. */
    private static void bytes() {
        Code iinc = mv -> { mv.visitIincInsn(0, 300); mv.visitInsn(RETURN); };
        byte[] wide = code("(I)V", 1, 1, iinc);
        add('+', "wide iinc", wide);
        wide = code("(I)V", 1, 1, iinc);
        add('-', "wide nop", patched(wide, b(0xc4, 0x84, 0, 0), b(0xc4, 0)));
        Code array = mv -> { mv.visitInsn(ICONST_1); mv.visitIntInsn(NEWARRAY, T_INT); insns(mv, POP, RETURN); };
        for (int type : new int[] {0, 3, 12, 255}) {
            add('-', "newarray of type " + type, patched(code("()V", 1, 0, array), b(0x04, 0xbc, 10), b(0x04, 0xbc, type)));
        }
        Code itf = mv -> { mv.visitVarInsn(ALOAD, 0); mv.visitInsn(ICONST_1); mv.visitMethodInsn(INVOKEINTERFACE, "java/lang/Runnable", "n", "(I)V", true); insns(mv, NOP, NOP, RETURN); };
        for (int[] end : new int[][] {{2, 0}, {1, 0}, {3, 0}, {0, 0}, {2, 1}}) {
            add(end[0] == 2 && end[1] == 0 ? '?' : '-', "invokeinterface with bytes " + end[0] + " " + end[1],
                    patched(code("(Ljava/lang/Runnable;)V", 2, 1, itf), b(2, 0, 0, 0, 0xb1), b(end)));
        }
        Code indy = mv -> { mv.visitInvokeDynamicInsn("n", "()V", new Handle(H_INVOKESTATIC, "Anywhere", "b", "()V", false)); insns(mv, NOP, RETURN); };
        for (int[] end : new int[][] {{0, 0}, {1, 0}, {0, 1}}) {
            add(end[0] + end[1] == 0 ? '+' : '-', "invokedynamic with bytes " + end[0] + " " + end[1], patched(code("()V", 2, 1, indy), b(0, 0, 0, 0xb1), b(end)));
        }
        Code multi = mv -> { mv.visitInsn(ICONST_1); mv.visitMultiANewArrayInsn("[I", 1); insns(mv, POP, NOP, RETURN); };
        add('-', "multianewarray of 0 dimensions", patched(code("()V", 2, 1, multi), b(1, 0x57, 0, 0xb1), b(0)));
        Code jump = mv -> { Label l = new Label(); mv.visitJumpInsn(GOTO, l); mv.visitLabel(l); GenRulesCode.frame(mv); mv.visitIntInsn(SIPUSH, 0x1234); insns(mv, POP, RETURN); };
        for (int to : new int[] {3, 4, 5, 6, 100, 0xfffe}) {
            add(to == 3 ? '+' : '-', "a jump by " + to, patched(code("()V", 2, 1, jump), b(0xa7, 0, 3), b(0xa7, to >> 8, to & 255)));
        }
        for (int op = 0xc9; op <= 0xff; op++) {
            int code = op;
            // What stands behind the unknown instruction: enough for any length, then a fault of its own.
            for (String behind : new String[] {"nops", "a fault"}) {
                add('-', "instruction " + op + " before " + behind, patched(code("()V", 2, 1, mv -> {
                    mv.visitIntInsn(BIPUSH, 0x12);
                    insns(mv, POP, NOP, NOP, NOP, NOP, NOP, NOP);
                    insns(mv, behind.equals("nops") ? NOP : POP, RETURN);
                }), b(0x10, 0x12, 0x57), b(code, 0, 0)));
            }
        }
        // A row of the exception table: start, end, handler.
        for (int[] row : new int[][] {{0, 1, 2}, {1, 1, 2}, {1, 0, 2}, {0, 9, 2}, {0, 4, 2}, {0, 1, 4}, {0, 1, 3}, {4, 5, 2}}) {
            add('?', "a try block from " + row[0] + " to " + row[1] + " with a handler at " + row[2],
                    patched(code("()V", 2, 1, GenRulesCode::emptyTry), b(0, 1, 0, 0, 0, 1, 0, 2, 0, 0), b(0, 1, 0, row[0], 0, row[1], 0, row[2])));
        }
        // The frame of emptyTry's handler: same_locals_1_stack_item at 2, its type an object.
        for (int form : new int[] {64, 65, 66, 67, 128, 246, 247, 252, 255}) {
            add('?', "a frame of form " + form, patched(code("()V", 2, 1, GenRulesCode::emptyTry), b(0, 1, 66, 7), b(0, 1, form)));
        }
        for (int tag = 0; tag <= 10; tag++) {
            add('?', "a frame with type " + tag, patched(code("()V", 2, 1, GenRulesCode::emptyTry), b(0, 1, 66, 7), b(0, 1, 66, tag)));
        }
        for (int frames : new int[] {0, 2}) {
            add('?', "a stack map of " + frames + " frames", patched(code("()V", 2, 1, GenRulesCode::emptyTry), b(0, 1, 66, 7), b(0, frames)));
        }
        for (int cp : new int[] {0, 1, 255}) {
            byte[] field = code("()V", 2, 1, mv -> { insns(mv, ICONST_4, POP); mv.visitFieldInsn(GETSTATIC, "Anywhere", "f", "I"); insns(mv, POP, ICONST_5, POP, RETURN); });
            int at = -1;
            for (int i = 0; i + 2 < field.length; i++) {
                if (field[i] == 7 && field[i + 1] == 0x57 && (field[i + 2] & 255) == 0xb2) {
                    at = i + 3;
                }
            }
            field[at + 1] = (byte) cp;
            add('-', "getstatic of constant " + cp, field);
        }
    }

    /** Rules of a class as a whole, and of old class files. */
    private static void supers() {
        new Asm("vp/RuleFinal").constructor().constant(ACC_PUBLIC | ACC_FINAL, "m", 1).constant(ACC_FINAL, "q", 2)
                .constant(ACC_PRIVATE | ACC_FINAL, "r", 3).constant(ACC_PUBLIC | ACC_STATIC | ACC_FINAL, "s", 4).write();
        for (String name : new String[] {"other", "m", "q", "r", "s"}) {
            type('?', "a method overrides the final method " + name, "vp/RuleFinal", w -> method(w, ACC_PUBLIC, name, "()I", 1, 1, mv -> insns(mv, ICONST_1, IRETURN)));
        }
        type('-', "a final class is extended", STR, w -> {});
        type('-', "an interface is extended", "java/lang/Runnable", w -> {});
        for (int version : new int[] {V1_2, V1_4, V1_5, V1_6, V1_7, V1_8, V11, V17}) {
            for (char kind : "IF".toCharArray()) {
                add('?', "a join without a frame and an operand " + kind + " in version " + version, type(version, ACC_PUBLIC | ACC_SUPER, OBJ, new String[0], w ->
                        method(w, ACC_PUBLIC | ACC_STATIC, "m", "(I)I", 2, 1, mv -> {
                            Label l = new Label();
                            push(mv, kind);
                            mv.visitVarInsn(ILOAD, 0);
                            mv.visitJumpInsn(IFEQ, l);
                            mv.visitInsn(NOP);
                            mv.visitLabel(l);
                            mv.visitInsn(IRETURN);
                        })));
            }
            add('?', "jsr in version " + version, type(version, ACC_PUBLIC | ACC_SUPER, OBJ, new String[0], w ->
                    method(w, ACC_PUBLIC | ACC_STATIC, "m", "()V", 2, 1, mv -> {
                        Label l = new Label();
                        mv.visitJumpInsn(JSR, l);
                        mv.visitInsn(RETURN);
                        mv.visitLabel(l);
                        mv.visitVarInsn(ASTORE, 0);
                        mv.visitVarInsn(RET, 0);
                    })));
        }
    }
}
