import jdk.internal.org.objectweb.asm.Attribute;
import jdk.internal.org.objectweb.asm.ByteVector;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

/**
 * Classes whose references do not fit what they refer to: every linkage error, at the instruction
 * that resolves.
 */
final class GenLinkage implements Opcodes {
    private static final String OBJ = "java/lang/Object";

    static void generate() {
        targets();
        users();
        hierarchies();
        selection();
        nests();
        protectedMembers();
    }

    /**
     * ProtUser and ProtOther are sisters under protpkg.Base. The verifier would refuse what ProtUser
     * does with its sister's inherited members; unverified, resolution has to.
     */
    private static void protectedMembers() {
        Asm base = new Asm(V17, ACC_PUBLIC | ACC_SUPER, "protpkg/Base", OBJ).constructor();
        base.field(ACC_PROTECTED, "f", "I").constant(ACC_PROTECTED, "m", 31);
        base.write();
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "ProtOther", "protpkg/Base").constructor("protpkg/Base").write();
        Asm user = new Asm(V17, ACC_PUBLIC | ACC_SUPER, "ProtUser", "protpkg/Base").constructor("protpkg/Base");
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "ProtSub", "ProtUser").constructor("ProtUser").write();
        for (String named : new String[] {"ProtOther", "ProtUser", "ProtSub", "protpkg/Base"}) {
            String suffix = named.substring(named.indexOf('/') + 1);
            MethodVisitor get = user.method(ACC_PUBLIC | ACC_STATIC, "get" + suffix, "(Ljava/lang/Object;)I");
            get.visitVarInsn(ALOAD, 0);
            get.visitTypeInsn(CHECKCAST, named);
            get.visitFieldInsn(GETFIELD, named, "f", "I");
            Asm.end(get, IRETURN);
            MethodVisitor call = user.method(ACC_PUBLIC | ACC_STATIC, "call" + suffix, "(Ljava/lang/Object;)I");
            call.visitVarInsn(ALOAD, 0);
            call.visitTypeInsn(CHECKCAST, named);
            call.visitMethodInsn(INVOKEVIRTUAL, named, "m", "()I", false);
            Asm.end(call, IRETURN);
        }
        user.write();
    }

    private static void targets() {
        Asm t = new Asm("LinkTarget").constructor();
        t.field(ACC_PUBLIC, "inst", "I")
                .field(ACC_PUBLIC | ACC_STATIC, "stat", "I")
                .field(ACC_PRIVATE | ACC_STATIC, "priv", "I")
                .field(ACC_PRIVATE, "privInst", "I")
                .field(ACC_PUBLIC | ACC_FINAL, "fin", "I")
                .field(ACC_PUBLIC | ACC_STATIC | ACC_FINAL, "sfin", "I");
        t.constant(ACC_PUBLIC, "v", 1)
                .constant(ACC_PUBLIC | ACC_STATIC, "s", 2)
                .constant(ACC_PRIVATE | ACC_STATIC, "ps", 3)
                .constant(ACC_PRIVATE, "pv", 4)
                .constant(ACC_PROTECTED, "prot", 5);
        t.method(ACC_PUBLIC | ACC_STATIC | ACC_NATIVE, "nat", "()I").visitEnd();
        t.method(ACC_PUBLIC | ACC_NATIVE, "natInst", "(JLjava/lang/String;)I").visitEnd();
        t.write();
        Asm a =
                new Asm(V17, ACC_PUBLIC | ACC_SUPER | ACC_ABSTRACT, "LinkAbstract", OBJ)
                        .constructor();
        a.method(ACC_PUBLIC | ACC_ABSTRACT, "abs", "()I").visitEnd();
        a.write();
        Asm concrete =
                new Asm(
                                V17,
                                ACC_PUBLIC | ACC_SUPER,
                                "LinkMissingImpl",
                                "LinkAbstract",
                                "LinkInterface")
                        .constructor("LinkAbstract");
        concrete.write();
        Asm i = new Asm(V17, ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, "LinkInterface", OBJ);
        i.method(ACC_PUBLIC | ACC_ABSTRACT, "im", "()I").visitEnd();
        i.constant(ACC_PUBLIC, "def", 7)
                .constant(ACC_PUBLIC | ACC_STATIC, "ist", 8)
                .constant(ACC_PRIVATE, "ipriv", 9);
        i.write();
        Asm p = new Asm(V17, ACC_SUPER, "linkpkg/Hidden", OBJ).constructor();
        p.field(ACC_PUBLIC | ACC_STATIC, "x", "I");
        p.constant(ACC_PUBLIC | ACC_STATIC, "m", 10);
        p.write();
        Asm q = new Asm(V17, ACC_PUBLIC | ACC_SUPER, "linkpkg/Open", OBJ).constructor();
        q.field(ACC_STATIC, "pkg", "I").field(ACC_PROTECTED | ACC_STATIC, "prot", "I");
        q.constant(ACC_STATIC, "pkgm", 11).constant(ACC_PROTECTED | ACC_STATIC, "protm", 12);
        q.write();
        Asm plain = new Asm("LinkPlain").constructor();
        plain.write();
    }

    /**
     * One static method caseN per instruction; every one ends in an int and throws when it
     * resolves.
     */
    private static void users() {
        Asm c = new Asm("LinkUser");
        int n = 0;
        n = field(c, n, GETSTATIC, "LinkTarget", "nope", "I");
        n = field(c, n, GETSTATIC, "LinkTarget", "stat", "J");
        n = field(c, n, GETSTATIC, "LinkTarget", "inst", "I");
        n = field(c, n, GETFIELD, "LinkTarget", "stat", "I");
        n = field(c, n, PUTSTATIC, "LinkTarget", "inst", "I");
        n = field(c, n, PUTFIELD, "LinkTarget", "stat", "I");
        n = field(c, n, GETSTATIC, "LinkTarget", "priv", "I");
        n = field(c, n, GETFIELD, "LinkTarget", "privInst", "I");
        n = field(c, n, PUTFIELD, "LinkTarget", "fin", "I");
        n = field(c, n, PUTSTATIC, "LinkTarget", "sfin", "I");
        n = field(c, n, GETSTATIC, "NoSuchClass", "x", "I");
        n = field(c, n, GETSTATIC, "linkpkg/Hidden", "x", "I");
        n = field(c, n, GETSTATIC, "linkpkg/Open", "pkg", "I");
        n = field(c, n, GETSTATIC, "linkpkg/Open", "prot", "I");
        n = call(c, n, INVOKESTATIC, "LinkTarget", "nope", "()I", false);
        n = call(c, n, INVOKESTATIC, "LinkTarget", "s", "()J", false);
        n = call(c, n, INVOKESTATIC, "LinkTarget", "v", "()I", false);
        n = call(c, n, INVOKEVIRTUAL, "LinkTarget", "s", "()I", false);
        n = call(c, n, INVOKESTATIC, "LinkTarget", "ps", "()I", false);
        n = call(c, n, INVOKEVIRTUAL, "LinkTarget", "pv", "()I", false);
        n = call(c, n, INVOKEVIRTUAL, "LinkTarget", "prot", "()I", false);
        n = call(c, n, INVOKESTATIC, "LinkTarget", "nat", "()I", false);
        n = call(c, n, INVOKEINTERFACE, "LinkTarget", "v", "()I", true);
        n = call(c, n, INVOKEVIRTUAL, "LinkInterface", "im", "()I", false);
        n = call(c, n, INVOKEINTERFACE, "LinkInterface", "nope", "()I", true);
        n = call(c, n, INVOKEINTERFACE, "LinkInterface", "ist", "()I", true);
        n = call(c, n, INVOKESTATIC, "LinkInterface", "ist", "()I", true);
        n = call(c, n, INVOKESTATIC, "LinkInterface", "ist", "()I", false);
        n = call(c, n, INVOKESTATIC, "LinkInterface", "def", "()I", true);
        n = call(c, n, INVOKEINTERFACE, "LinkInterface", "ipriv", "()I", true);
        n = call(c, n, INVOKESTATIC, "NoSuchClass", "m", "()I", false);
        n = call(c, n, INVOKESTATIC, "linkpkg/Hidden", "m", "()I", false);
        n = call(c, n, INVOKESTATIC, "linkpkg/Open", "pkgm", "()I", false);
        n = call(c, n, INVOKESTATIC, "linkpkg/Open", "protm", "()I", false);
        n = call(c, n, INVOKEVIRTUAL, "LinkTarget", "natInst", "(JLjava/lang/String;)I", false);
        for (String type :
                new String[] {
                    "LinkAbstract",
                    "LinkInterface",
                    "NoSuchClass",
                    "linkpkg/Hidden",
                    "java/lang/Enum",
                    "LinkTarget"
                }) {
            MethodVisitor mv = c.staticMethod("case" + n++, "()I");
            mv.visitTypeInsn(NEW, type);
            mv.visitInsn(POP);
            mv.visitInsn(ICONST_0);
            Asm.end(mv, IRETURN);
        }
        for (int op : new int[] {CHECKCAST, INSTANCEOF, ANEWARRAY}) {
            for (String type : new String[] {"NoSuchClass", "linkpkg/Hidden", "[LNoSuchClass;"}) {
                MethodVisitor mv = c.staticMethod("case" + n++, "()I");
                if (op == ANEWARRAY) {
                    mv.visitInsn(ICONST_M1);
                } else {
                    mv.visitLdcInsn("x");
                }
                mv.visitTypeInsn(op, type);
                mv.visitInsn(POP);
                mv.visitInsn(ICONST_0);
                Asm.end(mv, IRETURN);
            }
        }
        // null passes an unresolvable checkcast and instanceof without resolution.
        for (int op : new int[] {CHECKCAST, INSTANCEOF}) {
            MethodVisitor mv = c.staticMethod("case" + n++, "()I");
            mv.visitInsn(ACONST_NULL);
            mv.visitTypeInsn(op, "NoSuchClass");
            mv.visitInsn(POP);
            mv.visitInsn(ICONST_5);
            Asm.end(mv, IRETURN);
        }
        MethodVisitor multi = c.staticMethod("case" + n++, "()I");
        multi.visitInsn(ICONST_1);
        multi.visitInsn(ICONST_1);
        multi.visitMultiANewArrayInsn("[[LNoSuchClass;", 2);
        multi.visitInsn(POP);
        multi.visitInsn(ICONST_0);
        Asm.end(multi, IRETURN);
        MethodVisitor ldc = c.staticMethod("case" + n++, "()I");
        ldc.visitLdcInsn(jdk.internal.org.objectweb.asm.Type.getObjectType("NoSuchClass"));
        ldc.visitInsn(POP);
        ldc.visitInsn(ICONST_0);
        Asm.end(ldc, IRETURN);
        c.constant(ACC_PUBLIC | ACC_STATIC, "count", n);
        c.write();
    }

    private static void receiver(MethodVisitor mv, String owner) {
        mv.visitTypeInsn(NEW, owner.equals("LinkInterface") ? "LinkMissingImpl" : owner);
        mv.visitInsn(DUP);
        mv.visitMethodInsn(
                INVOKESPECIAL,
                owner.equals("LinkInterface") ? "LinkMissingImpl" : owner,
                "<init>",
                "()V",
                false);
    }

    private static int field(Asm c, int n, int op, String owner, String name, String type) {
        MethodVisitor mv = c.staticMethod("case" + n, "()I");
        if (op == GETFIELD || op == PUTFIELD) {
            receiver(mv, owner);
        }
        if (op == PUTFIELD || op == PUTSTATIC) {
            mv.visitInsn(ICONST_1);
            mv.visitFieldInsn(op, owner, name, type);
        } else {
            mv.visitFieldInsn(op, owner, name, type);
            mv.visitInsn(type.equals("J") ? POP2 : POP);
        }
        mv.visitInsn(ICONST_0);
        Asm.end(mv, IRETURN);
        return n + 1;
    }

    private static int call(
            Asm c, int n, int op, String owner, String name, String descriptor, boolean itf) {
        MethodVisitor mv = c.staticMethod("case" + n, "()I");
        if (op != INVOKESTATIC) {
            receiver(mv, owner);
        }
        if (descriptor.startsWith("(J")) {
            mv.visitInsn(LCONST_1);
            mv.visitInsn(ACONST_NULL);
        }
        mv.visitMethodInsn(op, owner, name, descriptor, itf);
        if (descriptor.endsWith("J")) {
            mv.visitInsn(L2I);
        }
        Asm.end(mv, IRETURN);
        return n + 1;
    }

    /** Classes that cannot be linked to their supertypes; each fails when it is loaded by name. */
    private static void hierarchies() {
        new Asm(V17, ACC_PUBLIC | ACC_FINAL | ACC_SUPER, "HierFinal", OBJ).constructor().write();
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "HierExtendsFinal", "HierFinal").write();
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "HierExtendsInterface", "LinkInterface").write();
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "HierImplementsClass", OBJ, "LinkPlain").write();
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "HierMissingSuper", "NoSuchSuper").write();
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "HierMissingInterface", OBJ, "NoSuchInterface")
                .write();
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "HierCircleA", "HierCircleB").write();
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "HierCircleB", "HierCircleA").write();
        new Asm(V17, ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, "HierCircleI", OBJ, "HierCircleI")
                .write();
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "HierHiddenSuper", "linkpkg/Hidden").write();
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "HierFinalMethodBase", OBJ)
                .constructor()
                .constant(ACC_PUBLIC | ACC_FINAL, "f", 1)
                .write();
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "HierFinalMethod", "HierFinalMethodBase")
                .constructor("HierFinalMethodBase")
                .constant(ACC_PUBLIC, "f", 2)
                .write();
        Asm sealed = new Asm(V17, ACC_PUBLIC | ACC_SUPER, "HierSealed", OBJ);
        sealed.constructor();
        sealed.cw.visitAttribute(new PermittedSubclasses("HierPermitted"));
        sealed.write();
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "HierPermitted", "HierSealed")
                .constructor("HierSealed")
                .write();
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "HierNotPermitted", "HierSealed")
                .constructor("HierSealed")
                .write();
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "HierExtendsEnum", "java/lang/Enum").write();
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "HierExtendsArray", "[I").hidden("HierExtendsArray");
    }

    /**
     * JVMS 5.4.6 selection: conflicting defaults, abstract over default, package-private shadows,
     * invokespecial from far.
     */
    private static void selection() {
        for (String n : new String[] {"SelI", "SelJ"}) {
            new Asm(V17, ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, n, OBJ)
                    .constant(ACC_PUBLIC, "m", n.equals("SelI") ? 1 : 2)
                    .write();
        }
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "SelConflict", OBJ, "SelI", "SelJ")
                .constructor()
                .write();
        Asm k = new Asm(V17, ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, "SelK", OBJ, "SelI");
        k.method(ACC_PUBLIC | ACC_ABSTRACT, "m", "()I").visitEnd();
        k.write();
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "SelReabstracted", OBJ, "SelI", "SelK")
                .constructor()
                .write();
        // A private method in the class between does not stop the search for the interface's
        // method.
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "SelPrivate", OBJ, "SelI")
                .constructor()
                .constant(ACC_PRIVATE, "m", 50)
                .write();
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "SelNonPublic", OBJ, "SelI")
                .constructor()
                .constant(0, "m", 51)
                .write();
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "SelStatic", OBJ, "SelI")
                .constructor()
                .constant(ACC_PUBLIC | ACC_STATIC, "m", 52)
                .write();
        // Package-private chain: a.SelP.m (1) <- b.SelQ.m (2) <- a.SelR.m (3).
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "selpa/SelP", OBJ)
                .constructor()
                .constant(0, "m", 1)
                .write();
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "selpb/SelQ", "selpa/SelP")
                .constructor("selpa/SelP")
                .constant(ACC_PUBLIC, "m", 2)
                .write();
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "selpa/SelR", "selpb/SelQ")
                .constructor("selpb/SelQ")
                .constant(ACC_PUBLIC, "m", 3)
                .write();
        Asm caller = new Asm("selpa/Caller");
        for (String receiver : new String[] {"selpa/SelP", "selpb/SelQ", "selpa/SelR"}) {
            for (String owner : new String[] {"selpa/SelP", "selpb/SelQ"}) {
                if (receiver.equals("selpa/SelP") && owner.equals("selpb/SelQ")) {
                    continue;
                }
                MethodVisitor mv =
                        caller.staticMethod("call" + receiver.charAt(9) + owner.charAt(9), "()I");
                mv.visitTypeInsn(NEW, receiver);
                mv.visitInsn(DUP);
                mv.visitMethodInsn(INVOKESPECIAL, receiver, "<init>", "()V", false);
                mv.visitMethodInsn(INVOKEVIRTUAL, owner, "m", "()I", false);
                Asm.end(mv, IRETURN);
            }
        }
        caller.write();
        // invokespecial names the grandparent, ACC_SUPER selects the parent's method.
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "SuperA", OBJ)
                .constructor()
                .constant(ACC_PUBLIC, "m", 1)
                .write();
        new Asm(V17, ACC_PUBLIC | ACC_SUPER, "SuperB", "SuperA")
                .constructor("SuperA")
                .constant(ACC_PUBLIC, "m", 2)
                .write();
        Asm c =
                new Asm(V17, ACC_PUBLIC | ACC_SUPER, "SuperC", "SuperB")
                        .constructor("SuperB")
                        .constant(ACC_PUBLIC, "m", 3);
        for (String owner : new String[] {"SuperA", "SuperB", "SuperC"}) {
            MethodVisitor mv = c.method(ACC_PUBLIC, "via" + owner, "()I");
            mv.visitVarInsn(ALOAD, 0);
            mv.visitMethodInsn(INVOKESPECIAL, owner, "m", "()I", false);
            Asm.end(mv, IRETURN);
        }
        c.write();
    }

    private static void nests() {
        new Asm("NestNone")
                .field(ACC_PRIVATE | ACC_STATIC, "x", "I")
                .constant(ACC_PRIVATE | ACC_STATIC, "m", 5)
                .write();
        Asm liar = new Asm("NestLiar");
        liar.cw.visitNestHost("NestNone");
        MethodVisitor mv = liar.staticMethod("run", "()I");
        mv.visitMethodInsn(INVOKESTATIC, "NestNone", "m", "()I", false);
        Asm.end(mv, IRETURN);
        liar.write();
        Asm host = new Asm("NestHost").constant(ACC_PRIVATE | ACC_STATIC, "m", 6);
        host.cw.visitNestMember("NestMember");
        host.write();
        Asm member = new Asm("NestMember");
        member.cw.visitNestHost("NestHost");
        MethodVisitor call = member.staticMethod("run", "()I");
        call.visitMethodInsn(INVOKESTATIC, "NestHost", "m", "()I", false);
        Asm.end(call, IRETURN);
        member.write();
        Asm lost = new Asm("NestLost");
        lost.cw.visitNestHost("NoSuchHost");
        MethodVisitor lv = lost.staticMethod("run", "()I");
        lv.visitMethodInsn(INVOKESTATIC, "NestNone", "m", "()I", false);
        Asm.end(lv, IRETURN);
        lost.write();
    }

    /** The attribute by hand: this ASM has no visitor for it. */
    private static final class PermittedSubclasses extends Attribute {
        private final String only;

        PermittedSubclasses(String only) {
            super("PermittedSubclasses");
            this.only = only;
        }

        @Override
        protected ByteVector write(ClassWriter w, byte[] code, int length, int stack, int locals) {
            return new ByteVector().putShort(1).putShort(w.newClass(only));
        }
    }
}
