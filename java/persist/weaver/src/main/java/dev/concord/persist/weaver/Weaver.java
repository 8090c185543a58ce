package dev.concord.persist.weaver;

import dev.concord.persist.weaver.ClassIndex.ClassFacts;
import dev.concord.persist.weaver.ClassIndex.FieldFacts;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Turns a class file into its persistent form. Owns the transformation, the same for build time and load time:
 *
 * <ul>
 * <li>{@code Object} as superclass becomes {@code PersistentObject}, which holds heap and offset;
 * <li>non-transient instance fields go; each gets an accessor pair and a constant with its offset, {@code pwbX}, and for
 *     references {@code updateX} and {@code updateXFree}, unless the class has a method of that name;
 * <li>a resurrect constructor is added;
 * <li>accesses to such fields, here and in any other woven class, become calls of the accessors;
 * <li>with {@code fa}, methods and constructors run in failure-atomic blocks.
 * </ul>
 *
 * Weaving a woven class changes nothing. Line numbers stay; synthetic members are marked so. A class does not need its
 * superclass woven before it: offsets are found when the class is initialised.
 */
public final class Weaver {
    static final String RESURRECTION = "dev/concord/persist/PersistentObject$Resurrection";
    private final ClassIndex index;

    public Weaver(ClassIndex index) {
        this.index = index;
    }

    /** The woven class file, or null if nothing changes. */
    public byte[] weave(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        ClassFacts facts = index.read(classFile);
        if (facts.woven()) {
            return null;
        }
        index.put(facts);
        if (!facts.persistent() && !AccessRewriter.touchesPersistentFields(reader, index)) {
            return null;
        }
        ElementStores.check(reader, index);
        ClassWriter writer = new ClassWriter(facts.persistent() ? null : reader, ClassWriter.COMPUTE_MAXS);
        ClassVisitor chain = facts.persistent() ? new Persistence(writer, facts) : new AccessRewriter(writer, index);
        reader.accept(chain, ClassReader.EXPAND_FRAMES);
        return writer.toByteArray();
    }

    private final class Persistence extends ClassVisitor {
        private final ClassFacts facts;
        private final List<FieldFacts> persistent = new ArrayList<>();
        private final List<String> methods = new ArrayList<>();
        private final boolean wraps;
        private final boolean wrapsNonPublic;
        private boolean hasClassInit;

        Persistence(ClassVisitor next, ClassFacts facts) {
            super(Opcodes.ASM9, new AccessRewriter(next, index));
            this.facts = facts;
            this.wraps = !facts.fa().isEmpty();
            this.wrapsNonPublic = facts.fa().equals("non-private");
            if (wraps && !wrapsNonPublic && !facts.fa().equals("public")) {
                throw new WeaveException(name() + ": @Persistent(fa=\"" + facts.fa() + "\") is not one of \"\", \"public\", \"non-private\"");
            }
        }

        private String name() {
            return facts.name().replace('/', '.');
        }

        @Override
        public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
            if ((access & (Opcodes.ACC_INTERFACE | Opcodes.ACC_ENUM | Opcodes.ACC_RECORD)) != 0) {
                throw new WeaveException(name() + ": only classes persist as objects; enums and records are values and need no annotation");
            }
            boolean root = ClassIndex.OBJECT.equals(superName);
            if (!root && !index.isPersistentType(superName)) {
                throw new WeaveException(name() + ": superclass " + superName.replace('/', '.') + " is not persistent");
            }
            super.visit(version, access, name, root ? reparent(signature) : signature, root ? ClassIndex.BASE : superName, interfaces);
        }

