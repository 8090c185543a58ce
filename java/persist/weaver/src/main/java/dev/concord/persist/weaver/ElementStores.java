package dev.concord.persist.weaver;

import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/**
 * Finds stores that would be lost without a trace: an array read from a persistent field is a copy, so a store to one of
 * its elements changes nothing in the heap unless the method puts the array back into the field. Follows the array
 * through locals, casts and outer arrays within one method; what is handed to other methods it does not follow, except to
 * those of the JDK that are known to write.
 */
final class ElementStores {
    private static final Set<String> WRITES_FIRST = Set.of("fill", "sort", "setAll", "parallelSort", "parallelSetAll", "parallelPrefix");

    private ElementStores() {
    }

    /** Where an array came from: sources survive copies, casts and loads of inner arrays. */
    private static final class Origin extends SourceInterpreter {
        Origin() {
            super(Opcodes.ASM9);
        }

        @Override
        public SourceValue copyOperation(AbstractInsnNode insn, SourceValue value) {
            return value;
        }

        @Override
        public SourceValue unaryOperation(AbstractInsnNode insn, SourceValue value) {
            return insn.getOpcode() == Opcodes.CHECKCAST ? value : super.unaryOperation(insn, value);
        }

        @Override
        public SourceValue binaryOperation(AbstractInsnNode insn, SourceValue a, SourceValue b) {
            return insn.getOpcode() == Opcodes.AALOAD ? a : super.binaryOperation(insn, a, b);
        }
    }

    /** Refuses the class if a store to an element of a persistent field's array would be lost. */
    static void check(ClassReader reader, ClassIndex index) {
        ClassNode c = new ClassNode();
        reader.accept(c, ClassReader.SKIP_FRAMES);
        for (MethodNode m : c.methods) {
            boolean loads = false;
            boolean stores = false;
            for (AbstractInsnNode i : m.instructions) {
                loads |= isArrayLoad(i, index);
                stores |= written(i) > 0;
            }
            if (loads && stores) {
                check(c, m, index);
            }
        }
    }

    private static boolean isArrayLoad(AbstractInsnNode i, ClassIndex index) {
        return i instanceof FieldInsnNode f && f.getOpcode() == Opcodes.GETFIELD && f.desc.startsWith("[") && index.resolve(f.owner, f.name) != null;
    }

    /** How deep in the operand stack the array lies that this instruction writes to; 0 if it writes to none. */
    private static int written(AbstractInsnNode i) {
        if (i.getOpcode() >= Opcodes.IASTORE && i.getOpcode() <= Opcodes.SASTORE) {
            return 3;
        }
        if (i instanceof MethodInsnNode call && call.getOpcode() == Opcodes.INVOKESTATIC) {
            if (call.owner.equals("java/lang/System") && call.name.equals("arraycopy")) {
                return 3;
            }
            if (call.owner.equals("java/util/Arrays") && WRITES_FIRST.contains(call.name)) {
                return Type.getArgumentTypes(call.desc).length;
            }
        }
        return 0;
    }

    private static void check(ClassNode c, MethodNode m, ClassIndex index) {
        Frame<SourceValue>[] frames;
        try {
            frames = new Analyzer<>(new Origin()).analyze(c.name, m);
        } catch (AnalyzerException e) {
            throw new WeaveException(c.name.replace('/', '.') + "." + m.name + " cannot be analysed: " + e.getMessage());
        }
        List<AbstractInsnNode> code = List.of(m.instructions.toArray());
        for (int i = 0; i < code.size(); i++) {
            int depth = written(code.get(i));
            if (depth == 0 || frames[i] == null) {
                continue;
            }
            for (AbstractInsnNode origin : frames[i].getStack(frames[i].getStackSize() - depth).insns) {
                if (isArrayLoad(origin, index) && !putBack(code, frames, (FieldInsnNode) origin)) {
                    FieldInsnNode f = (FieldInsnNode) origin;
                    throw new WeaveException(c.name.replace('/', '.') + "." + m.name + ", line " + line(code.get(i)) + ": stores to an element of field "
                            + f.name + " of " + f.owner.replace('/', '.') + ", which would be lost: what a persistent field gives is a copy of its array;"
                            + " change the copy and store it to the field, or use PArray, PByteArray or PLongArray");
                }
            }
        }
    }

    private static boolean putBack(List<AbstractInsnNode> code, Frame<SourceValue>[] frames, FieldInsnNode load) {
        for (int i = 0; i < code.size(); i++) {
            if (code.get(i) instanceof FieldInsnNode f && f.getOpcode() == Opcodes.PUTFIELD && f.name.equals(load.name) && f.desc.equals(load.desc)
                    && frames[i] != null && frames[i].getStack(frames[i].getStackSize() - 1).insns.contains(load)) {
                return true;
            }
        }
        return false;
    }

    private static int line(AbstractInsnNode i) {
        for (AbstractInsnNode x = i; x != null; x = x.getPrevious()) {
            if (x instanceof LineNumberNode l) {
                return l.line;
            }
        }
        return -1;
    }
}
