package dev.concord.persist.weaver;

import dev.concord.persist.weaver.ClassIndex.FieldOwner;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Replaces loads and stores of persistent fields by calls of the accessors that their class was given. */
final class AccessRewriter extends ClassVisitor {
    static final String GET = "$jnvm$get$";
    static final String SET = "$jnvm$set$";
    private final ClassIndex index;

    AccessRewriter(ClassVisitor next, ClassIndex index) {
        super(Opcodes.ASM9, next);
        this.index = index;
    }

    ClassVisitor target() {
        return cv;
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
        MethodVisitor mv = super.visitMethod(access, name, descriptor, signature, exceptions);
        return new MethodVisitor(Opcodes.ASM9, mv) {
            @Override
            public void visitFieldInsn(int opcode, String owner, String field, String desc) {
                FieldOwner f = opcode == Opcodes.GETFIELD || opcode == Opcodes.PUTFIELD ? index.resolve(owner, field) : null;
                if (f == null) {
                    super.visitFieldInsn(opcode, owner, field, desc);
                } else if (opcode == Opcodes.GETFIELD) {
                    super.visitMethodInsn(Opcodes.INVOKEVIRTUAL, f.owner().name(), GET + field, "()" + desc, false);
                } else {
                    super.visitMethodInsn(Opcodes.INVOKEVIRTUAL, f.owner().name(), SET + field, "(" + desc + ")V", false);
                }
            }
        };
    }

    static boolean touchesPersistentFields(ClassReader reader, ClassIndex index) {
        boolean[] found = new boolean[1];
        reader.accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                    @Override
                    public void visitFieldInsn(int opcode, String owner, String field, String desc) {
                        if (!found[0] && (opcode == Opcodes.GETFIELD || opcode == Opcodes.PUTFIELD)) {
                            found[0] = index.resolve(owner, field) != null;
                        }
                    }
                };
            }
        }, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return found[0];
    }
}
