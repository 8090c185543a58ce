//! Owns the text of code, in the style of `javap -c`.

use super::{BadCode, Instruction, Operands, instructions, op};
use crate::mutf8;
use crate::pool::{Constant, ConstantPool};
use std::fmt::Write;

fn array_name(code: u8) -> &'static str {
    ["boolean", "char", "float", "double", "byte", "short", "int", "long"]
        .get(usize::from(code).wrapping_sub(4))
        .copied()
        .unwrap_or("?")
}

/// What a constant pool entry says, as javap's comments do.
pub(crate) fn describe(pool: &ConstantPool, i: u16) -> String {
    let text = mutf8::to_string;
    let Some(entry) = pool.get(i) else {
        return format!("no entry #{i}");
    };
    let typed = |nat: u16| {
        let nat = pool.name_and_type(nat);
        format!("{}:{}", quoted(&text(nat.name)), text(nat.desc))
    };
    let member = |what: &str, class: u16, nat: u16| {
        format!("{what} {}.{}", quoted_class(&text(pool.class_name(class))), typed(nat))
    };
    match *entry {
        Constant::Unused => "unused".to_string(),
        Constant::Utf8(s) => text(s),
        Constant::Integer(v) => format!("int {v}"),
        Constant::Float(bits) => format!("float {}f", f32::from_bits(bits)),
        Constant::Long(v) => format!("long {v}l"),
        Constant::Double(bits) => format!("double {}d", f64::from_bits(bits)),
        Constant::Class(n) => format!("class {}", quoted_class(&text(pool.utf8(n)))),
        Constant::String(n) => format!("String {}", text(pool.utf8(n)).escape_debug()),
        Constant::Field { class, nat } => member("Field", class, nat),
        Constant::Method { class, nat } => member("Method", class, nat),
        Constant::InterfaceMethod { class, nat } => member("InterfaceMethod", class, nat),
        Constant::NameAndType { .. } => format!("NameAndType {}", typed(i)),
        Constant::MethodHandle { kind, reference } => {
            let kind = [
                "REF_getField",
                "REF_getStatic",
                "REF_putField",
                "REF_putStatic",
                "REF_invokeVirtual",
                "REF_invokeStatic",
                "REF_invokeSpecial",
                "REF_newInvokeSpecial",
                "REF_invokeInterface",
            ]
            .get(usize::from(kind).wrapping_sub(1))
            .copied()
            .unwrap_or("REF_?");
            format!("MethodHandle {kind} {}", describe(pool, reference))
        }
        Constant::MethodType(n) => format!("MethodType {}", text(pool.utf8(n))),
        Constant::Dynamic { bsm, nat } => format!("Dynamic #{bsm}:{}", typed(nat)),
        Constant::InvokeDynamic { bsm, nat } => format!("InvokeDynamic #{bsm}:{}", typed(nat)),
        Constant::Module(n) => format!("Module {}", text(pool.utf8(n))),
        Constant::Package(n) => format!("Package {}", text(pool.utf8(n))),
    }
}

fn quoted(name: &str) -> String {
    if name.starts_with('<') { format!("\"{name}\"") } else { name.to_string() }
}

fn quoted_class(name: &str) -> String {
    if name.starts_with('[') { format!("\"{name}\"") } else { name.to_string() }
}

/// One instruction without its index: `invokevirtual #7 // Method java/lang/Object.hashCode:()I`.
pub fn disassemble_one(i: &Instruction, pool: Option<&ConstantPool>) -> String {
    let mut s = String::new();
    let name = i.info().name;
    s.push_str(name);
    if i.wide {
        s.push_str("_w");
    }
    let pad = |s: &mut String| {
        while s.len() < 14 {
            s.push(' ');
        }
    };
    let comment = |s: &mut String, index: u16| {
        if let Some(pool) = pool {
            while s.len() < 34 {
                s.push(' ');
            }
            s.push_str("// ");
            s.push_str(&describe(pool, index));
        }
    };
    match i.info().operands {
        Operands::None | Operands::Wide => {}
        Operands::Byte | Operands::Short => {
            pad(&mut s);
            let _ = write!(s, "{}", i.immediate());
        }
        Operands::Local => {
            pad(&mut s);
            let _ = write!(s, "{}", i.local().unwrap_or(0));
        }
        Operands::Iinc => {
            pad(&mut s);
            let _ = write!(s, "{}, {}", i.local().unwrap_or(0), i.immediate());
        }
        Operands::Branch2 | Operands::Branch4 => {
            pad(&mut s);
            let _ = write!(s, "{}", i.target());
        }
        Operands::NewArray => {
            s.push_str("       ");
            s.push_str(array_name(i.array_type()));
        }
        Operands::Cp1 | Operands::Cp2 => {
            pad(&mut s);
            let _ = write!(s, "#{}", i.cp());
            comment(&mut s, i.cp());
        }
        Operands::InvokeInterface | Operands::MultiANewArray => {
            pad(&mut s);
            let _ = write!(s, "#{},  {}", i.cp(), i.count());
            comment(&mut s, i.cp());
        }
        Operands::InvokeDynamic => {
            pad(&mut s);
            let _ = write!(s, "#{},  0", i.cp());
            comment(&mut s, i.cp());
        }
        Operands::TableSwitch | Operands::LookupSwitch => {
            if let Some(switch) = i.switch() {
                s.push_str(if i.opcode == op::TABLESWITCH { "   { // cases\n" } else { "  { // cases\n" });
                for (key, target) in switch.cases() {
                    let _ = writeln!(s, "{key:>20}: {target}");
                }
                let _ = write!(s, "{:>20}: {}\n          }}", "default", switch.default);
            }
        }
    }
    s
}

/// All of `code`, one instruction per line.
pub fn disassemble(code: &[u8], pool: Option<&ConstantPool>) -> Result<String, BadCode> {
    let mut s = String::new();
    for i in instructions(code) {
        let i = i?;
        let _ = writeln!(s, "{:>6}: {}", i.bci, disassemble_one(&i, pool));
    }
    Ok(s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_code() {
        let code =
            [op::ALOAD_0, op::BIPUSH, 0xfb, op::IINC, 3, 0xff, op::IFEQ, 0xff, 0xfd, op::NEWARRAY, 10, op::RETURN];
        let text = disassemble(&code, None).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        assert_eq!(
            lines,
            [
                "0: aload_0",
                "1: bipush        -5",
                "3: iinc          3, -1",
                "6: ifeq          3",
                "9: newarray       int",
                "11: return"
            ]
        );
    }
}
