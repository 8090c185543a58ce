//! The buffer that holds the registers of a call, and what the class library must say of it.
//!
//! Invariant: [`Buffer`] is, field for field, what `BufferLayout.of` lays out for the System V descriptor of
//! `jdk.internal.foreign.abi.x64.sysv.CallArranger`; [`check`] compares the two.
//!
//! Registers of the x87 stack return `long double` alone, for which JDK 17 has no layout: they have a place in the buffer,
//! which stays as it is.
use crate::{ClassExt, exceptions};
use concord_base::Symbol;
use concord_contract::{JResult, Obj, Thread};
use std::mem::{offset_of, size_of};

/// Types of registers in `X86_64Architecture.StorageClasses`.
mod storage {
    pub const INTEGER: i32 = 0;
    pub const VECTOR: i32 = 1;
}

/// rdi, rsi, rdx, rcx, r8, r9, and rax: the number of vector registers of a variadic call.
const INTEGER_ARGUMENTS: [i32; 7] = [7, 6, 2, 1, 8, 9, 0];
const VECTOR_ARGUMENTS: [i32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
/// rax, rdx.
const INTEGER_RESULTS: [i32; 2] = [0, 2];
/// xmm0, xmm1; st0, st1.
const OTHER_RESULTS: [i32; 2] = [0, 1];

/// Registers and stack of one call.
#[repr(C, align(16))]
pub struct Buffer {
    /// The C function that a downcall calls.
    pub function: u64,
    /// Bytes of `stack`, a multiple of 8; of downcalls only.
    pub stack_bytes: u64,
    /// Arguments that are in no register.
    pub stack: u64,
    pub integers: [u64; 7],
    pub vectors: [[u64; 2]; 8],
    pub integer_results: [u64; 2],
    pub vector_results: [[u64; 2]; 2],
    pub x87_results: [[u64; 2]; 2],
}

/// The register of an argument, as an index into the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    Integer(usize),
    Vector(usize),
}

impl Buffer {
    /// The word of a register; of a vector register the lower one.
    pub fn argument(&self, r: Register) -> u64 {
        match r {
            Register::Integer(i) => self.integers[i],
            Register::Vector(i) => self.vectors[i][0],
        }
    }
}

/// The argument register that a VMStorage names.
fn register(kind: i32, index: i32) -> Option<Register> {
    let find = |all: &[i32]| all.iter().position(|r| *r == index);
    match kind {
        storage::INTEGER => find(&INTEGER_ARGUMENTS).map(Register::Integer),
        storage::VECTOR => find(&VECTOR_ARGUMENTS).map(Register::Vector),
        _ => None,
    }
}

/// Where the instance field `name` of `o` is.
fn offset(o: Obj, name: &str, descriptor: &str) -> usize {
    match o.class().declared_field(Symbol::from(name), Symbol::from(descriptor)) {
        Some(f) if !f.is_static() => f.offset() as usize,
        _ => concord_base::bug!("{} has no field {name}", o.class().name),
    }
}
fn reference(o: Obj, name: &str, descriptor: &str) -> Obj {
    o.get_ref(offset(o, name, descriptor))
}
fn number(o: Obj, name: &str) -> u64 {
    o.get_u64(offset(o, name, "J"))
}
fn numbers(array: Obj) -> Vec<u64> {
    (0..array.array_len()).map(|i| array.get_u64(Obj::elem_offset(i, 3))).collect()
}

const STORAGES: &str = "[Ljdk/internal/foreign/abi/VMStorage;";
const STORAGES_BY_TYPE: &str = "[[Ljdk/internal/foreign/abi/VMStorage;";

/// Type and index of each VMStorage of an array.
fn storages(array: Obj) -> Vec<(i32, i32)> {
    let one = |s: Obj| (s.get_i32(offset(s, "type", "I")), s.get_i32(offset(s, "index", "I")));
    (0..array.array_len()).map(|i| one(array.array_ref(i))).collect()
}

/// Whether the arrays in `by_type` name the registers `wanted`, type by type.
fn are(by_type: Obj, wanted: &[&[i32]]) -> bool {
    by_type.array_len() == wanted.len()
        && wanted.iter().enumerate().all(|(t, wanted)| {
            let has = storages(by_type.array_ref(t));
            has.iter().all(|(kind, _)| *kind == t as i32) && has.iter().map(|(_, i)| i).eq(wanted.iter())
        })
}

fn is_system_v(descriptor: Obj) -> bool {
    let by_type = |name| reference(descriptor, name, STORAGES_BY_TYPE);
    are(by_type("inputStorage"), &[&INTEGER_ARGUMENTS, &VECTOR_ARGUMENTS])
        && are(by_type("outputStorage"), &[&INTEGER_RESULTS, &OTHER_RESULTS, &OTHER_RESULTS])
        && descriptor.get_i32(offset(descriptor, "shadowSpace", "I")) == 0
}

fn is_buffer(layout: Obj) -> bool {
    let at = |name| number(layout, name) as usize;
    let offsets = |name| numbers(reference(layout, name, "[J"));
    let results = [
        offset_of!(Buffer, integer_results) as u64,
        offset_of!(Buffer, vector_results) as u64,
        offset_of!(Buffer, x87_results) as u64,
    ];
    at("size") == size_of::<Buffer>()
        && at("arguments_next_pc") == offset_of!(Buffer, function)
        && at("stack_args_bytes") == offset_of!(Buffer, stack_bytes)
        && at("stack_args") == offset_of!(Buffer, stack)
        && offsets("input_type_offsets") == [offset_of!(Buffer, integers) as u64, offset_of!(Buffer, vectors) as u64]
        && offsets("output_type_offsets") == results
}

/// Refuses an ABIDescriptor that is not the one this VM has code for, and with it a BufferLayout.
///
/// # Errors
/// UnsupportedOperationException, NullPointerException.
pub fn check(th: &Thread, descriptor: Obj, layout: Option<Obj>) -> JResult<()> {
    if descriptor.is_null() || layout.is_some_and(|l| l.is_null()) {
        return exceptions::throw_no_msg(th, "java/lang/NullPointerException");
    }
    if is_system_v(descriptor) && layout.is_none_or(is_buffer) {
        return Ok(());
    }
    exceptions::throw(th, "java/lang/UnsupportedOperationException", "not the C ABI of Linux on x86-64")
}

/// The registers in the field `argRegs` of a ProgrammableUpcallHandler.CallRegs.
///
/// # Errors
/// UnsupportedOperationException if one is on the stack.
pub fn argument_registers(th: &Thread, registers: Obj) -> JResult<Vec<Register>> {
    let all = storages(reference(registers, "argRegs", STORAGES));
    match all.into_iter().map(|(kind, index)| register(kind, index)).collect() {
        Some(found) => Ok(found),
        None => exceptions::throw(th, "java/lang/UnsupportedOperationException", "an argument on the stack"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_are_found_by_type_and_index() {
        assert_eq!(register(storage::INTEGER, 7), Some(Register::Integer(0)));
        assert_eq!(register(storage::INTEGER, 9), Some(Register::Integer(5)));
        assert_eq!(register(storage::VECTOR, 7), Some(Register::Vector(7)));
        assert_eq!(register(storage::INTEGER, 3), None);
        assert_eq!(register(3, 0), None);
    }

    /// Integers are 8 bytes each, vectors and x87 registers 16, types follow each other.
    #[test]
    fn the_buffer_has_no_holes() {
        assert_eq!(offset_of!(Buffer, vectors), 24 + 7 * 8);
        assert_eq!(offset_of!(Buffer, x87_results) + 2 * 16, size_of::<Buffer>());
    }
}
