//! Owns method_info: flags, name, descriptor and the attributes of methods except Code.

use super::{Parser, annotations, first_duplicate};
use crate::be::BeU16s;
use crate::error::{Res, format_error};
use crate::model::{Annotations, MethodInfo, MethodParameter, access};
use crate::mutf8;

/// Most slots that a call can pass.
const MAX_ARGS: usize = 255;

impl<'a> Parser<'a, '_> {
    pub(super) fn methods(&mut self, class_flags: u16) -> Res<Vec<MethodInfo<'a>>> {
        let count = self.r.u2()?;
        let mut list = Vec::with_capacity(usize::from(count).min(self.r.remaining() / 8));
        for _ in 0..count {
            let method = self.method(class_flags & access::INTERFACE != 0)?;
            list.push(method);
        }
        if self.verify {
            let key = |k: usize| {
                let m: &MethodInfo = &list[k];
                (self.pool.utf8(m.name), self.pool.utf8(m.desc))
            };
            if let Some(at) = first_duplicate(list.len(), key) {
                let (name, desc) = key(at);
                return self.fail(&format!(
                    "Duplicate method name \"{}\" with signature \"{}\"",
                    mutf8::to_string(name),
                    mutf8::to_string(desc).replace('/', ".")
                ));
            }
        }
        Ok(list)
    }

    /// Flags as the VM sees them, checked.
    fn method_flags(&self, flags: u16, name: &[u8], of_interface: bool) -> Res<u16> {
        if name == b"<clinit>" {
            // Of a class initializer every flag but ACC_STATIC is ignored, and before version 51
            // even that one is implied.
            return if self.major < 51 {
                Ok(access::STATIC)
            } else if flags & access::STATIC != 0 {
                Ok(flags & (access::STATIC | if self.major <= 60 { access::STRICT } else { 0 }))
            } else {
                self.fail("Method <clinit> is not static")
            };
        }
        self.check_method_modifiers(flags, of_interface, name)?;
        if of_interface && name == b"<init>" {
            return format_error(format!(
                "Interface cannot have a method named <init>, class file {}",
                self.class_name()
            ));
        }
        Ok(flags)
    }

    fn method(&mut self, of_interface: bool) -> Res<MethodInfo<'a>> {
        self.r.need(8)?;
        let raw_flags = self.r.u2()?;
        let name = self.r.u2()?;
        let Some(name_text) = self.pool.try_utf8(name) else {
            return self.fail(&format!("Illegal constant pool index {name} for method name"));
        };
        if self.verify {
            self.check_method_name(name_text)?;
        }
        let desc = self.r.u2()?;
        let Some(desc_text) = self.pool.try_utf8(desc) else {
            return self.fail(&format!("Illegal constant pool index {desc} for method signature"));
        };
        let flags = self.method_flags(raw_flags, name_text, of_interface)? & access::METHOD_FLAGS;
        let mut args = 0;
        if self.verify {
            args = self.check_method_descriptor(name_text, desc_text)?;
            args += usize::from(flags & access::STATIC == 0);
            self.check(args <= MAX_ARGS, || "Too many arguments in method signature".to_string())?;
        }
        let mut method = MethodInfo {
            access: flags,
            name,
            desc,
            code: None,
            exceptions: BeU16s::default(),
            signature: None,
            annotations: Annotations::default(),
            parameter_annotations: None,
            annotation_default: None,
            method_parameters: None,
            deprecated: false,
            synthetic: flags & access::SYNTHETIC != 0,
        };
        let mut seen_exceptions = false;
        self.invisible = 0;
        for _ in 0..self.r.u2()? {
            self.method_attribute(&mut method, &mut seen_exceptions, args)?;
        }
        self.check(method.code.is_some() || flags & (access::NATIVE | access::ABSTRACT) != 0, || {
            "Absent Code attribute in method that is not native or abstract".to_string()
        })?;
        if let Some(code) = &method.code {
            self.check_variable_tables(code)?;
        }
        Ok(method)
    }

    fn method_attribute(&mut self, method: &mut MethodInfo<'a>, seen_exceptions: &mut bool, args: usize) -> Res<()> {
        let (name, length) = self.attribute_header("method attribute name index")?;
        let len = length as usize;
        match name {
            b"Code" => {
                let has_code = method.access & (access::NATIVE | access::ABSTRACT) == 0;
                self.check(has_code, || "Code attribute in native or abstract methods".to_string())?;
                self.once(method.code.is_some(), "Code", "")?;
                method.code = Some(self.code(len, args)?);
            }
            b"Exceptions" => {
                self.once(*seen_exceptions, "Exceptions", "")?;
                *seen_exceptions = true;
                method.exceptions = self.exceptions(len)?;
            }
            b"MethodParameters" => {
                self.once(method.method_parameters.is_some(), "MethodParameters", "")?;
                method.method_parameters = Some(self.method_parameters(length)?);
            }
            b"Synthetic" => {
                self.check(len == 0, || format!("Invalid Synthetic method attribute length {length}"))?;
                method.synthetic = true;
            }
            b"Deprecated" => {
                self.check(len == 0, || format!("Invalid Deprecated method attribute length {length}"))?;
                method.deprecated = true;
            }
            b"Signature" if self.major >= 49 => {
                self.once(method.signature.is_some(), "Signature", " for method")?;
                self.check(len == 2, || format!("Invalid Signature attribute length {length}"))?;
                method.signature = Some(self.signature_index()?);
            }
            b"RuntimeVisibleAnnotations" if self.major >= 49 => {
                self.once(method.annotations.visible.is_some(), "RuntimeVisibleAnnotations", " for method")?;
                let body = self.r.take(len)?;
                method.annotations.visible = Some(body);
                let heed = self.heed;
                let into = &mut method.annotations;
                annotations::recognise(into, annotations::Site::Method, body, &self.pool, heed);
            }
            // Class retention is enough for what any class may say to the VM.
            b"RuntimeInvisibleAnnotations" if self.major >= 49 => {
                self.once_invisible(name, " for method")?;
                let body = self.r.take(len)?;
                let into = &mut method.annotations;
                annotations::recognise(into, annotations::Site::Method, body, &self.pool, annotations::Heed::Any);
            }
            b"RuntimeVisibleTypeAnnotations" if self.major >= 49 => {
                let seen = method.annotations.visible_types.is_some();
                self.once(seen, "RuntimeVisibleTypeAnnotations", " for method")?;
                method.annotations.visible_types = Some(self.r.take(len)?);
            }
            b"RuntimeVisibleParameterAnnotations" if self.major >= 49 => {
                let seen = method.parameter_annotations.is_some();
                self.once(seen, "RuntimeVisibleParameterAnnotations", " for method")?;
                method.parameter_annotations = Some(self.r.take(len)?);
            }
            b"AnnotationDefault" if self.major >= 49 => {
                self.once(method.annotation_default.is_some(), "AnnotationDefault", " for method")?;
                method.annotation_default = Some(self.r.take(len)?);
            }
            _ => {
                self.once_invisible(name, " for method")?;
                self.r.take(len)?;
            }
        }
        Ok(())
    }

    fn exceptions(&mut self, len: usize) -> Res<BeU16s<'a>> {
        let count = usize::from(self.r.u2()?);
        let list = self.r.u2s(count)?;
        for i in list.iter() {
            self.check(self.is_class(i), || format!("Exception name has bad type at constant pool {i}"))?;
        }
        self.check(len == 2 + count * 2, || "Exceptions attribute has wrong length".to_string())?;
        Ok(list)
    }

    fn method_parameters(&mut self, length: u32) -> Res<Vec<MethodParameter>> {
        let count = self.r.u1()?;
        let expected = 1 + 4 * u32::from(count);
        if length != expected {
            return format_error(format!("Invalid MethodParameters method attribute length {length} in class file"));
        }
        let mut rows = Vec::with_capacity(usize::from(count));
        for _ in 0..count {
            let (name, flags) = (self.r.u2()?, self.r.u2()?);
            // Reflection checks the names; what the getters rely on is checked here.
            rows.push(MethodParameter { name: if self.is_utf8(name) { name } else { 0 }, flags });
        }
        Ok(rows)
    }
}
