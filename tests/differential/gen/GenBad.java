import jdk.internal.org.objectweb.asm.Attribute;
import jdk.internal.org.objectweb.asm.ByteVector;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.FieldVisitor;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;
import jdk.internal.org.objectweb.asm.RecordComponentVisitor;

import java.util.Arrays;

/** Class files that the parser must refuse (resources Fmt*). */
final class GenBad implements Opcodes {
    private static final String OBJ = "java/lang/Object";

    static void generate() {
        format();
        moreFormats();
        repeated();
    }

    private static byte[] good(String name) {
        Asm c = new Asm(name).constructor();
        c.field(ACC_PUBLIC, "f", "I");
        c.constant(ACC_PUBLIC | ACC_STATIC, "m", 5);
        return c.bytes();
    }

    private static void format() {
        byte[] g = good("FmtGood");
        Generate.writeHidden("FmtGood", g);
        Generate.writeHidden("FmtEmpty", new byte[0]);
        Generate.writeHidden("FmtShort", Arrays.copyOf(g, 6));
        byte[] cut = good("FmtTruncated");
        Generate.writeHidden("FmtTruncated", Arrays.copyOf(cut, cut.length - 3));
        byte[] longer = good("FmtTrailing");
        Generate.writeHidden("FmtTrailing", Arrays.copyOf(longer, longer.length + 2));
        byte[] magic = g.clone();
        magic[0] = 0;
        Generate.writeHidden("FmtMagic", magic);
        byte[] future = g.clone();
        future[7] = 99;
        Generate.writeHidden("FmtFuture", future);
        byte[] preview = g.clone();
        preview[4] = (byte) 0xff;
        preview[5] = (byte) 0xff;
        Generate.writeHidden("FmtPreview", preview);
        byte[] tag = g.clone();
        tag[10] = 99;
        Generate.writeHidden("FmtTag", tag);
        Generate.writeHidden("FmtWrongName", good("FmtOther"));
        Generate.writeHidden("java/lang/FmtProhibited", good("java/lang/FmtProhibited"));
        flags("FmtFinalAbstract", ACC_PUBLIC | ACC_FINAL | ACC_ABSTRACT | ACC_SUPER);
        flags("FmtInterfaceNotAbstract", ACC_PUBLIC | ACC_INTERFACE);
        flags("FmtAnnotationNotInterface", ACC_PUBLIC | ACC_SUPER | ACC_ANNOTATION);
        member(
                "FmtFieldTwice",
                w -> {
                    w.visitField(ACC_PUBLIC, "a", "[Lp/Q;", null, null).visitEnd();
                    w.visitField(ACC_PUBLIC, "a", "[Lp/Q;", null, null).visitEnd();
                });
        member(
                "FmtMethodTwice",
                w -> {
                    w.visitMethod(ACC_PUBLIC | ACC_ABSTRACT, "a", "(Lp/Q;)V", null, null).visitEnd();
                    w.visitMethod(ACC_PUBLIC | ACC_ABSTRACT, "a", "(Lp/Q;)V", null, null).visitEnd();
                });
        member("FmtFieldName", w -> w.visitField(ACC_PUBLIC, "a;b", "I", null, null).visitEnd());
        member(
                "FmtMethodName",
                w ->
                        w.visitMethod(ACC_PUBLIC | ACC_ABSTRACT, "<odd>", "()V", null, null)
                                .visitEnd());
        member("FmtFieldType", w -> w.visitField(ACC_PUBLIC, "a", "Q", null, null).visitEnd());
        member("FmtFieldVoid", w -> w.visitField(ACC_PUBLIC, "a", "V", null, null).visitEnd());
        member(
                "FmtMethodType",
                w -> w.visitMethod(ACC_PUBLIC | ACC_ABSTRACT, "a", "(V)V", null, null).visitEnd());
        member(
                "FmtMethodNoCode",
                w -> w.visitMethod(ACC_PUBLIC, "a", "()V", null, null).visitEnd());
        member(
                "FmtTooManyArguments",
                w ->
                        w.visitMethod(
                                        ACC_PUBLIC | ACC_ABSTRACT,
                                        "a",
                                        "(" + "J".repeat(128) + ")V",
                                        null,
                                        null)
                                .visitEnd());
        member(
                "FmtFieldFlags",
                w -> w.visitField(ACC_PUBLIC | ACC_PRIVATE, "a", "I", null, null).visitEnd());
        member(
                "FmtFieldFinalVolatile",
                w -> w.visitField(ACC_FINAL | ACC_VOLATILE, "a", "I", null, null).visitEnd());
        member(
                "FmtMethodFlags",
                w ->
                        w.visitMethod(ACC_PUBLIC | ACC_ABSTRACT | ACC_FINAL, "a", "()V", null, null)
                                .visitEnd());
        member("FmtClinitArguments", w -> body(w, ACC_STATIC, "<clinit>", "(I)V"));
        member("FmtAbstractCode", w -> body(w, ACC_ABSTRACT, "a", "()V"));
        member(
                "FmtDims",
                w -> w.visitField(ACC_PUBLIC, "a", "[".repeat(256) + "I", null, null).visitEnd());
        member(
                "FmtConstantType",
                w ->
                        w.visitField(ACC_PUBLIC | ACC_STATIC | ACC_FINAL, "a", "I", null, "text")
                                .visitEnd());
        member(
                "FmtEmptyCode",
                w -> {
                    MethodVisitor mv =
                            w.visitMethod(ACC_PUBLIC | ACC_STATIC, "a", "()V", null, null);
                    mv.visitCode();
                    mv.visitMaxs(0, 0);
                    mv.visitEnd();
                });
        ClassWriter itf =
                Asm.raw(V17, ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, "FmtInterfaceField", OBJ);
        itf.visitField(ACC_PUBLIC, "a", "I", null, null).visitEnd();
        finish(itf, "FmtInterfaceField");
        ClassWriter dup =
                Asm.raw(
                        V17,
                        ACC_PUBLIC | ACC_SUPER,
                        "FmtInterfaceTwice",
                        OBJ,
                        "java/lang/Runnable",
                        "java/lang/Runnable");
        finish(dup, "FmtInterfaceTwice");
        ClassWriter itfSuper =
                Asm.raw(
                        V17,
                        ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT,
                        "FmtInterfaceSuper",
                        "java/lang/String");
        finish(itfSuper, "FmtInterfaceSuper");
    }

