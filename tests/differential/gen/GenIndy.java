import jdk.internal.org.objectweb.asm.ConstantDynamic;
import jdk.internal.org.objectweb.asm.Handle;
import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;
import jdk.internal.org.objectweb.asm.Type;

/**
 * invokedynamic and dynamic constants with bootstrap methods of the test's own (class IndySupport
 * in 50-indy).
 */
final class GenIndy implements Opcodes {
    private static final String SUPPORT = "IndySupport";
    private static final String BSM =
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;";
    private static final String CONDY =
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;[Ljava/lang/Object;)Ljava/lang/Object;";

    static void generate() {
        indy();
        condy();
        constants();
        hidden();
        sites();
    }

    /** Calls by sites whose targets change: one each in methods of their own, three in a loop. */
    private static void sites() {
        Handle link = new Handle(H_INVOKESTATIC, "D24CallSites", "link",
                "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;", false);
        Asm c = new Asm("GenSites");
        for (String name : new String[] {"plain", "volatile", "cache", "recursive", "shared"}) {
            String type = name.equals("cache") ? "(Ljava/lang/Object;)I" : "(I)I";
            MethodVisitor mv = c.staticMethod(name.equals("volatile") ? "volatileSite" : name, type);
            mv.visitVarInsn(name.equals("cache") ? ALOAD : ILOAD, 0);
            mv.visitInvokeDynamicInsn(name, type, link);
            Asm.end(mv, IRETURN);
        }
        MethodVisitor mv = c.staticMethod("loop", "(I)I");
        threeInALoop(mv, link);
        c.write();
    }

    /** {@code for (int i = 0; i < n; i++) s = third(second(first(s)))}. */
    private static void threeInALoop(MethodVisitor mv, Handle link) {
        Label head = new Label();
        Label end = new Label();
        mv.visitInsn(ICONST_0);
        mv.visitVarInsn(ISTORE, 1);
        mv.visitInsn(ICONST_0);
        mv.visitVarInsn(ISTORE, 2);
        mv.visitLabel(head);
        mv.visitVarInsn(ILOAD, 2);
        mv.visitVarInsn(ILOAD, 0);
        mv.visitJumpInsn(IF_ICMPGE, end);
        mv.visitVarInsn(ILOAD, 1);
        for (String name : new String[] {"first", "second", "third"}) {
            mv.visitInvokeDynamicInsn(name, "(I)I", link);
        }
        mv.visitVarInsn(ISTORE, 1);
        mv.visitIincInsn(2, 1);
        mv.visitJumpInsn(GOTO, head);
        mv.visitLabel(end);
        mv.visitVarInsn(ILOAD, 1);
        Asm.end(mv, IRETURN);
    }

    private static Handle bootstrap(String name, String descriptor) {
        return new Handle(H_INVOKESTATIC, SUPPORT, name, descriptor, false);
    }

    private static void indy() {
        Asm c = new Asm("GenIndyCalls");
        String[] kinds = {
            "constant", "mutable", "volatileSite", "fail", "failError", "nullSite", "wrongType"
        };
        for (String kind : kinds) {
            MethodVisitor mv = c.staticMethod(kind, "(I)I");
            mv.visitVarInsn(ILOAD, 0);
            mv.visitInvokeDynamicInsn(
                    kind,
                    "(I)I",
                    bootstrap("site", BSM),
                    "static",
                    7,
                    8L,
                    1.5f,
                    2.5,
                    Type.getType("Ljava/util/List;"),
                    Type.getMethodType("(IJ)Ljava/lang/String;"),
                    new Handle(H_INVOKESTATIC, "java/lang/Math", "abs", "(I)I", false));
            Asm.end(mv, IRETURN);
        }
        // All argument kinds through one call site.
        String many = "(IJFDLjava/lang/Object;ZBCS)Ljava/lang/String;";
        MethodVisitor mv = c.staticMethod("many", "()Ljava/lang/String;");
        mv.visitLdcInsn(1);
        mv.visitLdcInsn(2L);
        mv.visitLdcInsn(3f);
        mv.visitLdcInsn(4.0);
        mv.visitLdcInsn("five");
        mv.visitInsn(ICONST_1);
        mv.visitIntInsn(BIPUSH, -7);
        mv.visitIntInsn(BIPUSH, 65);
        mv.visitIntInsn(SIPUSH, -300);
        mv.visitInvokeDynamicInsn("join", many, bootstrap("site", BSM));
        Asm.end(mv, ARETURN);
        MethodVisitor missing = c.staticMethod("missingBootstrap", "()I");
        missing.visitInvokeDynamicInsn(
                "x", "()I", new Handle(H_INVOKESTATIC, SUPPORT, "noSuchBootstrap", BSM, false));
        Asm.end(missing, IRETURN);
        // The same bootstrap entry, two call sites: linked apart.
        MethodVisitor twice = c.staticMethod("twice", "()I");
        for (int i = 0; i < 2; i++) {
            twice.visitInsn(ICONST_5);
            twice.visitInvokeDynamicInsn("counted", "(I)I", bootstrap("site", BSM));
        }
        twice.visitInsn(IADD);
        Asm.end(twice, IRETURN);
        c.write();
    }

