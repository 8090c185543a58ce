import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

/**
 * Classes that inherit a method from three interfaces, which declare it in all the ways, and call it by invokespecial, by
 * invokevirtual and by invokeinterface: one package per shape.
 */
final class GenDefaults implements Opcodes {
    private static final int INTERFACE = ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT;
    private static final int CLASS = ACC_PUBLIC | ACC_SUPER;
    private static final int ABSENT = -1;
    private static final int ABSTRACT = ACC_PUBLIC | ACC_ABSTRACT;
    private static final int DEFAULT = ACC_PUBLIC;
    private static final int STATIC = ACC_PUBLIC | ACC_STATIC;
    private static final int PRIVATE = ACC_PRIVATE;
    private static final String OBJ = "java/lang/Object";
    private static int shapes;

    static void generate() {
        for (boolean extend : new boolean[] {false, true}) {
            shape(extend, DEFAULT, DEFAULT, ABSENT);
            shape(extend, ABSTRACT, DEFAULT, DEFAULT);
            shape(extend, DEFAULT, ABSTRACT, DEFAULT);
            shape(extend, DEFAULT, STATIC, DEFAULT);
            shape(extend, DEFAULT, PRIVATE, ABSENT);
            shape(extend, DEFAULT, DEFAULT, DEFAULT);
            shape(extend, DEFAULT, ABSENT, ABSTRACT);
            shape(extend, STATIC, ABSTRACT, ABSENT);
        }
    }

    /** I0 to I2, with extend I1 under I0; J and A inherit from them all, K from J, B and C from A. */
    private static void shape(boolean extend, int... declared) {
        String p = "dft" + shapes++ + "/";
        String[] all = {p + "I0", p + "I1", p + "I2"};
        for (int n = 0; n < 3; n++) {
            String[] supers = extend && n == 1 ? new String[] {all[0]} : new String[0];
            declare(new Asm(V17, INTERFACE, all[n], OBJ, supers), declared[n], n);
        }
        String[] direct = extend ? new String[] {all[1], all[2]} : all;
        Asm j = new Asm(V17, INTERFACE, p + "J", OBJ, direct);
        call(j, INVOKESPECIAL, p + "J", true);
        call(j, INVOKEINTERFACE, p + "J", true);
        call(j, INVOKESPECIAL, all[1], true);
        j.write();
        Asm k = new Asm(V17, CLASS, p + "K", OBJ, p + "J").constructor();
        call(k, INVOKESPECIAL, p + "J", true);
        call(k, INVOKESPECIAL, p + "K", false);
        call(k, INVOKEVIRTUAL, p + "K", false);
        k.write();
        Asm a = new Asm(V17, CLASS, p + "A", OBJ, direct).constructor();
        call(a, INVOKESPECIAL, p + "A", false);
        call(a, INVOKEVIRTUAL, p + "A", false);
        for (String i : direct) {
            call(a, INVOKESPECIAL, i, true);
        }
        a.write();
        Asm b = new Asm(V17, CLASS, p + "B", p + "A").constructor(p + "A");
        call(b, INVOKESPECIAL, p + "A", false);
        call(b, INVOKESPECIAL, p + "B", false);
        b.write();
        Asm c = new Asm(V17, CLASS, p + "C", p + "B").constructor(p + "B");
        call(c, INVOKESPECIAL, p + "A", false);
        call(c, INVOKESPECIAL, p + "C", false);
        c.write();
    }

    private static void declare(Asm c, int access, int value) {
        if (access == ABSTRACT) {
            c.method(access, "m", "()I").visitEnd();
        } else if (access != ABSENT) {
            c.constant(access, "m", value);
        }
        c.write();
    }

    private static void call(Asm c, int opcode, String named, boolean isInterface) {
        String how = opcode == INVOKESPECIAL ? "special" : opcode == INVOKEVIRTUAL ? "virtual" : "interface";
        MethodVisitor mv = c.staticMethod(how + named.substring(named.indexOf('/') + 1), "(L" + c.name + ";)I");
        mv.visitVarInsn(ALOAD, 0);
        mv.visitMethodInsn(opcode, named, "m", "()I", isInterface);
        Asm.end(mv, IRETURN);
    }
}
