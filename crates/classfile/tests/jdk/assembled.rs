//! Hand-made classes for rules that random damage seldom hits: uninitialised objects, protected
//! members, special calls, handlers, switches, result types.

use crate::oracle::{Oracle, compare, java_base};
use concord_classfile::ClassFile;
use concord_classfile::access::*;
use concord_classfile::asm::{ClassBuilder, Code, V};
use concord_classfile::opcodes::op::*;
use std::collections::HashMap;

const OBJECT: &str = "java/lang/Object";

fn class(name: &str, super_name: &str, fill: impl FnOnce(&mut ClassBuilder)) -> Vec<u8> {
    let mut c = ClassBuilder::new(name, super_name);
    fill(&mut c);
    c.finish()
}

/// A class with one static method `m`.
fn method(name: &str, desc: &str, stack: u16, locals: u16, write: impl FnOnce(&mut Code<'_>)) -> Vec<u8> {
    class(name, OBJECT, |c| {
        c.method(PUBLIC | STATIC, "m", desc, |code| {
            code.limits(stack, locals);
            write(code);
        });
    })
}

/// A class with one constructor.
fn constructor(name: &str, write: impl FnOnce(&mut Code<'_>)) -> Vec<u8> {
    class(name, OBJECT, |c| {
        c.field(PRIVATE, "own", "I");
        c.method(PUBLIC, "<init>", "()V", |code| {
            code.limits(4, 3);
            write(code);
        });
    })
}

fn cases() -> Vec<Vec<u8>> {
    let super_init = |code: &mut Code<'_>| {
        code.op(ALOAD_0).method(INVOKESPECIAL, OBJECT, "<init>", "()V");
    };
    let mut list = Vec::new();
    // Uninitialised objects where references are wanted.
    for opcode in [MONITORENTER, ARETURN, ATHROW, IFNULL, ARRAYLENGTH, POP] {
        list.push(method(&format!("Uninit{opcode}"), "()Ljava/lang/Object;", 2, 1, |code| {
            code.class(NEW, OBJECT);
            if opcode == IFNULL {
                let end = code.label();
                code.jump(IFNULL, end).bind(end).frame(&[], &[]);
            } else {
                code.op(opcode);
            }
            code.op(ACONST_NULL).op(ARETURN);
        }));
    }
    for opcode in [IF_ACMPEQ, IF_ACMPNE] {
        list.push(method(&format!("Acmp{opcode}"), "()V", 2, 1, |code| {
            let end = code.label();
            code.class(NEW, OBJECT).class(NEW, OBJECT).jump(opcode, end).bind(end).frame(&[], &[]).op(RETURN);
        }));
    }
    list.push(method("CastUninit", "()V", 2, 1, |code| {
        code.class(NEW, OBJECT).class(CHECKCAST, OBJECT).op(POP).op(RETURN);
    }));
    list.push(method("WrongInit", "()V", 2, 1, |code| {
        code.class(NEW, OBJECT).method(INVOKESPECIAL, "java/lang/String", "<init>", "()V").op(RETURN);
    }));
    list.push(method("InitTwice", "()V", 3, 1, |code| {
        code.class(NEW, OBJECT).op(DUP).method(INVOKESPECIAL, OBJECT, "<init>", "()V");
        code.method(INVOKESPECIAL, OBJECT, "<init>", "()V").op(RETURN);
    }));
    list.push(method("InitNull", "()V", 3, 1, |code| {
        code.op(ACONST_NULL).method(INVOKESPECIAL, OBJECT, "<init>", "()V").op(RETURN);
    }));
    // Constructors.
    list.push(constructor("NoSuper", |code| {
        code.op(RETURN);
    }));
    list.push(constructor("EarlyField", |code| {
        code.op(ALOAD_0).op(ICONST_1).field(PUTFIELD, "EarlyField", "own", "I");
        super_init(code);
        code.op(RETURN);
    }));
    list.push(constructor("EarlyForeign", |code| {
        code.op(ALOAD_0).op(ICONST_1).field(PUTFIELD, "EarlyForeign", "other", "I");
        super_init(code);
        code.op(RETURN);
    }));
    list.push(constructor("EarlyRead", |code| {
        code.op(ALOAD_0).field(GETFIELD, "EarlyRead", "own", "I").op(POP);
        super_init(code);
        code.op(RETURN);
    }));
    list.push(constructor("StrangeSuper", |code| {
        code.op(ALOAD_0).method(INVOKESPECIAL, "java/lang/Thread", "<init>", "()V").op(RETURN);
    }));
    for throws in [true, false] {
        list.push(constructor(&format!("TryInit{throws}"), |code| {
            let start = code.bound();
            super_init(code);
            let end = code.bound();
            code.op(RETURN);
            let handler = code.bound();
            code.frame(&[V::Top], &[V::Obj("java/lang/Throwable")]);
            if throws {
                code.op(ATHROW);
            } else {
                code.op(POP).op(RETURN);
            }
            code.handler(start, end, handler, "");
        }));
    }
    // Protected members of another package.
    list.push(class("Protected", "java/lang/ClassLoader", |c| {
        c.method(PUBLIC | STATIC, "call", "(Ljava/lang/ClassLoader;)V", |code| {
            code.limits(4, 1).op(ALOAD_0).ldc_string("x").op(ICONST_0);
            code.method(INVOKEVIRTUAL, "java/lang/ClassLoader", "loadClass", "(Ljava/lang/String;Z)Ljava/lang/Class;");
            code.op(POP).op(RETURN);
        });
    }));
    list.push(class("ProtectedField", "java/io/FilterInputStream", |c| {
        c.method(PUBLIC | STATIC, "read", "(Ljava/io/FilterInputStream;)V", |code| {
            code.limits(4, 1).op(ALOAD_0);
            code.field(GETFIELD, "java/io/FilterInputStream", "in", "Ljava/io/InputStream;").op(POP).op(RETURN);
        });
        c.method(PUBLIC | STATIC, "write", "(LProtectedField;)V", |code| {
            code.limits(4, 1).op(ALOAD_0).op(ACONST_NULL);
            code.field(PUTFIELD, "java/io/FilterInputStream", "in", "Ljava/io/InputStream;").op(RETURN);
        });
    }));
    list.push(class("ProtectedNew", "java/util/AbstractList", |c| {
        c.method(PUBLIC | STATIC, "make", "()V", |code| {
            code.limits(4, 1).class(NEW, "java/util/AbstractList");
            code.method(INVOKESPECIAL, "java/util/AbstractList", "<init>", "()V").op(RETURN);
        });
    }));
    for receiver in ["[I", "java/lang/String", "[[Ljava/lang/String;"] {
        let desc = if receiver.starts_with('[') { format!("({receiver})V") } else { format!("(L{receiver};)V") };
        list.push(method("CloneOf", &desc, 1, 1, |code| {
            code.op(ALOAD_0).method(INVOKEVIRTUAL, OBJECT, "clone", "()Ljava/lang/Object;").op(POP).op(RETURN);
        }));
    }
    // invokespecial.
    for target in ["java/lang/Thread", "java/util/ArrayList"] {
        list.push(class("Special", "java/util/ArrayList", |c| {
            c.method(PUBLIC, "m", "()V", |code| {
                code.limits(1, 1).op(ALOAD_0).method(INVOKESPECIAL, target, "clear", "()V").op(RETURN);
            });
        }));
    }
    for target in ["java/util/Collection", "java/util/RandomAccess", "java/lang/Runnable"] {
        list.push(class("SpecialInterface", "java/util/ArrayList", |c| {
            c.interface("java/util/RandomAccess");
            c.method(PUBLIC, "m", "()V", |code| {
                let index = code.pool.interface_method(target, "clear", "()V");
                code.limits(1, 1).op(ALOAD_0).cp(INVOKESPECIAL, index).op(RETURN);
            });
        }));
    }
    // Arrays.
    let arrays = [
        ("[Ljava/lang/String;", "[Ljava/lang/Object;"),
        ("[Ljava/lang/Object;", "[Ljava/lang/String;"),
        ("[[I", "[Ljava/lang/Cloneable;"),
        ("[[I", "[[J"),
        ("[B", "[Z"),
        ("[I", "[Ljava/lang/Object;"),
        ("[I", "Ljava/io/Serializable;"),
        ("[I", "Ljava/lang/Runnable;"),
        ("[Ljava/lang/Thread;", "[Ljava/lang/Runnable;"),
        ("Ljava/lang/Integer;", "Ljava/lang/Number;"),
        ("Ljava/lang/Number;", "Ljava/lang/Integer;"),
        ("Ljava/lang/String;", "Ljava/lang/Runnable;"),
    ];
    for (from, to) in arrays {
        list.push(method("Arrays", &format!("({from}){to}"), 1, 1, |code| {
            code.op(ALOAD_0).op(ARETURN);
        }));
    }
    for opcode in [IALOAD, LALOAD, FALOAD, DALOAD, AALOAD, BALOAD, CALOAD, SALOAD] {
        list.push(method("Load", "(Ljava/lang/Object;)V", 2, 1, |code| {
            code.op(ALOAD_0).op(ICONST_0).op(opcode).op(RETURN);
        }));
        list.push(method("LoadOther", "([[S)V", 2, 1, |code| {
            code.op(ALOAD_0).op(ICONST_0).op(opcode).op(RETURN);
        }));
    }
    for opcode in [IASTORE, LASTORE, FASTORE, DASTORE, AASTORE, BASTORE, CASTORE, SASTORE] {
        list.push(method("Store", "([Ljava/lang/Object;)V", 4, 1, |code| {
            code.op(ALOAD_0).op(ICONST_0).op(ICONST_0).op(opcode).op(RETURN);
        }));
        list.push(method("StoreWide", "([Ljava/lang/Object;)V", 4, 1, |code| {
            code.op(ALOAD_0).op(ICONST_0).op(DCONST_0).op(opcode).op(RETURN);
        }));
    }
    // Stack shuffles that split a long.
    for opcode in [POP, POP2, DUP, DUP_X1, DUP_X2, DUP2, DUP2_X1, DUP2_X2, SWAP] {
        for push in [[LCONST_0, ICONST_0, NOP], [ICONST_0, LCONST_0, NOP], [LCONST_0, LCONST_0, ICONST_0]] {
            list.push(method("Shuffle", "()V", 9, 1, |code| {
                for o in push {
                    code.op(o);
                }
                code.op(opcode).op(RETURN);
            }));
        }
    }
    // Result types.
    for (desc, opcode, push) in [
        ("()Z", IRETURN, ICONST_0),
        ("()J", IRETURN, ICONST_0),
        ("()V", IRETURN, ICONST_0),
        ("()I", RETURN, NOP),
        ("()F", FRETURN, FCONST_0),
        ("()D", LRETURN, LCONST_0),
        ("()J", LRETURN, LCONST_0),
    ] {
        list.push(method("Result", desc, 2, 0, |code| {
            code.op(push).op(opcode);
        }));
    }
    // Switches.
    list.push(method("Unsorted", "(I)V", 1, 1, |code| {
        let end = code.label();
        code.op(ILOAD_0).lookupswitch(&[(5, end), (3, end)], end).bind(end).frame(&[V::Int], &[]).op(RETURN);
    }));
    list.push(method("Table", "(J)V", 1, 2, |code| {
        let end = code.label();
        code.op(ICONST_0).tableswitch(-1, &[end, end], end).bind(end).frame(&[V::Int], &[]).op(RETURN);
    }));
    // Handlers.
    list.push(method("CatchString", "()V", 1, 0, |code| {
        let start = code.bound();
        code.op(RETURN);
        let end = code.bound();
        code.frame(&[], &[V::Obj("java/lang/String")]).op(POP).op(RETURN);
        code.handler(start, end, end, "java/lang/String");
    }));
    list.push(method("NoStack", "()V", 0, 0, |code| {
        let start = code.bound();
        code.op(RETURN);
        let end = code.bound();
        code.op(RETURN).handler(start, end, end, "");
    }));
    // Constants and frames.
    list.push(method("LdcLong", "()V", 2, 0, |code| {
        let index = code.pool.long(1);
        code.cp(LDC_W, index).op(RETURN);
    }));
    list.push(method("Ldc2Int", "()V", 2, 0, |code| {
        let index = code.pool.int(1);
        code.cp(LDC2_W, index).op(RETURN);
    }));
    list.push(method("FrameTop", "(I)I", 2, 1, |code| {
        let end = code.label();
        code.op(ILOAD_0).jump(IFEQ, end).bind(end).frame(&[V::Top], &[]).op(ILOAD_0).op(IRETURN);
    }));
    list.push(method("FrameUninit", "()V", 2, 1, |code| {
        let end = code.label();
        code.class(NEW, OBJECT).op(ICONST_0).jump(IFEQ, end).bind(end).frame(&[], &[V::Uninit(0)]);
        code.method(INVOKESPECIAL, OBJECT, "<init>", "()V").op(RETURN);
    }));
    list.push(method("Jsr", "()V", 2, 1, |code| {
        let end = code.label();
        code.jump(JSR, end).bind(end).op(RETURN);
    }));
    list.push(method("Clinit", "()V", 2, 1, |code| {
        code.method(INVOKESTATIC, "Clinit", "<clinit>", "()V").op(RETURN);
    }));
    list.push(method("NewArrayType", "()V", 2, 1, |code| {
        code.op(ICONST_0).op(NEWARRAY).u1(3).op(RETURN);
    }));
    list.push(method("NewOfArray", "()V", 2, 1, |code| {
        code.class(NEW, "[I").op(RETURN);
    }));
    list
}

#[test]
fn assembled_classes_are_judged_as_hotspot_does() {
    let oracle = Oracle::new("assembled");
    let base = java_base();
    let known: HashMap<&[u8], &ClassFile> = base.iter().map(|c| (c.name(), c)).collect();
    let list = cases();
    let rejected = compare(&oracle, &list, &known);
    assert!(rejected > 60, "only {rejected} of {} were rejected", list.len());
}
