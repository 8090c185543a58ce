import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodVisitor;

/**
 * Rules of objects: before and after their constructors, protected members of another package, super
 * calls, fields, arguments of calls.
 */
final class GenRulesObjects extends GenRules {
    private static final String BASE = "vp/RuleBase", MID = "vp/RuleMid", ITF = "vp/RuleItf", SUB = "vp/RuleSubItf";

    static void generate() {
        supports();
        made();
        constructors();
        isProtected();
        special();
        fields();
        calls();
    }

    private static void supports() {
        Asm base = new Asm(BASE).field(ACC_PROTECTED, "f", "I").field(ACC_PROTECTED | ACC_STATIC, "sf", "I");
        base.field(ACC_PUBLIC, "pub", "I").field(ACC_PUBLIC | ACC_STATIC | ACC_FINAL, "fin", "I");
        base.constructor().constant(ACC_PROTECTED, "m", 1).constant(ACC_PROTECTED | ACC_STATIC, "sm", 2).constant(ACC_PUBLIC, "p", 3);
        MethodVisitor mv = base.method(ACC_PROTECTED, "<init>", "(I)V");
        mv.visitVarInsn(ALOAD, 0);
        mv.visitMethodInsn(INVOKESPECIAL, OBJ, "<init>", "()V", false);
        Asm.end(mv, RETURN);
        base.write();
        Asm mid = new Asm(V17, ACC_PUBLIC | ACC_SUPER, MID, BASE).constructor(BASE);
        mid.write();
        Asm itf = new Asm(V17, ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, ITF, OBJ);
        itf.constant(ACC_PUBLIC, "d", 4).constant(ACC_PUBLIC | ACC_STATIC, "s", 5);
        itf.write();
        new Asm(V17, ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, SUB, OBJ, ITF).write();
    }

    private static void newObject(MethodVisitor mv, String type) {
        mv.visitTypeInsn(NEW, type);
    }

    private static void init(MethodVisitor mv, String type) {
        mv.visitMethodInsn(INVOKESPECIAL, type, "<init>", "()V", false);
    }