    /** Each kind of constant for a static field of each type; long lists of members that repeat one. */
    private static void moreFormats() {
        String[] types = {"Z", "B", "C", "S", "I", "J", "F", "D", "Ljava/lang/String;", "Ljava/lang/Object;", "[I"};
        Object[] values = {1, 2L, 1.5f, 2.5, "text"};
        for (int i = 0; i < types.length; i++) {
            for (int k = 0; k < values.length; k++) {
                String type = types[i];
                Object value = values[k];
                member("FmtConstant" + i + "By" + k, w -> w.visitField(ACC_PUBLIC | ACC_STATIC | ACC_FINAL, "a", type, null, value).visitEnd());
            }
        }
        for (int again : new int[] {0, 7, 19, 20}) {
            member("FmtManyFields" + again, w -> {
                for (int i = 0; i <= 20; i++) {
                    w.visitField(ACC_PUBLIC, "f" + (i == 20 ? again : i), "I", null, null).visitEnd();
                }
            });
            member("FmtManyMethods" + again, w -> {
                for (int i = 0; i <= 20; i++) {
                    w.visitMethod(ACC_PUBLIC | ACC_ABSTRACT, "m" + (i == 20 ? again : i), "()V", null, null).visitEnd();
                }
            });
            String[] interfaces = new String[21];
            for (int i = 0; i <= 20; i++) {
                interfaces[i] = "HugeI" + (i == 20 ? again : i);
            }
            finish(Asm.raw(V17, ACC_PUBLIC | ACC_SUPER, "FmtManyInterfaces" + again, OBJ, interfaces), "FmtManyInterfaces" + again);
        }
    }

    private interface Body {
        void accept(ClassWriter w);
    }

    private static void flags(String name, int flags) {
        finish(Asm.raw(V17, flags, name, OBJ), name);
    }

    private static void member(String name, Body body) {
        ClassWriter w = Asm.raw(V17, ACC_PUBLIC | ACC_SUPER | ACC_ABSTRACT, name, OBJ);
        body.accept(w);
        finish(w, name);
    }

    private static void finish(ClassWriter w, String name) {
        w.visitEnd();
        Generate.writeHidden(name, w.toByteArray());
    }

    private static void body(ClassWriter w, int access, String name, String descriptor) {
        MethodVisitor mv = w.visitMethod(access, name, descriptor, null, null);
        mv.visitCode();
        mv.visitInsn(RETURN);
        mv.visitMaxs(0, 4);
        mv.visitEnd();
    }

    /** An attribute without annotations. */
    private static final class Empty extends Attribute {
        Empty(String name) {
            super(name);
        }

        @Override
        protected ByteVector write(ClassWriter cw, byte[] code, int length, int stack, int locals) {
            return type.contains("Parameter") ? new ByteVector().putByte(0) : new ByteVector().putShort(0);
        }
    }

    /** Attributes of annotations twice, of a class, a field, a method and a record's component, and of a class before Java 5. */
    private static void repeated() {
        String[] names = {"Annotations", "ParameterAnnotations", "TypeAnnotations"};
        for (int n = 0; n < 30; n++) {
            String attribute = (n % 2 == 0 ? "RuntimeVisible" : "RuntimeInvisible") + names[n % 6 / 2];
            Asm c = new Asm(n / 6 == 4 ? V1_4 : V17, ACC_PUBLIC | ACC_SUPER, "FmtRepeated" + n, OBJ);
            FieldVisitor f = c.cw.visitField(ACC_PUBLIC, "f", "I", null, null);
            MethodVisitor m = c.cw.visitMethod(ACC_PUBLIC | ACC_ABSTRACT, "m", "()V", null, null);
            RecordComponentVisitor r = n / 6 == 3 ? c.cw.visitRecordComponent("r", "I", null) : null;
            for (int i = 0; i < 2; i++) {
                Attribute a = new Empty(attribute);
                switch (n / 6) {
                    case 1 -> f.visitAttribute(a);
                    case 2 -> m.visitAttribute(a);
                    case 3 -> r.visitAttribute(a);
                    default -> c.cw.visitAttribute(a);
                }
            }
            Generate.writeHidden(c.name, c.bytes());
        }
    }
}
