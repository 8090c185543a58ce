//! Owns the constant pool's checks: first the entries are read, then every cross reference is
//! checked (always), then names and descriptors (unless trusted).

use super::Parser;
use crate::error::Res;
use crate::mutf8;
use crate::names;
use crate::pool::Constant;

impl<'a> Parser<'a, '_> {
    /// Reads the pool. Returns a tag that only a module descriptor may hold: HotSpot reports it
    /// after the access flags, because those decide between two errors.
    pub(super) fn constants(&mut self) -> Res<Option<u8>> {
        self.r.need(3)?;
        let count = self.r.u2()?;
        self.check(count >= 1, || format!("Illegal constant pool size {count}"))?;
        let module_tag = self.read_entries(count)?;
        if module_tag.is_some() && !self.opts.module_info {
            // The class will be rejected, by its access flags or for this tag.
            return Ok(module_tag);
        }
        self.check_references()?;
        if self.verify {
            for i in 1..count {
                self.check_meaning(i)?;
            }
        }
        Ok(module_tag)
    }

    fn read_entries(&mut self, count: u16) -> Res<Option<u8>> {
        let count = usize::from(count);
        let mut module_tag = None;
        let mut entries: Vec<Constant<'a>> = Vec::with_capacity(count);
        entries.push(Constant::Unused);
        while entries.len() < count {
            let tag = self.r.u1()?;
            let entry = match tag {
                1 => {
                    let len = self.r.u2()?;
                    self.r.need(usize::from(len) + 1)?;
                    let s = self.r.take(usize::from(len))?;
                    if !mutf8::is_valid(s) {
                        return self.fail("Illegal UTF8 string in constant pool");
                    }
                    Constant::Utf8(s)
                }
                3 => Constant::Integer(self.r.u4()? as i32),
                4 => Constant::Float(self.r.u4()?),
                5 | 6 => {
                    let bits = u64::from(self.r.u4()?) << 32 | u64::from(self.r.u4()?);
                    entries.push(if tag == 5 { Constant::Long(bits as i64) } else { Constant::Double(bits) });
                    if entries.len() == count {
                        return self.fail(&format!("Invalid constant pool entry {}", count - 1));
                    }
                    Constant::Unused
                }
                7 => Constant::Class(self.r.u2()?),
                8 => Constant::String(self.r.u2()?),
                9 => Constant::Field { class: self.r.u2()?, nat: self.r.u2()? },
                10 => Constant::Method { class: self.r.u2()?, nat: self.r.u2()? },
                11 => Constant::InterfaceMethod { class: self.r.u2()?, nat: self.r.u2()? },
                12 => Constant::NameAndType { name: self.r.u2()?, desc: self.r.u2()? },
                15 | 16 | 18 if self.major < 51 => return self.unsupported_tag(tag),
                17 if self.major < 55 => return self.unsupported_tag(tag),
                15 => Constant::MethodHandle { kind: self.r.u1()?, reference: self.r.u2()? },
                16 => Constant::MethodType(self.r.u2()?),
                17 | 18 => {
                    let (bsm, nat) = (self.r.u2()?, self.r.u2()?);
                    self.max_bootstrap = self.max_bootstrap.max(Some(bsm));
                    if tag == 17 { Constant::Dynamic { bsm, nat } } else { Constant::InvokeDynamic { bsm, nat } }
                }
                19 | 20 if self.major >= 53 => {
                    module_tag = Some(tag);
                    let name = self.r.u2()?;
                    if tag == 19 { Constant::Module(name) } else { Constant::Package(name) }
                }
                _ => return self.fail(&format!("Unknown constant tag {tag}")),
            };
            entries.push(entry);
        }
        self.pool.entries = entries;
        Ok(module_tag)
    }

    #[cold]
    fn unsupported_tag<T>(&self, tag: u8) -> Res<T> {
        self.fail(&format!("Class file version does not support constant tag {tag}"))
    }

    fn check_references(&self) -> Res<()> {
        let pool = &self.pool.entries;
        let get = |i: u16| pool.get(usize::from(i)).unwrap_or(&Constant::Unused);
        let is_utf8 = |i: u16| matches!(get(i), Constant::Utf8(_));
        let is_class = |i: u16| matches!(get(i), Constant::Class(_));
        let is_nat = |i: u16| matches!(get(i), Constant::NameAndType { .. });
        for (i, entry) in pool.iter().enumerate() {
            let bad = match *entry {
                Constant::Class(n)
                | Constant::String(n)
                | Constant::MethodType(n)
                | Constant::Module(n)
                | Constant::Package(n) => (!is_utf8(n)).then_some(n),
                Constant::Field { class, nat }
                | Constant::Method { class, nat }
                | Constant::InterfaceMethod { class, nat } => {
                    if is_class(class) {
                        (!is_nat(nat)).then_some(nat)
                    } else {
                        Some(class)
                    }
                }
                Constant::NameAndType { name, desc } => {
                    if is_utf8(name) {
                        (!is_utf8(desc)).then_some(desc)
                    } else {
                        Some(name)
                    }
                }
                Constant::Dynamic { nat, .. } | Constant::InvokeDynamic { nat, .. } => (!is_nat(nat)).then_some(nat),
                Constant::MethodHandle { kind, reference } => {
                    self.check_handle(i, kind, reference)?;
                    None
                }
                _ => None,
            };
            if let Some(bad) = bad {
                return self.fail(&format!("Invalid constant pool index {bad}"));
            }
        }
        Ok(())
    }

    fn check_handle(&self, index: usize, kind: u8, reference: u16) -> Res<()> {
        let Some(target) = self.pool.get(reference).filter(|_| reference != 0) else {
            return self.fail(&format!("Invalid constant pool index {reference}"));
        };
        let (ok, what) = match kind {
            1..=4 => (matches!(target, Constant::Field { .. }), "a field"),
            5 | 8 => (matches!(target, Constant::Method { .. }), "a method"),
            6 | 7 => (
                matches!(target, Constant::Method { .. })
                    || self.major >= 52 && matches!(target, Constant::InterfaceMethod { .. }),
                "a method",
            ),
            9 => (matches!(target, Constant::InterfaceMethod { .. }), "an interface method"),
            _ => {
                return self.fail(&format!("Bad method handle kind at constant pool index {index}"));
            }
        };
        self.check_named(ok, || format!("Invalid constant pool index {reference}"), what)
    }

    fn check_named(&self, ok: bool, lead: impl FnOnce() -> String, what: &str) -> Res<()> {
        if ok {
            return Ok(());
        }
        crate::error::format_error(format!("{} in class file {} (not {what})", lead(), self.class_name()))
    }

    fn check_meaning(&self, i: u16) -> Res<()> {
        let pool = &self.pool;
        match pool.entries[usize::from(i)] {
            Constant::Class(n) => self.check_class_name(pool.utf8(n)),
            Constant::NameAndType { .. } => {
                let nat = pool.name_and_type(i);
                if nat.desc.is_empty() || nat.name.is_empty() {
                    let name = self.class_name();
                    return crate::error::format_error(format!(
                        "Illegal zero length constant pool entry at {i} in class {name}"
                    ));
                }
                if nat.desc.first() == Some(&b'(') {
                    self.check_method_name(nat.name)?;
                    self.check_method_descriptor(nat.name, nat.desc).map(drop)
                } else {
                    self.check_field_name(nat.name)?;
                    self.check_field_descriptor(nat.name, nat.desc)
                }
            }
            Constant::Field { nat, .. } => {
                let nat = pool.name_and_type(nat);
                // The rest was checked with the NameAndType.
                if nat.desc.first() == Some(&b'(') {
                    return self.illegal_signature("Field", nat.name, nat.desc);
                }
                Ok(())
            }
            Constant::Dynamic { nat, .. } => {
                let nat = pool.name_and_type(nat);
                if nat.desc.first() == Some(&b'(') {
                    return self.illegal_signature("CONSTANT_Dynamic", nat.name, nat.desc);
                }
                Ok(())
            }
            Constant::InvokeDynamic { nat, .. } => {
                let nat = pool.name_and_type(nat);
                if nat.desc.first() != Some(&b'(') {
                    return self.illegal_signature("Method", nat.name, nat.desc);
                }
                Ok(())
            }
            ref entry @ (Constant::Method { nat, .. } | Constant::InterfaceMethod { nat, .. }) => {
                let index = nat;
                let nat = pool.name_and_type(nat);
                let special = matches!(entry, Constant::Method { .. })
                    && nat.name.first() == Some(&b'<')
                    && nat.name != b"<init>";
                if nat.desc.first() != Some(&b'(') {
                    return self.illegal_signature("Method", nat.name, nat.desc);
                }
                if special {
                    let Some(&Constant::NameAndType { name, .. }) = pool.get(index) else { unreachable!("checked") };
                    return self.fail(&format!("Bad method name at constant pool index {name}"));
                }
                Ok(())
            }
            Constant::MethodType(n) => self.check_method_descriptor(b"type", pool.utf8(n)).map(drop),
            Constant::MethodHandle { kind: kind @ 5..=9, reference } => {
                let Some(&Constant::NameAndType { name, .. }) = pool.get(pool.nat_index(reference)) else {
                    unreachable!("checked with the references")
                };
                match (kind, pool.utf8(name)) {
                    (8, b"<init>") => Ok(()),
                    (8, _) => self.fail(&format!("Bad constructor name at constant pool index {name}")),
                    (_, b"<init>") => self.fail(&format!("Bad method name at constant pool index {name}")),
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    pub(super) fn check_class_name(&self, name: &[u8]) -> Res<()> {
        let legal = if name.first() == Some(&b'[') {
            match crate::descriptor::check_field(name, self.modern_names()) {
                Ok(()) => true,
                Err(crate::descriptor::Malformed::Syntax) => false,
                Err(why) => return self.malformed(why, "Class", name, name),
            }
        } else if self.modern_names() {
            names::is_class_name(name)
        } else {
            !name.is_empty() && names::identifier_len(name, true) == name.len()
        };
        self.check(legal, || format!("Illegal class name \"{}\"", mutf8::to_string(name)))
    }

    pub(super) fn check_field_name(&self, name: &[u8]) -> Res<()> {
        let legal = if self.modern_names() {
            names::is_field_name(name)
        } else {
            !name.is_empty() && names::identifier_len(name, false) == name.len()
        };
        if legal { Ok(()) } else { self.illegal_name("field", name) }
    }

    pub(super) fn check_method_name(&self, name: &[u8]) -> Res<()> {
        let legal = if name.first() == Some(&b'<') {
            name == b"<init>" || name == b"<clinit>"
        } else if self.modern_names() {
            names::is_method_name(name)
        } else {
            !name.is_empty() && names::identifier_len(name, false) == name.len()
        };
        if legal { Ok(()) } else { self.illegal_name("method", name) }
    }

    #[cold]
    fn illegal_name(&self, what: &str, name: &[u8]) -> Res<()> {
        let (name, class) = (mutf8::to_string(name), self.class_name());
        crate::error::format_error(format!("Illegal {what} name \"{name}\" in class {class}"))
    }
}