    /** What may be done with an object whose constructor has not run. */
    private static void made() {
        pair("a new object is used after its constructor", "()V", 4, 2,
                mv -> { newObject(mv, OBJ); mv.visitInsn(DUP); init(mv, OBJ); mv.visitMethodInsn(INVOKEVIRTUAL, OBJ, "hashCode", "()I", false); insns(mv, POP, RETURN); },
                mv -> { newObject(mv, OBJ); mv.visitInsn(DUP); mv.visitMethodInsn(INVOKEVIRTUAL, OBJ, "hashCode", "()I", false); insns(mv, POP, POP, RETURN); });
        pair("the constructor is that of the class", "()V", 4, 2,
                mv -> { newObject(mv, MID); init(mv, MID); mv.visitInsn(RETURN); },
                mv -> { newObject(mv, MID); init(mv, BASE); mv.visitInsn(RETURN); });
        pair("a constructor runs once", "()V", 4, 2,
                mv -> { newObject(mv, OBJ); init(mv, OBJ); mv.visitInsn(RETURN); },
                mv -> { newObject(mv, OBJ); insns(mv, DUP, DUP); init(mv, OBJ); init(mv, OBJ); insns(mv, POP, RETURN); });
        pair("a constructor needs a new object", "(Ljava/lang/Object;)V", 4, 2,
                mv -> { newObject(mv, OBJ); init(mv, OBJ); mv.visitInsn(RETURN); },
                mv -> { mv.visitVarInsn(ALOAD, 0); init(mv, OBJ); mv.visitInsn(RETURN); });
        code('-', "a constructor of null", "()V", 4, 2, mv -> { mv.visitInsn(ACONST_NULL); init(mv, OBJ); mv.visitInsn(RETURN); });
        code('+', "copies of a new object become it", "()V", 4, 3, mv -> {
            newObject(mv, STR);
            insns(mv, DUP, DUP);
            mv.visitVarInsn(ASTORE, 1);
            init(mv, STR);
            mv.visitMethodInsn(INVOKEVIRTUAL, STR, "length", "()I", false);
            mv.visitInsn(POP);
            mv.visitVarInsn(ALOAD, 1);
            mv.visitMethodInsn(INVOKEVIRTUAL, STR, "length", "()I", false);
            insns(mv, POP, RETURN);
        });
        code('-', "two new objects are two", "()V", 4, 3, mv -> {
            newObject(mv, OBJ);
            newObject(mv, OBJ);
            init(mv, OBJ);
            mv.visitMethodInsn(INVOKEVIRTUAL, OBJ, "hashCode", "()I", false);
            insns(mv, POP, RETURN);
        });
        code('-', "new of an array class", "()V", 4, 3, mv -> { newObject(mv, "[I"); insns(mv, POP, RETURN); });
        use("astore", mv -> mv.visitVarInsn(ASTORE, 0));
        use("areturn", mv -> mv.visitInsn(ARETURN));
        use("athrow", mv -> mv.visitInsn(ATHROW));
        use("checkcast", mv -> { mv.visitTypeInsn(CHECKCAST, OBJ); mv.visitInsn(POP); });
        use("instanceof", mv -> { mv.visitTypeInsn(INSTANCEOF, OBJ); mv.visitInsn(POP); });
        use("monitorenter", mv -> mv.visitInsn(MONITORENTER));
        use("arraylength", mv -> insns(mv, ARRAYLENGTH, POP));
        use("getfield", mv -> { mv.visitFieldInsn(GETFIELD, BASE, "pub", "I"); mv.visitInsn(POP); });
        use("putfield into", mv -> { mv.visitInsn(ICONST_1); mv.visitFieldInsn(PUTFIELD, BASE, "pub", "I"); });
        use("putstatic", mv -> mv.visitFieldInsn(PUTSTATIC, "Anywhere", "f", "Ljava/lang/Object;"));
        use("invokestatic", mv -> mv.visitMethodInsn(INVOKESTATIC, "Anywhere", "f", "(Ljava/lang/Object;)V", false));
        use("invokeinterface", mv -> mv.visitMethodInsn(INVOKEINTERFACE, "java/lang/Runnable", "run", "()V", true));
        for (char done : "+-".toCharArray()) {
            code('?', "a new object over a backward branch " + done, "(I)V", 4, 3, mv -> {
                Label again = new Label(), made = new Label();
                mv.visitLabel(made);
                newObject(mv, OBJ);
                mv.visitVarInsn(ASTORE, 1);
                mv.visitLabel(again);
                mv.visitFrame(F_NEW, 2, new Object[] {INTEGER, made}, 0, new Object[0]);
                if (done == '+') {
                    mv.visitVarInsn(ALOAD, 1);
                    init(mv, OBJ);
                }
                mv.visitVarInsn(ILOAD, 0);
                mv.visitJumpInsn(IFEQ, again);
                mv.visitInsn(RETURN);
            });
        }
        code('-', "a new object made again in a loop", "(I)V", 4, 3, mv -> {
            Label again = new Label(), made = new Label();
            mv.visitInsn(ACONST_NULL);
            mv.visitVarInsn(ASTORE, 1);
            mv.visitLabel(made);
            mv.visitFrame(F_NEW, 2, new Object[] {INTEGER, made}, 0, new Object[0]);
            newObject(mv, OBJ);
            mv.visitVarInsn(ASTORE, 1);
            mv.visitJumpInsn(GOTO, made);
        });
        code('-', "a frame names an instruction that makes no object", "(I)V", 4, 3, mv -> {
            Label made = new Label(), l = new Label();
            mv.visitLabel(made);
            mv.visitVarInsn(ILOAD, 0);
            mv.visitJumpInsn(IFEQ, l);
            mv.visitInsn(RETURN);
            mv.visitLabel(l);
            mv.visitFrame(F_NEW, 2, new Object[] {INTEGER, made}, 0, new Object[0]);
            mv.visitInsn(RETURN);
        });
    }

