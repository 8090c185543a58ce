import jdk.internal.org.objectweb.asm.Handle;
import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;
import jdk.internal.org.objectweb.asm.Type;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * One method body: random statements over typed locals. Invariant: every local has one static type
 * for the whole method and is assigned at its start; a value that reaches a merge has been cast to
 * that type; each loop iteration and each call burns fuel, so every program ends.
 */
final class Body implements Opcodes {
    static final String STRING = "Ljava/lang/String;";
    static final String OBJECT = "Ljava/lang/Object;";
    private static final String[] REF_ARRAYS = {"[I", "[J", "[D", "[B", "[C", "[F", "[S", "[" + OBJECT};

    private final Program p;
    private final Random r;
    private final MethodVisitor mv;
    final int index;
    final boolean inSub;
    final boolean isStatic;
    private final String result;
    private final Control control;
    private final References references;
    final Calls calls;
    /** Type and slot of each local; loop counters are not among them. */
    private final List<String> types = new ArrayList<>();
    private final List<Integer> slots = new ArrayList<>();
    final List<Integer> counters = new ArrayList<>();
    final List<Label> breaks = new ArrayList<>();
    private int nextSlot;
    private int line = 1;
    /** Statements that may come still. */
    int budget;

    Body(Program p, Random r, MethodVisitor mv, int index, boolean inSub, boolean isStatic, String[] params, String result) {
        this.p = p;
        this.r = r;
        this.mv = mv;
        this.index = index;
        this.inSub = inSub;
        this.isStatic = isStatic;
        this.result = result;
        control = new Control(this, p, r, mv);
        references = new References(this, p, r, mv);
        calls = new Calls(this, p, r, mv);
        nextSlot = isStatic ? 0 : 1;
        for (String t : params) local(t);
        budget = 30 + r.nextInt(50);
    }

    private int local(String type) {
        types.add(type);
        slots.add(nextSlot);
        int slot = nextSlot;
        nextSlot += Type.getType(type).getSize();
        return slot;
    }

    int scratch(int size) {
        int slot = nextSlot;
        nextSlot += size;
        return slot;
    }

    void generate() {
        mv.visitCode();
        mark();
        burn(null);
        if (index == 0) fillFields();
        int n = 3 + r.nextInt(6);
        for (int i = 0; i < n; i++) {
            String t = p.anyType(r);
            expr(t, 0);
            mv.visitVarInsn(Type.getType(t).getOpcode(ISTORE), local(t));
        }
        // Exceptions are frequent: most programs are to outlive theirs.
        while (budget > 0) {
            if (index == 0 || r.nextInt(4) == 0) control.attempt(0);
            else statement(0);
        }
        mark();
        expr(result, index == 0 ? 0 : 2);
        mv.visitInsn(Type.getType(result).getOpcode(IRETURN));
        mv.visitMaxs(0, 0);
        mv.visitEnd();
    }

    /** Most static references start as something. */
    private void fillFields() {
        for (String t : REF_ARRAYS) {
            if (r.nextInt(5) == 0) continue;
            references.fresh(t);
            mv.visitFieldInsn(PUTSTATIC, p.name, p.fieldOf(t, true).name(), t);
        }
        mv.visitTypeInsn(NEW, p.name + "S");
        mv.visitInsn(DUP);
        mv.visitMethodInsn(INVOKESPECIAL, p.name + "S", "<init>", "()V", false);
        mv.visitFieldInsn(PUTSTATIC, p.name, p.fieldOf(p.type, true).name(), p.type);
    }

    void mark() {
        Label l = new Label();
        mv.visitLabel(l);
        mv.visitLineNumber(line++, l);
    }

    /** One unit of fuel; without any the method returns, or the loop ends. */
    void burn(Label out) {
        Label go = new Label();
        mv.visitFieldInsn(GETSTATIC, p.name, "fuel", "I");
        mv.visitInsn(ICONST_1);
        mv.visitInsn(ISUB);
        mv.visitInsn(DUP);
        mv.visitFieldInsn(PUTSTATIC, p.name, "fuel", "I");
        if (out != null) {
            mv.visitJumpInsn(IFLT, out);
            return;
        }
        mv.visitJumpInsn(IFGE, go);
        references.constant(result);
        mv.visitInsn(Type.getType(result).getOpcode(IRETURN));
        mv.visitLabel(go);
    }