    private static void condy() {
        Asm c = new Asm("GenCondy");
        String[][] rows = {
            {"I", "int"},
            {"J", "long"},
            {"F", "float"},
            {"D", "double"},
            {"Z", "boolean"},
            {"B", "byte"},
            {"C", "char"},
            {"S", "short"},
            {"Ljava/lang/String;", "string"},
            {"Ljava/lang/Object;", "null"},
            {"[I", "array"},
            {"Ljava/lang/Object;", "fail"},
            {"Ljava/lang/String;", "wrong"}
        };
        for (String[] row : rows) {
            String t = row[0];
            MethodVisitor mv = c.staticMethod(row[1] + "Value", "()" + t);
            mv.visitLdcInsn(new ConstantDynamic(row[1], t, bootstrap("dynamic", CONDY), "arg"));
            Asm.end(mv, Type.getType(t).getOpcode(IRETURN));
        }
        // A dynamic constant as the static argument of another, and of a call site.
        ConstantDynamic inner =
                new ConstantDynamic(
                        "string", "Ljava/lang/String;", bootstrap("dynamic", CONDY), "inner");
        MethodVisitor nested = c.staticMethod("nested", "()Ljava/lang/Object;");
        nested.visitLdcInsn(
                new ConstantDynamic(
                        "string", "Ljava/lang/String;", bootstrap("dynamic", CONDY), inner));
        Asm.end(nested, ARETURN);
        Handle jdk =
                new Handle(
                        H_INVOKESTATIC,
                        "java/lang/invoke/ConstantBootstraps",
                        "primitiveClass",
                        "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/Class;",
                        false);
        MethodVisitor prim = c.staticMethod("primitive", "()Ljava/lang/Class;");
        prim.visitLdcInsn(new ConstantDynamic("J", "Ljava/lang/Class;", jdk));
        Asm.end(prim, ARETURN);
        c.write();
    }

    /** ldc of method types and handles of every reference kind. */
    private static void constants() {
        Asm c = new Asm("GenHandles").constructor();
        c.field(ACC_PUBLIC, "inst", "I").field(ACC_PUBLIC | ACC_STATIC, "stat", "J");
        c.constant(ACC_PUBLIC, "virt", 31)
                .constant(ACC_PRIVATE, "priv", 32)
                .constant(ACC_PUBLIC | ACC_STATIC, "st", 33);
        Object[][] rows = {
            {"getField", H_GETFIELD, "GenHandles", "inst", "I", false},
            {"putField", H_PUTFIELD, "GenHandles", "inst", "I", false},
            {"getStatic", H_GETSTATIC, "GenHandles", "stat", "J", false},
            {"putStatic", H_PUTSTATIC, "GenHandles", "stat", "J", false},
            {"invokeVirtual", H_INVOKEVIRTUAL, "GenHandles", "virt", "()I", false},
            {"invokeStatic", H_INVOKESTATIC, "GenHandles", "st", "()I", false},
            {"invokeSpecial", H_INVOKESPECIAL, "GenHandles", "priv", "()I", false},
            {"newInvokeSpecial", H_NEWINVOKESPECIAL, "GenHandles", "<init>", "()V", false},
            {"invokeInterface", H_INVOKEINTERFACE, "java/util/List", "size", "()I", true},
            {"missing", H_INVOKESTATIC, "GenHandles", "nope", "()I", false},
            {"missingField", H_GETFIELD, "GenHandles", "nope", "I", false},
            {"staticAsVirtual", H_INVOKEVIRTUAL, "GenHandles", "st", "()I", false},
            {"missingClass", H_INVOKESTATIC, "NoSuchClass", "m", "()V", false},
        };
        for (Object[] r : rows) {
            MethodVisitor mv = c.staticMethod((String) r[0], "()Ljava/lang/invoke/MethodHandle;");
            mv.visitLdcInsn(
                    new Handle(
                            (Integer) r[1],
                            (String) r[2],
                            (String) r[3],
                            (String) r[4],
                            (Boolean) r[5]));
            Asm.end(mv, ARETURN);
        }
        String[][] types = {
            {"type0", "()V"},
            {"type1", "(IJFDZBCSLjava/lang/String;[[I)Ljava/util/List;"},
            {"type2", "(LNoSuchClass;)V"}
        };
        for (String[] t : types) {
            MethodVisitor mv = c.staticMethod(t[0], "()Ljava/lang/invoke/MethodType;");
            mv.visitLdcInsn(Type.getMethodType(t[1]));
            Asm.end(mv, ARETURN);
        }
        c.write();
    }

    /** Templates for Lookup.defineHiddenClass, as resources. */
    private static void hidden() {
        Asm c =
                new Asm("HiddenTemplate")
                        .constructor()
                        .field(ACC_PUBLIC | ACC_STATIC, "counter", "I");
        MethodVisitor mv = c.staticMethod("next", "()I");
        mv.visitFieldInsn(GETSTATIC, "HiddenTemplate", "counter", "I");
        mv.visitInsn(ICONST_1);
        mv.visitInsn(IADD);
        mv.visitInsn(DUP);
        mv.visitFieldInsn(PUTSTATIC, "HiddenTemplate", "counter", "I");
        Asm.end(mv, IRETURN);
        MethodVisitor self = c.staticMethod("self", "()Ljava/lang/Class;");
        self.visitLdcInsn(Type.getObjectType("HiddenTemplate"));
        Asm.end(self, ARETURN);
        MethodVisitor make = c.staticMethod("make", "()Ljava/lang/Object;");
        make.visitTypeInsn(NEW, "HiddenTemplate");
        make.visitInsn(DUP);
        make.visitMethodInsn(INVOKESPECIAL, "HiddenTemplate", "<init>", "()V", false);
        Asm.end(make, ARETURN);
        MethodVisitor peek = c.staticMethod("peek", "()I");
        peek.visitMethodInsn(INVOKESTATIC, "D10HiddenClasses", "secret", "()I", false);
        Asm.end(peek, IRETURN);
        c.hidden("HiddenTemplate");
        new Asm("HiddenTemplate2")
                .constructor()
                .constant(ACC_PUBLIC | ACC_STATIC, "m", 3)
                .hidden("HiddenTemplate2");
    }
}