    private static void use(String what, Code c) {
        code('?', what + " of a new object", "()Ljava/lang/Object;", 4, 1, mv -> {
            newObject(mv, BASE);
            c.accept(mv);
            insns(mv, ACONST_NULL, ARETURN);
        });
    }

    private static void constructor(char verdict, String rule, String superName, int stack, Code c) {
        type(verdict, rule, superName, w -> {
            w.visitField(ACC_PRIVATE, "own", "I", null, null).visitEnd();
            method(w, ACC_PUBLIC, "<init>", "()V", stack, 3, c);
        });
    }

    private static void constructors() {
        Code callSuper = mv -> { mv.visitVarInsn(ALOAD, 0); init(mv, BASE); };
        constructor('+', "a constructor calls super", BASE, 3, mv -> { callSuper.accept(mv); mv.visitInsn(RETURN); });
        constructor('-', "a constructor calls nothing", BASE, 3, mv -> mv.visitInsn(RETURN));
        constructor('-', "a constructor calls super twice", BASE, 3, mv -> { callSuper.accept(mv); callSuper.accept(mv); mv.visitInsn(RETURN); });
        constructor('-', "a constructor calls that of the superclass's superclass", BASE, 3, mv -> { mv.visitVarInsn(ALOAD, 0); init(mv, OBJ); mv.visitInsn(RETURN); });
        constructor('-', "a constructor calls that of an unrelated class", BASE, 3, mv -> { mv.visitVarInsn(ALOAD, 0); init(mv, STR); mv.visitInsn(RETURN); });
        String own = next();
        constructor('+', "a constructor calls this", BASE, 3, mv -> { mv.visitVarInsn(ALOAD, 0); init(mv, own); mv.visitInsn(RETURN); });
        constructor('+', "a constructor never returns", BASE, 3, mv -> { mv.visitInsn(ACONST_NULL); mv.visitInsn(ATHROW); });
        String set = next();
        constructor('+', "a constructor sets its own field before super", BASE, 3, mv -> {
            mv.visitVarInsn(ALOAD, 0);
            mv.visitInsn(ICONST_1);
            mv.visitFieldInsn(PUTFIELD, set, "own", "I");
            callSuper.accept(mv);
            mv.visitInsn(RETURN);
        });
        for (String holder : new String[] {null, BASE}) {
            String h = holder == null ? next() : holder;
            constructor('-', "a constructor sets an inherited field before super, named through " + (holder == null ? "this" : "super"), BASE, 3, mv -> {
                mv.visitVarInsn(ALOAD, 0);
                mv.visitInsn(ICONST_1);
                mv.visitFieldInsn(PUTFIELD, h, "pub", "I");
                callSuper.accept(mv);
                mv.visitInsn(RETURN);
            });
        }
        String get = next();
        constructor('-', "a constructor reads its own field before super", BASE, 3, mv -> {
            mv.visitVarInsn(ALOAD, 0);
            mv.visitFieldInsn(GETFIELD, get, "own", "I");
            mv.visitInsn(POP);
            callSuper.accept(mv);
            mv.visitInsn(RETURN);
        });
        constructor('-', "a constructor calls a method before super", BASE, 3, mv -> {
            mv.visitVarInsn(ALOAD, 0);
            mv.visitMethodInsn(INVOKEVIRTUAL, BASE, "p", "()I", false);
            mv.visitInsn(POP);
            callSuper.accept(mv);
            mv.visitInsn(RETURN);
        });
        constructor('-', "a constructor hands this out before super", BASE, 3, mv -> {
            mv.visitVarInsn(ALOAD, 0);
            mv.visitMethodInsn(INVOKESTATIC, "Anywhere", "f", "(Ljava/lang/Object;)V", false);
            callSuper.accept(mv);
            mv.visitInsn(RETURN);
        });
        // A branch around the call: the frame behind must still say that this is not complete.
        for (char kind : "+-?".toCharArray()) {
            constructor(kind == '+' ? '+' : '-', "a branch around the call of super " + kind, BASE, 3, mv -> {
                Label l = new Label(), end = new Label();
                mv.visitInsn(ICONST_0);
                mv.visitJumpInsn(IFEQ, l);
                callSuper.accept(mv);
                mv.visitInsn(RETURN);
                mv.visitLabel(l);
                mv.visitFrame(F_NEW, 1, new Object[] {kind == '?' ? next() : UNINITIALIZED_THIS}, 0, new Object[0]);
                if (kind == '+') {
                    callSuper.accept(mv);
                }
                mv.visitInsn(RETURN);
            });
        }
        constructor('-', "a frame forgets that this is not complete", BASE, 3, mv -> {
            Label l = new Label();
            mv.visitInsn(ICONST_0);
            mv.visitJumpInsn(IFEQ, l);
            callSuper.accept(mv);
            mv.visitInsn(RETURN);
            mv.visitLabel(l);
            mv.visitFrame(F_NEW, 1, new Object[] {TOP}, 0, new Object[0]);
            mv.visitInsn(RETURN);
        });
        for (String end : new String[] {"throws", "returns", "loops", "jumps to a return"}) {
            for (String where : new String[] {"before", "in", "alone in", "behind", "in another one behind"}) {
                for (Object held : new Object[] {TOP, UNINITIALIZED_THIS}) {
                    String rule = "super " + where + " a try block whose handler " + end + " and holds " + held;
                    constructor('?', rule, BASE, 3, mv -> superAndTry(mv, where, end, held));
                }
            }
        }
        type('-', "a method other than a constructor calls super's", BASE, w ->
                method(w, ACC_PUBLIC, "m2", "()V", 3, 3, mv -> { callSuper.accept(mv); mv.visitInsn(RETURN); }));
    }

