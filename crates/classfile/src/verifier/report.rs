//! Owns the faults of verification and their text, which is HotSpot's: a first line, where, why,
//! the frames, the code and its tables.

use super::Unresolved;
use super::frame::Frame;
use super::types::VType;
use crate::model::{ClassFile, CodeInfo, MethodInfo};
use crate::mutf8;
use crate::opcodes;
use crate::stack_map::{FrameKind, Frames, Types, VerificationType};
use std::fmt::Write;

pub(super) enum Failure {
    Unresolved,
    Verify(Fault),
    /// Message of a ClassFormatError, to which the method's name is added.
    Format(String),
    /// Message of a ClassFormatError in a StackMapTable, which stands alone.
    MapFormat(&'static str),
}

pub(super) type Checked<T> = Result<T, Box<Failure>>;

impl From<Unresolved> for Box<Failure> {
    fn from(_: Unresolved) -> Self {
        Box::new(Failure::Unresolved)
    }
}

/// A fault whose frames are rendered already.
pub(super) struct Fault {
    pub message: String,
    pub bci: usize,
    pub reason: String,
    pub current: Option<String>,
    pub stack_map: Option<String>,
}

/// Where a type that a message names was found.
#[derive(Clone, Copy)]
pub(super) enum Origin {
    Local(usize),
    Stack(usize),
    MapLocal(usize),
    MapStack(usize),
    Pool(u16),
    Signature,
}

/// A type and its origin, as text.
pub(super) fn describe(t: VType<'_>, origin: Origin) -> String {
    match origin {
        Origin::Local(i) => format!("{t} (current frame, locals[{i}])"),
        Origin::Stack(i) => format!("{t} (current frame, stack[{i}])"),
        Origin::MapLocal(i) => format!("{t} (stack map, locals[{i}])"),
        Origin::MapStack(i) => format!("{t} (stack map, stack[{i}])"),
        Origin::Pool(i) => format!("{t} (constant pool {i})"),
        Origin::Signature => format!("{t} (from method signature)"),
    }
}

/// Begins a fault at `bci`.
#[cold]
pub(super) fn fault(bci: usize, message: impl Into<String>, reason: impl Into<String>) -> Fault {
    Fault { message: message.into(), bci, reason: reason.into(), current: None, stack_map: None }
}

/// The fault that has no better reason.
#[cold]
pub(super) fn bad_code<T>(bci: usize, message: impl Into<String>) -> Checked<T> {
    fault(bci, message, "Error exists in the bytecode").fail()
}

#[cold]
pub(super) fn bad_index<T>(bci: usize, message: String, index: u16) -> Checked<T> {
    fault(bci, message, format!("Constant pool index {index} is invalid")).fail()
}

/// Type `found` is not what it should be.
#[cold]
pub(super) fn bad_type(bci: usize, message: impl Into<String>, found: String, expected: Option<String>) -> Fault {
    let reason = match expected {
        Some(expected) => format!("Type {found} is not assignable to {expected}"),
        None => format!("Invalid type: {found}"),
    };
    fault(bci, message, reason)
}

#[cold]
pub(super) fn format_fault<T>(message: impl Into<String>) -> Checked<T> {
    Err(Box::new(Failure::Format(message.into())))
}

#[cold]
pub(super) fn map_fault<T>(message: &'static str) -> Checked<T> {
    Err(Box::new(Failure::MapFormat(message)))
}

impl Fault {
    pub fn current(mut self, frame: &Frame<'_>) -> Self {
        self.current = Some(frame.render());
        self
    }
    pub fn fail<T>(self) -> Checked<T> {
        Err(Box::new(Failure::Verify(self)))
    }
}

/// The block that shows one frame.
pub(super) fn render_frame(bci: usize, this_uninit: bool, locals: &[VType<'_>], stack: &[VType<'_>]) -> String {
    let list = |types: &[VType<'_>]| {
        let items: Vec<String> = types.iter().map(VType::to_string).collect();
        items.join(", ")
    };
    let braces = |inner: String| {
        if inner.is_empty() { "{ }".to_string() } else { format!("{{ {inner} }}") }
    };
    format!(
        "    bci: @{bci}\n    flags: {}\n    locals: {}\n    stack: {}\n",
        braces(if this_uninit { "flagThisUninit".to_string() } else { String::new() }),
        braces(list(locals)),
        braces(list(stack))
    )
}

fn method_name(class: &ClassFile<'_>, m: &MethodInfo<'_>) -> String {
    let text = |b| mutf8::to_string(b);
    format!("{}.{}{}", text(class.name()), text(class.constants.utf8(m.name)), text(class.constants.utf8(m.desc)))
}

/// The whole message of a VerifyError.
pub(super) fn verify_text(class: &ClassFile<'_>, m: &MethodInfo<'_>, code: &CodeInfo<'_>, fault: &Fault) -> String {
    let mut s = String::new();
    let opcode = code.code.get(fault.bci).copied();
    let opcode = match opcode.map(opcodes::info) {
        None => "<invalid>",
        Some(None) => "<illegal>",
        Some(Some(row)) => row.name,
    };
    let _ = writeln!(s, "{}\nException Details:", fault.message);
    let _ = writeln!(s, "  Location:\n    {} @{}: {opcode}", method_name(class, m), fault.bci);
    let _ = writeln!(s, "  Reason:\n    {}", fault.reason);
    if let Some(frame) = &fault.current {
        let _ = write!(s, "  Current Frame:\n{frame}");
    }
    if let Some(frame) = &fault.stack_map {
        let _ = write!(s, "  Stackmap Frame:\n{frame}");
    }
    s.push_str("  Bytecode:\n");
    for (row, bytes) in code.code.chunks(16).enumerate() {
        let mut line = String::new();
        for pair in bytes.chunks(2) {
            line.push(' ');
            pair.iter().for_each(|b| {
                let _ = write!(line, "{b:02x}");
            });
        }
        let _ = writeln!(s, "    {:07x}:{line:<40}", row * 16);
    }
    if code.code.len().is_multiple_of(16) {
        let _ = writeln!(s, "    {:07x}:{:40}", code.code.len(), "");
    }
    if !code.exception_table.is_empty() {
        s.push_str("  Exception Handler Table:\n");
        for e in &code.exception_table {
            let _ = writeln!(s, "    bci [{}, {}] => handler: {}", e.start, e.end, e.handler);
        }
    }
    if let Some(table) = code.stack_map_table {
        stack_map_text(&mut s, table);
    }
    s
}

fn stack_map_text(s: &mut String, table: &[u8]) {
    let types = |list: &Types<'_>| {
        let items: Vec<String> = list.iter().map(type_text).collect();
        items.join(",")
    };
    s.push_str("  Stackmap Table:\n");
    let mut at: Option<usize> = None;
    let Ok(frames) = Frames::new(table) else {
        return;
    };
    for frame in frames {
        let Ok(frame) = frame else { return };
        let bci = at.map_or(usize::from(frame.delta), |a| a + usize::from(frame.delta) + 1);
        at = Some(bci);
        let _ = match &frame.kind {
            FrameKind::Same if frame.tag == 251 => writeln!(s, "    same_frame_extended(@{bci})"),
            FrameKind::Same => writeln!(s, "    same_frame(@{bci})"),
            FrameKind::OneStack(t) if frame.tag == 247 => {
                writeln!(s, "    same_locals_1_stack_item_extended(@{bci},{})", types(t))
            }
            FrameKind::OneStack(t) => {
                writeln!(s, "    same_locals_1_stack_item_frame(@{bci},{})", types(t))
            }
            FrameKind::Chop(n) => writeln!(s, "    chop_frame(@{bci},{n})"),
            FrameKind::Append(t) => writeln!(s, "    append_frame(@{bci},{})", types(t)),
            FrameKind::Full { locals, stack } => {
                writeln!(s, "    full_frame(@{bci},{{{}}},{{{}}})", types(locals), types(stack))
            }
        };
    }
}