    void statement(int depth) {
        budget--;
        mark();
        switch (r.nextInt(depth > 3 ? 9 : 19)) {
            case 0, 1 -> assignLocal();
            case 2 -> {
                Program.Field f = p.anyField(r, true);
                expr(f.type(), 3);
                narrow(f.type());
                mv.visitFieldInsn(PUTSTATIC, p.name, f.name(), f.type());
            }
            case 3 -> {
                Program.Field f = p.anyField(r, false);
                self(1);
                expr(f.type(), 3);
                narrow(f.type());
                mv.visitFieldInsn(PUTFIELD, p.name, f.name(), f.type());
            }
            case 4 -> arrayStore();
            case 5 -> compound();
            case 6 -> {
                int i = anyLocal("I");
                if (i >= 0) mv.visitIincInsn(i, r.nextInt(400) - 200);
                else mix();
            }
            case 7 -> mix();
            case 8 -> {
                if (!calls.call(depth)) mix();
            }
            case 9, 10 -> control.branch(depth);
            case 11, 12 -> control.loop(depth);
            case 13 -> control.choose(depth);
            case 14, 15 -> control.attempt(depth);
            case 16 -> control.conditionalThrow();
            case 17 -> control.locked(depth);
            default -> {
                if (breaks.isEmpty()) text();
                else {
                    control.condition(2);
                    mv.visitJumpInsn(IFNE, breaks.get(r.nextInt(breaks.size())));
                }
            }
        }
    }

    void block(int depth) {
        int n = 1 + r.nextInt(3);
        for (int i = 0; i < n && budget > 0; i++) statement(depth + 1);
    }