    private static void superAndTry(MethodVisitor mv, String where, String end, Object held) {
        Label from = new Label(), to = new Label(), handler = new Label(), out = new Label(), last = new Label(), thrower = new Label();
        mv.visitTryCatchBlock(from, to, handler, null);
        if (where.startsWith("in another")) {
            mv.visitTryCatchBlock(to, last, thrower, null);
        }
        mv.visitVarInsn(ALOAD, 0);
        if (where.equals("before")) {
            init(mv, BASE);
        }
        mv.visitLabel(from);
        if (!where.equals("alone in")) {
            mv.visitInsn(NOP);
        }
        if (where.equals("in") || where.equals("alone in")) {
            init(mv, BASE);
        }
        mv.visitLabel(to);
        if (where.endsWith("behind")) {
            init(mv, BASE);
            mv.visitLabel(last);
        }
        mv.visitInsn(RETURN);
        mv.visitLabel(handler);
        mv.visitFrame(F_NEW, 1, new Object[] {held}, 1, new Object[] {"java/lang/Throwable"});
        switch (end) {
            case "throws" -> mv.visitInsn(ATHROW);
            case "returns" -> insns(mv, POP, RETURN);
            case "loops" -> mv.visitJumpInsn(GOTO, handler);
            default -> {
                mv.visitInsn(POP);
                mv.visitJumpInsn(GOTO, out);
                mv.visitLabel(out);
                mv.visitFrame(F_NEW, 1, new Object[] {held}, 0, new Object[0]);
                mv.visitInsn(RETURN);
            }
        }
        if (where.startsWith("in another")) {
            mv.visitLabel(thrower);
            mv.visitFrame(F_NEW, 1, new Object[] {held}, 1, new Object[] {"java/lang/Throwable"});
            mv.visitInsn(ATHROW);
        }
    }

    private interface Access {
        void accept(MethodVisitor mv, String self);
    }

