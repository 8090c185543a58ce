import jdk.internal.org.objectweb.asm.ConstantDynamic;
import jdk.internal.org.objectweb.asm.Handle;
import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Type;

/** Rules of control flow, handlers, stack maps, constants, arrays and limits. */
final class GenRulesCode extends GenRules {
    private static final Object[] NONE = new Object[0];
    private static final String THROWABLE = "java/lang/Throwable";

    static void generate() {
        ends();
        switches();
        handlers();
        frames();
        constants();
        arrays();
        limits();
    }

    static void frame(MethodVisitor mv, Object... locals) {
        mv.visitFrame(F_NEW, locals.length, locals, 0, NONE);
    }

    private static void ends() {
        for (String end : new String[] {"return", "nop", "goto", "athrow", "ifeq", "switch", "invokestatic"}) {
            boolean good = !end.equals("nop") && !end.equals("ifeq") && !end.equals("invokestatic");
            // HotSpot reads a byte behind a switch, and refuses code that ends with one.
            code(end.equals("switch") ? '?' : good ? '+' : '-', "code ends with " + end, "()V", 2, 1, mv -> {
                Label l = new Label();
                mv.visitLabel(l);
                frame(mv);
                switch (end) {
                    case "return" -> mv.visitInsn(RETURN);
                    case "nop" -> mv.visitInsn(NOP);
                    case "goto" -> mv.visitJumpInsn(GOTO, l);
                    case "athrow" -> insns(mv, ACONST_NULL, ATHROW);
                    case "ifeq" -> { mv.visitInsn(ICONST_0); mv.visitJumpInsn(IFEQ, l); }
                    case "switch" -> { mv.visitInsn(ICONST_0); mv.visitLookupSwitchInsn(l, new int[0], new Label[0]); }
                    default -> mv.visitMethodInsn(INVOKESTATIC, "Anywhere", "m", "()V", false);
                }
            });
        }
        // Code behind an instruction that does not go on needs a frame, even if nothing gets there.
        for (int op : new int[] {RETURN, ATHROW, GOTO, TABLESWITCH}) {
            for (char with : "+-".toCharArray()) {
                code(with, "a frame behind instruction " + op, "()V", 2, 1, mv -> {
                    Label l = new Label();
                    mv.visitLabel(l);
                    frame(mv);
                    switch (op) {
                        case GOTO -> mv.visitJumpInsn(GOTO, l);
                        case ATHROW -> insns(mv, ACONST_NULL, ATHROW);
                        case TABLESWITCH -> { mv.visitInsn(ICONST_0); mv.visitTableSwitchInsn(0, 0, l, l); }
                        default -> mv.visitInsn(op);
                    }
                    if (with == '+') {
                        frame(mv);
                    }
                    mv.visitInsn(RETURN);
                });
            }
        }
        for (char with : "+-".toCharArray()) {
            for (int op : new int[] {IFEQ, GOTO}) {
                code(with, "a frame at the target of instruction " + op, "()V", 2, 1, mv -> {
                    Label l = new Label();
                    mv.visitInsn(ICONST_0);
                    if (op == GOTO) {
                        mv.visitInsn(POP);
                    }
                    mv.visitJumpInsn(op, l);
                    if (op == GOTO) {
                        frame(mv);
                    }
                    mv.visitInsn(NOP);
                    mv.visitLabel(l);
                    if (with == '+') {
                        frame(mv);
                    }
                    mv.visitInsn(RETURN);
                });
            }
        }
        // The stack at a target: its height, and what lies on it.
        for (String left : new String[] {"", "I", "F", "II", "J", "A", "S"}) {
            code('?', "a target that wants an int gets " + left, "()V", 4, 1, mv -> {
                Label l = new Label();
                pushAll(mv, left);
                mv.visitJumpInsn(GOTO, l);
                mv.visitLabel(l);
                mv.visitFrame(F_NEW, 0, NONE, 1, new Object[] {INTEGER});
                mv.visitInsn(RETURN);
            });
        }
        // Going back: a loop changes a local that its frame declares.
        for (char kind : "IFA".toCharArray()) {
            code('?', "a loop leaves " + kind + " where it found an int", "(I)V", 4, 1, mv -> {
                Label l = new Label();
                mv.visitLabel(l);
                frame(mv, INTEGER);
                push(mv, kind);
                mv.visitVarInsn(kind == 'I' ? ISTORE : kind == 'F' ? FSTORE : ASTORE, 0);
                mv.visitJumpInsn(GOTO, l);
            });
        }
    }