    private int anyLocal(String type) {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) if (types.get(i).equals(type)) found.add(slots.get(i));
        return found.isEmpty() ? -1 : found.get(r.nextInt(found.size()));
    }

    private void assignLocal() {
        if (types.isEmpty()) return;
        int i = r.nextInt(types.size());
        String t = types.get(i);
        expr(t, 4);
        narrow(t);
        mv.visitVarInsn(Type.getType(t).getOpcode(ISTORE), slots.get(i));
    }

    /** What the verifier does not ask for and the Java language does: small types hold small values. */
    void narrow(String t) {
        switch (t) {
            case "B" -> mv.visitInsn(I2B);
            case "S" -> mv.visitInsn(I2S);
            case "C" -> mv.visitInsn(I2C);
            case "Z" -> {
                mv.visitInsn(ICONST_1);
                mv.visitInsn(IAND);
            }
            default -> {}
        }
    }

    static String element(String array) {
        return array.substring(1);
    }

    private void indexed(String array) {
        expr(array, 1);
        expr("I", 2);
        if (r.nextInt(8) != 0) {
            mv.visitIntInsn(BIPUSH, 7);
            mv.visitInsn(IAND);
        }
    }

    private void arrayStore() {
        String a = REF_ARRAYS[r.nextInt(REF_ARRAYS.length)];
        indexed(a);
        expr(element(a).equals(OBJECT) ? p.anyRef(r) : element(a), 3);
        mv.visitInsn(Type.getType(element(a)).getOpcode(IASTORE));
    }

    /** array[i] op= e and friends, through the stack forms that javac uses. */
    private void compound() {
        switch (r.nextInt(4)) {
            case 0 -> {
                String a = r.nextBoolean() ? "[I" : "[J";
                indexed(a);
                mv.visitInsn(DUP2);
                mv.visitInsn(a.equals("[I") ? IALOAD : LALOAD);
                expr(element(a), 2);
                mv.visitInsn(a.equals("[I") ? IADD : LXOR);
                mv.visitInsn(a.equals("[I") ? DUP_X2 : DUP2_X2);
                mv.visitInsn(a.equals("[I") ? IASTORE : LASTORE);
                mixTop(element(a));
            }
            case 1 -> {
                Program.Field f = p.fieldOf(r.nextBoolean() ? "I" : "J", false);
                self(1);
                mv.visitInsn(DUP);
                mv.visitFieldInsn(GETFIELD, p.name, f.name(), f.type());
                expr(f.type(), 2);
                boolean wide = f.type().equals("J");
                mv.visitInsn(wide ? LSUB : ISUB);
                mv.visitInsn(wide ? DUP2_X1 : DUP_X1);
                mv.visitFieldInsn(PUTFIELD, p.name, f.name(), f.type());
                mixTop(f.type());
            }
            case 2 -> {
                expr("I", 2);
                expr("I", 2);
                mv.visitInsn(SWAP);
                mv.visitInsn(ISUB);
                mixTop("I");
            }
            default -> {
                expr("I", 1);
                expr("I", 1);
                expr("I", 1);
                mv.visitInsn(DUP2_X1);
                mv.visitInsn(IADD);
                mv.visitInsn(IMUL);
                mv.visitInsn(IXOR);
                mv.visitInsn(IOR);
                mixTop("I");
            }
        }
    }

    /** checksum = checksum * 31 + what is on the stack. */
    void mixTop(String t) {
        switch (t) {
            case "I" -> mv.visitInsn(I2L);
            case "J" -> {}
            case "F" -> {
                mv.visitMethodInsn(INVOKESTATIC, "java/lang/Float", "floatToIntBits", "(F)I", false);
                mv.visitInsn(I2L);
            }
            default -> mv.visitMethodInsn(INVOKESTATIC, "java/lang/Double", "doubleToLongBits", "(D)J", false);
        }
        mv.visitFieldInsn(GETSTATIC, p.name, "checksum", "J");
        mv.visitLdcInsn(31L);
        mv.visitInsn(LMUL);
        mv.visitInsn(LADD);
        mv.visitFieldInsn(PUTSTATIC, p.name, "checksum", "J");
    }

    private void mix() {
        String t = p.number(r);
        expr(t, 4);
        mixTop(t);
    }

    private void text() {
        Program.Field f = p.fieldOf(STRING, true);
        expr(STRING, 2);
        expr("I", 2);
        if (p.usesIndy) {
            Handle bsm = new Handle(H_INVOKESTATIC, "java/lang/invoke/StringConcatFactory", "makeConcatWithConstants",
                "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/String;"
                    + "[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;", false);
            mv.visitInvokeDynamicInsn("makeConcatWithConstants", "(" + STRING + "I)" + STRING, bsm, "<\1,\1>");
        } else {
            mv.visitMethodInsn(INVOKESTATIC, "java/lang/String", "valueOf", "(I)" + STRING, false);
            mv.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "concat", "(" + STRING + ")" + STRING, false);
        }
        mv.visitMethodInsn(INVOKESTATIC, "Run", "cut", "(" + STRING + ")" + STRING, false);
        mv.visitFieldInsn(PUTSTATIC, p.name, f.name(), f.type());
    }

    /** An object of the program's own class, null now and then. */
    void self(int depth) {
        if (!isStatic && r.nextInt(3) != 0) {
            mv.visitVarInsn(ALOAD, 0);
            if (inSub) mv.visitTypeInsn(CHECKCAST, p.name);
        } else {
            expr(p.type, depth);
        }
    }

    static String internal(String t) {
        return t.startsWith("L") ? t.substring(1, t.length() - 1) : t;
    }

    /** Leaves a value of type {@code t} on the stack. */
    void expr(String t, int depth) {
        switch (t) {
            case "I", "B", "S", "C", "Z" -> {
                new Numbers(this, p, r, mv).ints(t, depth);
                if (!t.equals("I")) narrow(t);
            }
            case "J" -> new Numbers(this, p, r, mv).longs(depth);
            case "F" -> new Numbers(this, p, r, mv).floats(depth);
            case "D" -> new Numbers(this, p, r, mv).doubles(depth);
            default -> references.reference(t, depth);
        }
    }

    void operand(String t, int depth) {
        expr(t, Math.max(depth, 0));
    }

    /** Loads something of the type that exists already, or a constant. */
    void leaf(String t) {
        int slot = anyLocal(t);
        int choice = r.nextInt(6);
        if (choice < 3 && slot >= 0) {
            mv.visitVarInsn(Type.getType(t).getOpcode(ILOAD), slot);
        } else if (choice == 3 && t.equals("I") && !counters.isEmpty()) {
            mv.visitVarInsn(ILOAD, counters.get(r.nextInt(counters.size())));
        } else if (choice <= 4 && p.fieldOf(t, true) != null) {
            Program.Field f = p.fieldOf(t, true);
            mv.visitFieldInsn(GETSTATIC, p.name, f.name(), t);
        } else {
            references.constant(t);
        }
    }

    void instanceField(String t) {
        Program.Field f = p.fieldOf(t, false);
        if (f == null) {
            leaf(t);
            return;
        }
        self(1);
        mv.visitFieldInsn(GETFIELD, p.name, f.name(), t);
    }

    void element(String array, int depth) {
        expr(array, Math.min(depth, 1));
        expr("I", Math.max(depth - 1, 0));
        if (r.nextInt(10) != 0) {
            mv.visitIntInsn(BIPUSH, 7);
            mv.visitInsn(IAND);
        }
        mv.visitInsn(Type.getType(element(array)).getOpcode(IALOAD));
    }

    /** condition ? a : b */
    void conditional(String t, int depth) {
        Label other = new Label();
        Label end = new Label();
        control.condition(0);
        mv.visitJumpInsn(IFEQ, other);
        expr(t, depth - 1);
        references.merge(t);
        mv.visitJumpInsn(GOTO, end);
        mv.visitLabel(other);
        expr(t, depth - 1);
        references.merge(t);
        mv.visitLabel(end);
    }
}