    /** One static method of a subclass in another package, with an argument of each relation. */
    private static void member(String what, Access c) {
        for (String receiver : new String[] {"self", "sub", BASE, MID, OBJ, "null", "array"}) {
            String self = next();
            type('?', what + " through " + receiver, BASE, w -> {
                String type = receiver.equals("self") ? self : receiver.equals("array") ? "[I" : receiver.equals("null") ? OBJ : receiver;
                String descriptor = "(" + (type.startsWith("[") ? type : "L" + type.replace("sub", "RuleUnknown") + ";") + ")V";
                method(w, ACC_PUBLIC | ACC_STATIC, "t", descriptor, 4, 1, mv -> {
                    if (receiver.equals("null")) {
                        mv.visitInsn(ACONST_NULL);
                    } else {
                        mv.visitVarInsn(ALOAD, 0);
                    }
                    c.accept(mv, self);
                    mv.visitInsn(RETURN);
                });
            });
        }
    }

    private static void isProtected() {
        for (String holder : new String[] {null, BASE}) {
            String by = holder == null ? "this" : "super";
            member("getfield of a protected field named through " + by, (mv, self) -> { mv.visitFieldInsn(GETFIELD, holder == null ? self : holder, "f", "I"); mv.visitInsn(POP); });
            member("putfield of a protected field named through " + by, (mv, self) -> { mv.visitInsn(ICONST_1); mv.visitFieldInsn(PUTFIELD, holder == null ? self : holder, "f", "I"); });
            member("a protected call named through " + by, (mv, self) -> { mv.visitMethodInsn(INVOKEVIRTUAL, holder == null ? self : holder, "m", "()I", false); mv.visitInsn(POP); });
            member("a protected static call named through " + by, (mv, self) -> { mv.visitInsn(POP); mv.visitMethodInsn(INVOKESTATIC, holder == null ? self : holder, "sm", "()I", false); mv.visitInsn(POP); });
            member("a public call named through " + by, (mv, self) -> { mv.visitMethodInsn(INVOKEVIRTUAL, holder == null ? self : holder, "p", "()I", false); mv.visitInsn(POP); });
            member("getfield of a public field named through " + by, (mv, self) -> { mv.visitFieldInsn(GETFIELD, holder == null ? self : holder, "pub", "I"); mv.visitInsn(POP); });
        }
        member("clone of Object", (mv, self) -> { mv.visitMethodInsn(INVOKEVIRTUAL, OBJ, "clone", "()Ljava/lang/Object;", false); mv.visitInsn(POP); });
        member("clone of an array", (mv, self) -> { mv.visitMethodInsn(INVOKEVIRTUAL, "[I", "clone", "()Ljava/lang/Object;", false); mv.visitInsn(POP); });
        for (String init : new String[] {"()V", "(I)V"}) {
            type(init.equals("()V") ? '+' : '-', "new of a superclass by " + init, BASE, w ->
                    method(w, ACC_PUBLIC | ACC_STATIC, "t", "()V", 4, 1, mv -> {
                        newObject(mv, BASE);
                        if (init.equals("(I)V")) {
                            mv.visitInsn(ICONST_1);
                        }
                        mv.visitMethodInsn(INVOKESPECIAL, BASE, "<init>", init, false);
                        mv.visitInsn(RETURN);
                    }));
            constructor('+', "super by " + init, BASE, 3, mv -> {
                mv.visitVarInsn(ALOAD, 0);
                if (init.equals("(I)V")) {
                    mv.visitInsn(ICONST_1);
                }
                mv.visitMethodInsn(INVOKESPECIAL, BASE, "<init>", init, false);
                mv.visitInsn(RETURN);
            });
        }
    }

