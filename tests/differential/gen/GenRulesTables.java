import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.util.Printer;

/**
 * Tables: every instruction with right and wrong operands; every pair of verification types; every
 * array instruction on every array; every stack shuffle on every shape of stack.
 */
final class GenRulesTables extends GenRules {
    /** Instructions without operand bytes: what they pop, the deepest first, and what they push. */
    private static final String[] SIMPLE = {
        "iadd II I", "isub II I", "imul II I", "idiv II I", "irem II I", "ineg I I", "ishl II I",
        "ishr II I", "iushr II I", "iand II I", "ior II I", "ixor II I", "ladd JJ J", "lsub JJ J",
        "lmul JJ J", "ldiv JJ J", "lrem JJ J", "lneg J J", "lshl JI J", "lshr JI J", "lushr JI J",
        "land JJ J", "lor JJ J", "lxor JJ J", "fadd FF F", "fsub FF F", "fmul FF F", "fdiv FF F",
        "frem FF F", "fneg F F", "dadd DD D", "dsub DD D", "dmul DD D", "ddiv DD D", "drem DD D",
        "dneg D D", "i2l I J", "i2f I F", "i2d I D", "l2i J I", "l2f J F", "l2d J D", "f2i F I",
        "f2l F J", "f2d F D", "d2i D I", "d2l D J", "d2f D F", "i2b I I", "i2c I I", "i2s I I",
        "lcmp JJ I", "fcmpl FF I", "fcmpg FF I", "dcmpl DD I", "dcmpg DD I", "arraylength A I",
        "monitorenter A -", "monitorexit A -", "pop I -", "pop2 J -", "nop - -", "aconst_null - A",
        "iconst_m1 - I", "lconst_0 - J", "fconst_0 - F", "dconst_0 - D", "iaload AI I",
        "laload AI J", "faload AI F", "daload AI D", "aaload AI A", "baload AI I", "caload AI I",
        "saload AI I", "iastore AII -", "lastore AIJ -", "fastore AIF -", "dastore AID -",
        "aastore AIA -", "bastore AII -", "castore AII -", "sastore AII -",
    };
    private static final String WRONG = "IFJDA";

    static void generate() {
        for (String row : SIMPLE) {
            simple(row.split(" "));
        }
        branches();
        locals();
        returns();
        shuffles();
        arrays();
        assignability();
    }

    private static int opcode(String name) {
        for (int i = 0; i < Printer.OPCODES.length; i++) {
            if (Printer.OPCODES[i].equalsIgnoreCase(name)) {
                return i;
            }
        }
        throw new IllegalArgumentException(name);
    }

    private static void drop(MethodVisitor mv, String kinds) {
        for (char c : kinds.toCharArray()) {
            mv.visitInsn(slots(c) == 2 ? POP2 : POP);
        }
    }

    private static void simple(String[] row) {
        String name = row[0], pops = row[1].replace("-", ""), pushes = row[2].replace("-", "");
        int op = opcode(name);
        int depth = Math.max(slots(pops), slots(pushes));
        Code end = mv -> {
            mv.visitInsn(op);
            drop(mv, pushes);
            mv.visitInsn(RETURN);
        };
        code('+', name, "()V", depth, 0, mv -> { pushAll(mv, pops); end.accept(mv); });
        for (int i = 0; i < pops.length(); i++) {
            for (char wrong : WRONG.toCharArray()) {
                if (wrong != pops.charAt(i)) {
                    String given = pops.substring(0, i) + wrong + pops.substring(i + 1);
                    code('?', name + " of " + given, "()V", 8, 0, mv -> { pushAll(mv, given); end.accept(mv); });
                }
            }
        }
        if (!pops.isEmpty()) {
            code('-', name + " of too few", "()V", 8, 0, mv -> { pushAll(mv, pops.substring(1)); end.accept(mv); });
        }
        if (slots(pushes) > slots(pops)) {
            code('-', name + " without room", "()V", depth - 1, 0, mv -> { pushAll(mv, pops); end.accept(mv); });
        }
    }