fn type_text(t: VerificationType) -> String {
    match t {
        VerificationType::Top => "Top".to_string(),
        VerificationType::Integer => "Integer".to_string(),
        VerificationType::Float => "Float".to_string(),
        VerificationType::Double => "Double".to_string(),
        VerificationType::Long => "Long".to_string(),
        VerificationType::Null => "Null".to_string(),
        VerificationType::UninitializedThis => "UninitializedThis".to_string(),
        VerificationType::Object(i) => format!("Object[#{i}]"),
        VerificationType::Uninitialized(bci) => format!("Uninitialized[#{bci}]"),
    }
}

/// The message of a ClassFormatError found in a method's tables.
pub(super) fn format_text(class: &ClassFile<'_>, m: &MethodInfo<'_>, message: &str) -> String {
    let desc = class.constants.utf8(m.desc);
    let d = crate::descriptor::MethodDescriptor::new(desc);
    let params: Vec<String> = d.iter().flat_map(|d| d.params()).map(|p| crate::descriptor::to_java(p.text)).collect();
    let result = d.and_then(|d| d.ret_type()).map_or("void".to_string(), |t| crate::descriptor::to_java(t.text));
    format!(
        "{message} in method '{result} {}.{}({})'",
        mutf8::to_string(class.name()).replace('/', "."),
        mutf8::to_string(class.constants.utf8(m.name)),
        params.join(", ")
    )
}
