import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

/**
 * Jumps that need 32 bits, switches at every alignment, subroutines, exception tables, monitors out
 * of shape.
 */
final class GenControl implements Opcodes {
    static void generate() {
        farJumps();
        switches();
        subroutines(V1_5, "GenJsr49");
        subroutines(V1_2, "GenJsr46");
        handlers();
        monitors();
        oldVersion();
    }

    private static void nops(MethodVisitor mv, int n) {
        for (int i = 0; i < n; i++) {
            mv.visitInsn(NOP);
        }
    }

    private static void farJumps() {
        Asm c = new Asm("GenFar");
        MethodVisitor mv = c.staticMethod("run", "(I)I");
        Label far = new Label(), back = new Label(), near = new Label(), out = new Label();
        mv.visitInsn(ICONST_0);
        mv.visitVarInsn(ISTORE, 1);
        mv.visitLabel(near);
        mv.visitVarInsn(ILOAD, 0);
        mv.visitJumpInsn(IFLT, far);
        mv.visitIincInsn(1, 1);
        nops(mv, 20000);
        mv.visitLabel(back);
        nops(mv, 20000);
        mv.visitVarInsn(ILOAD, 1);
        mv.visitIntInsn(BIPUSH, 10);
        mv.visitJumpInsn(IF_ICMPGE, out);
        mv.visitIincInsn(1, 3);
        mv.visitJumpInsn(GOTO, near);
        mv.visitLabel(far);
        mv.visitIincInsn(1, 100);
        mv.visitIincInsn(0, 50);
        mv.visitJumpInsn(GOTO, near);
        mv.visitLabel(out);
        mv.visitVarInsn(ILOAD, 1);
        Asm.end(mv, IRETURN);
        c.write();
    }

