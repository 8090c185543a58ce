"""Reads the bytecodes of class files: which opcodes occur how often. Owns the table of opcode names and lengths."""

import struct

NAMES = (
    "nop aconst_null iconst_m1 iconst_0 iconst_1 iconst_2 iconst_3 iconst_4 iconst_5 lconst_0 lconst_1 fconst_0 fconst_1 fconst_2 "
    "dconst_0 dconst_1 bipush sipush ldc ldc_w ldc2_w iload lload fload dload aload iload_0 iload_1 iload_2 iload_3 lload_0 lload_1 "
    "lload_2 lload_3 fload_0 fload_1 fload_2 fload_3 dload_0 dload_1 dload_2 dload_3 aload_0 aload_1 aload_2 aload_3 iaload laload "
    "faload daload aaload baload caload saload istore lstore fstore dstore astore istore_0 istore_1 istore_2 istore_3 lstore_0 lstore_1 "
    "lstore_2 lstore_3 fstore_0 fstore_1 fstore_2 fstore_3 dstore_0 dstore_1 dstore_2 dstore_3 astore_0 astore_1 astore_2 astore_3 "
    "iastore lastore fastore dastore aastore bastore castore sastore pop pop2 dup dup_x1 dup_x2 dup2 dup2_x1 dup2_x2 swap iadd ladd "
    "fadd dadd isub lsub fsub dsub imul lmul fmul dmul idiv ldiv fdiv ddiv irem lrem frem drem ineg lneg fneg dneg ishl lshl ishr lshr "
    "iushr lushr iand land ior lor ixor lxor iinc i2l i2f i2d l2i l2f l2d f2i f2l f2d d2i d2l d2f i2b i2c i2s lcmp fcmpl fcmpg dcmpl "
    "dcmpg ifeq ifne iflt ifge ifgt ifle if_icmpeq if_icmpne if_icmplt if_icmpge if_icmpgt if_icmple if_acmpeq if_acmpne goto jsr ret "
    "tableswitch lookupswitch ireturn lreturn freturn dreturn areturn return getstatic putstatic getfield putfield invokevirtual "
    "invokespecial invokestatic invokeinterface invokedynamic new newarray anewarray arraylength athrow checkcast instanceof "
    "monitorenter monitorexit wide multianewarray ifnull ifnonnull goto_w jsr_w"
).split()
assert len(NAMES) == 202 and NAMES[0xC9] == "jsr_w"

LENGTHS = {}
for _i, _n in enumerate(NAMES):
    LENGTHS[_i] = 1
for _n in "bipush ldc iload lload fload dload aload istore lstore fstore dstore astore ret newarray".split():
    LENGTHS[NAMES.index(_n)] = 2
for _n in ("sipush ldc_w ldc2_w iinc goto jsr getstatic putstatic getfield putfield invokevirtual invokespecial invokestatic new anewarray "
           "checkcast instanceof ifnull ifnonnull").split():
    LENGTHS[NAMES.index(_n)] = 3
for _i in range(NAMES.index("ifeq"), NAMES.index("if_acmpne") + 1):
    LENGTHS[_i] = 3
LENGTHS[NAMES.index("multianewarray")] = 4
for _n in ("invokeinterface", "invokedynamic", "goto_w", "jsr_w"):
    LENGTHS[NAMES.index(_n)] = 5
TABLE, LOOKUP, WIDE, IINC = (NAMES.index(n) for n in ("tableswitch", "lookupswitch", "wide", "iinc"))
CONSTANT_SIZES = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}


def opcodes(code):
    """Yields the opcode name of every instruction; wide forms as 'wide NAME'."""
    pc = 0
    while pc < len(code):
        op = code[pc]
        if op == WIDE:
            inner = code[pc + 1]
            yield "wide " + NAMES[inner]
            pc += 6 if inner == IINC else 4
            continue
        yield NAMES[op]
        if op in (TABLE, LOOKUP):
            base = (pc + 4) & ~3
            if op == TABLE:
                low, high = struct.unpack_from(">ii", code, base + 4)
                pc = base + 12 + 4 * (high - low + 1)
            else:
                pc = base + 8 + 8 * struct.unpack_from(">i", code, base + 4)[0]
        else:
            pc += LENGTHS[op]


def class_opcodes(data):
    """Yields every opcode of every method of a class file."""
    if data[:4] != b"\xca\xfe\xba\xbe":
        raise ValueError("not a class file")
    count, = struct.unpack_from(">H", data, 8)
    at, index, utf = 10, 1, {}
    while index < count:
        tag = data[at]
        if tag == 1:
            length, = struct.unpack_from(">H", data, at + 1)
            utf[index] = data[at + 3:at + 3 + length]
            at += 3 + length
        else:
            at += 1 + CONSTANT_SIZES[tag]
        index += 2 if tag in (5, 6) else 1
    at += 6
    interfaces, = struct.unpack_from(">H", data, at)
    at += 2 + 2 * interfaces
    for kind in ("field", "method"):
        members, = struct.unpack_from(">H", data, at)
        at += 2
        for _ in range(members):
            attributes, = struct.unpack_from(">H", data, at + 6)
            at += 8
            for _ in range(attributes):
                name, length = struct.unpack_from(">HI", data, at)
                if kind == "method" and utf[name] == b"Code":
                    size, = struct.unpack_from(">I", data, at + 10)
                    yield from opcodes(data[at + 14:at + 14 + size])
                at += 6 + length
