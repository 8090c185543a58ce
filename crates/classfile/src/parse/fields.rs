//! Owns field_info: flags, name, descriptor and the attributes of fields.

use super::{Parser, annotations, first_duplicate};
use crate::error::Res;
use crate::model::{Annotations, FieldInfo, access};
use crate::mutf8;
use crate::pool::Constant;

/// Whether ConstantValue may name `entry` for a field of that descriptor; `None` where the
/// descriptor allows no constant at all.
fn constant_fits(entry: &Constant, desc: &[u8]) -> Option<bool> {
    Some(match desc.first()? {
        b'Z' | b'B' | b'C' | b'S' | b'I' => matches!(entry, Constant::Integer(_)),
        b'J' => matches!(entry, Constant::Long(_)),
        b'F' => matches!(entry, Constant::Float(_)),
        b'D' => matches!(entry, Constant::Double(_)),
        b'L' => desc == b"Ljava/lang/String;" && matches!(entry, Constant::String(_)),
        _ => return None,
    })
}

impl<'a> Parser<'a, '_> {
    pub(super) fn fields(&mut self, class_flags: u16) -> Res<Vec<FieldInfo<'a>>> {
        let count = self.r.u2()?;
        let mut list = Vec::with_capacity(usize::from(count).min(self.r.remaining() / 8));
        for _ in 0..count {
            let field = self.field(class_flags & access::INTERFACE != 0)?;
            list.push(field);
        }
        if self.verify {
            let key = |k: usize| {
                let f: &FieldInfo = &list[k];
                (self.pool.utf8(f.name), self.pool.utf8(f.desc))
            };
            if let Some(at) = first_duplicate(list.len(), key) {
                let (name, desc) = key(at);
                return self.fail(&format!(
                    "Duplicate field name \"{}\" with signature \"{}\"",
                    mutf8::to_string(name),
                    mutf8::to_string(desc).replace('/', ".")
                ));
            }
        }
        Ok(list)
    }

    fn field(&mut self, of_interface: bool) -> Res<FieldInfo<'a>> {
        self.r.need(8)?;
        let flags = self.r.u2()? & access::FIELD_FLAGS;
        self.check_field_modifiers(flags, of_interface)?;
        let name = self.r.u2()?;
        let Some(name_text) = self.pool.try_utf8(name) else {
            return self.fail(&format!("Invalid constant pool index {name} for field name"));
        };
        if self.verify {
            self.check_field_name(name_text)?;
        }
        let desc = self.r.u2()?;
        let Some(desc_text) = self.pool.try_utf8(desc) else {
            return self.fail(&format!("Invalid constant pool index {desc} for field signature"));
        };
        if self.verify {
            self.check_field_descriptor(name_text, desc_text)?;
        }
        let mut field = FieldInfo {
            access: flags,
            name,
            desc,
            constant_value: None,
            signature: None,
            annotations: Annotations::default(),
            deprecated: false,
            synthetic: flags & access::SYNTHETIC != 0,
        };
        self.invisible = 0;
        for _ in 0..self.r.u2()? {
            self.field_attribute(&mut field, desc_text)?;
        }
        Ok(field)
    }

    fn field_attribute(&mut self, field: &mut FieldInfo<'a>, desc: &[u8]) -> Res<()> {
        let (name, length) = self.attribute_header("field attribute index")?;
        let len = length as usize;
        match name {
            b"ConstantValue" if field.access & access::STATIC != 0 => {
                self.check(field.constant_value.is_none(), || "Duplicate ConstantValue attribute".to_string())?;
                self.check(len == 2, || format!("Invalid ConstantValue field attribute length {length}"))?;
                let index = self.r.u2()?;
                self.check_constant_value(index, desc)?;
                field.constant_value = Some(index);
            }
            b"Synthetic" => {
                self.check(len == 0, || format!("Invalid Synthetic field attribute length {length}"))?;
                field.synthetic = true;
            }
            b"Deprecated" => {
                self.check(len == 0, || format!("Invalid Deprecated field attribute length {length}"))?;
                field.deprecated = true;
            }
            b"Signature" if self.major >= 49 => {
                self.once(field.signature.is_some(), "Signature", " for field")?;
                self.check(len == 2, || format!("Wrong size {length} for field's Signature attribute"))?;
                field.signature = Some(self.signature_index()?);
            }
            b"RuntimeVisibleAnnotations" if self.major >= 49 => {
                self.once(field.annotations.visible.is_some(), "RuntimeVisibleAnnotations", " for field")?;
                let body = self.r.take(len)?;
                field.annotations.visible = Some(body);
                let heed = self.heed;
                let into = &mut field.annotations;
                annotations::recognise(into, annotations::Site::Field, body, &self.pool, heed);
            }
            // Class retention is enough for what any class may say to the VM.
            b"RuntimeInvisibleAnnotations" if self.major >= 49 => {
                self.once_invisible(name, " for field")?;
                let body = self.r.take(len)?;
                let into = &mut field.annotations;
                annotations::recognise(into, annotations::Site::Field, body, &self.pool, annotations::Heed::Any);
            }
            b"RuntimeVisibleTypeAnnotations" if self.major >= 49 => {
                self.once(field.annotations.visible_types.is_some(), "RuntimeVisibleTypeAnnotations", " for field")?;
                field.annotations.visible_types = Some(self.r.take(len)?);
            }
            _ => {
                self.once_invisible(name, " for field")?;
                self.r.take(len)?;
            }
        }
        Ok(())
    }

    fn check_constant_value(&self, index: u16, desc: &[u8]) -> Res<()> {
        let Some(entry) = self.pool.get(index).filter(|_| index != 0) else {
            return self.fail(&format!("Bad initial value index {index} in ConstantValue attribute"));
        };
        match constant_fits(entry, desc) {
            Some(true) => Ok(()),
            Some(false) if desc[0] == b'L' => self.fail("Bad string initial value"),
            Some(false) => self.fail("Inconsistent constant value type"),
            None => self.fail(&format!("Unable to set initial value {index}")),
        }
    }

    // ---- shared by all attribute readers ----

    /// Name and length of the attribute at the cursor. `what` words the fault of a bad name.
    #[inline]
    pub(super) fn attribute_header(&mut self, what: &str) -> Res<(&'a [u8], u32)> {
        let index = self.r.u2()?;
        let length = self.r.u4()?;
        match self.pool.try_utf8(index) {
            Some(name) => Ok((name, length)),
            None => self.fail(&format!("Invalid {what} {index}")),
        }
    }

    /// Fails if an attribute that may occur once occurs again.
    #[inline]
    pub(super) fn once(&self, seen: bool, attribute: &str, of: &str) -> Res<()> {
        self.check(!seen, || format!("Multiple {attribute} attributes{of}"))
    }

    /// As well, of annotations that the VM does not keep; other attributes may be there more than once.
    pub(super) fn once_invisible(&mut self, name: &[u8], of: &str) -> Res<()> {
        const KINDS: [&str; 3] =
            ["RuntimeInvisibleAnnotations", "RuntimeInvisibleParameterAnnotations", "RuntimeInvisibleTypeAnnotations"];
        let Some(n) = KINDS.iter().position(|k| k.as_bytes() == name).filter(|_| self.major >= 49) else {
            return Ok(());
        };
        // Of methods alone parameters have annotations.
        if n == 1 && of != " for method" {
            return Ok(());
        }
        self.once(self.invisible >> n & 1 != 0, KINDS[n], of)?;
        self.invisible |= 1 << n;
        Ok(())
    }

    /// The index that a Signature attribute holds.
    pub(super) fn signature_index(&mut self) -> Res<u16> {
        let index = self.r.u2()?;
        self.check(self.is_utf8(index), || format!("Invalid Signature attribute at constant pool index {index}"))?;
        Ok(index)
    }
}