    private static void switches() {
        int[][] keys = {{}, {1}, {1, 2}, {2, 1}, {1, 1}, {-5, 0, 7}, {0, -1}, {Integer.MIN_VALUE, Integer.MAX_VALUE}};
        for (int[] k : keys) {
            code('?', "lookupswitch of " + java.util.Arrays.toString(k), "(I)V", 2, 1, mv -> {
                Label l = new Label();
                Label[] all = new Label[k.length];
                java.util.Arrays.fill(all, l);
                mv.visitVarInsn(ILOAD, 0);
                mv.visitLookupSwitchInsn(l, k, all);
                mv.visitLabel(l);
                frame(mv, INTEGER);
                mv.visitInsn(RETURN);
            });
        }
        for (String kind : new String[] {"tableswitch", "lookupswitch"}) {
            for (String given : new String[] {"I", "F", "A", "J", ""}) {
                for (int fault = 0; fault < 3; fault++) {
                    int f = fault;
                    String rule = new String[] {" of ", " with a default that does not fit, of ", " with a case that does not fit, of "}[f];
                    code('?', kind + rule + given, "(I)V", 3, 1, mv -> {
                        Label good = new Label(), bad = new Label();
                        pushAll(mv, given);
                        Label d = f == 1 ? bad : good, c = f == 2 ? bad : good;
                        if (kind.equals("tableswitch")) {
                            mv.visitTableSwitchInsn(3, 4, d, good, c);
                        } else {
                            mv.visitLookupSwitchInsn(d, new int[] {3, 4}, new Label[] {good, c});
                        }
                        mv.visitLabel(good);
                        frame(mv, INTEGER);
                        mv.visitInsn(NOP);
                        mv.visitLabel(bad);
                        frame(mv, f == 0 ? new Object[] {INTEGER} : new Object[] {FLOAT});
                        mv.visitInsn(RETURN);
                    });
                }
            }
        }
    }

