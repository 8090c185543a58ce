import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

/** Members that a class may not use, or that lookup must choose between: nests, modules, default methods. */
final class GenMembers implements Opcodes {
    static void generate() {
        Asm unlisted = new Asm("NestUnlisted");
        unlisted.cw.visitNestHost("NestHost");
        call(unlisted, INVOKESTATIC, "NestHost", "m", false);
        Asm notExported = new Asm("ModuleNotExported");
        MethodVisitor mv = notExported.staticMethod("run", "()I");
        mv.visitMethodInsn(INVOKESTATIC, "jdk/internal/misc/VM", "isBooted", "()Z", false);
        Asm.end(mv, IRETURN);
        notExported.write();
        call(new Asm(V17, ACC_PUBLIC | ACC_SUPER, "ModuleExtends", "jdk/internal/loader/Resource"), INVOKESTATIC, "NestNone", "m", false);
        call(new Asm(V17, ACC_PUBLIC | ACC_SUPER, "ModuleImplements", "java/lang/Object", "jdk/internal/access/JavaIOAccess"), INVOKESTATIC, "NestNone", "m", false);
        // One default and one abstract method of unrelated interfaces, in both orders.
        itf("SelectDefault", false);
        itf("SelectAbstract", true);
        itf("SelectOther", false);
        select("SelectA", "SelectDefault", "SelectAbstract");
        select("SelectB", "SelectAbstract", "SelectDefault");
        select("SelectC", "SelectDefault", "SelectOther");
        select("SelectD", "SelectAbstract");
    }

    private static void call(Asm c, int op, String holder, String name, boolean itf) {
        MethodVisitor mv = c.staticMethod("run", "()I");
        mv.visitMethodInsn(op, holder, name, "()I", itf);
        Asm.end(mv, IRETURN);
        c.write();
    }

    private static void itf(String name, boolean isAbstract) {
        Asm c = new Asm(V17, ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, name, "java/lang/Object");
        if (isAbstract) {
            c.method(ACC_PUBLIC | ACC_ABSTRACT, "m", "()I").visitEnd();
        } else {
            c.constant(ACC_PUBLIC, "m", name.length());
        }
        c.write();
    }

    /** A class with these interfaces, and a subclass that calls the method by super, virtually and by the interface. */
    private static void select(String name, String... interfaces) {
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, name, "java/lang/Object", interfaces).constructor().write();
        String sub = name + "Sub";
        Asm c = new Asm(V17, ACC_PUBLIC | ACC_SUPER, sub, name).constructor(name);
        MethodVisitor mv = c.method(ACC_PUBLIC, "bySuper", "()I");
        mv.visitVarInsn(ALOAD, 0);
        mv.visitMethodInsn(INVOKESPECIAL, name, "m", "()I", false);
        Asm.end(mv, IRETURN);
        mv = c.method(ACC_PUBLIC, "byClass", "()I");
        mv.visitVarInsn(ALOAD, 0);
        mv.visitMethodInsn(INVOKEVIRTUAL, name, "m", "()I", false);
        Asm.end(mv, IRETURN);
        mv = c.method(ACC_PUBLIC, "byInterface", "()I");
        mv.visitVarInsn(ALOAD, 0);
        mv.visitMethodInsn(INVOKEINTERFACE, interfaces[0], "m", "()I", true);
        Asm.end(mv, IRETURN);
        c.write();
    }
}
