import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

/**
 * Stack shuffles in all forms, narrow types that are not narrow, wide locals, constants beyond
 * index 255.
 */
final class GenStack implements Opcodes {
    static void generate() {
        nullInLoop();
        shuffles();
        narrow();
        wideLocals();
        manyConstants();
        manyArguments();
        oddNames();
        arrays();
        lines();
        compares();
        new Asm("GenEmpty").constructor().write();
    }

    /** Comparisons whose result is a number, not the condition of a branch behind them. */
    private static void compares() {
        Asm c = new Asm("GenCompares");
        Object[][] forms = {{"lcmp", "J", LCMP}, {"fcmpl", "F", FCMPL}, {"fcmpg", "F", FCMPG}, {"dcmpl", "D", DCMPL}, {"dcmpg", "D", DCMPG}};
        for (Object[] form : forms) {
            String type = (String) form[1];
            int load = type.equals("J") ? LLOAD : type.equals("F") ? FLOAD : DLOAD;
            MethodVisitor mv = c.staticMethod((String) form[0], "(" + type + type + ")I");
            mv.visitVarInsn(load, 0);
            mv.visitVarInsn(load, type.equals("F") ? 1 : 2);
            mv.visitInsn((Integer) form[2]);
            Asm.end(mv, IRETURN);
        }
        c.write();
    }

    /** Line tables with several rows for one instruction, and rows out of order. */
    private static void lines() {
        Asm c = new Asm("GenLines");
        String[] names = {"twice", "between", "unsorted", "late"};
        for (String n : names) {
            MethodVisitor mv = c.staticMethod(n, "()V");
            Label a = new Label();
            Label b = new Label();
            mv.visitLabel(a);
            if (!n.equals("unsorted") && !n.equals("late")) {
                mv.visitLineNumber(10, a);
                mv.visitLineNumber(11, a);
            }
            if (n.equals("between")) mv.visitInsn(NOP);
            mv.visitLabel(b);
            mv.visitTypeInsn(NEW, "java/lang/Error");
            if (n.equals("twice")) {
                mv.visitInsn(POP);
                mv.visitInsn(ACONST_NULL);
            } else {
                mv.visitInsn(DUP);
                mv.visitMethodInsn(INVOKESPECIAL, "java/lang/Error", "<init>", "()V", false);
            }
            Label t = new Label();
            mv.visitLabel(t);
            if (n.equals("unsorted")) {
                mv.visitLineNumber(33, t);
                mv.visitLineNumber(31, a);
                mv.visitLineNumber(32, b);
            } else if (n.equals("late")) {
                mv.visitLineNumber(40, t);
                mv.visitLineNumber(41, t);
            }
            Asm.end(mv, ATHROW);
        }
        MethodVisitor mv = c.staticMethod("run", "()V");
        for (String n : names) {
            Label start = new Label();
            Label stop = new Label();
            Label handler = new Label();
            mv.visitTryCatchBlock(start, stop, handler, null);
            mv.visitLabel(start);
            mv.visitMethodInsn(INVOKESTATIC, "GenLines", n, "()V", false);
            mv.visitLabel(stop);
            mv.visitInsn(ACONST_NULL);
            mv.visitLabel(handler);
            mv.visitMethodInsn(INVOKEVIRTUAL, "java/lang/Throwable", "getStackTrace", "()[Ljava/lang/StackTraceElement;", false);
            mv.visitInsn(ICONST_0);
            mv.visitInsn(AALOAD);
            Asm.print(mv, "Ljava/lang/Object;");
        }
        Asm.end(mv, RETURN);
        c.write();
    }

    /**
     * Pushes typed values, applies one opcode, pops and prints everything: types before, opcode,
     * types after.
     */
    private static final Object[][] FORMS = {
        {"I", NOP, "I"},
        {"I", DUP, "II"},
        {"F", DUP, "FF"},
        {"A", DUP, "AA"},
        {"II", DUP_X1, "III"},
        {"AF", DUP_X1, "FAF"},
        {"IA", DUP_X1, "AIA"},
        {"III", DUP_X2, "IIII"},
        {"AFI", DUP_X2, "IAFI"},
        {"JI", DUP_X2, "IJI"},
        {"DA", DUP_X2, "ADA"},
        {"II", DUP2, "IIII"},
        {"AF", DUP2, "AFAF"},
        {"J", DUP2, "JJ"},
        {"D", DUP2, "DD"},
        {"III", DUP2_X1, "IIIII"},
        {"AIF", DUP2_X1, "IFAIF"},
        {"IJ", DUP2_X1, "JIJ"},
        {"AD", DUP2_X1, "DAD"},
        {"IIII", DUP2_X2, "IIIIII"},
        {"AFIA", DUP2_X2, "IAAFIA"},
        {"IIJ", DUP2_X2, "JIIJ"},
        {"AFD", DUP2_X2, "DAFD"},
        {"JII", DUP2_X2, "IIJII"},
        {"DAF", DUP2_X2, "AFDAF"},
        {"JJ", DUP2_X2, "JJJ"},
        {"DJ", DUP2_X2, "JDJ"},
        {"II", POP, "I"},
        {"IAI", POP2, "I"},
        {"IJ", POP2, "I"},
        {"AD", POP2, "A"},
        {"II", SWAP, "II"},
        {"AF", SWAP, "FA"},
        {"FI", SWAP, "IF"},
        {"IA", SWAP, "AI"},
    };

