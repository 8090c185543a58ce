import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Classes at the limits of the class file, and one step behind them, packed into the resource Limits.
 * Each has a method `run` that returns something to print. Invariant: what is behind a limit is
 * written by hand, since no writer of classes makes it.
 */
final class GenLimits implements Opcodes {
    private static final String OBJ = "java/lang/Object";
    private static final ByteArrayOutputStream PACKED = new ByteArrayOutputStream();
    private static final DataOutputStream OUT = new DataOutputStream(PACKED);

    static void generate() {
        constants();
        code(65535);
        code(65536);
        locals();
        stack();
        arguments();
        members();
        interfaces();
        deep();
        names();
        handlers();
        switches();
        dimensions();
        subroutines();
        Generate.writeHidden("Limits", PACKED.toByteArray());
    }

    private static void add(String name, byte[] bytes) {
        try {
            OUT.writeInt(name.length());
            OUT.writeChars(name);
            OUT.writeInt(bytes.length);
            OUT.write(bytes);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void add(Asm c) {
        add(c.name, c.bytes());
    }

    private static void constants() {
        Asm c = new Asm("LimitConstants");
        MethodVisitor mv = c.staticMethod("run", "()J");
        mv.visitInsn(LCONST_0);
        // Every index from the first on is used up; the last ones are loaded.
        int n = 0;
        while (c.cw.newConst(1_000_000 + n) < 65_533) {
            n++;
        }
        for (int i = n - 5; i <= n; i++) {
            mv.visitLdcInsn(1_000_000 + i);
            mv.visitInsn(I2L);
            mv.visitInsn(LADD);
        }
        Asm.end(mv, LRETURN);
        add(c);
    }

    /** A class with one method of that many bytes: nothing, then a return. */
    private static void code(int length) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream o = new DataOutputStream(bytes);
        String name = "LimitCode" + length;
        try {
            o.writeInt(0xcafebabe);
            o.writeShort(0);
            o.writeShort(50);
            o.writeShort(8);
            utf8(o, name);
            o.writeByte(7);
            o.writeShort(1);
            utf8(o, OBJ);
            o.writeByte(7);
            o.writeShort(3);
            utf8(o, "run");
            utf8(o, "()I");
            utf8(o, "Code");
            for (int word : new int[] {ACC_PUBLIC | ACC_SUPER, 2, 4, 0, 0, 1, ACC_PUBLIC | ACC_STATIC, 5, 6, 1, 7}) {
                o.writeShort(word);
            }
            o.writeInt(12 + length);
            o.writeShort(1);
            o.writeShort(0);
            o.writeInt(length);
            for (int i = 0; i < length - 2; i++) {
                o.writeByte(NOP);
            }
            o.writeByte(ICONST_5);
            o.writeByte(IRETURN);
            o.writeShort(0);
            o.writeShort(0);
            o.writeShort(0);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        add(name, bytes.toByteArray());
    }

    private static void utf8(DataOutputStream o, String text) throws IOException {
        o.writeByte(1);
        o.writeUTF(text);
    }

    private static MethodVisitor run(ClassWriter w, String descriptor) {
        MethodVisitor mv = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "run", descriptor, null, null);
        mv.visitCode();
        return mv;
    }

    private static void end(MethodVisitor mv, int op, int stack, int locals) {
        mv.visitInsn(op);
        mv.visitMaxs(stack, locals);
        mv.visitEnd();
    }

    private static void locals() {
        for (int wide : new int[] {0, 1}) {
            String name = "LimitLocals" + wide;
            ClassWriter w = Asm.raw(V17, ACC_PUBLIC | ACC_SUPER, name, OBJ);
            MethodVisitor mv = run(w, "()J");
            int last = 65535 - 1 - wide;
            mv.visitLdcInsn(77L + wide);
            if (wide == 0) {
                mv.visitInsn(L2I);
                mv.visitVarInsn(ISTORE, last);
                mv.visitIincInsn(last, 1);
                mv.visitVarInsn(ILOAD, last);
                mv.visitInsn(I2L);
            } else {
                mv.visitVarInsn(LSTORE, last);
                mv.visitVarInsn(LLOAD, last);
            }
            end(mv, LRETURN, 2, 65535);
            w.visitEnd();
            add(name, w.toByteArray());
        }
    }

    private static void stack() {
        ClassWriter w = Asm.raw(V17, ACC_PUBLIC | ACC_SUPER, "LimitStack", OBJ);
        MethodVisitor mv = run(w, "()I");
        int n = 32_000;
        for (int i = 0; i < n; i++) {
            mv.visitInsn(ICONST_1 + i % 5);
        }
        for (int i = 1; i < n; i++) {
            mv.visitInsn(IADD);
        }
        end(mv, IRETURN, 65535, 0);
        w.visitEnd();
        add("LimitStack", w.toByteArray());
    }

    private static void arguments() {
        String[] descriptors = {"I".repeat(255), "J".repeat(127) + "I", "D".repeat(127), "I" + "J".repeat(126), "Ljava/lang/Object;".repeat(254), "I".repeat(256), "J".repeat(128), "I".repeat(254)};
        for (int k = 0; k < descriptors.length; k++) {
            for (boolean isStatic : new boolean[] {true, false}) {
                String name = "LimitArguments" + k + (isStatic ? "Static" : "Virtual");
                Asm c = new Asm(V17, ACC_PUBLIC | ACC_SUPER, name, OBJ).constructor();
                String d = "(" + descriptors[k] + ")J";
                MethodVisitor mv = c.method(ACC_PUBLIC | (isStatic ? ACC_STATIC : 0), "take", d);
                char kind = descriptors[k].charAt(descriptors[k].length() - 1);
                int slots = 0;
                for (char t : descriptors[k].replace("Ljava/lang/Object;", "A").toCharArray()) {
                    slots += t == 'J' || t == 'D' ? 2 : 1;
                }
                int last = slots + (isStatic ? 0 : 1) - (kind == 'J' || kind == 'D' ? 2 : 1);
                switch (kind) {
                    case 'J' -> mv.visitVarInsn(LLOAD, last);
                    case 'D' -> { mv.visitVarInsn(DLOAD, last); mv.visitInsn(D2L); }
                    case 'I' -> { mv.visitVarInsn(ILOAD, last); mv.visitInsn(I2L); }
                    default -> { mv.visitVarInsn(ALOAD, last); mv.visitMethodInsn(INVOKEVIRTUAL, OBJ, "hashCode", "()I", false); mv.visitInsn(I2L); }
                }
                Asm.end(mv, LRETURN);
                mv = c.staticMethod("run", "()J");
                if (!isStatic) {
                    mv.visitTypeInsn(NEW, name);
                    mv.visitInsn(DUP);
                    mv.visitMethodInsn(INVOKESPECIAL, name, "<init>", "()V", false);
                }
                int n = 0;
                for (char t : descriptors[k].replace("Ljava/lang/Object;", "A").toCharArray()) {
                    n++;
                    switch (t) {
                        case 'J' -> mv.visitLdcInsn((long) n);
                        case 'D' -> mv.visitLdcInsn((double) n);
                        case 'I' -> mv.visitIntInsn(SIPUSH, n);
                        default -> mv.visitLdcInsn("x" + n);
                    }
                }
                mv.visitMethodInsn(isStatic ? INVOKESTATIC : INVOKEVIRTUAL, name, "take", d, false);
                Asm.end(mv, LRETURN);
                add(c);
            }
        }
    }

    private static void members() {
        Asm c = new Asm("LimitFields").constructor();
        int n = 30_000;
        for (int i = 0; i < n; i++) {
            c.field(ACC_PUBLIC, "f" + i, i % 2 == 0 ? "B" : "Ljava/lang/Object;");
        }
        MethodVisitor mv = c.staticMethod("run", "()I");
        mv.visitTypeInsn(NEW, c.name);
        mv.visitInsn(DUP);
        mv.visitMethodInsn(INVOKESPECIAL, c.name, "<init>", "()V", false);
        mv.visitVarInsn(ASTORE, 0);
        for (int i = 0; i < n; i += 2998) {
            mv.visitVarInsn(ALOAD, 0);
            mv.visitIntInsn(BIPUSH, i % 100);
            mv.visitFieldInsn(PUTFIELD, c.name, "f" + i, "B");
        }
        mv.visitInsn(ICONST_0);
        for (int i = 0; i < n; i += 2998) {
            mv.visitVarInsn(ALOAD, 0);
            mv.visitFieldInsn(GETFIELD, c.name, "f" + i, "B");
            mv.visitInsn(IADD);
        }
        Asm.end(mv, IRETURN);
        add(c);
        Asm m = new Asm("LimitMethods").constructor();
        for (int i = 0; i < 20_000; i++) {
            m.constant(ACC_PUBLIC, "m" + i, i % 6 - 1);
        }
        mv = m.staticMethod("run", "()I");
        mv.visitTypeInsn(NEW, m.name);
        mv.visitInsn(DUP);
        mv.visitMethodInsn(INVOKESPECIAL, m.name, "<init>", "()V", false);
        mv.visitInsn(DUP);
        mv.visitMethodInsn(INVOKEVIRTUAL, m.name, "m19999", "()I", false);
        mv.visitInsn(SWAP);
        mv.visitMethodInsn(INVOKEVIRTUAL, m.name, "m10004", "()I", false);
        mv.visitInsn(IADD);
        Asm.end(mv, IRETURN);
        add(m);
    }

    private static void interfaces() {
        String[] names = new String[1500];
        for (int i = 0; i < names.length; i++) {
            names[i] = "LimitI" + i;
            Asm itf = new Asm(V17, ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, names[i], OBJ);
            itf.constant(ACC_PUBLIC, "i" + i, i);
            add(itf);
        }
        Asm c = new Asm(V17, ACC_PUBLIC | ACC_SUPER, "LimitInterfaces", OBJ, names).constructor();
        MethodVisitor mv = c.staticMethod("run", "()I");
        mv.visitTypeInsn(NEW, c.name);
        mv.visitInsn(DUP);
        mv.visitMethodInsn(INVOKESPECIAL, c.name, "<init>", "()V", false);
        mv.visitVarInsn(ASTORE, 0);
        mv.visitInsn(ICONST_0);
        for (int i = 0; i < names.length; i += 7) {
            mv.visitVarInsn(ALOAD, 0);
            mv.visitMethodInsn(INVOKEINTERFACE, names[i], "i" + i, "()I", true);
            mv.visitInsn(IADD);
        }
        Asm.end(mv, IRETURN);
        add(c);
    }

    private static void deep() {
        String up = OBJ, itf = null;
        for (int i = 0; i <= 700; i++) {
            String name = i == 700 ? "LimitDeep" : "LimitD" + i;
            Asm c = new Asm(V17, ACC_PUBLIC | ACC_SUPER, name, up).constructor(up);
            c.constant(ACC_PUBLIC, "own" + i, i).constant(ACC_PUBLIC, "over", i);
            up = name;
            String iname = "LimitDI" + i;
            Asm k = itf == null ? new Asm(V17, ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, iname, OBJ)
                    : new Asm(V17, ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, iname, OBJ, itf);
            k.constant(ACC_PUBLIC, "over", i);
            itf = iname;
            add(k);
            if (i == 700) {
                MethodVisitor mv = c.staticMethod("run", "()I");
                mv.visitTypeInsn(NEW, name);
                mv.visitInsn(DUP);
                mv.visitMethodInsn(INVOKESPECIAL, name, "<init>", "()V", false);
                mv.visitInsn(DUP);
                mv.visitMethodInsn(INVOKEVIRTUAL, "LimitD0", "over", "()I", false);
                mv.visitInsn(SWAP);
                mv.visitMethodInsn(INVOKEVIRTUAL, "LimitD3", "own3", "()I", false);
                mv.visitInsn(IADD);
                Asm.end(mv, IRETURN);
            }
            add(c);
        }
        Asm user = new Asm(V17, ACC_PUBLIC | ACC_SUPER, "LimitDeepInterfaces", OBJ, itf).constructor();
        MethodVisitor mv = user.staticMethod("run", "()I");
        mv.visitTypeInsn(NEW, user.name);
        mv.visitInsn(DUP);
        mv.visitMethodInsn(INVOKESPECIAL, user.name, "<init>", "()V", false);
        mv.visitMethodInsn(INVOKEINTERFACE, "LimitDI0", "over", "()I", true);
        Asm.end(mv, IRETURN);
        add(user);
    }

    private static void names() {
        String name = "LimitName" + "n".repeat(60_000);
        Asm c = new Asm(name);
        c.field(ACC_PUBLIC | ACC_STATIC, "\u4e2d".repeat(20_000), "I");
        MethodVisitor mv = c.staticMethod("run", "()Ljava/lang/String;");
        mv.visitLdcInsn("\u00e4".repeat(32_767));
        Asm.end(mv, ARETURN);
        add(c);
    }

    private static void handlers() {
        Asm c = new Asm("LimitHandlers");
        MethodVisitor mv = c.staticMethod("run", "()I");
        Label end = new Label();
        for (int i = 0; i < 6000; i++) {
            Label s = new Label(), e = new Label();
            // All but the last catch what nobody throws.
            mv.visitTryCatchBlock(s, e, end, i == 5999 ? "java/lang/ArithmeticException" : "java/lang/ClassCastException");
            mv.visitLabel(s);
            mv.visitInsn(ICONST_1);
            mv.visitInsn(i == 5999 ? ICONST_0 : ICONST_1);
            mv.visitInsn(IDIV);
            mv.visitInsn(POP);
            mv.visitLabel(e);
        }
        mv.visitInsn(ICONST_0);
        mv.visitInsn(IRETURN);
        mv.visitLabel(end);
        mv.visitInsn(POP);
        mv.visitIntInsn(SIPUSH, 5999);
        Asm.end(mv, IRETURN);
        add(c);
    }

    private static void switches() {
        for (boolean table : new boolean[] {true, false}) {
            Asm c = new Asm(table ? "LimitTable" : "LimitLookup");
            MethodVisitor mv = c.staticMethod("at", "(I)I");
            int n = table ? 16_000 : 8_000;
            Label[] all = new Label[n];
            int[] keys = new int[n];
            Label a = new Label(), b = new Label(), d = new Label();
            for (int i = 0; i < n; i++) {
                all[i] = i % 3 == 0 ? a : b;
                keys[i] = (i - n / 2) * 1000;
            }
            mv.visitVarInsn(ILOAD, 0);
            if (table) {
                mv.visitTableSwitchInsn(Integer.MAX_VALUE - n + 1, Integer.MAX_VALUE, d, all);
            } else {
                mv.visitLookupSwitchInsn(d, keys, all);
            }
            for (Label l : new Label[] {a, b, d}) {
                mv.visitLabel(l);
                mv.visitInsn(l == a ? ICONST_1 : l == b ? ICONST_2 : ICONST_3);
                mv.visitInsn(IRETURN);
            }
            mv.visitMaxs(0, 0);
            mv.visitEnd();
            mv = c.staticMethod("run", "()I");
            mv.visitInsn(ICONST_0);
            for (int key : new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE - 1, Integer.MAX_VALUE - 2, Integer.MAX_VALUE - 15_999, Integer.MAX_VALUE - 16_000, 0, 1000, -4_000_000, 3_999_000, 4_000_000, 1}) {
                mv.visitIntInsn(BIPUSH, 4);
                mv.visitInsn(IMUL);
                mv.visitLdcInsn(key);
                mv.visitMethodInsn(INVOKESTATIC, c.name, "at", "(I)I", false);
                mv.visitInsn(IADD);
            }
            Asm.end(mv, IRETURN);
            add(c);
        }
    }

