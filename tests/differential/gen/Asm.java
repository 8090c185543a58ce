import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

/** Short names for what every generator does: open a class, open a method, print a value. */
final class Asm implements Opcodes {
    final ClassWriter cw;
    final String name;
    final int version;

    Asm(int version, int access, String name, String superName, String... interfaces) {
        // Frames are computed for the versions that need them; nothing here merges class types.
        int flags =
                version >= V1_6 && version < 100
                        ? ClassWriter.COMPUTE_FRAMES
                        : ClassWriter.COMPUTE_MAXS;
        cw =
                new ClassWriter(flags) {
                    @Override
                    protected String getCommonSuperClass(String a, String b) {
                        return "java/lang/Object";
                    }
                };
        this.name = name;
        this.version = version;
        cw.visit(
                version, access, name, null, superName, interfaces.length == 0 ? null : interfaces);
    }

    Asm(String name) {
        this(V17, ACC_PUBLIC | ACC_SUPER, name, "java/lang/Object");
    }

    /** The same without computed frames, for classes that must keep what the test wrote. */
    static ClassWriter raw(
            int version, int access, String name, String superName, String... interfaces) {
        ClassWriter w = new ClassWriter(0);
        w.visit(version, access, name, null, superName, interfaces.length == 0 ? null : interfaces);
        return w;
    }

    MethodVisitor method(int access, String method, String descriptor) {
        MethodVisitor mv = cw.visitMethod(access, method, descriptor, null, null);
        if ((access & (ACC_ABSTRACT | ACC_NATIVE)) == 0) {
            mv.visitCode();
        }
        return mv;
    }

    MethodVisitor staticMethod(String method, String descriptor) {
        return method(ACC_PUBLIC | ACC_STATIC, method, descriptor);
    }

    Asm field(int access, String field, String descriptor) {
        cw.visitField(access, field, descriptor, null, null).visitEnd();
        return this;
    }

    Asm constructor() {
        return constructor("java/lang/Object");
    }

    Asm constructor(String superName) {
        MethodVisitor mv = method(ACC_PUBLIC, "<init>", "()V");
        mv.visitVarInsn(ALOAD, 0);
        mv.visitMethodInsn(INVOKESPECIAL, superName, "<init>", "()V", false);
        end(mv, RETURN);
        return this;
    }

    static void end(MethodVisitor mv, int returnOpcode) {
        mv.visitInsn(returnOpcode);
        mv.visitMaxs(0, 0);
        mv.visitEnd();
    }

    /** A method that returns an int constant. */
    Asm constant(int access, String method, int value) {
        MethodVisitor mv = method(access, method, "()I");
        mv.visitLdcInsn(value);
        end(mv, IRETURN);
        return this;
    }

    byte[] bytes() {
        cw.visitEnd();
        return cw.toByteArray();
    }

    void write() {
        Generate.write(name, bytes());
    }

    void hidden(String resource) {
        Generate.writeHidden(resource, bytes());
    }

    /** Pops a value of the type and prints it; the local is scratch. */
    static void print(MethodVisitor mv, String type) {
        if (type.equals("J") || type.equals("D")) {
            mv.visitFieldInsn(GETSTATIC, "java/lang/System", "out", "Ljava/io/PrintStream;");
            mv.visitInsn(DUP_X2);
            mv.visitInsn(POP);
        } else {
            mv.visitFieldInsn(GETSTATIC, "java/lang/System", "out", "Ljava/io/PrintStream;");
            mv.visitInsn(SWAP);
        }
        mv.visitMethodInsn(
                INVOKEVIRTUAL, "java/io/PrintStream", "println", "(" + type + ")V", false);
    }
}
