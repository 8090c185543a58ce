import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodVisitor;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Statements that choose what runs: branches, loops, switches, handlers, monitors. The body lists the ends of the loops that may be
 * left; under a monitor it lists none.
 */
final class Control extends Part {
    private static final String[] CAUGHT = {
        "java/lang/ArithmeticException", "java/lang/ArrayIndexOutOfBoundsException", "java/lang/NullPointerException",
        "java/lang/ClassCastException", "java/lang/RuntimeException", "java/lang/Throwable", "java/lang/NegativeArraySizeException",
    };

    Control(Body b, Program p, Random r, MethodVisitor mv) {
        super(b, p, r, mv);
    }

    void branch(int depth) {
        Label other = new Label();
        Label end = new Label();
        jumpIfNot(other);
        b.block(depth);
        if (r.nextBoolean()) {
            mv.visitJumpInsn(GOTO, end);
            mv.visitLabel(other);
            b.block(depth);
        } else {
            mv.visitLabel(other);
        }
        mv.visitLabel(end);
    }

    private void jumpIfNot(Label to) {
        switch (r.nextInt(5)) {
            case 0 -> {
                b.expr("I", 2);
                b.expr("I", 2);
                mv.visitJumpInsn(IF_ICMPEQ + r.nextInt(6), to);
            }
            case 1 -> {
                b.expr("I", 3);
                mv.visitJumpInsn(IFEQ + r.nextInt(6), to);
            }
            case 2 -> {
                String t = p.anyRef(r);
                b.expr(t, 1);
                if (r.nextBoolean()) {
                    mv.visitJumpInsn(r.nextBoolean() ? IFNULL : IFNONNULL, to);
                } else {
                    b.expr(t, 1);
                    mv.visitJumpInsn(r.nextBoolean() ? IF_ACMPEQ : IF_ACMPNE, to);
                }
            }
            default -> {
                condition(2);
                mv.visitJumpInsn(r.nextBoolean() ? IFEQ : IFNE, to);
            }
        }
    }

    void condition(int depth) {
        switch (r.nextInt(4)) {
            case 0 -> {
                b.expr("J", depth);
                b.expr("J", depth);
                mv.visitInsn(LCMP);
                mv.visitInsn(ICONST_1);
                mv.visitInsn(IADD);
            }
            case 1 -> {
                b.expr("D", depth);
                b.expr("D", depth);
                mv.visitInsn(r.nextBoolean() ? DCMPL : DCMPG);
            }
            case 2 -> {
                b.expr("F", depth);
                b.expr("F", depth);
                mv.visitInsn(r.nextBoolean() ? FCMPL : FCMPG);
                mv.visitInsn(ICONST_1);
                mv.visitInsn(IAND);
            }
            default -> {
                b.expr(Body.OBJECT, depth);
                mv.visitTypeInsn(INSTANCEOF, Body.internal(p.anyRef(r)));
            }
        }
    }

    void loop(int depth) {
        int counter = b.scratch(1);
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
        b.burn(end);
        b.counters.add(counter);
        b.breaks.add(end);
        b.block(depth);
        b.breaks.remove(b.breaks.size() - 1);
        b.counters.remove(b.counters.size() - 1);
        mv.visitIincInsn(counter, down ? -1 : 1);
        mv.visitJumpInsn(GOTO, head);
        mv.visitLabel(end);
    }

    void choose(int depth) {
        b.expr("I", 2);
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
            if (b.budget > 0) b.statement(depth + 1);
            if (r.nextInt(3) != 0) mv.visitJumpInsn(GOTO, end);
        }
        mv.visitLabel(other);
        if (b.budget > 0) b.statement(depth + 1);
        mv.visitLabel(end);
    }

    void attempt(int depth) {
        Label start = new Label();
        Label stop = new Label();
        Label end = new Label();
        mv.visitLabel(start);
        b.block(depth);
        mv.visitInsn(NOP);
        mv.visitLabel(stop);
        mv.visitJumpInsn(GOTO, end);
        int n = 1 + r.nextInt(2);
        boolean survive = b.index == 0 && depth == 0 && r.nextInt(30) != 0;
        for (int i = 0; i < n; i++) {
            Label handler = new Label();
            boolean all = survive && i == n - 1;
            String type = all ? "java/lang/Throwable" : r.nextInt(6) == 0 ? null : CAUGHT[r.nextInt(CAUGHT.length)];
            mv.visitLabel(handler);
            b.mark();
            mv.visitTryCatchBlock(start, stop, handler, type);
            int slot = b.scratch(1);
            mv.visitVarInsn(ASTORE, slot);
            mv.visitVarInsn(ALOAD, slot);
            mv.visitMethodInsn(INVOKESTATIC, "Run", "seen", "(Ljava/lang/Throwable;)I", false);
            b.mixTop("I");
            if (!all && b.budget > 0 && r.nextBoolean()) b.statement(depth + 1);
            if (!all && r.nextInt(5) == 0) {
                mv.visitVarInsn(ALOAD, slot);
                mv.visitInsn(ATHROW);
            } else {
                mv.visitJumpInsn(GOTO, end);
            }
        }
        mv.visitLabel(end);
    }

    void conditionalThrow() {
        Label go = new Label();
        b.expr("I", 2);
        mv.visitIntInsn(BIPUSH, 3);
        mv.visitInsn(IAND);
        mv.visitJumpInsn(IFNE, go);
        if (r.nextInt(3) == 0) {
            mv.visitInsn(ACONST_NULL);
        } else {
            mv.visitTypeInsn(NEW, "java/lang/RuntimeException");
            mv.visitInsn(DUP);
            b.expr(Body.STRING, 1);
            mv.visitMethodInsn(INVOKESPECIAL, "java/lang/RuntimeException", "<init>", "(" + Body.STRING + ")V", false);
        }
        mv.visitInsn(ATHROW);
        mv.visitLabel(go);
    }

    void locked(int depth) {
        Label start = new Label();
        Label stop = new Label();
        Label handler = new Label();
        Label handlerEnd = new Label();
        Label end = new Label();
        int monitor = b.scratch(1);
        b.self(1);
        mv.visitInsn(DUP);
        mv.visitVarInsn(ASTORE, monitor);
        mv.visitInsn(MONITORENTER);
        mv.visitLabel(start);
        List<Label> outside = new ArrayList<>(b.breaks);
        b.breaks.clear();
        b.block(depth);
        b.breaks.addAll(outside);
        mv.visitVarInsn(ALOAD, monitor);
        mv.visitInsn(MONITOREXIT);
        mv.visitLabel(stop);
        mv.visitJumpInsn(GOTO, end);
        mv.visitLabel(handler);
        int slot = b.scratch(1);
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
}
