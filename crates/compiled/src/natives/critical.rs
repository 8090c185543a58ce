//! Calls of critical functions.
//!
//! Invariant: the thread stays in the VM and does not poll, so no array moves while the function has
//! its elements; as between GetPrimitiveArrayCritical and ReleasePrimitiveArrayCritical. The
//! arguments come from their slots on the Java stack.
use super::wrapper::{FUNCTION, HEADER, JAVA_SP, OLD_SP, RESULT, ZERO, zero_saved};
use super::{Shape, shims};
use crate::asm::{Asm, M, R};
use concord_contract::Thread;
use concord_contract::object::{LENGTH_OFFSET, array_base};
use std::mem::offset_of;

const TH_NO_SAFEPOINT: i32 = offset_of!(Thread, no_safepoint) as i32;
const INTEGERS: [R; 6] = [R::Rdi, R::Rsi, R::Rdx, R::Rcx, R::R8, R::R9];

/// A word for the function; the number is the offset of the argument's slot from the Java sp.
#[derive(Clone, Copy)]
enum Word {
    Value(i32),
    Length(i32),
    /// And how far behind the object's address the elements begin.
    Elements(i32, i32),
}

fn load(a: &mut Asm, to: R, w: Word) {
    let (Word::Value(at) | Word::Length(at) | Word::Elements(at, _)) = w;
    a.load(to, M(JAVA_SP, at));
    if let Word::Value(_) = w {
        return;
    }
    // Null has length 0 and elements nowhere.
    a.test(to, to);
    let null = a.je();
    match w {
        Word::Elements(_, base) => a.add(to, base),
        _ => a.load32(to, M(to, LENGTH_OFFSET as i32)),
    }
    a.bind(null);
}

/// Calls the function with the arguments of `shape`.
pub fn call(a: &mut Asm, shape: &Shape) {
    let (mut ints, mut floats, mut memory) = (Vec::new(), Vec::new(), Vec::new());
    let mut arrays = Vec::new();
    let mut at = HEADER;
    for k in &shape.args {
        if matches!(k, b'F' | b'D') {
            if floats.len() < 8 { floats.push(at) } else { memory.push(Word::Value(at)) }
        } else {
            let base = array_base(k.wrapping_sub(b'0') as u32) as i32;
            let words = match k.is_ascii_digit() {
                true => vec![Word::Length(at), Word::Elements(at, base)],
                false => vec![Word::Value(at)],
            };
            if words.len() == 2 {
                arrays.push(at);
            }
            for w in words {
                if ints.len() < INTEGERS.len() { ints.push(w) } else { memory.push(w) }
            }
        }
        at += if matches!(k, b'J' | b'D') { 16 } else { 8 };
    }
    zero_saved(a);
    a.store(M(R::Rbp, RESULT), FUNCTION);
    for at in &arrays {
        a.load(R::Rdi, M(JAVA_SP, *at));
        a.mov_imm(R::Rax, shims::share as *const () as usize);
        a.call(R::Rax);
        a.load(JAVA_SP, M(R::Rbp, OLD_SP));
    }
    a.load(FUNCTION, M(R::Rbp, RESULT));
    a.store_imm32(M(R::R15, TH_NO_SAFEPOINT), 1);
    if memory.len() % 2 != 0 {
        a.push(ZERO);
    }
    for w in memory.into_iter().rev() {
        load(a, R::Rax, w);
        a.push(R::Rax);
    }
    for (x, at) in floats.into_iter().enumerate() {
        a.load_sd(x as u8, M(JAVA_SP, at));
    }
    for (r, w) in INTEGERS.into_iter().zip(ints) {
        load(a, r, w);
    }
    a.call(FUNCTION);
    a.store_imm32(M(R::R15, TH_NO_SAFEPOINT), 0);
    if !arrays.is_empty() {
        keep_result(a, shape.ret, shims::after_critical as *const ());
    }
}

/// Calls `shim` with the function's result in a safe place.
fn keep_result(a: &mut Asm, ret: u8, shim: *const ()) {
    let float = matches!(ret, b'F' | b'D');
    if float {
        a.store_sd(M(R::Rbp, RESULT), 0);
    } else {
        a.store(M(R::Rbp, RESULT), R::Rax);
    }
    a.mov_imm(R::Rax, shim as usize);
    a.call(R::Rax);
    if float {
        a.load_sd(0, M(R::Rbp, RESULT));
    } else {
        a.load(R::Rax, M(R::Rbp, RESULT));
    }
}
