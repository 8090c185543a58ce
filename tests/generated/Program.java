import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * One random program: a class, a subclass that overrides some of its methods, and an interface that
 * both share. Invariant: the same seed gives the same bytes; a method calls only methods of a higher
 * index, so there is no recursion.
 */
final class Program implements Opcodes {
    record Field(String name, String type, boolean isStatic) {}

    record Method(String name, String[] params, String result, boolean isVirtual, boolean inInterface, int access) {
        String descriptor() {
            return "(" + String.join("", params) + ")" + result;
        }
    }

    private static final String[] NUMBERS = {"I", "J", "F", "D"};
    private static final String[] SMALL = {"B", "S", "C", "Z"};

    final String name;
    final String type;
    final boolean usesIndy;
    final List<Method> methods = new ArrayList<>();
    private final List<Field> fields = new ArrayList<>();
    private final Random r;

    Program(long seed) {
        r = new Random(seed * 0x9E3779B97F4A7C15L + 1);
        name = "P" + seed;
        type = "L" + name + ";";
        usesIndy = r.nextInt(4) == 0;
        String[] refs = {"[I", "[J", "[D", "[B", "[C", "[F", "[S", "[Ljava/lang/Object;", type, Body.STRING, Body.OBJECT};
        for (boolean isStatic : new boolean[] {true, false}) {
            String prefix = isStatic ? "s" : "f";
            for (String t : NUMBERS) fields.add(new Field(prefix + t, t, isStatic));
            for (String t : SMALL) fields.add(new Field(prefix + t, t, isStatic));
            for (int i = 0; i < refs.length; i++) fields.add(new Field(prefix + "r" + i, refs[i], isStatic));
        }
        int n = 2 + r.nextInt(5);
        for (int i = 0; i < n; i++) {
            String[] params = new String[r.nextInt(6)];
            for (int k = 0; k < params.length; k++) params[k] = anyType(r);
            boolean isVirtual = i != 0 && r.nextBoolean();
            boolean inInterface = isVirtual && r.nextInt(3) == 0;
            int access = isVirtual ? ACC_PUBLIC : ACC_PUBLIC | ACC_STATIC;
            if (r.nextInt(6) == 0) access |= ACC_SYNCHRONIZED;
            String result = r.nextInt(3) == 0 ? anyRef(r) : number(r);
            methods.add(new Method("m" + i, i == 0 ? new String[0] : params, i == 0 ? "J" : result, isVirtual, inInterface, access));
        }
    }

    String number(Random r) {
        return NUMBERS[r.nextInt(4)];
    }

    String anyRef(Random r) {
        return switch (r.nextInt(11)) {
            case 0 -> "[I";
            case 1 -> "[J";
            case 2 -> "[D";
            case 3 -> "[B";
            case 4 -> "[C";
            case 5 -> "[Ljava/lang/Object;";
            case 6, 7 -> type;
            case 8, 9 -> Body.STRING;
            default -> Body.OBJECT;
        };
    }

    String anyType(Random r) {
        return switch (r.nextInt(4)) {
            case 0 -> anyRef(r);
            case 1 -> SMALL[r.nextInt(4)];
            default -> number(r);
        };
    }

    Field anyField(Random r, boolean isStatic) {
        int half = fields.size() / 2;
        return fields.get((isStatic ? 0 : half) + r.nextInt(half));
    }

    Field fieldOf(String t, boolean isStatic) {
        for (Field f : fields) if (f.isStatic == isStatic && f.type.equals(t)) return f;
        return null;
    }

    float oddFloat(Random r) {
        float[] odd = {0f, -0f, 1f, Float.NaN, Float.POSITIVE_INFINITY, Float.MIN_VALUE, Float.MAX_VALUE, 1e10f, -3.5f};
        return r.nextBoolean() ? odd[r.nextInt(odd.length)] : r.nextFloat() * 100;
    }

    double oddDouble(Random r) {
        double[] odd = {0d, -0d, 1d, Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_VALUE, Double.MAX_VALUE, 1e18, -2.5};
        return r.nextBoolean() ? odd[r.nextInt(odd.length)] : r.nextDouble() * 1e6;
    }

    /** Names and bytes: the class, its subclass, the interface. */
    String[] names() {
        return new String[] {name + "I", name, name + "S"};
    }

    byte[][] bytes() {
        return new byte[][] {theInterface(), theClass(name, false), theClass(name + "S", true)};
    }

    private static ClassWriter writer() {
        return new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
            @Override
            protected String getCommonSuperClass(String a, String b) {
                return "java/lang/Object";
            }
        };
    }

    private byte[] theInterface() {
        ClassWriter cw = writer();
        cw.visit(V17, ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, name + "I", null, "java/lang/Object", null);
        for (Method m : methods) {
            if (m.inInterface) cw.visitMethod(ACC_PUBLIC | ACC_ABSTRACT, m.name, m.descriptor(), null, null).visitEnd();
        }
        cw.visitEnd();
        return cw.toByteArray();
    }

    private byte[] theClass(String self, boolean isSub) {
        ClassWriter cw = writer();
        String superName = isSub ? name : "java/lang/Object";
        // Only the subclass has the interface in half of the programs: casts to it fail.
        boolean implementsIt = isSub || r.nextBoolean();
        cw.visit(V17, ACC_PUBLIC | ACC_SUPER, self, null, superName, implementsIt ? new String[] {name + "I"} : null);
        cw.visitSource(name + ".java", null);
        if (!isSub) {
            cw.visitField(ACC_PUBLIC | ACC_STATIC, "fuel", "I", null, null).visitEnd();
            cw.visitField(ACC_PUBLIC | ACC_STATIC, "checksum", "J", null, null).visitEnd();
            for (Field f : fields) {
                int access = ACC_PUBLIC | (f.isStatic ? ACC_STATIC : 0) | (r.nextInt(8) == 0 ? ACC_VOLATILE : 0);
                cw.visitField(access, f.name, f.type, null, null).visitEnd();
            }
        }
        MethodVisitor init = cw.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
        init.visitCode();
        init.visitVarInsn(ALOAD, 0);
        init.visitMethodInsn(INVOKESPECIAL, superName, "<init>", "()V", false);
        if (!isSub) {
            init.visitVarInsn(ALOAD, 0);
            init.visitIntInsn(BIPUSH, 8);
            init.visitIntInsn(NEWARRAY, T_INT);
            init.visitFieldInsn(PUTFIELD, name, fieldOf("[I", false).name(), "[I");
            init.visitVarInsn(ALOAD, 0);
            init.visitIntInsn(BIPUSH, 8);
            init.visitTypeInsn(ANEWARRAY, "java/lang/Object");
            init.visitFieldInsn(PUTFIELD, name, fieldOf("[Ljava/lang/Object;", false).name(), "[Ljava/lang/Object;");
        }
        init.visitInsn(RETURN);
        init.visitMaxs(0, 0);
        init.visitEnd();
        for (int i = 0; i < methods.size(); i++) {
            Method m = methods.get(i);
            if (isSub && (!m.isVirtual || r.nextBoolean())) continue;
            MethodVisitor mv = cw.visitMethod(m.access, m.name, m.descriptor(), null, null);
            new Body(this, r, mv, i, isSub, !m.isVirtual, m.params, m.result).generate();
        }
        cw.visitEnd();
        return cw.toByteArray();
    }
}