    private static void handlers() {
        for (String caught : new String[] {null, THROWABLE, "java/lang/Exception", "java/io/IOException", OBJ, STR, "java/lang/Runnable", "[I", "NoSuchClass"}) {
            for (String declared : new String[] {THROWABLE, "java/lang/Exception", OBJ}) {
                code('?', "a handler for " + caught + " declares " + declared, "()V", 2, 1, mv -> {
                    Label s = new Label(), e = new Label(), h = new Label();
                    mv.visitTryCatchBlock(s, e, h, caught);
                    mv.visitLabel(s);
                    mv.visitInsn(NOP);
                    mv.visitLabel(e);
                    mv.visitInsn(RETURN);
                    mv.visitLabel(h);
                    mv.visitFrame(F_NEW, 0, NONE, 1, new Object[] {declared});
                    insns(mv, POP, RETURN);
                });
            }
        }
        for (int height = 0; height < 3; height++) {
            int n = height;
            code(n == 1 ? '+' : '-', "a handler with " + n + " operands", "()V", 3, 1, mv -> {
                Label s = new Label(), e = new Label(), h = new Label();
                mv.visitTryCatchBlock(s, e, h, null);
                mv.visitLabel(s);
                mv.visitInsn(NOP);
                mv.visitLabel(e);
                mv.visitInsn(RETURN);
                mv.visitLabel(h);
                mv.visitFrame(F_NEW, 0, NONE, n, new Object[] {THROWABLE, INTEGER, INTEGER});
                mv.visitInsn(RETURN);
            });
        }
        pair("a handler without room on the stack", "()V", 1, 1, GenRulesCode::emptyTry, mv -> {
            emptyTry(mv);
            mv.visitFrame(F_NEW, 0, NONE, 0, NONE);
            insns(mv, ICONST_0, ICONST_0, RETURN);
        });
        code('-', "a handler in a method without a stack", "()V", 0, 1, GenRulesCode::emptyTry);
        // Every instruction in the range must fit the handler's locals, before and after it.
        String[] changes = {"none", "before", "first", "middle", "last", "behind"};
        for (String change : changes) {
            for (boolean back : new boolean[] {false, true}) {
                code('?', "a local changes " + change + " in a try block" + (back ? " and back" : ""), "(I)V", 2, 1, mv -> {
                    Label s = new Label(), e = new Label(), h = new Label();
                    mv.visitTryCatchBlock(s, e, h, null);
                    mv.visitInsn(FCONST_0);
                    if (change.equals("before")) {
                        store(mv, back);
                        mv.visitInsn(FCONST_0);
                    }
                    mv.visitLabel(s);
                    if (change.equals("first")) {
                        store(mv, back);
                        mv.visitInsn(FCONST_0);
                    }
                    mv.visitInsn(NOP);
                    if (change.equals("middle")) {
                        store(mv, back);
                        mv.visitInsn(FCONST_0);
                    }
                    mv.visitInsn(NOP);
                    if (change.equals("last")) {
                        store(mv, back);
                    } else {
                        mv.visitInsn(POP);
                    }
                    mv.visitLabel(e);
                    if (change.equals("behind")) {
                        mv.visitInsn(FCONST_0);
                        store(mv, back);
                    }
                    mv.visitInsn(RETURN);
                    mv.visitLabel(h);
                    mv.visitFrame(F_NEW, 1, new Object[] {INTEGER}, 1, new Object[] {THROWABLE});
                    insns(mv, POP, RETURN);
                });
            }
        }
        for (String thrown : new String[] {THROWABLE, "java/lang/Exception", OBJ, "java/lang/Runnable", "[I"}) {
            String d = thrown.startsWith("[") ? thrown : "L" + thrown + ";";
            code('?', "athrow of " + thrown, "(" + d + ")V", 2, 1, mv -> { mv.visitVarInsn(ALOAD, 0); mv.visitInsn(ATHROW); });
        }
    }

    static void emptyTry(MethodVisitor mv) {
        Label s = new Label(), e = new Label(), h = new Label();
        mv.visitTryCatchBlock(s, e, h, null);
        mv.visitLabel(s);
        mv.visitInsn(NOP);
        mv.visitLabel(e);
        mv.visitInsn(RETURN);
        mv.visitLabel(h);
        mv.visitFrame(F_NEW, 0, NONE, 1, new Object[] {THROWABLE});
        insns(mv, POP, RETURN);
    }

    private static void store(MethodVisitor mv, boolean back) {
        mv.visitVarInsn(FSTORE, 0);
        if (back) {
            mv.visitInsn(ICONST_0);
            mv.visitVarInsn(ISTORE, 0);
        }
    }

