//! Owns the attributes of the class itself.

use super::{Parser, annotations};
use crate::be::{BeU16s, Reader};
use crate::error::{Res, format_error};
use crate::model::{Annotations, BootstrapMethod, ClassFile, InnerClass, RecordComponent, access};
use crate::pool::Constant;

/// Attributes whose bodies are read after all others, and one whose repetition no field shows.
#[derive(Default)]
struct Seen<'a> {
    inner_classes: Option<Later<'a>>,
    nest_members: Option<Later<'a>>,
    record: Option<Later<'a>>,
    permitted_subclasses: Option<Later<'a>>,
    bootstrap_methods: bool,
}

/// Where an attribute's body begins and how long it says it is.
type Later<'a> = (Reader<'a>, usize);

impl<'a> Parser<'a, '_> {
    pub(super) fn class_attributes(&mut self, class: &mut ClassFile<'a>) -> Res<()> {
        let mut seen = Seen::default();
        let count = self.r.u2()?;
        self.invisible = 0;
        for _ in 0..count {
            self.class_attribute(class, &mut seen)?;
        }
        let end = self.r.clone();
        if let Some((r, len)) = seen.inner_classes {
            self.r = r;
            class.inner_classes = self.inner_classes(len)?;
        } else {
            // As in HotSpot, nobody is enclosed who is no inner class.
            class.enclosing_method = None;
        }
        match self.max_bootstrap {
            Some(_) if !seen.bootstrap_methods => {
                return self.fail("Missing BootstrapMethods attribute");
            }
            _ => {}
        }
        if let Some((r, len)) = seen.nest_members {
            self.r = r;
            class.nest_members = self.class_list(len, "Nest member", "NestMembers")?;
        }
        if let Some((r, len)) = seen.record {
            self.r = r;
            class.record = Some(self.record(len)?);
        }
        if let Some((r, len)) = seen.permitted_subclasses {
            self.r = r;
            let list = self.class_list(len, "Permitted subclass", "PermittedSubclasses")?;
            self.check(!list.is_empty(), || "PermittedSubclasses attribute is empty".to_string())?;
            class.permitted_subclasses = Some(list);
        }
        self.r = end;
        Ok(())
    }

    /// Skips a body that is read later.
    fn later(&mut self, len: usize) -> Res<Option<Later<'a>>> {
        let begin = self.r.clone();
        self.r.take(len)?;
        Ok(Some((begin, len)))
    }

    fn class_attribute_header(&mut self) -> Res<(&'a [u8], u32)> {
        self.r.need(6)?;
        let index = self.r.u2()?;
        let length = self.r.u4()?;
        match self.pool.try_utf8(index) {
            Some(name) => Ok((name, length)),
            None => self.fail(&format!("Attribute name has bad constant pool index {index}")),
        }
    }

    fn class_attribute(&mut self, class: &mut ClassFile<'a>, seen: &mut Seen<'a>) -> Res<()> {
        let (name, length) = self.class_attribute_header()?;
        let len = length as usize;
        match name {
            b"SourceFile" => {
                self.check(len == 2, || "Wrong SourceFile attribute length".to_string())?;
                self.once(class.source_file.is_some(), "SourceFile", "")?;
                let index = self.r.u2()?;
                self.check(self.is_utf8(index), || {
                    format!("Invalid SourceFile attribute at constant pool index {index}")
                })?;
                class.source_file = Some(index);
            }
            b"SourceDebugExtension" => {
                self.once(class.source_debug_extension.is_some(), "SourceDebugExtension", "")?;
                class.source_debug_extension = Some(self.r.take(len)?);
            }
            b"InnerClasses" => {
                self.once(seen.inner_classes.is_some(), "InnerClasses", "")?;
                seen.inner_classes = self.later(len)?;
            }
            b"Synthetic" => {
                self.check(len == 0, || format!("Invalid Synthetic classfile attribute length {length}"))?;
                class.synthetic = true;
            }
            b"Deprecated" => {
                self.check(len == 0, || format!("Invalid Deprecated classfile attribute length {length}"))?;
                class.deprecated = true;
            }
            b"Signature" if self.major >= 49 => {
                self.once(class.signature.is_some(), "Signature", "")?;
                self.check(len == 2, || format!("Wrong Signature attribute length {length}"))?;
                let index = self.r.u2()?;
                self.check(self.is_utf8(index), || {
                    format!("Invalid constant pool index {index} in Signature attribute")
                })?;
                class.signature = Some(index);
            }
            b"RuntimeVisibleAnnotations" if self.major >= 49 => {
                self.once(class.annotations.visible.is_some(), "RuntimeVisibleAnnotations", "")?;
                let body = self.r.take(len)?;
                class.annotations.visible = Some(body);
                let heed = self.heed;
                let into = &mut class.annotations;
                annotations::recognise(into, annotations::Site::Class, body, &self.pool, heed);
            }
            // Class retention is enough for what any class may say to the VM.
            b"RuntimeInvisibleAnnotations" if self.major >= 49 => {
                self.once_invisible(name, "")?;
                let body = self.r.take(len)?;
                let into = &mut class.annotations;
                annotations::recognise(into, annotations::Site::Class, body, &self.pool, annotations::Heed::Any);
            }
            b"RuntimeVisibleTypeAnnotations" if self.major >= 49 => {
                self.once(class.annotations.visible_types.is_some(), "RuntimeVisibleTypeAnnotations", "")?;
                class.annotations.visible_types = Some(self.r.take(len)?);
            }
            b"EnclosingMethod" if self.major >= 49 => {
                self.once(class.enclosing_method.is_some(), "EnclosingMethod", "")?;
                self.check(len == 4, || format!("Wrong EnclosingMethod attribute length {length}"))?;
                class.enclosing_method = Some(self.enclosing_method()?);
            }
            b"BootstrapMethods" if self.major >= 51 => {
                self.once(seen.bootstrap_methods, "BootstrapMethods", "")?;
                seen.bootstrap_methods = true;
                class.bootstrap_methods = self.bootstrap_methods(len)?;
            }
            b"NestMembers" if self.major >= 55 => {
                self.once(seen.nest_members.is_some(), "NestMembers", "")?;
                self.check(class.nest_host.is_none(), || {
                    "Conflicting NestHost and NestMembers attributes".to_string()
                })?;
                seen.nest_members = self.later(len)?;
            }
            b"NestHost" if self.major >= 55 => {
                self.once(class.nest_host.is_some(), "NestHost", "")?;
                self.check(seen.nest_members.is_none(), || {
                    "Conflicting NestMembers and NestHost attributes".to_string()
                })?;
                self.check(len == 2, || "Wrong NestHost attribute length".to_string())?;
                let index = self.r.u2()?;
                self.check(self.is_class(index), || {
                    format!("Nest-host class_info_index {index} has bad constant type")
                })?;
                class.nest_host = Some(index);
            }
            b"Record" if self.major >= 60 => {
                self.once(seen.record.is_some(), "Record", "")?;
                seen.record = self.later(len)?;
            }
            b"PermittedSubclasses" if self.major >= 61 => {
                self.once(seen.permitted_subclasses.is_some(), "PermittedSubclasses", "")?;
                // A final class cannot have subclasses, so the attribute contradicts the flag.
                if class.access_flags & access::FINAL != 0 {
                    let name = self.class_name();
                    return format_error(format!("PermittedSubclasses attribute in final class file {name}"));
                }
                seen.permitted_subclasses = self.later(len)?;
            }
            _ => {
                self.once_invisible(name, "")?;
                self.r.take(len)?;
            }
        }
        Ok(())
    }

    /// Whether the rows say nothing: an inner class has two, or following outer classes by name comes back to a class.
    fn contradicts_itself(&self, list: &[InnerClass]) -> Res<bool> {
        let name = |i: u16| self.pool.class_name(i);
        for (n, row) in list.iter().enumerate() {
            for other in &list[n + 1..] {
                let same = self.major >= 49 && row == other;
                self.check(!same, || "Duplicate entry in InnerClasses attribute".to_string())?;
                if row.inner == other.inner {
                    return Ok(true);
                }
            }
            let outer_of = |r: &InnerClass| list.iter().find(|o| r.outer != 0 && name(o.inner) == name(r.outer));
            if std::iter::successors(Some(row), |r| outer_of(r)).nth(list.len()).is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn inner_classes(&mut self, len: usize) -> Res<Vec<InnerClass>> {
        let count = usize::from(self.r.u2()?);
        self.r.need(8 * count)?;
        let mut list: Vec<InnerClass> = Vec::with_capacity(count);
        for _ in 0..count {
            let inner = self.r.u2()?;
            self.check(self.is_class(inner), || format!("inner_class_info_index {inner} has bad constant type"))?;
            let outer = self.r.u2()?;
            self.check(outer == 0 || self.is_class(outer), || {
                format!("outer_class_info_index {outer} has bad constant type")
            })?;
            if outer != 0 && self.verify {
                let name = self.pool.class_name(outer);
                self.check(name.first() != Some(&b'['), || "Outer class is an array class".to_string())?;
            }
            let name = self.r.u2()?;
            self.check(name == 0 || self.is_utf8(name), || format!("inner_name_index {name} has bad constant type"))?;
            if self.verify {
                self.check(inner != outer, || "Class is both outer and inner class".to_string())?;
            }
            let raw_flags = self.r.u2()?;
            let mut flags = raw_flags & (access::CLASS_FLAGS | access::PRIVATE | access::PROTECTED | access::STATIC);
            if flags & access::INTERFACE != 0 && self.major < 50 {
                flags |= access::ABSTRACT;
            }
            self.check_class_modifiers(flags, raw_flags & access::MODULE != 0 && self.major >= 53)?;
            list.push(InnerClass { inner, outer, name, access: flags });
        }
        // The whole attribute is ignored, as HotSpot does.
        let ignored = self.verify && self.contradicts_itself(&list)?;
        self.check(self.major < 49 || len == 2 + 8 * count, || "Wrong InnerClasses attribute length".to_string())?;
        if ignored {
            list.clear();
        }
        Ok(list)
    }

    fn enclosing_method(&mut self) -> Res<(u16, u16)> {
        let (class, method) = (self.r.u2()?, self.r.u2()?);
        self.check(class != 0, || "Invalid class index in EnclosingMethod attribute".to_string())?;
        self.check(self.is_class(class), || {
            "Invalid or out-of-bounds class index in EnclosingMethod attribute".to_string()
        })?;
        let ok = method == 0 || matches!(self.pool.get(method), Some(Constant::NameAndType { .. }));
        self.check(ok, || "Invalid or out-of-bounds method index in EnclosingMethod attribute".to_string())?;
        Ok((class, method))
    }

    fn class_list(&mut self, len: usize, what: &str, attribute: &str) -> Res<BeU16s<'a>> {
        let count = usize::from(self.r.u2()?);
        let list = self.r.u2s(count)?;
        for i in list.iter() {
            self.check(self.is_class(i), || format!("{what} class_info_index {i} has bad constant type"))?;
        }
        self.check(len == 2 + 2 * count, || format!("Wrong {attribute} attribute length"))?;
        Ok(list)
    }

    fn bootstrap_methods(&mut self, len: usize) -> Res<Vec<BootstrapMethod<'a>>> {
        let begin = self.r.pos();
        self.check(len >= 2, || format!("Invalid BootstrapMethods attribute length {len}"))?;
        self.r.need(len)?;
        let count = usize::from(self.r.u2()?);
        if let Some(max) = self.max_bootstrap {
            self.check(usize::from(max) < count, || "Short length on BootstrapMethods".to_string())?;
        }
        // Half-words that the attribute's length leaves for specifiers.
        let room = (len - 2) / 2;
        let mut used = 0;
        let mut list = Vec::with_capacity(count.min(self.r.remaining() / 4));
        for _ in 0..count {
            self.r.need(4)?;
            let method_ref = self.r.u2()?;
            let arg_count = usize::from(self.r.u2()?);
            let is_handle = matches!(self.pool.get(method_ref), Some(Constant::MethodHandle { .. }));
            self.check(is_handle, || format!("bootstrap_method_index {method_ref} has bad constant type"))?;
            self.check(used + 1 + arg_count < room, || {
                "Invalid BootstrapMethods num_bootstrap_methods or num_bootstrap_arguments value".to_string()
            })?;
            used += 2 + arg_count;
            let args = self.r.u2s(arg_count)?;
            for a in args.iter() {
                let loadable = matches!(
                    self.pool.get(a),
                    Some(
                        Constant::Integer(_)
                            | Constant::Float(_)
                            | Constant::Long(_)
                            | Constant::Double(_)
                            | Constant::Class(_)
                            | Constant::String(_)
                            | Constant::MethodHandle { .. }
                            | Constant::MethodType(_)
                            | Constant::Dynamic { .. }
                    )
                );
                self.check(loadable, || format!("argument_index {a} has bad constant type"))?;
            }
            list.push(BootstrapMethod { method_ref, args });
        }
        self.check(self.r.pos() - begin == len, || "Bad length on BootstrapMethods".to_string())?;
        Ok(list)
    }

    fn record(&mut self, len: usize) -> Res<Vec<RecordComponent<'a>>> {
        let begin = self.r.pos();
        let count = usize::from(self.r.u2()?);
        let mut list = Vec::with_capacity(count.min(self.r.remaining() / 6));
        for _ in 0..count {
            let name = self.r.u2()?;
            let Some(name_text) = self.pool.try_utf8(name) else {
                return self.fail(&format!("Invalid constant pool index {name} for name in Record attribute"));
            };
            if self.verify {
                self.check_field_name(name_text)?;
            }
            let desc = self.r.u2()?;
            let Some(desc_text) = self.pool.try_utf8(desc) else {
                return self.fail(&format!("Invalid constant pool index {desc} for descriptor in Record attribute"));
            };
            if self.verify {
                self.check_field_descriptor(name_text, desc_text)?;
            }
            let mut part = RecordComponent { name, desc, signature: None, annotations: Annotations::default() };
            self.invisible = 0;
            for _ in 0..self.r.u2()? {
                self.record_attribute(&mut part)?;
            }
            list.push(part);
        }
        self.check(self.r.pos() - begin == len, || "Record attribute has wrong length".to_string())?;
        Ok(list)
    }

    fn record_attribute(&mut self, part: &mut RecordComponent<'a>) -> Res<()> {
        let (name, length) = self.attribute_header("Record attribute name index")?;
        let len = length as usize;
        match name {
            b"Signature" => {
                self.once(part.signature.is_some(), "Signature", " for Record component")?;
                self.check(len == 2, || format!("Invalid Signature attribute length {length} in Record component"))?;
                part.signature = Some(self.signature_index()?);
            }
            b"RuntimeVisibleAnnotations" => {
                self.once(part.annotations.visible.is_some(), "RuntimeVisibleAnnotations", " for Record component")?;
                part.annotations.visible = Some(self.r.take(len)?);
            }
            b"RuntimeVisibleTypeAnnotations" => {
                let seen = part.annotations.visible_types.is_some();
                self.once(seen, "RuntimeVisibleTypeAnnotations", " for Record component")?;
                part.annotations.visible_types = Some(self.r.take(len)?);
            }
            _ => {
                self.once_invisible(name, " for Record component")?;
                self.r.take(len)?;
            }
        }
        Ok(())
    }
}
