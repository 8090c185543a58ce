//! The sentence: what failed, and what was null.
//!
//! Invariant: descriptions nest at most [`DETAIL`] deep; names of java.lang.Object and
//! java.lang.String lose their package, others keep it.
use super::sources::{Sources, call_slots, type_slots};
use crate::info::{ClassExt, MethodExt};
use crate::names;
use concord_classfile::ConstantPool;
use concord_classfile::opcodes::{Instruction, op};
use concord_contract::MethodRef;

/// How deep `a.b.c[i]` is followed.
const DETAIL: usize = 5;

pub struct Writer {
    method: MethodRef,
    pool: &'static ConstantPool<'static>,
    sources: Sources,
}

/// `java.lang.String` as `String`.
fn short(name: String) -> String {
    let (base, dims) = match name.find('[') {
        Some(i) => name.split_at(i),
        None => (name.as_str(), ""),
    };
    match base {
        "java.lang.Object" => format!("Object{dims}"),
        "java.lang.String" => format!("String{dims}"),
        _ => name,
    }
}

fn array_kind(opcode: u8, load: u8) -> Option<&'static str> {
    Some(match opcode.checked_sub(load)? {
        0 => "int",
        1 => "long",
        2 => "float",
        3 => "double",
        4 => "object",
        5 => "byte/boolean",
        6 => "char",
        7 => "short",
        _ => return None,
    })
}