    private static void branches() {
        String[] rows = {
            "ifeq I", "ifne I", "iflt I", "ifge I", "ifgt I", "ifle I", "if_icmpeq II", "if_icmpne II",
            "if_icmplt II", "if_icmpge II", "if_icmpgt II", "if_icmple II", "if_acmpeq AA", "if_acmpne AA",
            "ifnull A", "ifnonnull A",
        };
        for (String r : rows) {
            String[] row = r.split(" ");
            for (String given : new String[] {row[1], "IF", "FI", "AI", "IA", "SX", "X", "F", "J", "JJ", ""}) {
                code(given.equals(row[1]) ? '+' : '?', row[0] + " of " + given, "()V", 4, 0, mv -> {
                    Label l = new Label();
                    pushAll(mv, given);
                    mv.visitJumpInsn(opcode(row[0]), l);
                    mv.visitInsn(RETURN);
                    mv.visitLabel(l);
                    mv.visitFrame(F_NEW, 0, new Object[0], 0, new Object[0]);
                    mv.visitInsn(RETURN);
                });
            }
        }
    }

    /** Loads and stores of locals that hold each kind, or half of a long. */
    private static void locals() {
        String kinds = "IJFDA";
        for (int k = 0; k < 5; k++) {
            char kind = kinds.charAt(k);
            int load = ILOAD + k, store = ISTORE + k;
            for (String type : new String[] {"I", "F", "J", "D", "L" + STR + ";", "Z", "S"}) {
                for (int at : new int[] {0, 1}) {
                    code('?', Printer.OPCODES[load] + " " + at + " of " + type, "(" + type + ")V", 2, 2, mv -> {
                        mv.visitVarInsn(load, at);
                        drop(mv, "" + kind);
                        mv.visitInsn(RETURN);
                    });
                }
            }
            for (char given : "IFJDAX".toCharArray()) {
                code('?', Printer.OPCODES[store] + " of " + given, "()V", 2, 2, mv -> {
                    push(mv, given);
                    mv.visitVarInsn(store, 0);
                    mv.visitInsn(RETURN);
                });
            }
            int size = slots(kind);
            for (int beyond : new int[] {0, 1}) {
                char verdict = beyond == 0 ? '+' : '-';
                for (int at : new int[] {3, 300}) {
                    code(verdict, Printer.OPCODES[store] + " at the end " + at, "()V", 2, at + size - beyond, mv -> {
                        push(mv, kind);
                        mv.visitVarInsn(store, at);
                        mv.visitInsn(RETURN);
                    });
                    code(verdict, Printer.OPCODES[load] + " at the end " + at, "()V", 2, at + size - beyond, mv -> {
                        push(mv, kind);
                        mv.visitVarInsn(store, at - beyond);
                        mv.visitVarInsn(load, at);
                        drop(mv, "" + kind);
                        mv.visitInsn(RETURN);
                    });
                }
            }
            // A store over half of a long leaves the other half useless.
            for (char wide : "JD".toCharArray()) {
                for (int over : new int[] {0, 1, 2, 3}) {
                    code('?', Printer.OPCODES[store] + " " + over + " over half of " + wide, "()V", 2, 5, mv -> {
                        push(mv, wide);
                        mv.visitVarInsn(wide == 'J' ? LSTORE : DSTORE, 1);
                        push(mv, kind);
                        mv.visitVarInsn(store, over);
                        mv.visitVarInsn(wide == 'J' ? LLOAD : DLOAD, 1);
                        mv.visitInsn(POP2);
                        mv.visitInsn(RETURN);
                    });
                }
            }
        }
        for (String type : new String[] {"I", "F", "J", "A"}) {
            for (int at : new int[] {0, 1, 300}) {
                code('?', "iinc " + at + " of " + type, "(" + type.replace("A", "L" + OBJ + ";") + ")V", 2, 2, mv -> {
                    mv.visitIincInsn(at, 1000);
                    mv.visitInsn(RETURN);
                });
            }
        }
    }