        @Override
        public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
            FieldFacts f = (access & Opcodes.ACC_STATIC) != 0 ? null : facts.fields().get(name);
            if (f == null || f.isTransient()) {
                return super.visitField(access, name, descriptor, signature, value);
            }
            if (name.startsWith("this$") || name.startsWith("val$")) {
                throw new WeaveException(name() + ": an inner or local class holds its surroundings, which do not persist; make it static");
            }
            FieldCodec.of(f, index, name() + "." + name);
            persistent.add(f);
            return null;
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
            methods.add(name);
            if (name.equals("<clinit>")) {
                hasClassInit = true;
                MethodVisitor mv = super.visitMethod(access, name, descriptor, signature, exceptions);
                return new MethodVisitor(Opcodes.ASM9, mv) {
                    @Override
                    public void visitCode() {
                        super.visitCode();
                        super.visitMethodInsn(Opcodes.INVOKESTATIC, facts.name(), "$jnvm$offsets", "()V", false);
                    }
                };
            }
            MethodVisitor mv = super.visitMethod(access, name, descriptor, signature, exceptions);
            boolean constructor = name.equals("<init>");
            if (constructor && ClassIndex.OBJECT.equals(facts.superName())) {
                mv = new SuperCallRewriter(mv);
            }
            int skip = Opcodes.ACC_STATIC | Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE | Opcodes.ACC_SYNTHETIC;
            boolean visible = wrapsNonPublic ? (access & Opcodes.ACC_PRIVATE) == 0 : (access & Opcodes.ACC_PUBLIC) != 0;
            boolean callback = descriptor.equals("()V") && (name.equals("resurrect") || name.equals("recover"));
            if (wraps && (access & skip) == 0 && (constructor || visible && !callback)) {
                return new BlockWrapper(mv, access, name, descriptor, facts.name());
            }
            return mv;
        }

        @Override
        public void visitEnd() {
            StringBuilder text = new StringBuilder();
            for (FieldFacts f : persistent) {
                FieldCodec c = codec(f);
                text.append(text.isEmpty() ? "" : ",").append(f.name()).append(':').append(c.typeText());
                boolean renamed = !f.id().equals(f.name());
                if (renamed && (f.id().isEmpty() || f.id().matches(".*[:,|].*"))) {
                    throw new WeaveException(name() + "." + f.name() + ": \"" + f.id() + "\" cannot be the id of a field");
                }
                if (f.descriptor().length() > 1 || renamed) {
                    text.append(':').append(f.descriptor().length() > 1 ? f.descriptor() : "");
                }
                if (renamed) {
                    text.append(':').append(f.id());
                }
            }
            int constant = Opcodes.ACC_STATIC | Opcodes.ACC_FINAL | Opcodes.ACC_PUBLIC | Opcodes.ACC_SYNTHETIC;
            cv.visitField(constant, FieldCodec.FIELDS, "Ljava/lang/String;", null, text.toString()).visitEnd();
            if (wraps) {
                cv.visitField(constant, FieldCodec.FAILURE_ATOMIC, "Ljava/lang/String;", null, facts.fa()).visitEnd();
            }
            MethodWriter w = new MethodWriter(((AccessRewriter) cv).target(), facts.name());
            for (FieldFacts f : persistent) {
                w.accessors(f, codec(f), methods);
            }
            w.offsets(persistent);
            if (!hasClassInit) {
                w.classInit();
            }
            w.resurrectConstructor(ClassIndex.OBJECT.equals(facts.superName()) ? ClassIndex.BASE : facts.superName());
            super.visitEnd();
        }

        private FieldCodec codec(FieldFacts f) {
            return FieldCodec.of(f, index, name() + "." + f.name());
        }
    }

    /** The first call of Object's constructor in a constructor becomes that of the new superclass. */
    private static final class SuperCallRewriter extends MethodVisitor {
        private int pendingNews;

        SuperCallRewriter(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            if (opcode == Opcodes.NEW && type.equals(ClassIndex.OBJECT)) {
                pendingNews++;
            }
            super.visitTypeInsn(opcode, type);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            if (opcode == Opcodes.INVOKESPECIAL && owner.equals(ClassIndex.OBJECT) && name.equals("<init>")) {
                if (pendingNews > 0) {
                    pendingNews--;
                } else {
                    super.visitMethodInsn(opcode, ClassIndex.BASE, name, descriptor, isInterface);
                    return;
                }
            }
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }
    }

    /** The generic signature with the new superclass. */
    private static String reparent(String signature) {
        if (signature == null) {
            return null;
        }
        int at = 0;
        if (signature.charAt(0) == '<') {
            int depth = 0;
            do {
                char c = signature.charAt(at++);
                depth += c == '<' ? 1 : c == '>' ? -1 : 0;
            } while (depth > 0);
        }
        String old = "Ljava/lang/Object;";
        return signature.substring(0, at) + "L" + ClassIndex.BASE + ";" + signature.substring(at + old.length());
    }
}
