import jdk.internal.org.objectweb.asm.MethodVisitor;

import java.util.Random;

/** Calls of the program's own methods. Invariant: a method calls later ones only, so that no call comes back to it. */
final class Calls extends Part {
    Calls(Body b, Program p, Random r, MethodVisitor mv) {
        super(b, p, r, mv);
    }

    /** Calls a later method of the program; its result goes to the checksum or is dropped. */
    boolean call(int depth) {
        String t = callAny(depth);
        if (t == null) return false;
        switch (t) {
            case "I", "J", "F", "D" -> b.mixTop(t);
            default -> mv.visitInsn(POP);
        }
        return true;
    }

    private String callAny(int depth) {
        int left = p.methods.size() - b.index - 1;
        if (left <= 0) return null;
        Program.Method m = p.methods.get(b.index + 1 + r.nextInt(left));
        invoke(m, depth);
        return m.result();
    }

    private void invoke(Program.Method m, int depth) {
        boolean viaInterface = m.inInterface() && r.nextBoolean();
        boolean viaSuper = b.inSub && !b.isStatic && m.isVirtual() && r.nextInt(4) == 0;
        if (viaSuper) {
            mv.visitVarInsn(ALOAD, 0);
        } else if (m.isVirtual()) {
            b.self(1);
            if (viaInterface) mv.visitTypeInsn(CHECKCAST, p.name + "I");
        }
        for (String t : m.params()) {
            b.expr(t, depth > 2 ? 0 : 1);
            b.narrow(t);
        }
        String owner = viaInterface ? p.name + "I" : p.name;
        int op = viaSuper ? INVOKESPECIAL : viaInterface ? INVOKEINTERFACE : m.isVirtual() ? INVOKEVIRTUAL : INVOKESTATIC;
        mv.visitMethodInsn(op, owner, m.name(), m.descriptor(), viaInterface);
    }

    /** A call whose result is a {@code t}; false if there is none to call. */
    boolean callFor(String t, int depth) {
        for (int i = b.index + 1; i < p.methods.size(); i++) {
            Program.Method m = p.methods.get(i);
            if (m.result().equals(t) && r.nextInt(3) == 0) {
                invoke(m, depth);
                return true;
            }
        }
        return false;
    }
}
