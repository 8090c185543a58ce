import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

/**
 * Calls of interface methods whose receivers the verifier lets through: it takes every class for an implementor. And
 * interfaces that declare what is final in Object.
 */
final class GenReceivers implements Opcodes {
    private static final int INTERFACE = ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT;
    private static final String OBJ = "java/lang/Object";

    static void generate() {
        interfaces();
        classes();
        finals();
    }

    private static void interfaces() {
        Asm a = new Asm(V17, INTERFACE, "RcvA", OBJ);
        a.method(ACC_PUBLIC | ACC_ABSTRACT, "a", "()I").visitEnd();
        a.constant(ACC_PUBLIC, "d", 2).constant(ACC_PRIVATE, "p", 3);
        call(a, "callPrivate", INVOKEINTERFACE, "RcvA", "p", "()I");
        call(a, "specialPrivate", INVOKESPECIAL, "RcvA", "p", "()I");
        a.write();
        Asm b = new Asm(V17, INTERFACE, "RcvB", OBJ, "RcvA");
        b.method(ACC_PUBLIC | ACC_ABSTRACT, "b", "()I").visitEnd();
        call(b, "specialDefault", INVOKESPECIAL, "RcvA", "d", "()I");
        // The same constant by both instructions.
        call(b, "virtualDefault", INVOKEINTERFACE, "RcvA", "d", "()I");
        b.write();
        new Asm(V17, INTERFACE, "RcvEmpty", OBJ, "RcvB").write();
        Asm user = new Asm("RcvUser");
        call(user, "aOfA", INVOKEINTERFACE, "RcvA", "a", "()I");
        call(user, "aOfB", INVOKEINTERFACE, "RcvB", "a", "()I");
        call(user, "aOfEmpty", INVOKEINTERFACE, "RcvEmpty", "a", "()I");
        call(user, "bOfB", INVOKEINTERFACE, "RcvB", "b", "()I");
        call(user, "bOfEmpty", INVOKEINTERFACE, "RcvEmpty", "b", "()I");
        call(user, "dOfEmpty", INVOKEINTERFACE, "RcvEmpty", "d", "()I");
        call(user, "hashOfB", INVOKEINTERFACE, "RcvB", "hashCode", "()I");
        call(user, "toStringOfB", INVOKEINTERFACE, "RcvB", "toString", "()Ljava/lang/String;");
        call(user, "classOfB", INVOKEINTERFACE, "RcvB", "getClass", "()Ljava/lang/Class;");
        for (String type : new String[] {"java/io/Serializable", "java/lang/Cloneable"}) {
            String of = type.substring(type.lastIndexOf('/') + 1);
            call(user, "hashOf" + of, INVOKEINTERFACE, type, "hashCode", "()I");
            call(user, "toStringOf" + of, INVOKEINTERFACE, type, "toString", "()Ljava/lang/String;");
            call(user, "classOf" + of, INVOKEINTERFACE, type, "getClass", "()Ljava/lang/Class;");
        }
        user.write();
    }

    private static void classes() {
        of("RcvNone").write();
        of("RcvOnlyA", "RcvA").write();
        of("RcvBoth", "RcvB").write();
        of("RcvAll", "RcvEmpty").write();
    }

    private static Asm of(String name, String... interfaces) {
        Asm c = new Asm(V17, ACC_PUBLIC | ACC_SUPER, name, OBJ, interfaces).constructor();
        return c.constant(ACC_PUBLIC, "a", 10).constant(ACC_PUBLIC, "b", 20).constant(ACC_PUBLIC, "hashCode", 30);
    }

    /** A static method of one argument, the receiver. */
    private static void call(Asm to, String name, int opcode, String holder, String method, String descriptor) {
        String result = descriptor.substring(2);
        MethodVisitor mv = to.staticMethod(name, "(Ljava/lang/Object;)" + result);
        mv.visitVarInsn(ALOAD, 0);
        mv.visitMethodInsn(opcode, holder, method, descriptor, true);
        Asm.end(mv, result.equals("I") ? IRETURN : ARETURN);
    }

    /** FinN declares one method, FinNImpl implements it. */
    private static void finals() {
        String[][] all = {
            {"getClass", "()Ljava/lang/Class;"}, {"notify", "()V"}, {"wait", "(J)V"}, {"wait", "(I)V"},
            {"hashCode", "()I"}, {"finalize", "()V"}, {"registerNatives", "()V"}
        };
        for (int i = 0; i < all.length; i++) {
            Asm a = new Asm(V17, INTERFACE, "Fin" + i, OBJ);
            a.method(ACC_PUBLIC | ACC_ABSTRACT, all[i][0], all[i][1]).visitEnd();
            a.constant(ACC_PUBLIC, "m", 1).write();
            new Asm(V17, ACC_PUBLIC | ACC_SUPER, "Fin" + i + "Impl", OBJ, "Fin" + i).constructor().write();
            for (int access : new int[] {ACC_PRIVATE, ACC_PUBLIC | ACC_STATIC, ACC_PUBLIC}) {
                Asm b = new Asm(V17, INTERFACE, "Fin" + i + "With" + access, OBJ);
                MethodVisitor mv = b.method(access, all[i][0], all[i][1]);
                mv.visitInsn(ACONST_NULL);
                mv.visitInsn(ATHROW);
                mv.visitMaxs(0, 0);
                mv.visitEnd();
                b.write();
            }
        }
    }
}
