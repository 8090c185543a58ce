package dev.concord.persist.weaver;

import dev.concord.persist.weaver.ClassIndex.FieldFacts;
import java.util.List;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Writes the members a persistent class is given. */
final class MethodWriter {
    private static final String OFFSET = "$jnvm$off$";
    private final ClassVisitor cv;
    private final String owner;

    MethodWriter(ClassVisitor cv, String owner) {
        this.cv = cv;
        this.owner = owner;
    }

    void accessors(FieldFacts f, FieldCodec c, List<String> taken) {
        String name = f.name();
        cv.visitField(Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC, OFFSET + name, "I", null, null).visitEnd();
        Type t = Type.getType(f.descriptor());
        int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_SYNTHETIC;

        MethodVisitor get = cv.visitMethod(access, AccessRewriter.GET + name, "()" + f.descriptor(), null, null);
        get.visitCode();
        get.visitVarInsn(Opcodes.ALOAD, 0);
        offset(get, name);
        room(get, c.capacity() > 0 ? c.room() : 0);
        get.visitMethodInsn(Opcodes.INVOKEVIRTUAL, ClassIndex.BASE, "jnvm$get" + c.accessor(), (c.capacity() > 0 ? "(II)" : "(I)") + c.runtime(), false);
        if (!c.runtime().equals(f.descriptor()) && c.runtime().length() > 1) {
            get.visitTypeInsn(Opcodes.CHECKCAST, t.getInternalName());
        }
        get.visitInsn(t.getOpcode(Opcodes.IRETURN));
        end(get);

        setter(access, AccessRewriter.SET + name, name, t, "jnvm$put" + c.accessor(), "(" + c.runtime() + (c.capacity() > 0 ? "II)V" : "I)V"),
                c.capacity() > 0 ? c.room() : 0);

        String capital = Character.toUpperCase(name.charAt(0)) + name.substring(1);
        if (!taken.contains("pwb" + capital)) {
            MethodVisitor pwb = cv.visitMethod(access & ~Opcodes.ACC_SYNTHETIC, "pwb" + capital, "()V", null, null);
            pwb.visitCode();
            pwb.visitVarInsn(Opcodes.ALOAD, 0);
            offset(pwb, name);
            pwb.visitLdcInsn(c.width());
            pwb.visitMethodInsn(Opcodes.INVOKEVIRTUAL, ClassIndex.BASE, "jnvm$pwb", "(II)V", false);
            pwb.visitInsn(Opcodes.RETURN);
            end(pwb);
        }
        if (c.isReference()) {
            for (String kind : new String[] {"", "Free"}) {
                String helper = "update" + capital + kind;
                if (!taken.contains(helper)) {
                    setter(access & ~Opcodes.ACC_SYNTHETIC, helper, name, t, "jnvm$update" + kind, "(" + c.runtime() + "I)V", 0);
                }
            }
        }
    }

    private void setter(int access, String method, String field, Type t, String runtime, String runtimeDescriptor, int room) {
        MethodVisitor set = cv.visitMethod(access, method, "(" + t.getDescriptor() + ")V", null, null);
        set.visitCode();
        set.visitVarInsn(Opcodes.ALOAD, 0);
        set.visitVarInsn(t.getOpcode(Opcodes.ILOAD), 1);
        if (runtimeDescriptor.startsWith("(Ldev/")) {
            // A field typed as an interface is not known to the verifier to be a PObject.
            set.visitTypeInsn(Opcodes.CHECKCAST, ClassIndex.POBJECT);
        }
        offset(set, field);
        room(set, room);
        set.visitMethodInsn(Opcodes.INVOKEVIRTUAL, ClassIndex.BASE, runtime, runtimeDescriptor, false);
        set.visitInsn(Opcodes.RETURN);
        end(set);
    }

    /** The further argument of inline values. */
    private static void room(MethodVisitor mv, int bytes) {
        if (bytes > 0) {
            mv.visitLdcInsn(bytes);
        }
    }

    private void offset(MethodVisitor mv, String field) {
        mv.visitFieldInsn(Opcodes.GETSTATIC, owner, OFFSET + field, "I");
    }

    /** Asks the runtime for the offsets, once, when the class is initialised. */
    void offsets(List<FieldFacts> fields) {
        MethodVisitor mv = cv.visitMethod(Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC, "$jnvm$offsets", "()V", null, null);
        mv.visitCode();
        for (FieldFacts f : fields) {
            mv.visitLdcInsn(Type.getObjectType(owner));
            mv.visitLdcInsn(f.name());
            mv.visitMethodInsn(Opcodes.INVOKESTATIC, "dev/concord/persist/core/Layout", "offset", "(Ljava/lang/Class;Ljava/lang/String;)I", false);
            mv.visitFieldInsn(Opcodes.PUTSTATIC, owner, OFFSET + f.name(), "I");
        }
        mv.visitInsn(Opcodes.RETURN);
        end(mv);
    }

    void classInit() {
        MethodVisitor mv = cv.visitMethod(Opcodes.ACC_STATIC, "<clinit>", "()V", null, null);
        mv.visitCode();
        mv.visitMethodInsn(Opcodes.INVOKESTATIC, owner, "$jnvm$offsets", "()V", false);
        mv.visitInsn(Opcodes.RETURN);
        end(mv);
    }

    void resurrectConstructor(String superName) {
        String d = "(L" + Weaver.RESURRECTION + ";)V";
        MethodVisitor mv = cv.visitMethod(Opcodes.ACC_PROTECTED | Opcodes.ACC_SYNTHETIC, "<init>", d, null, null);
        mv.visitCode();
        mv.visitVarInsn(Opcodes.ALOAD, 0);
        mv.visitVarInsn(Opcodes.ALOAD, 1);
        mv.visitMethodInsn(Opcodes.INVOKESPECIAL, superName, "<init>", d, false);
        mv.visitInsn(Opcodes.RETURN);
        end(mv);
    }

    private static void end(MethodVisitor mv) {
        mv.visitMaxs(0, 0);
        mv.visitEnd();
    }
}
