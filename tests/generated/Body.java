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
    private static final String[] CAUGHT = {
        "java/lang/ArithmeticException", "java/lang/ArrayIndexOutOfBoundsException", "java/lang/NullPointerException",
        "java/lang/ClassCastException", "java/lang/RuntimeException", "java/lang/Throwable", "java/lang/NegativeArraySizeException",
    };

    private final Program p;
    private final Random r;
    private final MethodVisitor mv;
    private final int index;
    private final boolean inSub;
    private final boolean isStatic;
    private final String result;
    /** Type and slot of each local; loop counters are not among them. */
    private final List<String> types = new ArrayList<>();
    private final List<Integer> slots = new ArrayList<>();
    private final List<Integer> counters = new ArrayList<>();
    private final List<Label> breaks = new ArrayList<>();
    private int nextSlot;
    private int line = 1;
    private int budget;

    Body(Program p, Random r, MethodVisitor mv, int index, boolean inSub, boolean isStatic, String[] params, String result) {
        this.p = p;
        this.r = r;
        this.mv = mv;
        this.index = index;
        this.inSub = inSub;
        this.isStatic = isStatic;
        this.result = result;
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

    private int scratch(int size) {
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
            if (index == 0 || r.nextInt(4) == 0) attempt(0);
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
            fresh(t);
            mv.visitFieldInsn(PUTSTATIC, p.name, p.fieldOf(t, true).name(), t);
        }
        mv.visitTypeInsn(NEW, p.name + "S");
        mv.visitInsn(DUP);
        mv.visitMethodInsn(INVOKESPECIAL, p.name + "S", "<init>", "()V", false);
        mv.visitFieldInsn(PUTSTATIC, p.name, p.fieldOf(p.type, true).name(), p.type);
    }

    private void mark() {
        Label l = new Label();
        mv.visitLabel(l);
        mv.visitLineNumber(line++, l);
    }

    /** One unit of fuel; without any the method returns, or the loop ends. */
    private void burn(Label out) {
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
        constant(result);
        mv.visitInsn(Type.getType(result).getOpcode(IRETURN));
        mv.visitLabel(go);
    }

    private void statement(int depth) {
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
                if (!call(depth)) mix();
            }
            case 9, 10 -> branch(depth);
            case 11, 12 -> loop(depth);
            case 13 -> choose(depth);
            case 14, 15 -> attempt(depth);
            case 16 -> conditionalThrow();
            case 17 -> locked(depth);
            default -> {
                if (breaks.isEmpty()) text();
                else {
                    condition(2);
                    mv.visitJumpInsn(IFNE, breaks.get(r.nextInt(breaks.size())));
                }
            }
        }
    }

    private void block(int depth) {
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
    private void narrow(String t) {
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

    private static String element(String array) {
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
    private void mixTop(String t) {
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

    private void branch(int depth) {
        Label other = new Label();
        Label end = new Label();
        jumpIfNot(other);
        block(depth);
        if (r.nextBoolean()) {
            mv.visitJumpInsn(GOTO, end);
            mv.visitLabel(other);
            block(depth);
        } else {
            mv.visitLabel(other);
        }
        mv.visitLabel(end);
    }

    private void jumpIfNot(Label to) {
        switch (r.nextInt(5)) {
            case 0 -> {
                expr("I", 2);
                expr("I", 2);
                mv.visitJumpInsn(IF_ICMPEQ + r.nextInt(6), to);
            }
            case 1 -> {
                expr("I", 3);
                mv.visitJumpInsn(IFEQ + r.nextInt(6), to);
            }
            case 2 -> {
                String t = p.anyRef(r);
                expr(t, 1);
                if (r.nextBoolean()) {
                    mv.visitJumpInsn(r.nextBoolean() ? IFNULL : IFNONNULL, to);
                } else {
                    expr(t, 1);
                    mv.visitJumpInsn(r.nextBoolean() ? IF_ACMPEQ : IF_ACMPNE, to);
                }
            }
            default -> {
                condition(2);
                mv.visitJumpInsn(r.nextBoolean() ? IFEQ : IFNE, to);
            }
        }
    }

    private void condition(int depth) {
        switch (r.nextInt(4)) {
            case 0 -> {
                expr("J", depth);
                expr("J", depth);
                mv.visitInsn(LCMP);
                mv.visitInsn(ICONST_1);
                mv.visitInsn(IADD);
            }
            case 1 -> {
                expr("D", depth);
                expr("D", depth);
                mv.visitInsn(r.nextBoolean() ? DCMPL : DCMPG);
            }
            case 2 -> {
                expr("F", depth);
                expr("F", depth);
                mv.visitInsn(r.nextBoolean() ? FCMPL : FCMPG);
                mv.visitInsn(ICONST_1);
                mv.visitInsn(IAND);
            }
            default -> {
                expr(OBJECT, depth);
                mv.visitTypeInsn(INSTANCEOF, internal(p.anyRef(r)));
            }
        }
    }

    private void loop(int depth) {
        int counter = scratch(1);
        Label head = new Label();
        Label end = new Label();
        boolean down = r.nextBoolean();
        int limit = 1 + r.nextInt(12);
        mv.visitIntInsn(BIPUSH, down ? limit : 0);
        mv.visitVarInsn(ISTORE, counter);
        mv.visitLabel(head);
        mv.visitVarInsn(ILOAD, counter);
        if (down) {
            mv.visitJumpInsn(IFLE, end);
        } else {
            mv.visitIntInsn(BIPUSH, limit);
            mv.visitJumpInsn(IF_ICMPGE, end);
        }
        burn(end);
        counters.add(counter);
        breaks.add(end);
        block(depth);
        breaks.remove(breaks.size() - 1);
        counters.remove(counters.size() - 1);
        mv.visitIincInsn(counter, down ? -1 : 1);
        mv.visitJumpInsn(GOTO, head);
        mv.visitLabel(end);
    }

    private void choose(int depth) {
        expr("I", 2);
        int n = 1 + r.nextInt(5);
        Label[] cases = new Label[n];
        for (int i = 0; i < n; i++) cases[i] = new Label();
        Label other = new Label();
        Label end = new Label();
        if (r.nextBoolean()) {
            mv.visitIntInsn(BIPUSH, 7);
            mv.visitInsn(IAND);
            int low = r.nextInt(4) - 1;
            mv.visitTableSwitchInsn(low, low + n - 1, other, cases);
        } else {
            int[] keys = new int[n];
            int k = r.nextInt(100) - 50;
            for (int i = 0; i < n; i++) keys[i] = k += 1 + r.nextInt(r.nextInt(4) == 0 ? 100000 : 10);
            mv.visitLookupSwitchInsn(other, keys, cases);
        }
        for (Label c : cases) {
            mv.visitLabel(c);
            if (budget > 0) statement(depth + 1);
            if (r.nextInt(3) != 0) mv.visitJumpInsn(GOTO, end);
        }
        mv.visitLabel(other);
        if (budget > 0) statement(depth + 1);
        mv.visitLabel(end);
    }

    private void attempt(int depth) {
        Label start = new Label();
        Label stop = new Label();
        Label end = new Label();
        mv.visitLabel(start);
        block(depth);
        mv.visitInsn(NOP);
        mv.visitLabel(stop);
        mv.visitJumpInsn(GOTO, end);
        int n = 1 + r.nextInt(2);
        boolean survive = index == 0 && depth == 0 && r.nextInt(30) != 0;
        for (int i = 0; i < n; i++) {
            Label handler = new Label();
            boolean all = survive && i == n - 1;
            String type = all ? "java/lang/Throwable" : r.nextInt(6) == 0 ? null : CAUGHT[r.nextInt(CAUGHT.length)];
            mv.visitLabel(handler);
            mark();
            mv.visitTryCatchBlock(start, stop, handler, type);
            int slot = scratch(1);
            mv.visitVarInsn(ASTORE, slot);
            mv.visitVarInsn(ALOAD, slot);
            mv.visitMethodInsn(INVOKESTATIC, "Run", "seen", "(Ljava/lang/Throwable;)I", false);
            mixTop("I");
            if (!all && budget > 0 && r.nextBoolean()) statement(depth + 1);
            if (!all && r.nextInt(5) == 0) {
                mv.visitVarInsn(ALOAD, slot);
                mv.visitInsn(ATHROW);
            } else {
                mv.visitJumpInsn(GOTO, end);
            }
        }
        mv.visitLabel(end);
    }

    private void conditionalThrow() {
        Label go = new Label();
        expr("I", 2);
        mv.visitIntInsn(BIPUSH, 3);
        mv.visitInsn(IAND);
        mv.visitJumpInsn(IFNE, go);
        if (r.nextInt(3) == 0) {
            mv.visitInsn(ACONST_NULL);
        } else {
            mv.visitTypeInsn(NEW, "java/lang/RuntimeException");
            mv.visitInsn(DUP);
            expr(STRING, 1);
            mv.visitMethodInsn(INVOKESPECIAL, "java/lang/RuntimeException", "<init>", "(" + STRING + ")V", false);
        }
        mv.visitInsn(ATHROW);
        mv.visitLabel(go);
    }

    private void locked(int depth) {
        Label start = new Label();
        Label stop = new Label();
        Label handler = new Label();
        Label handlerEnd = new Label();
        Label end = new Label();
        int monitor = scratch(1);
        self(1);
        mv.visitInsn(DUP);
        mv.visitVarInsn(ASTORE, monitor);
        mv.visitInsn(MONITORENTER);
        mv.visitLabel(start);
        List<Label> outside = new ArrayList<>(breaks);
        breaks.clear();
        block(depth);
        breaks.addAll(outside);
        mv.visitVarInsn(ALOAD, monitor);
        mv.visitInsn(MONITOREXIT);
        mv.visitLabel(stop);
        mv.visitJumpInsn(GOTO, end);
        mv.visitLabel(handler);
        int slot = scratch(1);
        mv.visitVarInsn(ASTORE, slot);
        mv.visitVarInsn(ALOAD, monitor);
        mv.visitInsn(MONITOREXIT);
        mv.visitLabel(handlerEnd);
        mv.visitVarInsn(ALOAD, slot);
        mv.visitInsn(ATHROW);
        mv.visitTryCatchBlock(start, stop, handler, null);
        mv.visitTryCatchBlock(handler, handlerEnd, handler, null);
        mv.visitLabel(end);
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

    /** Calls a later method of the program; its result goes to the checksum or is dropped. */
    private boolean call(int depth) {
        String t = callAny(depth);
        if (t == null) return false;
        switch (t) {
            case "I", "J", "F", "D" -> mixTop(t);
            default -> mv.visitInsn(POP);
        }
        return true;
    }

    private String callAny(int depth) {
        int left = p.methods.size() - index - 1;
        if (left <= 0) return null;
        Program.Method m = p.methods.get(index + 1 + r.nextInt(left));
        invoke(m, depth);
        return m.result();
    }

    private void invoke(Program.Method m, int depth) {
        boolean viaInterface = m.inInterface() && r.nextBoolean();
        boolean viaSuper = inSub && !isStatic && m.isVirtual() && r.nextInt(4) == 0;
        if (viaSuper) {
            mv.visitVarInsn(ALOAD, 0);
        } else if (m.isVirtual()) {
            self(1);
            if (viaInterface) mv.visitTypeInsn(CHECKCAST, p.name + "I");
        }
        for (String t : m.params()) {
            expr(t, depth > 2 ? 0 : 1);
            narrow(t);
        }
        String owner = viaInterface ? p.name + "I" : p.name;
        int op = viaSuper ? INVOKESPECIAL : viaInterface ? INVOKEINTERFACE : m.isVirtual() ? INVOKEVIRTUAL : INVOKESTATIC;
        mv.visitMethodInsn(op, owner, m.name(), m.descriptor(), viaInterface);
    }

    /** An object of the program's own class, null now and then. */
    private void self(int depth) {
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

    private void constant(String t) {
        switch (t) {
            case "I", "B", "S", "C", "Z" -> {
                int v = switch (r.nextInt(6)) {
                    case 0 -> r.nextInt();
                    case 1 -> Integer.MIN_VALUE;
                    case 2 -> r.nextInt(70000) - 35000;
                    default -> r.nextInt(9) - 2;
                };
                if (t.equals("B")) v = (byte) v;
                if (t.equals("S")) v = (short) v;
                if (t.equals("C")) v = (char) v;
                if (t.equals("Z")) v &= 1;
                push(v);
            }
            case "J" -> mv.visitLdcInsn(r.nextInt(3) == 0 ? r.nextLong() : r.nextInt(4) == 0 ? Long.MIN_VALUE : (long) r.nextInt(9) - 3);
            case "F" -> mv.visitLdcInsn(p.oddFloat(r));
            case "D" -> mv.visitLdcInsn(p.oddDouble(r));
            case STRING -> mv.visitLdcInsn("s" + r.nextInt(10));
            default -> {
                if (r.nextInt(7) == 0 || t.equals(OBJECT)) mv.visitInsn(ACONST_NULL);
                else if (t.startsWith("[")) fresh(t);
                else create(t, 1);
            }
        }
    }

    private void fresh(String t) {
        push(8);
        newArray(t);
    }

    private void push(int v) {
        if (v >= -1 && v <= 5) mv.visitInsn(ICONST_0 + v);
        else if (v == (byte) v) mv.visitIntInsn(BIPUSH, v);
        else if (v == (short) v) mv.visitIntInsn(SIPUSH, v);
        else mv.visitLdcInsn(v);
    }

    /** Leaves a value of type {@code t} on the stack. */
    private void expr(String t, int depth) {
        switch (t) {
            case "I", "B", "S", "C", "Z" -> {
                new Numbers(this, p, r, mv).ints(t, depth);
                if (!t.equals("I")) narrow(t);
            }
            case "J" -> new Numbers(this, p, r, mv).longs(depth);
            case "F" -> new Numbers(this, p, r, mv).floats(depth);
            case "D" -> new Numbers(this, p, r, mv).doubles(depth);
            default -> reference(t, depth);
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
            constant(t);
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
        condition(0);
        mv.visitJumpInsn(IFEQ, other);
        expr(t, depth - 1);
        merge(t);
        mv.visitJumpInsn(GOTO, end);
        mv.visitLabel(other);
        expr(t, depth - 1);
        merge(t);
        mv.visitLabel(end);
    }

    private void merge(String t) {
        if (t.length() > 1) mv.visitTypeInsn(CHECKCAST, internal(t));
    }

    /** A call whose result is a {@code t}; false if there is none to call. */
    boolean callFor(String t, int depth) {
        for (int i = index + 1; i < p.methods.size(); i++) {
            Program.Method m = p.methods.get(i);
            if (m.result().equals(t) && r.nextInt(3) == 0) {
                invoke(m, depth);
                return true;
            }
        }
        return false;
    }

    private void reference(String t, int depth) {
        if (depth <= 0) {
            leaf(t);
            return;
        }
        switch (r.nextInt(8)) {
            case 0 -> conditional(t, depth);
            case 1 -> instanceField(t);
            case 2 -> {
                if (!callFor(t, depth)) leaf(t);
            }
            case 3 -> {
                // A cast that may fail.
                if (t.equals(STRING) || r.nextInt(3) != 0) {
                    leaf(t);
                } else {
                    expr(OBJECT, depth - 1);
                    mv.visitTypeInsn(CHECKCAST, internal(t));
                }
            }
            default -> create(t, depth);
        }
    }

    private void create(String t, int depth) {
        if (t.equals(STRING)) {
            expr("I", depth - 1);
            mv.visitMethodInsn(INVOKESTATIC, "java/lang/Integer", "toString", "(I)" + STRING, false);
        } else if (t.equals(OBJECT)) {
            String any = p.anyRef(r);
            if (any.equals(OBJECT)) leaf(OBJECT);
            else expr(any, depth - 1);
            merge(OBJECT);
        } else if (t.equals(p.type)) {
            String c = r.nextBoolean() ? p.name : p.name + "S";
            mv.visitTypeInsn(NEW, c);
            mv.visitInsn(DUP);
            mv.visitMethodInsn(INVOKESPECIAL, c, "<init>", "()V", false);
            merge(t);
        } else {
            array(t, depth);
        }
    }

    private void array(String t, int depth) {
        if (r.nextInt(5) == 0) {
            leaf(t);
            mv.visitMethodInsn(INVOKEVIRTUAL, t, "clone", "()" + OBJECT, false);
            mv.visitTypeInsn(CHECKCAST, t);
            return;
        }
        if (r.nextInt(4) == 0 && t.equals("[I")) {
            mv.visitInsn(ICONST_2);
            push(3 + r.nextInt(6));
            mv.visitMultiANewArrayInsn("[[I", 2);
            push(r.nextInt(2));
            mv.visitInsn(AALOAD);
            return;
        }
        if (r.nextInt(12) == 0) {
            expr("I", depth - 1);
            mv.visitIntInsn(BIPUSH, r.nextBoolean() ? 31 : -1);
            mv.visitInsn(IAND);
            mv.visitIntInsn(BIPUSH, 63);
            mv.visitMethodInsn(INVOKESTATIC, "java/lang/Math", "min", "(II)I", false);
        } else {
            push(4 + r.nextInt(8));
        }
        newArray(t);
        if (t.equals("[" + OBJECT) && r.nextInt(4) == 0) {
            // Sometimes an array of a narrower type, for ArrayStoreException.
            mv.visitInsn(POP);
            push(8);
            mv.visitTypeInsn(ANEWARRAY, p.name);
            mv.visitTypeInsn(CHECKCAST, t);
        }
    }

    private void newArray(String t) {
        switch (element(t)) {
            case "I" -> mv.visitIntInsn(NEWARRAY, T_INT);
            case "J" -> mv.visitIntInsn(NEWARRAY, T_LONG);
            case "D" -> mv.visitIntInsn(NEWARRAY, T_DOUBLE);
            case "F" -> mv.visitIntInsn(NEWARRAY, T_FLOAT);
            case "B" -> mv.visitIntInsn(NEWARRAY, T_BYTE);
            case "C" -> mv.visitIntInsn(NEWARRAY, T_CHAR);
            case "S" -> mv.visitIntInsn(NEWARRAY, T_SHORT);
            default -> mv.visitTypeInsn(ANEWARRAY, "java/lang/Object");
        }
    }
}