    private static void shuffles() {
        Asm c = new Asm("GenShuffles");
        MethodVisitor mv = c.staticMethod("run", "()V");
        int serial = 1;
        for (Object[] form : FORMS) {
            for (char t : ((String) form[0]).toCharArray()) {
                push(mv, t, serial++);
            }
            mv.visitInsn((Integer) form[1]);
            String after = (String) form[2];
            for (int i = after.length() - 1; i >= 0; i--) {
                char t = after.charAt(i);
                Asm.print(mv, t == 'A' ? "Ljava/lang/Object;" : String.valueOf(t));
            }
        }
        Asm.end(mv, RETURN);
        c.write();
    }

    private static void push(MethodVisitor mv, char type, int value) {
        switch (type) {
            case 'I' -> mv.visitLdcInsn(value);
            case 'F' -> mv.visitLdcInsn(value + 0.5f);
            case 'J' -> mv.visitLdcInsn(value + (1L << 40));
            case 'D' -> mv.visitLdcInsn(value + 0.25);
            default -> mv.visitLdcInsn("ref" + value);
        }
    }

    /**
     * JVMS: stores to boolean, byte, char and short places and returns of these types narrow the
     * int.
     */
    private static void narrow() {
        Asm c = new Asm("GenNarrow").constructor();
        String[] types = {"Z", "B", "C", "S"};
        for (String t : types) {
            c.field(ACC_PUBLIC | ACC_STATIC, "s" + t, t);
            c.field(ACC_PUBLIC, "i" + t, t);
            MethodVisitor put = c.staticMethod("putStatic" + t, "(I)V");
            put.visitVarInsn(ILOAD, 0);
            put.visitFieldInsn(PUTSTATIC, c.name, "s" + t, t);
            Asm.end(put, RETURN);
            MethodVisitor get = c.staticMethod("getStatic" + t, "()I");
            get.visitFieldInsn(GETSTATIC, c.name, "s" + t, t);
            Asm.end(get, IRETURN);
            MethodVisitor field = c.staticMethod("field" + t, "(I)I");
            field.visitTypeInsn(NEW, c.name);
            field.visitInsn(DUP);
            field.visitMethodInsn(INVOKESPECIAL, c.name, "<init>", "()V", false);
            field.visitVarInsn(ASTORE, 1);
            field.visitVarInsn(ALOAD, 1);
            field.visitVarInsn(ILOAD, 0);
            field.visitFieldInsn(PUTFIELD, c.name, "i" + t, t);
            field.visitVarInsn(ALOAD, 1);
            field.visitFieldInsn(GETFIELD, c.name, "i" + t, t);
            Asm.end(field, IRETURN);
            MethodVisitor id = c.staticMethod("narrow" + t, "(I)" + t);
            id.visitVarInsn(ILOAD, 0);
            Asm.end(id, IRETURN);
            MethodVisitor through = c.staticMethod("returned" + t, "(I)I");
            through.visitVarInsn(ILOAD, 0);
            through.visitMethodInsn(INVOKESTATIC, c.name, "narrow" + t, "(I)" + t, false);
            Asm.end(through, IRETURN);
            MethodVisitor array = c.staticMethod("array" + t, "(I)I");
            array.visitInsn(ICONST_2);
            array.visitIntInsn(
                    NEWARRAY,
                    t.equals("Z")
                            ? T_BOOLEAN
                            : t.equals("B") ? T_BYTE : t.equals("C") ? T_CHAR : T_SHORT);
            array.visitInsn(DUP);
            array.visitInsn(ICONST_1);
            array.visitVarInsn(ILOAD, 0);
            array.visitInsn(t.equals("C") ? CASTORE : t.equals("S") ? SASTORE : BASTORE);
            array.visitInsn(ICONST_1);
            array.visitInsn(t.equals("C") ? CALOAD : t.equals("S") ? SALOAD : BALOAD);
            Asm.end(array, IRETURN);
        }
        c.write();
    }