    /** The compressed forms of a frame behind one with locals int, long, String. */
    private static void frames() {
        Object[] first = {INTEGER, LONG, STR};
        for (int chop = 1; chop <= 3; chop++) {
            for (int used = 0; used < 3; used++) {
                int n = chop, u = used;
                code('?', "chop of " + n + ", then local " + u + " is used", "(IJLjava/lang/String;)V", 3, 8, mv -> {
                    Label a = new Label(), b = new Label();
                    mv.visitVarInsn(ILOAD, 0);
                    mv.visitJumpInsn(IFEQ, a);
                    mv.visitVarInsn(ILOAD, 0);
                    mv.visitJumpInsn(IFEQ, b);
                    mv.visitInsn(NOP);
                    mv.visitLabel(a);
                    mv.visitFrame(F_SAME, 0, null, 0, null);
                    mv.visitInsn(NOP);
                    mv.visitLabel(b);
                    mv.visitFrame(F_CHOP, n, null, 0, null);
                    switch (u) {
                        case 0 -> { mv.visitVarInsn(ILOAD, 0); mv.visitInsn(POP); }
                        case 1 -> { mv.visitVarInsn(LLOAD, 1); mv.visitInsn(POP2); }
                        default -> { mv.visitVarInsn(ALOAD, 3); mv.visitInsn(POP); }
                    }
                    mv.visitInsn(RETURN);
                });
            }
        }
        Object[][] appended = {{INTEGER}, {LONG}, {TOP, INTEGER}, {FLOAT, DOUBLE}, {NULL}, {STR, OBJ, "[I"}, {LONG, LONG, LONG}};
        for (Object[] more : appended) {
            for (int locals : new int[] {5, 8}) {
                code('?', "append of " + java.util.Arrays.toString(more) + " into " + locals + " locals", "(IJLjava/lang/String;)V", 3, locals, mv -> {
                    Label a = new Label();
                    mv.visitInsn(ACONST_NULL);
                    mv.visitVarInsn(ASTORE, 4);
                    mv.visitVarInsn(ILOAD, 0);
                    mv.visitJumpInsn(IFEQ, a);
                    mv.visitInsn(NOP);
                    mv.visitLabel(a);
                    mv.visitFrame(F_APPEND, more.length, more, 0, null);
                    mv.visitInsn(RETURN);
                });
            }
        }
        pair("same_locals_1_stack_item", "(IJLjava/lang/String;)V", 3, 8,
                mv -> { Label a = new Label(); mv.visitVarInsn(ALOAD, 3); mv.visitJumpInsn(GOTO, a); mv.visitLabel(a); mv.visitFrame(F_SAME1, 0, null, 1, new Object[] {STR}); insns(mv, POP, RETURN); },
                mv -> { Label a = new Label(); mv.visitVarInsn(ALOAD, 3); mv.visitJumpInsn(GOTO, a); mv.visitLabel(a); mv.visitFrame(F_SAME1, 0, null, 1, new Object[] {INTEGER}); insns(mv, POP, RETURN); });
        for (int stack = 0; stack <= 4; stack++) {
            int n = stack;
            code('?', "a full frame with an int and a long in room for " + n, "(IJLjava/lang/String;)V", n, 4, mv -> {
                Label a = new Label();
                mv.visitJumpInsn(GOTO, a);
                mv.visitFrame(F_FULL, 3, first, 2, new Object[] {INTEGER, LONG});
                mv.visitJumpInsn(GOTO, a);
                mv.visitLabel(a);
                mv.visitFrame(F_FULL, 3, first, 0, NONE);
                mv.visitInsn(RETURN);
            });
        }
        code('-', "a frame with too many locals", "(I)V", 2, 1, mv -> {
            Label a = new Label();
            mv.visitJumpInsn(GOTO, a);
            mv.visitLabel(a);
            frame(mv, INTEGER, TOP);
            mv.visitInsn(RETURN);
        });
    }

    private static void constants() {
        Handle bootstrap = new Handle(H_INVOKESTATIC, "Anywhere", "b", "()V", false);
        Object[] all = {
            1, 1.5f, 2L, 2.5, "text", Type.getObjectType(STR), Type.getObjectType("[[I"), Type.getMethodType("(I)V"), bootstrap,
            new ConstantDynamic("c", "I", bootstrap), new ConstantDynamic("c", "F", bootstrap), new ConstantDynamic("c", "J", bootstrap),
            new ConstantDynamic("c", "D", bootstrap), new ConstantDynamic("c", "Z", bootstrap),
            new ConstantDynamic("c", "Ljava/lang/Runnable;", bootstrap), new ConstantDynamic("c", "[I", bootstrap),
        };
        String[] wanted = {"I", "F", "J", "D", STR, "java/lang/Class", "java/lang/invoke/MethodType", "java/lang/invoke/MethodHandle", "java/lang/Runnable", "[I"};
        for (Object constant : all) {
            String name = constant.getClass().getSimpleName() + " " + constant;
            for (String type : wanted) {
                String d = type.length() == 1 || type.startsWith("[") ? type : "L" + type + ";";
                code('?', "ldc of " + name + " as " + type, "()V", 2, 0, mv -> {
                    mv.visitLdcInsn(constant);
                    mv.visitFieldInsn(PUTSTATIC, "Anywhere", "f", d);
                    mv.visitInsn(RETURN);
                });
            }
        }
        for (String args : new String[] {"", "I", "J", "SI", "IS", "XI"}) {
            code('?', "invokedynamic with " + args, "()V", 4, 0, mv -> {
                pushAll(mv, args);
                mv.visitInvokeDynamicInsn("n", "(Ljava/lang/String;I)J", bootstrap);
                insns(mv, POP2, RETURN);
            });
        }
        code('-', "invokedynamic without room for its result", "()V", 1, 0, mv -> {
            mv.visitInvokeDynamicInsn("n", "()J", bootstrap);
            insns(mv, POP2, RETURN);
        });
        for (String name : new String[] {"<init>", "<clinit>"}) {
            code('-', "invokedynamic of " + name, "()V", 1, 0, mv -> { mv.visitInvokeDynamicInsn(name, "()V", bootstrap); mv.visitInsn(RETURN); });
        }
    }