    /** invokespecial of a method that is no constructor, in a class that has these supers. */
    private static void special(char verdict, String rule, String holder, String name, boolean itf, String receiver, String... interfaces) {
        String self = next();
        String type = receiver == null ? self : receiver;
        add(verdict, "invokespecial of " + rule, type(V17, ACC_PUBLIC | ACC_SUPER, MID, interfaces, w -> {
            method(w, ACC_PRIVATE, "own", "()I", 1, 1, mv -> insns(mv, ICONST_1, IRETURN));
            method(w, ACC_PUBLIC, "t", "(L" + type + ";)I", 3, 2, mv -> {
                mv.visitVarInsn(ALOAD, 1);
                mv.visitMethodInsn(INVOKESPECIAL, holder == null ? self : holder, name, "()I", itf);
                mv.visitInsn(IRETURN);
            });
        }));
    }

    private static void special() {
        special('+', "its own", null, "own", false, null);
        special('+', "the superclass's", MID, "p", false, null);
        special('+', "the superclass's superclass's", BASE, "p", false, null);
        special('-', "the superclass's on a superclass", BASE, "p", false, BASE);
        special('-', "the superclass's on an Object", BASE, "p", false, OBJ);
        special('-', "an unrelated class's", STR, "length", false, null);
        special('+', "a direct superinterface's", ITF, "d", true, null, ITF);
        special('-', "an indirect superinterface's", ITF, "d", true, null, SUB);
        special('+', "an indirect superinterface's named through the direct one", SUB, "d", true, null, SUB);
        special('-', "an interface's that is no superinterface", ITF, "d", true, null);
        special('-', "a direct superinterface's on the interface", ITF, "d", true, ITF, ITF);
        special('?', "an indirect superinterface's as a class's", ITF, "d", false, null, SUB);
        special('-', "<clinit>", null, "<clinit>", false, null);
        for (int op : new int[] {INVOKEVIRTUAL, INVOKESTATIC, INVOKESPECIAL}) {
            for (String name : new String[] {"<init>", "<clinit>"}) {
                code('?', name + " by instruction " + op, "()V", 2, 1, mv -> {
                    newObject(mv, OBJ);
                    mv.visitMethodInsn(op, OBJ, name, "()V", false);
                    mv.visitInsn(RETURN);
                });
            }
        }
    }

    private static void fields() {
        String[] types = {"Z", "B", "C", "S", "I", "F", "J", "D", "Ljava/lang/Object;", "Ljava/lang/String;", "Ljava/lang/Runnable;", "[I", "[Ljava/lang/String;"};
        for (String type : types) {
            for (char given : "IFJDASX".toCharArray()) {
                code('?', "putstatic of " + given + " into " + type, "()V", 4, 1, mv -> {
                    push(mv, given);
                    mv.visitFieldInsn(PUTSTATIC, "Anywhere", "f", type);
                    mv.visitInsn(RETURN);
                });
                code('?', "putfield of " + given + " into " + type, "(LAnywhere;)V", 4, 1, mv -> {
                    mv.visitVarInsn(ALOAD, 0);
                    push(mv, given);
                    mv.visitFieldInsn(PUTFIELD, "Anywhere", "f", type);
                    mv.visitInsn(RETURN);
                });
            }
            char kind = type.length() > 1 ? 'A' : "ZBCS".contains(type) ? 'I' : type.charAt(0);
            pair("getstatic of " + type, "()V", slots(kind), 1,
                    mv -> { mv.visitFieldInsn(GETSTATIC, "Anywhere", "f", type); mv.visitInsn(slots(kind) == 2 ? POP2 : POP); mv.visitInsn(RETURN); },
                    mv -> { mv.visitFieldInsn(GETSTATIC, "Anywhere", "f", type); mv.visitInsn(slots(kind) == 2 ? POP : POP2); mv.visitInsn(RETURN); });
        }
        pair("getfield needs the holder", "(Ljava/lang/String;Ljava/lang/Object;)V", 3, 2,
                mv -> { mv.visitVarInsn(ALOAD, 0); mv.visitFieldInsn(GETFIELD, STR, "hash", "I"); insns(mv, POP, RETURN); },
                mv -> { mv.visitVarInsn(ALOAD, 1); mv.visitFieldInsn(GETFIELD, STR, "hash", "I"); insns(mv, POP, RETURN); });
        for (int op = GETSTATIC; op <= PUTFIELD; op++) {
            int code = op;
            code('?', "field instruction " + op + " of an array class", "([I)V", 3, 2, mv -> {
                if (code >= GETFIELD) {
                    mv.visitVarInsn(ALOAD, 0);
                }
                if (code == PUTSTATIC || code == PUTFIELD) {
                    mv.visitInsn(ICONST_0);
                }
                mv.visitFieldInsn(code, "[I", "length", "I");
                mv.visitInsn(RETURN);
            });
        }
        // Final fields are judged when the instruction runs: the class initializer is that run.
        for (String at : new String[] {"<clinit>", "other"}) {
            String self = next();
            type(at.equals("<clinit>") ? '+' : '-', "a static final field is set in " + at, OBJ, w -> {
                w.visitField(ACC_STATIC | ACC_FINAL, "fin", "I", null, null).visitEnd();
                method(w, ACC_STATIC, at, "()V", 1, 0, mv -> { mv.visitInsn(ICONST_1); mv.visitFieldInsn(PUTSTATIC, self, "fin", "I"); mv.visitInsn(RETURN); });
                if (at.equals("other")) {
                    method(w, ACC_STATIC, "<clinit>", "()V", 1, 0, mv -> { mv.visitMethodInsn(INVOKESTATIC, self, "other", "()V", false); mv.visitInsn(RETURN); });
                }
            });
        }
        for (String field : new String[] {"sf", "fin"}) {
            type(field.equals("sf") ? '+' : '-', "the superclass's static field " + field + " is set", BASE, w ->
                    method(w, ACC_STATIC, "<clinit>", "()V", 1, 0, mv -> { mv.visitInsn(ICONST_1); mv.visitFieldInsn(PUTSTATIC, BASE, field, "I"); mv.visitInsn(RETURN); }));
        }
    }

