//! Whether a new version of a method does what the old one does.
//!
//! Invariant: two bodies are the same if they have the same instructions, with the same constants wherever
//! their pools have them; what only debuggers read may differ, and so may handlers, which HotSpot does not compare
//! either. A frame of the old one is then one of the new one, but for the handlers: it keeps its own.
use super::File;
use concord_classfile::opcodes::{Instruction, Operands, instructions};
use concord_classfile::{CodeInfo, Constant, MethodInfo};

/// Two versions of one class.
pub(super) struct Versions {
    pub old: File,
    pub new: File,
}

impl Versions {
    /// Whether the new version has the body of `m`, a method of the old one.
    pub(super) fn have(&self, m: &MethodInfo<'static>) -> bool {
        let text = |f: File, i: u16| f.constants.utf8(i);
        let key = |f: File, m: &MethodInfo<'static>| (text(f, m.name), text(f, m.desc));
        let Some(new) = self.new.methods.iter().find(|n| key(self.new, n) == key(self.old, m)) else { return false };
        match (&m.code, &new.code) {
            (Some(a), Some(b)) => m.access == new.access && self.same_code(a, b),
            _ => false,
        }
    }

    fn same_code(&self, a: &CodeInfo<'_>, b: &CodeInfo<'_>) -> bool {
        let sizes = |c: &CodeInfo<'_>| (c.code.len(), c.max_stack, c.max_locals);
        sizes(a) == sizes(b)
            && instructions(a.code)
                .zip(instructions(b.code))
                .all(|pair| matches!(pair, (Ok(x), Ok(y)) if self.same_instruction(&x, &y, a.code, b.code)))
    }

    fn same_instruction(&self, x: &Instruction<'_>, y: &Instruction<'_>, a: &[u8], b: &[u8]) -> bool {
        let index = match x.info().operands {
            Operands::Cp1 => 1,
            Operands::Cp2 | Operands::InvokeInterface | Operands::InvokeDynamic | Operands::MultiANewArray => 2,
            _ => 0,
        };
        let behind = x.bci + 1 + index;
        (x.bci, x.next(), x.opcode) == (y.bci, y.next(), y.opcode)
            && a[behind..x.next()] == b[behind..y.next()]
            && (index == 0 || self.same(x.cp(), y.cp()))
    }

    /// Whether two constants are the same, each in its pool.
    fn same(&self, old: u16, new: u16) -> bool {
        self.same_within(old, new, &mut Vec::new())
    }

    /// The same, `open` being the dynamic constants that are being compared: one may be an argument of its own.
    fn same_within(&self, old: u16, new: u16, open: &mut Vec<(u16, u16)>) -> bool {
        use Constant as C;
        let (Some(a), Some(b)) = (self.old.constants.get(old), self.new.constants.get(new)) else {
            return old == new;
        };
        match (*a, *b) {
            (C::Class(x), C::Class(y))
            | (C::String(x), C::String(y))
            | (C::MethodType(x), C::MethodType(y))
            | (C::Module(x), C::Module(y))
            | (C::Package(x), C::Package(y)) => self.same_within(x, y, open),
            (C::Field { class: c, nat: n }, C::Field { class: d, nat: o })
            | (C::Method { class: c, nat: n }, C::Method { class: d, nat: o })
            | (C::InterfaceMethod { class: c, nat: n }, C::InterfaceMethod { class: d, nat: o })
            | (C::NameAndType { name: c, desc: n }, C::NameAndType { name: d, desc: o }) => {
                self.same_within(c, d, open) && self.same_within(n, o, open)
            }
            (C::MethodHandle { kind: k, reference: x }, C::MethodHandle { kind: l, reference: y }) => {
                k == l && self.same_within(x, y, open)
            }
            (C::Dynamic { bsm: s, nat: n }, C::Dynamic { bsm: t, nat: o })
            | (C::InvokeDynamic { bsm: s, nat: n }, C::InvokeDynamic { bsm: t, nat: o }) => {
                self.same_within(n, o, open) && (open.contains(&(s, t)) || self.same_bootstrap((s, t), open))
            }
            (a, b) => a == b,
        }
    }

    fn same_bootstrap(&self, pair: (u16, u16), open: &mut Vec<(u16, u16)>) -> bool {
        let (old, new) = (&self.old.bootstrap_methods, &self.new.bootstrap_methods);
        let (Some(a), Some(b)) = (old.get(pair.0 as usize), new.get(pair.1 as usize)) else { return false };
        open.push(pair);
        a.args.iter().count() == b.args.iter().count()
            && self.same_within(a.method_ref, b.method_ref, open)
            && a.args.iter().zip(b.args.iter()).all(|(x, y)| self.same_within(x, y, open))
    }
}