    private static void arrays() {
        String deep = "[".repeat(254) + "I";
        pair("anewarray of 255 dimensions", "()V", 2, 0,
                mv -> { mv.visitInsn(ICONST_0); mv.visitTypeInsn(ANEWARRAY, deep); insns(mv, POP, RETURN); },
                mv -> { mv.visitInsn(ICONST_0); mv.visitTypeInsn(ANEWARRAY, "[" + deep); insns(mv, POP, RETURN); });
        for (String type : new String[] {"[I", "[[I", "[[[I", "[[[Ljava/lang/String;", STR}) {
            for (int dims = 1; dims <= 4; dims++) {
                for (String given : new String[] {"II", "III", "IIII", "IIF"}) {
                    int n = dims;
                    code('?', "multianewarray of " + type + " by " + n + " with " + given, "()V", 4, 0, mv -> {
                        pushAll(mv, given);
                        mv.visitMultiANewArrayInsn(type, n);
                        mv.visitInsn(RETURN);
                    });
                }
            }
        }
        for (String type : new String[] {STR, "[I", "[Ljava/lang/String;", "NoSuchClass"}) {
            for (char given : "IFAS".toCharArray()) {
                code('?', "anewarray of " + type + " with " + given, "()V", 2, 0, mv -> { push(mv, given); mv.visitTypeInsn(ANEWARRAY, type); insns(mv, POP, RETURN); });
                code('?', "checkcast of " + given + " to " + type, "()V", 2, 0, mv -> { push(mv, given); mv.visitTypeInsn(CHECKCAST, type); insns(mv, POP, RETURN); });
                code('?', "instanceof of " + given + " with " + type, "()V", 2, 0, mv -> { push(mv, given); mv.visitTypeInsn(INSTANCEOF, type); insns(mv, INEG, POP, RETURN); });
            }
        }
        for (int type = T_BOOLEAN; type <= T_LONG; type++) {
            int t = type;
            for (char given : "IFA".toCharArray()) {
                code('?', "newarray " + t + " with " + given, "()V", 3, 0, mv -> { push(mv, given); mv.visitIntInsn(NEWARRAY, t); insns(mv, ICONST_0, BALOAD, POP, RETURN); });
            }
        }
    }

    private static void limits() {
        for (String args : new String[] {"", "I", "J", "IJ"}) {
            for (int less = 0; less < 2; less++) {
                int locals = slots(args) - less;
                if (locals >= 0) {
                    code(less == 0 ? '+' : '-', "arguments " + args + " in " + locals + " locals", "(" + args + ")V", 1, locals, mv -> mv.visitInsn(RETURN));
                }
            }
        }
        for (int stack = 0; stack < 4; stack++) {
            int n = stack;
            for (String pushed : new String[] {"I", "J", "IJ"}) {
                code(n >= slots(pushed) ? '+' : '-', "a stack of " + n + " for " + pushed, "()V", n, 0, mv -> { pushAll(mv, pushed); mv.visitInsn(RETURN); });
            }
        }
    }
}