    private static void dimensions() {
        Asm c = new Asm("LimitDimensions");
        MethodVisitor mv = c.staticMethod("run", "()Ljava/lang/Object;");
        for (int i = 0; i < 255; i++) {
            mv.visitInsn(ICONST_1);
        }
        mv.visitMultiANewArrayInsn("[".repeat(255) + "I", 255);
        Asm.end(mv, ARETURN);
        add(c);
    }

    /** Thousands of subroutines; each adds 1 to a sum and counts in a local of its caller's. */
    private static void subroutines() {
        Asm c = new Asm(V1_4, ACC_PUBLIC | ACC_SUPER, "LimitSubroutines", OBJ);
        MethodVisitor mv = c.staticMethod("run", "()J");
        mv.visitInsn(ICONST_0);
        mv.visitVarInsn(ISTORE, 0);
        mv.visitLdcInsn("kept");
        mv.visitVarInsn(ASTORE, 2);
        Label[] subs = new Label[3000];
        for (int n = 0; n < subs.length; n++) {
            subs[n] = new Label();
            mv.visitJumpInsn(JSR, subs[n]);
        }
        mv.visitVarInsn(ALOAD, 2);
        mv.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "length", "()I", false);
        mv.visitVarInsn(ILOAD, 0);
        mv.visitInsn(IADD);
        mv.visitInsn(I2L);
        mv.visitInsn(LRETURN);
        for (Label sub : subs) {
            mv.visitLabel(sub);
            mv.visitVarInsn(ASTORE, 1);
            mv.visitIincInsn(0, 1);
            mv.visitVarInsn(RET, 1);
        }
        mv.visitMaxs(2, 3);
        mv.visitEnd();
        add(c);
    }
}