    private static void wideLocals() {
        Asm c = new Asm("GenWide");
        MethodVisitor mv = c.staticMethod("run", "(IJFDLjava/lang/Object;)V");
        mv.visitVarInsn(ILOAD, 0);
        mv.visitVarInsn(ISTORE, 300);
        mv.visitVarInsn(LLOAD, 1);
        mv.visitVarInsn(LSTORE, 1000);
        mv.visitVarInsn(FLOAD, 3);
        mv.visitVarInsn(FSTORE, 256);
        mv.visitVarInsn(DLOAD, 4);
        mv.visitVarInsn(DSTORE, 2000);
        mv.visitVarInsn(ALOAD, 6);
        mv.visitVarInsn(ASTORE, 3000);
        mv.visitIincInsn(300, 1);
        mv.visitIincInsn(300, -1000);
        mv.visitIincInsn(300, 32767);
        mv.visitIincInsn(0, 1000);
        mv.visitIincInsn(0, -32768);
        mv.visitIincInsn(0, -128);
        mv.visitIincInsn(0, 127);
        mv.visitVarInsn(ILOAD, 300);
        Asm.print(mv, "I");
        mv.visitVarInsn(ILOAD, 0);
        Asm.print(mv, "I");
        mv.visitVarInsn(LLOAD, 1000);
        Asm.print(mv, "J");
        mv.visitVarInsn(FLOAD, 256);
        Asm.print(mv, "F");
        mv.visitVarInsn(DLOAD, 2000);
        Asm.print(mv, "D");
        mv.visitVarInsn(ALOAD, 3000);
        Asm.print(mv, "Ljava/lang/Object;");
        Asm.end(mv, RETURN);
        c.write();
    }

