//! Owns the text of a class file, in the manner of `javap -v -p`: declaration, constant pool,
//! members with their code and tables. It is for people and golden files; it prints what is
//! there and judges nothing.

use crate::access;
use crate::descriptor::{self, MethodDescriptor};
use crate::model::{Annotations, ClassFile, CodeInfo, FieldInfo, MethodInfo};
use crate::mutf8;
use crate::opcodes::{self, describe};
use crate::pool::Constant;
use crate::stack_map::{FrameKind, Frames, Types, VerificationType};
use std::fmt::{self, Write};

const CLASS: [(u16, &str); 8] = [
    (access::PUBLIC, "public"),
    (access::FINAL, "final"),
    (access::SUPER, "super"),
    (access::INTERFACE, "interface"),
    (access::ABSTRACT, "abstract"),
    (access::SYNTHETIC, "synthetic"),
    (access::ANNOTATION, "annotation"),
    (access::ENUM, "enum"),
];

const FIELD: [(u16, &str); 9] = [
    (access::PUBLIC, "public"),
    (access::PRIVATE, "private"),
    (access::PROTECTED, "protected"),
    (access::STATIC, "static"),
    (access::FINAL, "final"),
    (access::VOLATILE, "volatile"),
    (access::TRANSIENT, "transient"),
    (access::SYNTHETIC, "synthetic"),
    (access::ENUM, "enum"),
];

const METHOD: [(u16, &str); 12] = [
    (access::PUBLIC, "public"),
    (access::PRIVATE, "private"),
    (access::PROTECTED, "protected"),
    (access::STATIC, "static"),
    (access::FINAL, "final"),
    (access::SYNCHRONIZED, "synchronized"),
    (access::BRIDGE, "bridge"),
    (access::VARARGS, "varargs"),
    (access::NATIVE, "native"),
    (access::ABSTRACT, "abstract"),
    (access::STRICT, "strictfp"),
    (access::SYNTHETIC, "synthetic"),
];

fn flags(value: u16, names: &[(u16, &str)]) -> String {
    let words: Vec<&str> = names.iter().filter(|(bit, _)| value & bit != 0).map(|&(_, n)| n).collect();
    words.join(" ")
}