impl Writer {
    /// For the failure of the instruction at `bci`.
    pub fn new(method: MethodRef, bci: usize) -> Option<Writer> {
        let pool = ClassExt::info(method.class).constants();
        Some(Writer { method, pool, sources: Sources::of(method, pool, bci)? })
    }
    fn instruction(&self, bci: usize) -> Option<Instruction<'static>> {
        Instruction::decode(self.method.bytecode, bci).ok()
    }
    /// The whole message for the instruction at `bci`.
    pub fn message(&self, bci: usize) -> Option<String> {
        let i = self.instruction(bci)?;
        let slot = self.null_slot(&i)?;
        let mut out = self.action(&i)?;
        out += &self.because(bci, slot);
        Some(out)
    }

    /// How deep below the stack's top the null was; None for what the VM does not throw by itself.
    fn null_slot(&self, i: &Instruction<'_>) -> Option<usize> {
        Some(match i.opcode {
            op::IALOAD..=op::SALOAD => 1,
            op::LASTORE | op::DASTORE => 3,
            op::IASTORE..=op::SASTORE => 2,
            op::ARRAYLENGTH | op::ATHROW | op::MONITORENTER | op::MONITOREXIT | op::GETFIELD => 0,
            op::PUTFIELD => type_slots(self.pool.ref_name_and_type(i.cp()).desc),
            op::INVOKEVIRTUAL | op::INVOKESPECIAL | op::INVOKEINTERFACE => {
                let nt = self.pool.ref_name_and_type(i.cp());
                // A constructor call is that of the exception itself: Java code made it.
                if nt.name == b"<init>" {
                    return None;
                }
                call_slots(nt.desc).0
            }
            _ => return None,
        })
    }

    fn action(&self, i: &Instruction<'_>) -> Option<String> {
        if let Some(k) = array_kind(i.opcode, op::IALOAD) {
            return Some(format!("Cannot load from {k} array"));
        }
        if let Some(k) = array_kind(i.opcode, op::IASTORE) {
            return Some(format!("Cannot store to {k} array"));
        }
        let field = |what: &str| format!("Cannot {what} field \"{}\"", self.member_name(i.cp()));
        Some(match i.opcode {
            op::ARRAYLENGTH => "Cannot read the array length".into(),
            op::ATHROW => "Cannot throw exception".into(),
            op::MONITORENTER => "Cannot enter synchronized block".into(),
            op::MONITOREXIT => "Cannot exit synchronized block".into(),
            op::GETFIELD => field("read"),
            op::PUTFIELD => field("assign"),
            op::INVOKEVIRTUAL | op::INVOKESPECIAL | op::INVOKEINTERFACE => {
                format!("Cannot invoke \"{}\"", self.method_text(i.cp()))
            }
            _ => return None,
        })
    }

    fn member_name(&self, cp: u16) -> String {
        concord_base::symbol::text(self.pool.ref_name_and_type(cp).name).into_owned()
    }
    fn class_text(&self, cp: u16) -> String {
        let name = self.pool.class_name(self.pool.member_class(cp));
        // An array class is told by its descriptor: `[I.clone()`.
        let text = concord_base::symbol::text(name).replace('/', ".");
        if text.starts_with('[') {
            return text;
        }
        short(text)
    }
    /// `String.charAt(int)`.
    fn method_text(&self, cp: u16) -> String {
        let nt = self.pool.ref_name_and_type(cp);
        let params = names::signature(nt.desc).1;
        let params: Vec<String> = params.split(", ").map(|p| short(p.to_string())).collect();
        let name = concord_base::symbol::text(nt.name);
        format!("{}.{name}({})", self.class_text(cp), params.join(", "))
    }

    /// ` because "<what>" is null`, or nothing.
    fn because(&self, bci: usize, slot: usize) -> String {
        let Some((source, text)) = self.describe(bci, slot, DETAIL, false) else {
            return String::new();
        };
        let call = matches!(source, op::INVOKEVIRTUAL | op::INVOKESPECIAL | op::INVOKESTATIC | op::INVOKEINTERFACE);
        if call {
            format!(" because the return value of \"{text}\" is null")
        } else {
            format!(" because \"{text}\" is null")
        }
    }

    /// The expression that put the value `slot` below the top at `bci`, with the opcode that did.
    /// `index` says that the value is an array index rather than a reference.
    fn describe(&self, bci: usize, slot: usize, detail: usize, index: bool) -> Option<(u8, String)> {
        if detail == 0 {
            return None;
        }
        let stack = &self.sources.at(bci)?.stack;
        let source = usize::from(stack[stack.len().checked_sub(slot + 1)?]?);
        let i = self.instruction(source)?;
        let inner = |slot: usize, detail: usize, index: bool| self.describe(source, slot, detail, index).map(|d| d.1);
        let text = match i.opcode {
            op::ILOAD | op::ALOAD | op::ILOAD_0..=op::ILOAD_3 | op::ALOAD_0..=op::ALOAD_3 => {
                self.local(source, i.local()?)
            }
            op::ACONST_NULL => "null".into(),
            op::ICONST_M1..=op::ICONST_5 => (i32::from(i.opcode) - i32::from(op::ICONST_0)).to_string(),
            op::BIPUSH | op::SIPUSH => i.immediate().to_string(),
            op::IALOAD | op::AALOAD => {
                let array = inner(1, detail - 1, index).unwrap_or_else(|| "<array>".into());
                let at = inner(0, detail, true).unwrap_or_else(|| "...".into());
                format!("{array}[{at}]")
            }
            op::GETSTATIC => format!("{}.{}", self.class_text(i.cp()), self.member_name(i.cp())),
            op::GETFIELD => match inner(0, detail - 1, index) {
                Some(o) => format!("{o}.{}", self.member_name(i.cp())),
                None => self.member_name(i.cp()),
            },
            op::INVOKEVIRTUAL | op::INVOKESPECIAL | op::INVOKESTATIC | op::INVOKEINTERFACE => self.method_text(i.cp()),
            _ => return None,
        };
        Some((i.opcode, text))
    }

    /// A local variable's name: from the debug tables, or what it must be.
    fn local(&self, bci: usize, slot: u16) -> String {
        let code = MethodExt::info(self.method).parsed.and_then(|p| p.code.as_ref());
        if let Some(c) = code.filter(|c| !c.local_variables.is_empty()) {
            let live = |v: &concord_classfile::LocalVariable| {
                v.slot == slot && bci >= v.start_pc as usize && bci < v.start_pc as usize + v.length as usize
            };
            if let Some(v) = c.local_variables.iter().find(live) {
                return concord_base::symbol::text(self.pool.utf8(v.name)).into_owned();
            }
        }
        let written = slot < 64 && self.sources.at(bci).is_some_and(|s| s.written >> slot & 1 != 0);
        if !self.method.is_static() && slot == 0 && !written {
            return "this".into();
        }
        let mut at = u16::from(!self.method.is_static());
        for (n, p) in MethodExt::info(self.method).params.iter().enumerate() {
            let size = p.slots() as u16;
            if !written && (at..at + size).contains(&slot) {
                return format!("<parameter{}>", n + 1);
            }
            at += size;
        }
        format!("<local{slot}>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn well_known_names_are_short() {
        assert_eq!(short("java.lang.String[][]".into()), "String[][]");
        assert_eq!(short("java.lang.Strings".into()), "java.lang.Strings");
    }
    #[test]
    fn arrays_by_opcode() {
        assert_eq!(array_kind(op::BALOAD, op::IALOAD), Some("byte/boolean"));
        assert_eq!(array_kind(op::SASTORE, op::IASTORE), Some("short"));
        assert_eq!(array_kind(op::ISTORE, op::IALOAD), None);
    }
}
