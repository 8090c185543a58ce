import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

/** Names and descriptors that are refused in class files of every version: resources Old0, Old1, ... */
final class GenOld implements Opcodes {
    private static final int[] VERSIONS = {V1_1, V1_4, V1_5, V1_6, V1_7, V17};
    private static int count;

    static void generate() {
        for (int version : VERSIONS) {
            // A NameAndType that no reference uses.
            enclosed(version, "main", "(\\Ljava/lang/String;)V");
            enclosed(version, "ma<n", "()V");
            enclosed(version, "<init>", "()V");
            enclosed(version, "a", "Q");
            enclosed(version, "1a", "I");
            reference(version, GETSTATIC, "<init>", "()V");
            reference(version, GETSTATIC, "<init>", "I");
            reference(version, GETSTATIC, "a-b", "I");
            reference(version, INVOKESTATIC, "a", "I");
            reference(version, INVOKESTATIC, "<odd>", "()V");
            reference(version, INVOKESTATIC, "a-b", "()V");
            reference(version, INVOKESTATIC, "a", "(V)V");
            for (String name : new String[] {"/F", "F/", "a//F", "1F", "a.F", "a/1F", "[F", "[LF"}) {
                named(version, name);
            }
        }
        noEnclosingClass();
        Asm all = new Asm("OldCount");
        all.constant(ACC_PUBLIC | ACC_STATIC, "count", count);
        all.write();
    }

    private static ClassWriter begin(int version) {
        return Asm.raw(version, ACC_PUBLIC | ACC_SUPER, "Old" + count, "java/lang/Object");
    }

    private static void end(ClassWriter w) {
        w.visitEnd();
        Generate.writeHidden("Old" + count++, w.toByteArray());
    }

    private static void enclosed(int version, String name, String descriptor) {
        ClassWriter w = begin(version);
        w.visitOuterClass("Old0", name, descriptor);
        end(w);
    }

    private static void reference(int version, int opcode, String name, String descriptor) {
        ClassWriter w = begin(version);
        MethodVisitor mv = w.visitMethod(ACC_STATIC, "m", "()V", null, null);
        mv.visitCode();
        Label end = new Label();
        mv.visitJumpInsn(GOTO, end);
        mv.visitLabel(end);
        if (version >= V1_6) {
            mv.visitFrame(F_NEW, 0, null, 0, null);
        }
        if (opcode == GETSTATIC) {
            mv.visitFieldInsn(opcode, "Old0", name, descriptor);
        } else {
            mv.visitMethodInsn(opcode, "Old0", name, descriptor, false);
        }
        mv.visitInsn(RETURN);
        mv.visitMaxs(2, 0);
        mv.visitEnd();
        end(w);
    }

    private static void named(int version, String type) {
        ClassWriter w = begin(version);
        w.newClass(type);
        end(w);
    }

    private static void noEnclosingClass() {
        ClassWriter w = begin(V17);
        w.visitOuterClass("Old0", null, null);
        w.visitEnd();
        byte[] b = w.toByteArray();
        // The attribute is the last: its class index is the fourth byte from the end.
        b[b.length - 4] = 0;
        b[b.length - 3] = 0;
        Generate.writeHidden("Old" + count++, b);
    }
}
