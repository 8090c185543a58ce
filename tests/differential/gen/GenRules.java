import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * The verifier's rules, each with classes that keep it and classes that break it, packed into the
 * resource VerifierRules. Invariant: a class breaks at most one rule, and its name in the resource
 * says which; whether it must pass is '+', '-', or '?' where a table crosses all kinds of values and
 * the oracle alone decides.
 */
class GenRules implements Opcodes {
    static final String OBJ = "java/lang/Object";
    static final String STR = "java/lang/String";
    private static final ByteArrayOutputStream PACKED = new ByteArrayOutputStream();
    private static final DataOutputStream OUT = new DataOutputStream(PACKED);
    private static int count;

    static void generate() {
        GenRulesTables.generate();
        GenRulesObjects.generate();
        GenRulesCode.generate();
        GenRulesBytes.generate();
        Generate.writeHidden("VerifierRules", PACKED.toByteArray());
    }

    interface Code extends Consumer<MethodVisitor> {}

    interface Body extends Consumer<ClassWriter> {}

    /** Name of the class that is made next. */
    static String next() {
        return "Rule" + count;
    }

    static void add(char verdict, String rule, byte[] bytes) {
        try {
            OUT.writeUTF(verdict + rule);
            OUT.writeUTF(next());
            OUT.writeInt(bytes.length);
            OUT.write(bytes);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        count++;
    }

    /** A class with whatever the body makes. */
    static byte[] type(int version, int access, String superName, String[] interfaces, Body body) {
        ClassWriter w = Asm.raw(version, access, next(), superName, interfaces);
        body.accept(w);
        w.visitEnd();
        return w.toByteArray();
    }

    static void type(char verdict, String rule, String superName, Body body) {
        add(verdict, rule, type(V17, ACC_PUBLIC | ACC_SUPER, superName, new String[0], body));
    }

    static void method(ClassWriter w, int access, String name, String descriptor, int stack, int locals, Code code) {
        MethodVisitor mv = w.visitMethod(access, name, descriptor, null, null);
        mv.visitCode();
        code.accept(mv);
        mv.visitMaxs(stack, locals);
        mv.visitEnd();
    }

    static byte[] code(String descriptor, int stack, int locals, Code code) {
        return type(
                V17,
                ACC_PUBLIC | ACC_SUPER,
                OBJ,
                new String[0],
                w -> method(w, ACC_PUBLIC | ACC_STATIC, "m", descriptor, stack, locals, code));
    }

    /** A class with one static method. */
    static void code(char verdict, String rule, String descriptor, int stack, int locals, Code code) {
        add(verdict, rule, code(descriptor, stack, locals, code));
    }

    /** One static method that keeps a rule and one that breaks it. */
    static void pair(String rule, String descriptor, int stack, int locals, Code good, Code bad) {
        code('+', rule, descriptor, stack, locals, good);
        code('-', rule, descriptor, stack, locals, bad);
    }

    /** The class with the bytes `from`, which occur once, replaced: what no writer of classes makes. */
    static byte[] patched(byte[] bytes, int[] from, int[] to) {
        int found = -1;
        for (int i = 0; i + from.length <= bytes.length; i++) {
            int n = 0;
            while (n < from.length && (bytes[i + n] & 255) == from[n]) {
                n++;
            }
            if (n == from.length) {
                if (found >= 0) {
                    throw new IllegalArgumentException("the bytes to patch occur twice in " + next());
                }
                found = i;
            }
        }
        if (found < 0) {
            throw new IllegalArgumentException("the bytes to patch do not occur in " + next());
        }
        byte[] changed = bytes.clone();
        for (int n = 0; n < to.length; n++) {
            changed[found + n] = (byte) to[n];
        }
        return changed;
    }

    static int[] b(int... bytes) {
        return bytes;
    }

    static void insns(MethodVisitor mv, int... ops) {
        for (int op : ops) {
            mv.visitInsn(op);
        }
    }

    /** Pushes a value of a kind: I F J D A(null) S(String) and X for a new object, not initialized. */
    static void push(MethodVisitor mv, char kind) {
        switch (kind) {
            case 'I' -> mv.visitInsn(ICONST_1);
            case 'F' -> mv.visitInsn(FCONST_1);
            case 'J' -> mv.visitInsn(LCONST_1);
            case 'D' -> mv.visitInsn(DCONST_1);
            case 'A' -> mv.visitInsn(ACONST_NULL);
            case 'S' -> mv.visitLdcInsn("x");
            case 'X' -> mv.visitTypeInsn(NEW, OBJ);
            default -> throw new IllegalArgumentException("kind " + kind);
        }
    }

    static int slots(char kind) {
        return kind == 'J' || kind == 'D' ? 2 : 1;
    }

    static int slots(String kinds) {
        return kinds.chars().map(c -> slots((char) c)).sum();
    }

    static void pushAll(MethodVisitor mv, String kinds) {
        for (char c : kinds.toCharArray()) {
            push(mv, c);
        }
    }
}