    private static void returns() {
        String[] types = {"V", "Z", "B", "C", "S", "I", "F", "J", "D", "L" + STR + ";", "[I", "Ljava/lang/Runnable;"};
        int[] ops = {RETURN, IRETURN, FRETURN, LRETURN, DRETURN, ARETURN};
        String[] given = {"", "I", "F", "J", "D", "S"};
        for (String type : types) {
            for (int i = 0; i < ops.length; i++) {
                int n = i;
                code('?', Printer.OPCODES[ops[i]] + " for " + type, "()" + type, 2, 0, mv -> {
                    pushAll(mv, given[n]);
                    mv.visitInsn(ops[n]);
                });
            }
            code('?', "areturn of null for " + type, "()" + type, 2, 0, mv -> insns(mv, ACONST_NULL, ARETURN));
            code('?', "areturn of a new object for " + type, "()" + type, 2, 0, mv -> {
                push(mv, 'X');
                mv.visitInsn(ARETURN);
            });
        }
        for (int i = 1; i < ops.length; i++) {
            int n = i;
            code('-', Printer.OPCODES[ops[i]] + " of nothing", "()" + types[i + 4], 2, 0, mv -> mv.visitInsn(ops[n]));
        }
    }

    private static void shuffles() {
        for (int op = POP; op <= SWAP; op++) {
            int code = op;
            for (int n = 0; n <= 4; n++) {
                for (int bits = 0; bits < 1 << n; bits++) {
                    StringBuilder shape = new StringBuilder();
                    for (int i = 0; i < n; i++) {
                        shape.append((bits >> i & 1) == 0 ? 'I' : 'J');
                    }
                    code('?', Printer.OPCODES[op] + " on " + shape, "()V", 12, 0, mv -> {
                        pushAll(mv, shape.toString());
                        insns(mv, code, RETURN);
                    });
                }
            }
        }
        // What was moved keeps its kind.
        pair("dup2_x1 keeps kinds", "()V", 6, 0,
                mv -> { pushAll(mv, "SJ"); insns(mv, DUP2_X1, POP2, POP, LNEG, POP2, RETURN); },
                mv -> { pushAll(mv, "SJ"); insns(mv, DUP2_X1, LNEG, POP2, LNEG, POP2, RETURN); });
        pair("dup_x2 keeps kinds", "()V", 6, 0,
                mv -> { pushAll(mv, "JI"); insns(mv, DUP_X2, POP, LNEG, POP2, INEG, POP, RETURN); },
                mv -> { pushAll(mv, "JI"); insns(mv, DUP_X2, POP, LNEG, POP2, FNEG, POP, RETURN); });
        pair("swap keeps kinds", "()V", 6, 0,
                mv -> { pushAll(mv, "IF"); insns(mv, SWAP, INEG, POP, FNEG, POP, RETURN); },
                mv -> { pushAll(mv, "IF"); insns(mv, SWAP, FNEG, POP, INEG, POP, RETURN); });
    }

    private static final String[] ARRAYS = {
        "[Z", "[B", "[C", "[S", "[I", "[J", "[F", "[D", "[Ljava/lang/Object;", "[Ljava/lang/String;", "[[I", "[[Ljava/lang/String;",
        "Ljava/lang/Object;", "Ljava/lang/Cloneable;", "I",
    };

    private static void arrays() {
        String loaded = "IJFDAIII";
        for (String type : ARRAYS) {
            int load = type.equals("I") ? ILOAD : ALOAD;
            for (int k = 0; k < 8; k++) {
                char kind = loaded.charAt(k);
                int get = IALOAD + k, put = IASTORE + k;
                code('?', Printer.OPCODES[get] + " from " + type, "(" + type + ")V", 4, 1, mv -> {
                    mv.visitVarInsn(load, 0);
                    insns(mv, ICONST_0, get);
                    drop(mv, "" + kind);
                    mv.visitInsn(RETURN);
                });
                code('?', Printer.OPCODES[put] + " into " + type, "(" + type + ")V", 4, 1, mv -> {
                    mv.visitVarInsn(load, 0);
                    mv.visitInsn(ICONST_0);
                    push(mv, kind);
                    insns(mv, put, RETURN);
                });
            }
            code('?', "arraylength of " + type, "(" + type + ")V", 4, 1, mv -> {
                mv.visitVarInsn(load, 0);
                insns(mv, ARRAYLENGTH, POP, RETURN);
            });
            // The element of an array of arrays, and of a null one, returned as a String.
            code('?', "aaload gives the element of " + type, "(" + type + ")Ljava/lang/String;", 4, 1, mv -> {
                mv.visitVarInsn(load, 0);
                insns(mv, ICONST_0, AALOAD, ARETURN);
            });
        }
        code('+', "aaload of null gives null", "()Ljava/lang/String;", 4, 1, mv -> insns(mv, ACONST_NULL, ICONST_0, AALOAD, ARETURN));
        code('+', "aaload of null can be loaded from again", "()I", 4, 1, mv -> insns(mv, ACONST_NULL, ICONST_0, AALOAD, ICONST_0, IALOAD, IRETURN));
        pair("aastore takes any element", "([Ljava/lang/String;Ljava/lang/Object;)V", 4, 2,
                mv -> { mv.visitVarInsn(ALOAD, 0); mv.visitInsn(ICONST_0); mv.visitVarInsn(ALOAD, 1); insns(mv, AASTORE, RETURN); },
                mv -> { mv.visitVarInsn(ALOAD, 0); mv.visitInsn(ICONST_0); push(mv, 'X'); insns(mv, AASTORE, RETURN); });
    }