    private static void switches() {
        Asm c = new Asm("GenSwitch");
        for (int pad = 0; pad < 4; pad++) {
            MethodVisitor mv = c.staticMethod("table" + pad, "(I)I");
            nops(mv, pad);
            tableSwitch(mv, -3, 4);
            MethodVisitor lv = c.staticMethod("lookup" + pad, "(I)I");
            nops(lv, pad);
            lookupSwitch(
                    lv,
                    new int[] {Integer.MIN_VALUE, -70000, -1, 0, 1, 5, 70000, Integer.MAX_VALUE});
        }
        tableSwitch(c.staticMethod("bigTable", "(I)I"), -500, 1500);
        int[] keys = new int[1000];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = (i - 500) * 4_000_000 + i;
        }
        lookupSwitch(c.staticMethod("bigLookup", "(I)I"), keys);
        lookupSwitch(c.staticMethod("emptyLookup", "(I)I"), new int[0]);
        // The index is kept on a stack that is not empty across the switch.
        MethodVisitor mv = c.staticMethod("stacked", "(I)I");
        mv.visitIntInsn(BIPUSH, 100);
        mv.visitVarInsn(ILOAD, 0);
        Label zero = new Label(), one = new Label(), dflt = new Label();
        mv.visitTableSwitchInsn(0, 1, dflt, zero, one);
        mv.visitLabel(zero);
        mv.visitInsn(ICONST_1);
        mv.visitInsn(IADD);
        mv.visitInsn(IRETURN);
        mv.visitLabel(one);
        mv.visitInsn(ICONST_2);
        mv.visitInsn(IMUL);
        mv.visitInsn(IRETURN);
        mv.visitLabel(dflt);
        Asm.end(mv, IRETURN);
        c.write();
    }

    private static void tableSwitch(MethodVisitor mv, int low, int high) {
        Label[] labels = new Label[high - low + 1];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = new Label();
        }
        Label dflt = new Label();
        mv.visitVarInsn(ILOAD, 0);
        mv.visitTableSwitchInsn(low, high, dflt, labels);
        arms(mv, labels, dflt);
    }

    private static void lookupSwitch(MethodVisitor mv, int[] keys) {
        Label[] labels = new Label[keys.length];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = new Label();
        }
        Label dflt = new Label();
        mv.visitVarInsn(ILOAD, 0);
        mv.visitLookupSwitchInsn(dflt, keys, labels);
        arms(mv, labels, dflt);
    }

    private static void arms(MethodVisitor mv, Label[] labels, Label dflt) {
        for (int i = 0; i < labels.length; i++) {
            mv.visitLabel(labels[i]);
            mv.visitLdcInsn(1000 + i);
            mv.visitInsn(IRETURN);
        }
        mv.visitLabel(dflt);
        mv.visitInsn(ICONST_M1);
        Asm.end(mv, IRETURN);
    }

    /** What only such a local names must outlive a collection inside the subroutine. */
    private static void kept(Asm c) {
        MethodVisitor mv = c.staticMethod("kept", "()Z");
        Label sub = new Label(), same = new Label();
        mv.visitInsn(ACONST_NULL);
        mv.visitVarInsn(ASTORE, 3);
        mv.visitInsn(ICONST_5);
        mv.visitVarInsn(ISTORE, 2);
        mv.visitJumpInsn(JSR, sub);
        mv.visitTypeInsn(NEW, "java/lang/Object");
        mv.visitInsn(DUP);
        mv.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        mv.visitVarInsn(ASTORE, 2);
        mv.visitTypeInsn(NEW, "java/lang/ref/WeakReference");
        mv.visitInsn(DUP);
        mv.visitVarInsn(ALOAD, 2);
        mv.visitMethodInsn(INVOKESPECIAL, "java/lang/ref/WeakReference", "<init>", "(Ljava/lang/Object;)V", false);
        mv.visitVarInsn(ASTORE, 3);
        mv.visitJumpInsn(JSR, sub);
        mv.visitVarInsn(ALOAD, 3);
        mv.visitTypeInsn(CHECKCAST, "java/lang/ref/WeakReference");
        mv.visitMethodInsn(INVOKEVIRTUAL, "java/lang/ref/WeakReference", "get", "()Ljava/lang/Object;", false);
        mv.visitVarInsn(ALOAD, 2);
        mv.visitJumpInsn(IF_ACMPEQ, same);
        mv.visitInsn(ICONST_0);
        mv.visitInsn(IRETURN);
        mv.visitLabel(same);
        mv.visitInsn(ICONST_1);
        mv.visitInsn(IRETURN);
        mv.visitLabel(sub);
        mv.visitVarInsn(ASTORE, 1);
        mv.visitMethodInsn(INVOKESTATIC, "java/lang/System", "gc", "()V", false);
        mv.visitVarInsn(RET, 1);
        mv.visitMaxs(0, 0);
        mv.visitEnd();
    }

    private static void subroutines(int version, String name) {
        Asm c = new Asm(version, ACC_PUBLIC | ACC_SUPER, name, "java/lang/Object");
        // One subroutine, three callers, with an int and a reference in the same local.
        MethodVisitor mv = c.staticMethod("calls", "(I)I");
        Label sub = new Label(), done = new Label();
        mv.visitJumpInsn(JSR, sub);
        mv.visitVarInsn(ILOAD, 0);
        mv.visitVarInsn(ISTORE, 2);
        mv.visitJumpInsn(JSR, sub);
        mv.visitLdcInsn("text");
        mv.visitVarInsn(ASTORE, 2);
        mv.visitJumpInsn(JSR, sub);
        mv.visitVarInsn(ALOAD, 2);
        mv.visitMethodInsn(
                INVOKEVIRTUAL, "java/lang/Object", "toString", "()Ljava/lang/String;", false);
        mv.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "length", "()I", false);
        mv.visitVarInsn(ILOAD, 0);
        mv.visitInsn(IADD);
        mv.visitInsn(IRETURN);
        mv.visitLabel(sub);
        mv.visitVarInsn(ASTORE, 1);
        mv.visitIincInsn(0, 10);
        // A collection may run inside a subroutine: the local 2 is an int or a reference then.
        mv.visitIntInsn(SIPUSH, 200);
        mv.visitIntInsn(NEWARRAY, T_INT);
        mv.visitInsn(POP);
        mv.visitVarInsn(RET, 1);
        mv.visitLabel(done);
        mv.visitMaxs(0, 0);
        mv.visitEnd();
        kept(c);
        // Nested subroutines and a loop.
        MethodVisitor nv = c.staticMethod("nested", "(I)I");
        Label outer = new Label(), inner = new Label(), loop = new Label();
        nv.visitInsn(ICONST_0);
        nv.visitVarInsn(ISTORE, 1);
        nv.visitLabel(loop);
        nv.visitJumpInsn(JSR, outer);
        nv.visitIincInsn(0, -1);
        nv.visitVarInsn(ILOAD, 0);
        nv.visitJumpInsn(IFGT, loop);
        nv.visitVarInsn(ILOAD, 1);
        nv.visitInsn(IRETURN);
        nv.visitLabel(outer);
        nv.visitVarInsn(ASTORE, 2);
        nv.visitIincInsn(1, 1);
        nv.visitJumpInsn(JSR, inner);
        nv.visitJumpInsn(JSR, inner);
        nv.visitVarInsn(RET, 2);
        nv.visitLabel(inner);
        nv.visitVarInsn(ASTORE, 300);
        nv.visitIincInsn(1, 100);
        nv.visitVarInsn(RET, 300);
        nv.visitMaxs(0, 0);
        nv.visitEnd();
        // try-finally as old compilers wrote it.
        MethodVisitor fv = c.staticMethod("finallyBlock", "(I)I");
        Label start = new Label(), end = new Label(), handler = new Label(), fin = new Label();
        fv.visitTryCatchBlock(start, end, handler, null);
        fv.visitLabel(start);
        fv.visitIntInsn(BIPUSH, 100);
        fv.visitVarInsn(ILOAD, 0);
        fv.visitInsn(IDIV);
        fv.visitVarInsn(ISTORE, 1);
        fv.visitLabel(end);
        fv.visitJumpInsn(JSR, fin);
        fv.visitVarInsn(ILOAD, 1);
        fv.visitInsn(IRETURN);
        fv.visitLabel(handler);
        fv.visitVarInsn(ASTORE, 2);
        fv.visitJumpInsn(JSR, fin);
        fv.visitVarInsn(ALOAD, 2);
        fv.visitInsn(ATHROW);
        fv.visitLabel(fin);
        fv.visitVarInsn(ASTORE, 3);
        fv.visitLdcInsn("finally");
        Asm.print(fv, "Ljava/lang/Object;");
        fv.visitVarInsn(RET, 3);
        fv.visitMaxs(0, 0);
        fv.visitEnd();
        // More than 32 KB to the subroutine: jsr_w.
        MethodVisitor wv = c.staticMethod("far", "(I)I");
        Label farSub = new Label(), begin = new Label();
        wv.visitJumpInsn(GOTO, begin);
        wv.visitLabel(farSub);
        wv.visitVarInsn(ASTORE, 1);
        wv.visitIincInsn(0, 7);
        wv.visitVarInsn(RET, 1);
        wv.visitLabel(begin);
        nops(wv, 32760);
        wv.visitJumpInsn(JSR, farSub);
        wv.visitJumpInsn(JSR, farSub);
        wv.visitVarInsn(ILOAD, 0);
        wv.visitInsn(IRETURN);
        wv.visitMaxs(0, 0);
        wv.visitEnd();
        c.write();
    }

    private static void handlers() {
        Asm c = new Asm("GenHandlers");
        // The first matching row wins, also when a later row is more specific.
        MethodVisitor mv = c.staticMethod("order", "(I)I");
        Label s = new Label(), e = new Label(), h1 = new Label(), h2 = new Label();
        mv.visitTryCatchBlock(s, e, h1, "java/lang/RuntimeException");
        mv.visitTryCatchBlock(s, e, h2, "java/lang/ArithmeticException");
        mv.visitLabel(s);
        mv.visitInsn(ICONST_1);
        mv.visitVarInsn(ILOAD, 0);
        mv.visitInsn(IDIV);
        mv.visitLabel(e);
        mv.visitInsn(IRETURN);
        mv.visitLabel(h1);
        mv.visitInsn(POP);
        mv.visitIntInsn(BIPUSH, 11);
        mv.visitInsn(IRETURN);
        mv.visitLabel(h2);
        mv.visitInsn(POP);
        mv.visitIntInsn(BIPUSH, 22);
        Asm.end(mv, IRETURN);
        // A handler that protects itself: it must run again until its counter says no.
        MethodVisitor sv = c.staticMethod("self", "(I)I");
        Label ss = new Label(), se = new Label(), sh = new Label(), out = new Label();
        sv.visitTryCatchBlock(ss, se, sh, null);
        sv.visitLabel(ss);
        sv.visitInsn(ICONST_1);
        sv.visitInsn(ICONST_0);
        sv.visitInsn(IDIV);
        sv.visitInsn(POP);
        sv.visitJumpInsn(GOTO, out);
        sv.visitLabel(sh);
        sv.visitInsn(POP);
        sv.visitIincInsn(0, -1);
        sv.visitVarInsn(ILOAD, 0);
        sv.visitJumpInsn(IFLE, out);
        sv.visitInsn(ICONST_1);
        sv.visitInsn(ICONST_0);
        sv.visitInsn(IREM);
        sv.visitVarInsn(ISTORE, 0);
        sv.visitLabel(se);
        sv.visitLabel(out);
        sv.visitVarInsn(ILOAD, 0);
        Asm.end(sv, IRETURN);
        loopsThroughHandlers(c);
        c.write();
        missingCatchType();
    }

    /** A loop of two blocks; what is protected goes to one of them, its handler to the other. */
    private static void loopsThroughHandlers(Asm c) {
        MethodVisitor tv = c.staticMethod("throwIfOdd", "(I)V");
        Label even = new Label();
        tv.visitVarInsn(ILOAD, 0);
        tv.visitInsn(ICONST_1);
        tv.visitInsn(IAND);
        tv.visitJumpInsn(IFEQ, even);
        tv.visitInsn(ICONST_1);
        tv.visitInsn(ICONST_0);
        tv.visitInsn(IDIV);
        tv.visitInsn(POP);
        tv.visitLabel(even);
        Asm.end(tv, RETURN);
        for (String protectedCode : new String[] {"silent", "throwing"}) {
            MethodVisitor mv = c.staticMethod(protectedCode, "(I)I");
            Label s = new Label(), e = new Label(), h = new Label();
            Label middle = new Label(), test = new Label();
            mv.visitTryCatchBlock(s, e, h, null);
            mv.visitInsn(ICONST_0);
            mv.visitVarInsn(ISTORE, 1);
            mv.visitLabel(s);
            mv.visitIincInsn(1, 1);
            if (protectedCode.equals("throwing")) {
                mv.visitVarInsn(ILOAD, 0);
                mv.visitMethodInsn(INVOKESTATIC, "GenHandlers", "throwIfOdd", "(I)V", false);
            }
            mv.visitLabel(e);
            mv.visitJumpInsn(GOTO, test);
            mv.visitLabel(h);
            mv.visitInsn(POP);
            mv.visitIincInsn(1, 1000);
            mv.visitLabel(middle);
            mv.visitIincInsn(1, 3);
            mv.visitLabel(test);
            mv.visitIincInsn(0, -1);
            mv.visitVarInsn(ILOAD, 0);
            mv.visitJumpInsn(IFGT, middle);
            mv.visitVarInsn(ILOAD, 1);
            Asm.end(mv, IRETURN);
        }
    }

    private static void missingCatchType() {
        // The catch type of this row is a class that does not exist: the verifier asks for it.
        Asm c = new Asm("GenMissingCatch");
        MethodVisitor mv = c.staticMethod("missingType", "(I)I");
        Label s = new Label(), e = new Label(), h = new Label();
        mv.visitTryCatchBlock(s, e, h, "NoSuchThrowable");
        mv.visitLabel(s);
        mv.visitIntInsn(BIPUSH, 100);
        mv.visitVarInsn(ILOAD, 0);
        mv.visitInsn(IDIV);
        mv.visitLabel(e);
        mv.visitInsn(IRETURN);
        mv.visitLabel(h);
        mv.visitInsn(POP);
        mv.visitInsn(ICONST_M1);
        Asm.end(mv, IRETURN);
        c.write();
    }

    /** Legal class files whose locking is not structured. */
    private static void monitors() {
        Asm c = new Asm("GenMonitors");
        MethodVisitor exit = c.staticMethod("exitOnly", "(Ljava/lang/Object;)V");
        exit.visitVarInsn(ALOAD, 0);
        exit.visitInsn(MONITOREXIT);
        Asm.end(exit, RETURN);
        MethodVisitor enter = c.staticMethod("enterOnly", "(Ljava/lang/Object;)V");
        enter.visitVarInsn(ALOAD, 0);
        enter.visitInsn(MONITORENTER);
        Asm.end(enter, RETURN);
        MethodVisitor twice = c.staticMethod("enterTwiceExitOnce", "(Ljava/lang/Object;)V");
        twice.visitVarInsn(ALOAD, 0);
        twice.visitInsn(MONITORENTER);
        twice.visitVarInsn(ALOAD, 0);
        twice.visitInsn(MONITORENTER);
        twice.visitVarInsn(ALOAD, 0);
        twice.visitInsn(MONITOREXIT);
        Asm.end(twice, RETURN);
        // Interleaved release order is legal.
        MethodVisitor cross = c.staticMethod("cross", "(Ljava/lang/Object;Ljava/lang/Object;)V");
        for (int op : new int[] {MONITORENTER, MONITOREXIT}) {
            cross.visitVarInsn(ALOAD, 0);
            cross.visitInsn(op);
            cross.visitVarInsn(ALOAD, 1);
            cross.visitInsn(op);
        }
        Asm.end(cross, RETURN);
        MethodVisitor thrower = c.staticMethod("enterThrow", "(Ljava/lang/Object;)V");
        thrower.visitVarInsn(ALOAD, 0);
        thrower.visitInsn(MONITORENTER);
        thrower.visitInsn(ICONST_1);
        thrower.visitInsn(ICONST_0);
        thrower.visitInsn(IDIV);
        thrower.visitInsn(POP);
        Asm.end(thrower, RETURN);
        MethodVisitor own = c.method(ACC_PUBLIC | ACC_STATIC | ACC_SYNCHRONIZED, "exitOwn", "()V");
        own.visitLdcInsn(jdk.internal.org.objectweb.asm.Type.getObjectType("GenMonitors"));
        own.visitInsn(MONITOREXIT);
        Asm.end(own, RETURN);
        MethodVisitor nul = c.staticMethod("exitNull", "()V");
        nul.visitInsn(ACONST_NULL);
        nul.visitInsn(MONITOREXIT);
        Asm.end(nul, RETURN);
        c.write();
    }

    /** Version 45.3, without ACC_SUPER, dead code without frames. */
    private static void oldVersion() {
        Asm c = new Asm(V1_1, ACC_PUBLIC, "GenVersion45", "java/lang/Object");
        c.constructor();
        MethodVisitor mv = c.staticMethod("run", "(I)I");
        Label end = new Label();
        mv.visitVarInsn(ILOAD, 0);
        mv.visitJumpInsn(GOTO, end);
        mv.visitInsn(POP);
        mv.visitLabel(end);
        mv.visitInsn(ICONST_3);
        mv.visitInsn(IMUL);
        Asm.end(mv, IRETURN);
        c.write();
    }
}