    private static void manyConstants() {
        Asm c = new Asm("GenConstants");
        MethodVisitor mv = c.staticMethod("run", "()V");
        mv.visitInsn(ICONST_0);
        mv.visitVarInsn(ISTORE, 0);
        for (int i = 0; i < 400; i++) {
            mv.visitVarInsn(ILOAD, 0);
            mv.visitIntInsn(BIPUSH, 31);
            mv.visitInsn(IMUL);
            mv.visitLdcInsn("constant " + i);
            mv.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "hashCode", "()I", false);
            mv.visitInsn(IADD);
            mv.visitLdcInsn(1_000_000 + i);
            mv.visitInsn(IXOR);
            mv.visitLdcInsn(1.5f + i);
            mv.visitInsn(F2I);
            mv.visitInsn(IADD);
            mv.visitVarInsn(ISTORE, 0);
        }
        mv.visitVarInsn(ILOAD, 0);
        Asm.print(mv, "I");
        mv.visitLdcInsn(jdk.internal.org.objectweb.asm.Type.getType("Ljava/util/List;"));
        mv.visitMethodInsn(
                INVOKEVIRTUAL, "java/lang/Class", "getName", "()Ljava/lang/String;", false);
        Asm.print(mv, "Ljava/lang/Object;");
        Asm.end(mv, RETURN);
        c.write();
    }

    /** 255 argument words, the limit: ints, and longs with an odd offset. */
    private static void manyArguments() {
        Asm c = new Asm("GenArguments");
        String ints = "I".repeat(255);
        MethodVisitor sum = c.staticMethod("sum", "(" + ints + ")I");
        sum.visitInsn(ICONST_0);
        for (int i = 0; i < 255; i++) {
            sum.visitIntInsn(BIPUSH, 3);
            sum.visitInsn(IMUL);
            sum.visitVarInsn(ILOAD, i);
            sum.visitInsn(IADD);
        }
        Asm.end(sum, IRETURN);
        String longs = "I" + "J".repeat(127);
        MethodVisitor lsum = c.staticMethod("lsum", "(" + longs + ")J");
        lsum.visitVarInsn(ILOAD, 0);
        lsum.visitInsn(I2L);
        for (int i = 0; i < 127; i++) {
            lsum.visitLdcInsn(3L);
            lsum.visitInsn(LMUL);
            lsum.visitVarInsn(LLOAD, 1 + 2 * i);
            lsum.visitInsn(LADD);
        }
        Asm.end(lsum, LRETURN);
        MethodVisitor run = c.staticMethod("run", "()V");
        for (int i = 0; i < 255; i++) {
            run.visitLdcInsn(i * 7919);
        }
        run.visitMethodInsn(INVOKESTATIC, c.name, "sum", "(" + ints + ")I", false);
        Asm.print(run, "I");
        run.visitLdcInsn(5);
        for (int i = 0; i < 127; i++) {
            run.visitLdcInsn(i * 7919L << 20);
        }
        run.visitMethodInsn(INVOKESTATIC, c.name, "lsum", "(" + longs + ")J", false);
        Asm.print(run, "J");
        Asm.end(run, RETURN);
        c.write();
    }

    /** Names the class file allows and Java does not; members that differ in type only. */
    private static void oddNames() {
        Asm c = new Asm("GenNames");
        c.field(ACC_PUBLIC | ACC_STATIC, "a b", "I")
                .field(ACC_PUBLIC | ACC_STATIC, "a b", "J")
                .field(ACC_PUBLIC | ACC_STATIC, "\u20ac-+!", "Ljava/lang/String;");
        String[] names = {"two words", "\u00e9\u4e2d\ud83d\ude00", "1", "class", "a=b,c"};
        MethodVisitor run = c.staticMethod("run", "()V");
        int k = 0;
        for (String n : names) {
            c.constant(ACC_PUBLIC | ACC_STATIC, n, ++k);
            run.visitMethodInsn(INVOKESTATIC, c.name, n, "()I", false);
            Asm.print(run, "I");
        }
        for (String t : new String[] {"I", "J"}) {
            MethodVisitor mv = c.staticMethod("same", "()" + t);
            mv.visitLdcInsn(t.equals("I") ? (Object) 11 : (Object) 12L);
            Asm.end(mv, t.equals("I") ? IRETURN : LRETURN);
            run.visitMethodInsn(INVOKESTATIC, c.name, "same", "()" + t, false);
            Asm.print(run, t);
            run.visitLdcInsn(t.equals("I") ? (Object) 21 : (Object) 22L);
            run.visitFieldInsn(PUTSTATIC, c.name, "a b", t);
        }
        for (String t : new String[] {"I", "J"}) {
            run.visitFieldInsn(GETSTATIC, c.name, "a b", t);
            Asm.print(run, t);
        }
        Asm.end(run, RETURN);
        c.write();
    }

    private static void arrays() {
        Asm c = new Asm("GenArrays");
        MethodVisitor mv = c.staticMethod("run", "()V");
        mv.visitInsn(ICONST_2);
        mv.visitInsn(ICONST_3);
        mv.visitMultiANewArrayInsn("[[[I", 2);
        mv.visitMethodInsn(INVOKEVIRTUAL, "[[[I", "clone", "()Ljava/lang/Object;", false);
        mv.visitTypeInsn(CHECKCAST, "[[[I");
        mv.visitInsn(ICONST_1);
        mv.visitInsn(AALOAD);
        mv.visitInsn(ARRAYLENGTH);
        Asm.print(mv, "I");
        String deep = "[".repeat(255) + "I";
        mv.visitInsn(ICONST_1);
        mv.visitMultiANewArrayInsn(deep, 1);
        mv.visitMethodInsn(
                INVOKEVIRTUAL, "java/lang/Object", "getClass", "()Ljava/lang/Class;", false);
        mv.visitMethodInsn(
                INVOKEVIRTUAL, "java/lang/Class", "getName", "()Ljava/lang/String;", false);
        mv.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "length", "()I", false);
        Asm.print(mv, "I");
        mv.visitInsn(ICONST_3);
        mv.visitTypeInsn(ANEWARRAY, "[J");
        mv.visitInsn(DUP);
        mv.visitTypeInsn(INSTANCEOF, "[[J");
        Asm.print(mv, "I");
        mv.visitTypeInsn(INSTANCEOF, "[[I");
        Asm.print(mv, "I");
        mv.visitInsn(ACONST_NULL);
        mv.visitTypeInsn(CHECKCAST, "[[I");
        Label isNull = new Label();
        mv.visitJumpInsn(IFNULL, isNull);
        mv.visitLdcInsn("not null");
        Asm.print(mv, "Ljava/lang/Object;");
        mv.visitLabel(isNull);
        Asm.end(mv, RETURN);
        c.write();
    }

    /** A parameter that is assigned behind its use in a loop; without names of locals. */
    private static void nullInLoop() {
        Asm c = new Asm("GenNullInLoop");
        for (boolean before : new boolean[] {false, true}) {
            MethodVisitor mv = c.staticMethod(before ? "before" : "behind", "(I[IF)V");
            Label head = new Label();
            if (before) {
                mv.visitVarInsn(ALOAD, 1);
                mv.visitVarInsn(ASTORE, 1);
            }
            mv.visitLabel(head);
            mv.visitVarInsn(ALOAD, 1);
            mv.visitInsn(ARRAYLENGTH);
            mv.visitInsn(POP);
            mv.visitInsn(ACONST_NULL);
            mv.visitTypeInsn(CHECKCAST, "[I");
            mv.visitVarInsn(ASTORE, 1);
            mv.visitJumpInsn(GOTO, head);
            mv.visitMaxs(0, 0);
            mv.visitEnd();
        }
        c.write();
    }
}