fn pool_kind(c: &Constant<'_>) -> &'static str {
    match c {
        Constant::Unused => "Unused",
        Constant::Utf8(_) => "Utf8",
        Constant::Integer(_) => "Integer",
        Constant::Float(_) => "Float",
        Constant::Long(_) => "Long",
        Constant::Double(_) => "Double",
        Constant::Class(_) => "Class",
        Constant::String(_) => "String",
        Constant::Field { .. } => "Fieldref",
        Constant::Method { .. } => "Methodref",
        Constant::InterfaceMethod { .. } => "InterfaceMethodref",
        Constant::NameAndType { .. } => "NameAndType",
        Constant::MethodHandle { .. } => "MethodHandle",
        Constant::MethodType(_) => "MethodType",
        Constant::Dynamic { .. } => "Dynamic",
        Constant::InvokeDynamic { .. } => "InvokeDynamic",
        Constant::Module(_) => "Module",
        Constant::Package(_) => "Package",
    }
}

/// Prints a class.
pub struct Printer<'c, 'a> {
    class: &'c ClassFile<'a>,
}

impl<'c, 'a> Printer<'c, 'a> {
    pub fn new(class: &'c ClassFile<'a>) -> Self {
        Printer { class }
    }

    fn utf8(&self, i: u16) -> String {
        mutf8::to_string(self.class.constants.utf8(i))
    }

    fn class_name(&self, i: u16) -> String {
        let name = self.class.constants.class_name(i);
        if name.first() == Some(&b'[') { descriptor::to_java(name) } else { mutf8::to_string(name).replace('/', ".") }
    }

    fn head(&self, out: &mut dyn Write) -> fmt::Result {
        let c = self.class;
        writeln!(out, "class {}", self.class_name(c.this_class))?;
        writeln!(out, "  version: {}.{}", c.major, c.minor)?;
        writeln!(out, "  flags: (0x{:04x}) {}", c.access_flags, flags(c.access_flags, &CLASS))?;
        if c.super_class != 0 {
            writeln!(out, "  extends: {}", self.class_name(c.super_class))?;
        }
        for &i in &c.interfaces {
            writeln!(out, "  implements: {}", self.class_name(i))?;
        }
        if let Some(i) = c.source_file {
            writeln!(out, "  source: {}", self.utf8(i))?;
        }
        if let Some(i) = c.signature {
            writeln!(out, "  signature: {}", self.utf8(i))?;
        }
        if let Some((class, method)) = c.enclosing_method {
            write!(out, "  enclosing: {}", self.class_name(class))?;
            if method != 0 {
                write!(out, " {}", describe(&c.constants, method))?;
            }
            writeln!(out)?;
        }
        if let Some(i) = c.nest_host {
            writeln!(out, "  nest host: {}", self.class_name(i))?;
        }
        for i in c.nest_members.iter() {
            writeln!(out, "  nest member: {}", self.class_name(i))?;
        }
        for i in c.permitted_subclasses.iter().flat_map(|l| l.iter()) {
            writeln!(out, "  permits: {}", self.class_name(i))?;
        }
        for i in &c.inner_classes {
            let outer = if i.outer == 0 { "-".to_string() } else { self.class_name(i.outer) };
            let name = if i.name == 0 { "-".to_string() } else { self.utf8(i.name) };
            writeln!(out, "  inner: {} = {name} of {outer}, flags 0x{:04x}", self.class_name(i.inner), i.access)?;
        }
        for r in c.record.iter().flatten() {
            writeln!(out, "  component: {} {}", descriptor::to_java(c.constants.utf8(r.desc)), self.utf8(r.name))?;
        }
        for (n, b) in c.bootstrap_methods.iter().enumerate() {
            writeln!(out, "  bootstrap {n}: #{} {}", b.method_ref, describe(&c.constants, b.method_ref))?;
            for a in b.args.iter() {
                writeln!(out, "    #{a} {}", describe(&c.constants, a))?;
            }
        }
        self.annotations(out, "  ", &c.annotations)
    }

    fn annotations(&self, out: &mut dyn Write, indent: &str, a: &Annotations<'_>) -> fmt::Result {
        if let Some(body) = a.visible {
            writeln!(out, "{indent}annotations: {} bytes", body.len())?;
        }
        if !a.vm.is_empty() {
            writeln!(out, "{indent}VM annotations: 0x{:x}", a.vm.0)?;
        }
        Ok(())
    }

    fn pool(&self, out: &mut dyn Write) -> fmt::Result {
        writeln!(out, "constants:")?;
        for (i, c) in self.class.constants.iter().filter(|(_, c)| c.tag() != 0) {
            let text = describe(&self.class.constants, i);
            writeln!(out, "{:>6} = {:<18} {}", format!("#{i}"), pool_kind(c), text.escape_debug())?;
        }
        Ok(())
    }

    fn field(&self, out: &mut dyn Write, f: &FieldInfo<'a>) -> fmt::Result {
        let c = &self.class.constants;
        writeln!(out, "field {} {}", descriptor::to_java(c.utf8(f.desc)), self.utf8(f.name))?;
        writeln!(out, "  flags: (0x{:04x}) {}", f.access, flags(f.access, &FIELD))?;
        if let Some(i) = f.constant_value {
            writeln!(out, "  value: {}", describe(c, i))?;
        }
        if let Some(i) = f.signature {
            writeln!(out, "  signature: {}", self.utf8(i))?;
        }
        self.annotations(out, "  ", &f.annotations)
    }

    fn method(&self, out: &mut dyn Write, m: &MethodInfo<'a>) -> fmt::Result {
        let desc = MethodDescriptor::new(self.class.constants.utf8(m.desc));
        let params: Vec<String> = desc.iter().flat_map(|d| d.params()).map(|p| descriptor::to_java(p.text)).collect();
        let result = desc.and_then(|d| d.ret_type()).map_or("void".to_string(), |t| descriptor::to_java(t.text));
        writeln!(out, "method {result} {}({})", self.utf8(m.name), params.join(", "))?;
        writeln!(out, "  descriptor: {}", self.utf8(m.desc))?;
        writeln!(out, "  flags: (0x{:04x}) {}", m.access, flags(m.access, &METHOD))?;
        for i in m.exceptions.iter() {
            writeln!(out, "  throws: {}", self.class_name(i))?;
        }
        if let Some(i) = m.signature {
            writeln!(out, "  signature: {}", self.utf8(i))?;
        }
        for p in m.method_parameters.iter().flatten() {
            let name = if p.name == 0 { "-".to_string() } else { self.utf8(p.name) };
            writeln!(out, "  parameter: {name}, flags 0x{:04x}", p.flags)?;
        }
        self.annotations(out, "  ", &m.annotations)?;
        m.code.as_ref().map_or(Ok(()), |code| self.code(out, code))
    }

    fn code(&self, out: &mut dyn Write, code: &CodeInfo<'a>) -> fmt::Result {
        writeln!(out, "  code: stack={}, locals={}", code.max_stack, code.max_locals)?;
        match opcodes::disassemble(code.code, Some(&self.class.constants)) {
            Ok(text) => text.lines().try_for_each(|l| writeln!(out, "  {l}"))?,
            Err(bad) => writeln!(out, "    {bad}")?,
        }
        for e in &code.exception_table {
            let what = if e.catch_type == 0 { "any".to_string() } else { self.class_name(e.catch_type) };
            writeln!(out, "  handler: {}..{} -> {} {what}", e.start, e.end, e.handler)?;
        }
        for l in code.line_numbers.iter() {
            writeln!(out, "  line {}: {}", l.line, l.start_pc)?;
        }
        for v in code.local_variables.iter() {
            let (ty, name) = (descriptor::to_java(self.class.constants.utf8(v.desc)), self.utf8(v.name));
            writeln!(out, "  variable {}: {ty} {name}, {} +{}", v.slot, v.start_pc, v.length)?;
        }
        code.stack_map_table.map_or(Ok(()), |table| self.frames(out, table))
    }

    fn types(&self, list: &Types<'_>) -> String {
        let text = |t: VerificationType| match t {
            VerificationType::Object(i) => match self.class.constants.try_class_name(i) {
                Some(_) => self.class_name(i),
                None => format!("#{i}"),
            },
            VerificationType::Uninitialized(bci) => format!("uninitialized {bci}"),
            other => format!("{other:?}").to_lowercase(),
        };
        list.iter().map(text).collect::<Vec<_>>().join(", ")
    }

    fn frames(&self, out: &mut dyn Write, table: &[u8]) -> fmt::Result {
        let mut at: Option<usize> = None;
        for frame in Frames::new(table).into_iter().flatten() {
            let frame = match frame {
                Ok(frame) => frame,
                Err(bad) => return writeln!(out, "  frames end: {bad:?}"),
            };
            let bci = at.map_or(usize::from(frame.delta), |a| a + usize::from(frame.delta) + 1);
            at = Some(bci);
            match &frame.kind {
                FrameKind::Same => writeln!(out, "  frame {bci}: same"),
                FrameKind::OneStack(t) => {
                    writeln!(out, "  frame {bci}: same, stack [{}]", self.types(t))
                }
                FrameKind::Chop(n) => writeln!(out, "  frame {bci}: {n} locals less"),
                FrameKind::Append(t) => {
                    writeln!(out, "  frame {bci}: more locals [{}]", self.types(t))
                }
                FrameKind::Full { locals, stack } => {
                    writeln!(out, "  frame {bci}: locals [{}], stack [{}]", self.types(locals), self.types(stack))
                }
            }?;
        }
        Ok(())
    }
}

impl fmt::Display for Printer<'_, '_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.head(out)?;
        self.pool(out)?;
        self.class.fields.iter().try_for_each(|f| self.field(out, f))?;
        self.class.methods.iter().try_for_each(|m| self.method(out, m))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::{ClassBuilder, V};
    use crate::opcodes::op;

    #[test]
    fn golden() {
        let mut c = ClassBuilder::new("p/Small", "java/lang/Object");
        c.interface("java/lang/Runnable").field(access::PRIVATE | access::VOLATILE, "list", "[J");
        c.method(access::PUBLIC | access::STATIC, "pick", "(ZLjava/lang/String;)I", |code| {
            let other = code.label();
            code.limits(1, 2).op(op::ILOAD_0).jump(op::IFEQ, other).op(op::ICONST_1).op(op::IRETURN);
            code.bind(other).frame(&[V::Int, V::Obj("java/lang/String")], &[]);
            code.op(op::ALOAD_1).method(op::INVOKEVIRTUAL, "java/lang/String", "length", "()I").op(op::IRETURN);
        });
        let bytes = c.finish();
        let class = crate::parse(&bytes, &Default::default()).unwrap();
        let text = Printer::new(&class).to_string();
        let members = text.split_once("field ").unwrap().1;
        assert!(text.starts_with("class p.Small\n  version: 61.0\n  flags: (0x0021) public super\n"), "{text}");
        assert!(text.contains("    #6 = Class              class java/lang/String\n"), "{text}");
        assert_eq!(
            members,
            "\
long[] list
  flags: (0x0042) private volatile
method int pick(boolean, java.lang.String)
  descriptor: (ZLjava/lang/String;)I
  flags: (0x0009) public static
  code: stack=1, locals=2
       0: iload_0
       1: ifeq          6
       4: iconst_1
       5: ireturn
       6: aload_1
       7: invokevirtual #10                 // Method java/lang/String.length:()I
      10: ireturn
  frame 6: locals [integer, java.lang.String], stack []
"
        );
    }
}