    private static void calls() {
        for (int op : new int[] {INVOKESTATIC, INVOKEVIRTUAL, INVOKEINTERFACE, INVOKESPECIAL}) {
            for (String args : new String[] {"", "I", "F", "J", "S", "A", "IJ", "JI", "SIJ", "IIJ"}) {
                String holder = op == INVOKESPECIAL ? null : op == INVOKEINTERFACE ? "java/lang/Runnable" : "Anywhere";
                String self = next();
                type('?', "instruction " + op + " with " + args, OBJ, w ->
                        method(w, ACC_PUBLIC, "m", "(LAnywhere;)V", 8, 2, mv -> {
                            if (op != INVOKESTATIC) {
                                mv.visitVarInsn(ALOAD, op == INVOKESPECIAL ? 0 : 1);
                            }
                            pushAll(mv, args);
                            mv.visitMethodInsn(op, holder == null ? self : holder, "n", "(IJ)V", op == INVOKEINTERFACE);
                            mv.visitInsn(RETURN);
                        }));
            }
        }
        for (String receiver : new String[] {OBJ, STR, "java/lang/Runnable", "[I", "I", "null"}) {
            String descriptor = receiver.length() == 1 || receiver.startsWith("[") ? receiver : "L" + receiver.replace("null", OBJ) + ";";
            for (String holder : new String[] {OBJ, STR, "java/lang/Runnable", "java/lang/Cloneable", "[I", "[Ljava/lang/Object;"}) {
                boolean itf = holder.equals("java/lang/Runnable") || holder.equals("java/lang/Cloneable");
                code('?', "a call on " + receiver + " of " + holder, "(" + descriptor + ")V", 4, 1, mv -> {
                    if (receiver.equals("null")) {
                        mv.visitInsn(ACONST_NULL);
                    } else {
                        mv.visitVarInsn(receiver.equals("I") ? ILOAD : ALOAD, 0);
                    }
                    mv.visitMethodInsn(itf ? INVOKEINTERFACE : INVOKEVIRTUAL, holder, "hashCode", "()I", itf);
                    insns(mv, POP, RETURN);
                });
            }
        }
    }
}