    /** What a local may hold; "new" and "top" have no descriptor. */
    private static final String[] TYPES = {
        "top", "I", "F", "J", "D", "null", "new", "Ljava/lang/Object;", "Ljava/lang/String;", "Ljava/lang/Number;", "Ljava/lang/Integer;",
        "Ljava/lang/Runnable;", "Ljava/lang/Cloneable;", "Ljava/io/Serializable;", "Ljava/lang/Comparable;", "[I", "[B", "[Z", "[Ljava/lang/Object;",
        "[Ljava/lang/String;", "[Ljava/lang/Runnable;", "[Ljava/lang/Cloneable;", "[[I", "[[Ljava/lang/Object;", "[[Ljava/lang/Integer;",
    };

    private static Object inFrame(String type, Label made) {
        return switch (type) {
            case "top" -> TOP;
            case "I" -> INTEGER;
            case "F" -> FLOAT;
            case "J" -> LONG;
            case "D" -> DOUBLE;
            case "null" -> NULL;
            case "new" -> made;
            default -> type.startsWith("[") ? type : type.substring(1, type.length() - 1);
        };
    }

    private static void assignability() {
        for (String from : TYPES) {
            for (String to : TYPES) {
                boolean parameter = from.length() == 1 || from.endsWith(";") || from.startsWith("[");
                String descriptor = "(" + (parameter ? from : "") + ")V";
                code('?', "a local " + from + " as " + to, descriptor, 2, 4, mv -> {
                    Label made = new Label(), l = new Label();
                    mv.visitLabel(made);
                    mv.visitTypeInsn(NEW, OBJ);
                    mv.visitVarInsn(ASTORE, from.equals("new") ? 0 : 3);
                    if (from.equals("null")) {
                        mv.visitInsn(ACONST_NULL);
                        mv.visitVarInsn(ASTORE, 0);
                    }
                    mv.visitInsn(ICONST_0);
                    mv.visitJumpInsn(IFEQ, l);
                    mv.visitInsn(RETURN);
                    mv.visitLabel(l);
                    mv.visitFrame(F_NEW, 1, new Object[] {inFrame(to, made)}, 0, new Object[0]);
                    mv.visitInsn(RETURN);
                });
                if (!parameter || from.length() == 1) {
                    continue;
                }
                code('?', "an operand " + from + " as " + to, descriptor, 4, 4, mv -> {
                    Label made = new Label(), l = new Label();
                    mv.visitLabel(made);
                    mv.visitTypeInsn(NEW, OBJ);
                    mv.visitInsn(POP);
                    mv.visitVarInsn(ALOAD, 0);
                    mv.visitJumpInsn(GOTO, l);
                    mv.visitLabel(l);
                    mv.visitFrame(F_NEW, 0, new Object[0], 1, new Object[] {inFrame(to, made)});
                    mv.visitInsn(RETURN);
                });
                if (to.endsWith(";") || to.startsWith("[")) {
                    code('?', "an argument " + from + " as " + to, descriptor, 4, 4, mv -> {
                        mv.visitVarInsn(ALOAD, 0);
                        mv.visitMethodInsn(INVOKESTATIC, "Anywhere", "m", "(" + to + ")V", false);
                        mv.visitInsn(RETURN);
                    });
                }
            }
        }
    }
}
