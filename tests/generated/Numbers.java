import jdk.internal.org.objectweb.asm.MethodVisitor;

import java.util.Random;

/**
 * Random expressions of the four computational number types. Invariant: only operations whose result
 * is the same bit for bit on every VM (no transcendental functions, NaN only through canonical
 * conversions).
 */
final class Numbers extends Part {
    Numbers(Body b, Program p, Random r, MethodVisitor mv) {
        super(b, p, r, mv);
    }

    private boolean common(String t, String array, int depth) {
        switch (r.nextInt(9)) {
            case 0 -> b.element(array, depth);
            case 1 -> b.instanceField(t);
            case 2 -> b.conditional(t, depth);
            case 3 -> {
                if (!b.calls.callFor(t, depth)) b.leaf(t);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void math(String name, String descriptor, String owner) {
        mv.visitMethodInsn(INVOKESTATIC, "java/lang/" + owner, name, descriptor, false);
    }

    void ints(String t, int depth) {
        if (depth <= 0) {
            b.leaf(t);
            return;
        }
        if (common(t, array(t), depth)) return;
        switch (r.nextInt(9)) {
            case 0, 1, 2 -> {
                b.operand("I", depth - 1);
                b.operand("I", depth - 1);
                int[] ops = {IADD, ISUB, IMUL, IAND, IOR, IXOR, ISHL, ISHR, IUSHR, IDIV, IREM};
                mv.visitInsn(ops[r.nextInt(ops.length)]);
            }
            case 3 -> {
                b.operand("I", depth - 1);
                mv.visitInsn(new int[] {INEG, I2B, I2S, I2C}[r.nextInt(4)]);
            }
            case 4 -> {
                b.operand("J", depth - 1);
                mv.visitInsn(L2I);
            }
            case 5 -> {
                b.operand("D", depth - 1);
                mv.visitInsn(D2I);
            }
            case 6 -> {
                b.operand("F", depth - 1);
                mv.visitInsn(F2I);
            }
            case 7 -> {
                b.operand("[I", 0);
                mv.visitInsn(ARRAYLENGTH);
            }
            default -> intCall(depth);
        }
    }

    private static String array(String t) {
        return t.equals("Z") ? "[B" : "[" + t;
    }

    private void intCall(int depth) {
        b.operand("I", depth - 1);
        switch (r.nextInt(6)) {
            case 0 -> math("abs", "(I)I", "Math");
            case 1 -> math("bitCount", "(I)I", "Integer");
            case 2 -> math("reverseBytes", "(I)I", "Integer");
            case 3 -> math("numberOfLeadingZeros", "(I)I", "Integer");
            case 4 -> {
                b.operand("I", depth - 1);
                math(r.nextBoolean() ? "max" : "min", "(II)I", "Math");
            }
            default -> {
                b.operand("I", depth - 1);
                math(r.nextBoolean() ? "addExact" : "multiplyExact", "(II)I", "Math");
            }
        }
    }

    void longs(int depth) {
        if (depth <= 0) {
            b.leaf("J");
            return;
        }
        if (common("J", "[J", depth)) return;
        switch (r.nextInt(8)) {
            case 0, 1, 2 -> {
                b.operand("J", depth - 1);
                b.operand("J", depth - 1);
                int[] ops = {LADD, LSUB, LMUL, LAND, LOR, LXOR, LDIV, LREM};
                mv.visitInsn(ops[r.nextInt(ops.length)]);
            }
            case 3 -> {
                b.operand("J", depth - 1);
                b.operand("I", depth - 1);
                mv.visitInsn(new int[] {LSHL, LSHR, LUSHR}[r.nextInt(3)]);
            }
            case 4 -> {
                b.operand("I", depth - 1);
                mv.visitInsn(I2L);
            }
            case 5 -> {
                b.operand("D", depth - 1);
                mv.visitInsn(D2L);
            }
            case 6 -> {
                b.operand("F", depth - 1);
                mv.visitInsn(F2L);
            }
            default -> {
                b.operand("J", depth - 1);
                switch (r.nextInt(4)) {
                    case 0 -> mv.visitInsn(LNEG);
                    case 1 -> math("abs", "(J)J", "Math");
                    case 2 -> math("reverse", "(J)J", "Long");
                    default -> {
                        b.operand("J", depth - 1);
                        math("multiplyHigh", "(JJ)J", "Math");
                    }
                }
            }
        }
    }

    void floats(int depth) {
        if (depth <= 0) {
            b.leaf("F");
            return;
        }
        if (common("F", "[F", depth)) return;
        switch (r.nextInt(6)) {
            case 0, 1 -> {
                b.operand("F", depth - 1);
                b.operand("F", depth - 1);
                mv.visitInsn(new int[] {FADD, FSUB, FMUL, FDIV, FREM}[r.nextInt(5)]);
            }
            case 2 -> {
                b.operand("I", depth - 1);
                mv.visitInsn(I2F);
            }
            case 3 -> {
                b.operand("J", depth - 1);
                mv.visitInsn(L2F);
            }
            case 4 -> {
                b.operand("D", depth - 1);
                mv.visitInsn(D2F);
            }
            default -> {
                b.operand("F", depth - 1);
                if (r.nextBoolean()) mv.visitInsn(FNEG);
                else math("abs", "(F)F", "Math");
            }
        }
    }

    void doubles(int depth) {
        if (depth <= 0) {
            b.leaf("D");
            return;
        }
        if (common("D", "[D", depth)) return;
        switch (r.nextInt(7)) {
            case 0, 1 -> {
                b.operand("D", depth - 1);
                b.operand("D", depth - 1);
                mv.visitInsn(new int[] {DADD, DSUB, DMUL, DDIV, DREM}[r.nextInt(5)]);
            }
            case 2 -> {
                b.operand("I", depth - 1);
                mv.visitInsn(I2D);
            }
            case 3 -> {
                b.operand("J", depth - 1);
                mv.visitInsn(L2D);
            }
            case 4 -> {
                b.operand("F", depth - 1);
                mv.visitInsn(F2D);
            }
            case 5 -> {
                b.operand("D", depth - 1);
                b.operand("D", depth - 1);
                math(r.nextBoolean() ? "max" : "min", "(DD)D", "Math");
            }
            default -> {
                b.operand("D", depth - 1);
                switch (r.nextInt(4)) {
                    case 0 -> mv.visitInsn(DNEG);
                    case 1 -> math("sqrt", "(D)D", "Math");
                    case 2 -> math("floor", "(D)D", "Math");
                    default -> math("rint", "(D)D", "Math");
                }
            }
        }
    }
}
