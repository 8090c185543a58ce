//! Owns the Code attribute: its limits, exception table and debug tables. The instructions
//! themselves are the verifier's business.

use super::Parser;
use crate::be::{LineNumbers, LocalVariable, LocalVariables, u2_at};
use crate::error::{Res, format_error};
use crate::model::{CodeInfo, ExceptionEntry};
use crate::mutf8;
use std::collections::HashMap;

impl<'a> Parser<'a, '_> {
    /// Reads a Code attribute of `length` bytes for a method whose arguments take `args` slots.
    pub(super) fn code(&mut self, length: usize, args: usize) -> Res<CodeInfo<'a>> {
        let begin = self.r.pos();
        let max_stack = self.r.u2()?;
        let max_locals = self.r.u2()?;
        let code_length = self.r.u4()?;
        if self.verify {
            self.check(args <= usize::from(max_locals), || "Arguments can't fit into locals".to_string())?;
        }
        self.check(code_length > 0 && code_length <= 65535, || format!("Invalid method Code length {code_length}"))?;
        let code = self.r.take(code_length as usize)?;
        let exception_table = self.exception_table(code_length)?;
        let mut info = CodeInfo {
            max_stack,
            max_locals,
            code,
            exception_table,
            line_numbers: LineNumbers::default(),
            local_variables: LocalVariables::default(),
            local_variable_types: LocalVariables::default(),
            stack_map_table: None,
            type_annotations: None,
        };
        for _ in 0..self.r.u2()? {
            self.code_attribute(&mut info)?;
        }
        self.check(self.r.pos() - begin == length, || "Code segment has wrong length".to_string())?;
        Ok(info)
    }

    fn exception_table(&mut self, code_length: u32) -> Res<Vec<ExceptionEntry>> {
        let count = usize::from(self.r.u2()?);
        let rows = self.r.take(count * 8)?;
        let mut table = Vec::with_capacity(count);
        for row in rows.chunks_exact(8) {
            let entry = ExceptionEntry {
                start: u2_at(row, 0),
                end: u2_at(row, 2),
                handler: u2_at(row, 4),
                catch_type: u2_at(row, 6),
            };
            self.check(entry.start < entry.end && u32::from(entry.end) <= code_length, || {
                "Illegal exception table range".to_string()
            })?;
            self.check(u32::from(entry.handler) < code_length, || "Illegal exception table handler".to_string())?;
            self.check(entry.catch_type == 0 || self.is_class(entry.catch_type), || {
                "Catch type in exception table has bad constant type".to_string()
            })?;
            table.push(entry);
        }
        Ok(table)
    }

    fn code_attribute(&mut self, info: &mut CodeInfo<'a>) -> Res<()> {
        let (name, length) = self.attribute_header("code attribute name index")?;
        let len = length as usize;
        match name {
            b"LineNumberTable" => {
                let rows = self.line_numbers(len, info.code.len())?;
                info.line_numbers.push(rows);
            }
            b"LocalVariableTable" => {
                let rows = self.local_variables(len, "LocalVariableTable", info)?;
                info.local_variables.push(rows);
            }
            b"LocalVariableTypeTable" if self.major >= 49 => {
                let rows = self.local_variables(len, "LocalVariableTypeTable", info)?;
                info.local_variable_types.push(rows);
            }
            b"StackMapTable" if self.major >= 50 => {
                self.once(info.stack_map_table.is_some(), "StackMapTable", "")?;
                info.stack_map_table = Some(self.r.take(len)?);
            }
            b"RuntimeVisibleTypeAnnotations" => {
                info.type_annotations = Some(self.r.take(len)?);
            }
            _ => {
                self.r.take(len)?;
            }
        }
        Ok(())
    }

    fn line_numbers(&mut self, len: usize, code_length: usize) -> Res<&'a [u8]> {
        let count = usize::from(self.r.u2()?);
        self.check(len == 2 + count * 4, || "LineNumberTable attribute has wrong length".to_string())?;
        let rows = self.r.take(count * 4)?;
        for row in rows.chunks_exact(4) {
            self.check(usize::from(u2_at(row, 0)) < code_length, || "Invalid pc in LineNumberTable".to_string())?;
        }
        Ok(rows)
    }

    /// The two tables of local variables must agree. HotSpot looks at them once the method's other
    /// attributes have been read.
    pub(super) fn check_variable_tables(&self, info: &CodeInfo) -> Res<()> {
        if !self.verify || info.local_variables.is_empty() {
            return Ok(());
        }
        let key = |v: LocalVariable| (v.start_pc, v.length, v.name, v.slot);
        let name = |v: &LocalVariable| mutf8::to_string(self.pool.utf8(v.name));
        let mut known = HashMap::with_capacity(info.local_variables.iter().count());
        for v in info.local_variables.iter() {
            if known.insert(key(v), false).is_some() && self.major >= 49 {
                return self.fail(&format!("Duplicated LocalVariableTable attribute entry for '{}'", name(&v)));
            }
        }
        for v in info.local_variable_types.iter() {
            match known.get_mut(&key(v)) {
                Some(typed) if !*typed => *typed = true,
                Some(_) => {
                    let what = format!("Duplicated LocalVariableTypeTable attribute entry for '{}'", name(&v));
                    return self.fail(&what);
                }
                None => {
                    return format_error(format!(
                        "LVTT entry for '{}' in class file {} does not match any LVT entry",
                        name(&v),
                        self.class_name()
                    ));
                }
            }
        }
        Ok(())
    }

    fn local_variables(&mut self, len: usize, what: &str, info: &CodeInfo) -> Res<&'a [u8]> {
        let count = usize::from(self.r.u2()?);
        self.check(len == 2 + count * 10, || format!("{what} has wrong length"))?;
        let rows = self.r.take(count * 10)?;
        for row in rows.chunks_exact(10) {
            let [start, length, name, desc, slot] = [0, 2, 4, 6, 8].map(|at| u2_at(row, at));
            self.check(usize::from(start) < info.code.len(), || format!("Invalid start_pc {start} in {what}"))?;
            let end = usize::from(start) + usize::from(length);
            self.check(end <= info.code.len(), || format!("Invalid length {length} in {what}"))?;
            self.check(self.is_utf8(name), || format!("Name index {name} in {what} has bad constant type"))?;
            self.check(self.is_utf8(desc), || format!("Signature index {desc} in {what} has bad constant type"))?;
            if self.verify {
                let (name, desc) = (self.pool.utf8(name), self.pool.utf8(desc));
                self.check_field_name(name)?;
                if what == "LocalVariableTable" {
                    self.check_field_descriptor(name, desc)?;
                }
            }
            let wide = what == "LocalVariableTable" && matches!(self.pool.utf8(desc), b"J" | b"D");
            let last = u32::from(slot) + u32::from(wide);
            self.check(last < u32::from(info.max_locals), || format!("Invalid index {slot} in {what}"))?;
        }
        Ok(rows)
    }
}
