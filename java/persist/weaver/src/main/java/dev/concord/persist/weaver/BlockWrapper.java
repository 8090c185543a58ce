package dev.concord.persist.weaver;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.AdviceAdapter;

/**
 * Runs a method in a failure-atomic block, from after the superclass's constructor on if it is one. Owns the rule that
 * every way out ends the block: a return commits, an exception rolls back and goes on.
 */
final class BlockWrapper extends AdviceAdapter {
    private static final String RUNTIME = "dev/concord/persist/FailureAtomic";
    private final Label start = new Label();
    private final boolean constructor;
    private final String owner;
    private final List<Label[]> ranges = new ArrayList<>();
    private Label from = start;
    private boolean handlerOpen;
    private boolean exited;

    BlockWrapper(MethodVisitor next, int access, String name, String descriptor, String owner) {
        super(Opcodes.ASM9, next, access, name, descriptor);
        this.constructor = name.equals("<init>");
        this.owner = owner;
    }

    @Override
    protected void onMethodEnter() {
        if (!constructor) {
            loadThis();
            super.visitMethodInsn(INVOKESTATIC, RUNTIME, "enter", "(L" + ClassIndex.BASE + ";)V", false);
        }
        mark(start);
        handlerOpen = true;
    }

    @Override
    protected void onMethodExit(int opcode) {
        if (opcode == ATHROW) {
            return; // the handler below sees it
        }
        // The exit call itself must not be covered: a commit that fails has ended the block already.
        Label end = mark();
        if (handlerOpen) {
            ranges.add(new Label[] {from, end});
        }
        loadThis();
        if (constructor) {
            visitLdcInsn(Type.getObjectType(owner));
            super.visitMethodInsn(INVOKESTATIC, RUNTIME, "constructed", "(L" + ClassIndex.BASE + ";Ljava/lang/Class;)V", false);
        } else {
            super.visitMethodInsn(INVOKESTATIC, RUNTIME, "exit", "(L" + ClassIndex.BASE + ";)V", false);
        }
        exited = true;
    }

    @Override
    public void visitInsn(int opcode) {
        super.visitInsn(opcode);
        if (exited && opcode >= IRETURN && opcode <= RETURN) {
            exited = false;
            from = new Label();
            super.visitLabel(from);
        }
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        if (handlerOpen) {
            Label end = new Label();
            Label handler = new Label();
            super.visitLabel(end);
            ranges.add(new Label[] {from, end});
            super.visitLabel(handler);
            for (Label[] r : ranges) {
                if (r[0].getOffset() != r[1].getOffset()) {
                    super.visitTryCatchBlock(r[0], r[1], handler, "java/lang/Throwable");
                }
            }
            // What the locals hold here is unknown but for `this`, which no source code can reassign.
            mv.visitFrame(F_NEW, 1, new Object[] {owner}, 1, new Object[] {"java/lang/Throwable"});
            super.visitInsn(DUP);
            loadThis();
            super.visitInsn(SWAP);
            super.visitMethodInsn(INVOKESTATIC, RUNTIME, constructor ? "failedConstruction" : "fail",
                    "(L" + ClassIndex.BASE + ";Ljava/lang/Throwable;)V", false);
            mv.visitInsn(ATHROW);
        }
        super.visitMaxs(maxStack, maxLocals);
    }
}
