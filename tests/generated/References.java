import jdk.internal.org.objectweb.asm.MethodVisitor;

import java.util.Random;

/** Expressions that give references, and constants of every type: objects and arrays are new, null or what is there. */
final class References extends Part {
    References(Body b, Program p, Random r, MethodVisitor mv) {
        super(b, p, r, mv);
    }

    void constant(String t) {
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
            case Body.STRING -> mv.visitLdcInsn("s" + r.nextInt(10));
            default -> {
                if (r.nextInt(7) == 0 || t.equals(Body.OBJECT)) mv.visitInsn(ACONST_NULL);
                else if (t.startsWith("[")) fresh(t);
                else create(t, 1);
            }
        }
    }

    void fresh(String t) {
        push(8);
        newArray(t);
    }

    void push(int v) {
        if (v >= -1 && v <= 5) mv.visitInsn(ICONST_0 + v);
        else if (v == (byte) v) mv.visitIntInsn(BIPUSH, v);
        else if (v == (short) v) mv.visitIntInsn(SIPUSH, v);
        else mv.visitLdcInsn(v);
    }

    void reference(String t, int depth) {
        if (depth <= 0) {
            b.leaf(t);
            return;
        }
        switch (r.nextInt(8)) {
            case 0 -> b.conditional(t, depth);
            case 1 -> b.instanceField(t);
            case 2 -> {
                if (!b.calls.callFor(t, depth)) b.leaf(t);
            }
            case 3 -> {
                // A cast that may fail.
                if (t.equals(Body.STRING) || r.nextInt(3) != 0) {
                    b.leaf(t);
                } else {
                    b.expr(Body.OBJECT, depth - 1);
                    mv.visitTypeInsn(CHECKCAST, Body.internal(t));
                }
            }
            default -> create(t, depth);
        }
    }

    private void create(String t, int depth) {
        if (t.equals(Body.STRING)) {
            b.expr("I", depth - 1);
            mv.visitMethodInsn(INVOKESTATIC, "java/lang/Integer", "toString", "(I)" + Body.STRING, false);
        } else if (t.equals(Body.OBJECT)) {
            String any = p.anyRef(r);
            if (any.equals(Body.OBJECT)) b.leaf(Body.OBJECT);
            else b.expr(any, depth - 1);
            merge(Body.OBJECT);
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
            b.leaf(t);
            mv.visitMethodInsn(INVOKEVIRTUAL, t, "clone", "()" + Body.OBJECT, false);
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
            b.expr("I", depth - 1);
            mv.visitIntInsn(BIPUSH, r.nextBoolean() ? 31 : -1);
            mv.visitInsn(IAND);
            mv.visitIntInsn(BIPUSH, 63);
            mv.visitMethodInsn(INVOKESTATIC, "java/lang/Math", "min", "(II)I", false);
        } else {
            push(4 + r.nextInt(8));
        }
        newArray(t);
        if (t.equals("[" + Body.OBJECT) && r.nextInt(4) == 0) {
            // Sometimes an array of a narrower type, for ArrayStoreException.
            mv.visitInsn(POP);
            push(8);
            mv.visitTypeInsn(ANEWARRAY, p.name);
            mv.visitTypeInsn(CHECKCAST, t);
        }
    }

    private void newArray(String t) {
        switch (Body.element(t)) {
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

    void merge(String t) {
        if (t.length() > 1) mv.visitTypeInsn(CHECKCAST, Body.internal(t));
    }
}
