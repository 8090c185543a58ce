//! The machine code of a wrapper.
//!
//! Invariant: while the native function runs, the wrapper's frame is
//! ```text
//!  anchor -> ...
//!        -8  return address
//!  rbp  -16  rbp
//!       -24  size of all this, which scanners skip
//!            rbx r12 r13 r14 | top and free list of the local references | Java sp | result
//!            arguments of the function <- rsp
//! ```
//! and on the Java stack, from the caller's sp upwards, are an entry frame that names the anchor, the
//! arguments, and the method's own frame. Registers that the function may save hold no values of
//! compiled code. rdi is the method and r10 the Java sp until the arguments are moved; rax is free.
use super::{Function, Shape, critical, shims};
use crate::asm::{Asm, M, R};
use crate::stubs;
use concord_contract::compiled::offset;
use concord_contract::frame as java;
use concord_contract::thread::{HANDLE_SLOTS, ThreadState, poll};
use concord_contract::{Class, Method, Thread};
use concord_interpreter::code::{exit_pc, no_code};
use concord_interpreter::entry::NATIVE_RESERVE;
use concord_runtime::MethodInfo;
use std::mem::offset_of;

const TH_PC: i32 = offset_of!(Thread, pc) as i32;
const TH_SP: i32 = offset_of!(Thread, sp) as i32;
const TH_LP: i32 = offset_of!(Thread, lp) as i32;
const TH_FP: i32 = offset_of!(Thread, fp) as i32;
const TH_STATE: i32 = offset_of!(Thread, state) as i32;
const TH_LIMIT: i32 = offset_of!(Thread, limit) as i32;
const TH_NATIVE_SP: i32 = offset_of!(Thread, native_sp) as i32;
const TH_SAVED: i32 = offset_of!(Thread, saved_registers) as i32;
const TH_HANDLES: i32 = offset_of!(Thread, handles) as i32;
const TH_HANDLE_TOP: i32 = offset_of!(Thread, handle_top) as i32;
const TH_HANDLE_FREE: i32 = offset_of!(Thread, handle_free) as i32;
const METHOD_NATIVE: i32 = offset_of!(Method, native) as i32;
const METHOD_INFO: i32 = offset_of!(Method, info) as i32;
const INFO_CRITICAL: i32 = offset_of!(MethodInfo, critical) as i32;
const METHOD_CLASS: i32 = offset_of!(Method, class) as i32;
const CLASS_MIRROR: i32 = offset_of!(Class, mirror) as i32;

/// Registers of the convention, behind the method.
const INTEGERS: [R; 5] = [R::Rsi, R::Rdx, R::Rcx, R::R8, R::R9];
const SAVED: [R; 4] = [R::Rbx, R::R12, R::R13, R::R14];
pub(super) const ZERO: R = R::Rbx;
/// The next free slot of the local references.
const HANDLE: R = R::R12;
const SCRATCH: R = R::R13;
const MIRROR: R = R::R14;
pub(super) const JAVA_SP: R = R::R10;
pub(super) const FUNCTION: R = R::R11;

/// Offsets from rbp.
const HANDLE_TOP: i32 = -48;
const HANDLE_FREE: i32 = -56;
pub(super) const OLD_SP: i32 = -64;
pub(super) const RESULT: i32 = -72;
/// Bytes below rbp, a multiple of 16.
const FRAME: i32 = 80;
/// First argument in memory.
const MEMORY: i32 = 16;

pub(super) const HEADER: i32 = java::HEADER_BYTES as i32;

/// Where an argument comes from.
#[derive(Clone, Copy)]
enum Place {
    Int(R),
    Float(u8),
    /// Offset from rbp.
    Memory(i32),
}

/// The arguments by kind, where compiled code has them.
fn places(args: &[u8]) -> Vec<(u8, Place)> {
    let (mut ints, mut floats, mut memory) = (0, 0, MEMORY);
    let mut place = |k: u8| {
        if matches!(k, b'F' | b'D') {
            if floats < 8 {
                floats += 1;
                return Place::Float(floats - 1);
            }
        } else if ints < INTEGERS.len() {
            ints += 1;
            return Place::Int(INTEGERS[ints - 1]);
        }
        memory += 8;
        Place::Memory(memory - 8)
    };
    args.iter().map(|k| (*k, place(*k))).collect()
}

/// The code of the wrapper of a shape.
pub fn make(shape: &Shape) -> Vec<u8> {
    let mut a = Asm::default();
    let args = places(&shape.args);
    a.push(R::Rbp);
    a.mov(R::Rbp, R::Rsp);
    let give_up = checks(&mut a, shape);
    open(&mut a);
    frames(&mut a, shape, &args);
    match shape.function {
        Function::Vm => call_rust(&mut a, shims::run_vm_native as *const ()),
        Function::Synchronized => call_rust(&mut a, shims::run_synchronized as *const ()),
        Function::Jni => call_jni(&mut a, shape, &args),
        Function::Critical => critical::call(&mut a, shape),
    }
    close(&mut a, shape);
    for j in give_up {
        a.bind(j);
    }
    a.pop(R::Rbp);
    a.mov_imm(R::Rax, stubs::to_interpreter as *const () as usize);
    a.jmp(R::Rax);
    a.code
}

/// Jumps away, with nothing changed, if this call is none for the wrapper.
fn checks(a: &mut Asm, shape: &Shape) -> Vec<crate::asm::Jump> {
    let mut give_up = Vec::new();
    if matches!(shape.function, Function::Jni | Function::Critical) {
        if shape.function == Function::Critical {
            a.load(FUNCTION, M(R::Rdi, METHOD_INFO));
            a.load(FUNCTION, M(FUNCTION, INFO_CRITICAL));
        } else {
            a.load(FUNCTION, M(R::Rdi, METHOD_NATIVE));
        }
        a.test(FUNCTION, FUNCTION);
        give_up.push(a.je());
    }
    if shape.function == Function::Jni {
        let handles = shape.args.iter().filter(|k| **k == b'L').count() + shape.is_static as usize;
        a.load(R::Rax, M(R::R15, TH_HANDLE_TOP));
        a.cmp_imm(R::Rax, (HANDLE_SLOTS - handles) as i32);
        give_up.push(a.ja());
    }
    a.lea(R::Rax, M(R::Rsp, -(NATIVE_RESERVE as i32)));
    a.cmp_mem(R::Rax, M(R::R15, offset::TH_NATIVE_GUARD));
    give_up.push(a.jb());
    a.load(JAVA_SP, M(R::R15, TH_SP));
    a.lea(R::Rax, M(JAVA_SP, 2 * HEADER + 8 * shape.slots() + 64));
    a.cmp_mem(R::Rax, M(R::R15, TH_LIMIT));
    give_up.push(a.ja());
    give_up
}

/// Makes the frame on the native stack.
fn open(a: &mut Asm) {
    a.push_imm(MEMORY + FRAME);
    for r in SAVED {
        a.push(r);
    }
    a.push_mem(M(R::R15, TH_HANDLE_TOP));
    a.push_mem(M(R::R15, TH_HANDLE_FREE));
    a.push(JAVA_SP);
    a.add(R::Rsp, -(FRAME + OLD_SP));
    a.zero(ZERO);
}

/// Makes the frames on the Java stack, the arguments between them, and the anchors.
fn frames(a: &mut Asm, shape: &Shape, args: &[(u8, Place)]) {
    let base = HEADER;
    let fp = base + 8 * shape.slots() + HEADER;
    let slot = |of: i32, down: usize| M(JAVA_SP, of - 8 * down as i32);
    a.lea(R::Rax, M(R::Rbp, MEMORY));
    a.store(slot(base, java::CALLER_SP), R::Rax);
    for (down, from) in [(java::CALLER_FP, TH_FP), (java::CALLER_LP, TH_LP), (java::RETURN_PC, TH_PC)] {
        a.load(R::Rax, M(R::R15, from));
        a.store(slot(base, down), R::Rax);
    }
    a.store(slot(base, java::AUX), R::Rdi);
    a.store(slot(base, java::METHOD), ZERO);
    let mut at = base;
    for (k, place) in args {
        store_argument(a, M(JAVA_SP, at), *k, *place);
        at += if matches!(k, b'J' | b'D') { 16 } else { 8 };
    }
    a.store(slot(fp, java::METHOD), R::Rdi);
    a.load(R::Rax, M(R::R15, TH_HANDLE_TOP));
    a.store(slot(fp, java::AUX), R::Rax);
    a.store(slot(fp, java::CALLER_SP), ZERO);
    a.mov_imm(R::Rax, exit_pc() as usize);
    a.store(slot(fp, java::RETURN_PC), R::Rax);
    a.lea(R::Rax, M(JAVA_SP, base));
    a.store(slot(fp, java::CALLER_LP), R::Rax);
    a.store(slot(fp, java::CALLER_FP), R::Rax);
    a.store(M(R::R15, TH_LP), R::Rax);
    a.lea(R::Rax, M(JAVA_SP, fp));
    a.store(M(R::R15, TH_SP), R::Rax);
    a.store(M(R::R15, TH_FP), R::Rax);
    a.mov_imm(R::Rax, no_code() as usize);
    a.store(M(R::R15, TH_PC), R::Rax);
    a.store(M(R::R15, offset::TH_ANCHOR_SP), ZERO);
}

/// Puts an argument into its slot; the upper half of a narrow one, which is undefined, becomes zero
/// there and in the register.
fn store_argument(a: &mut Asm, to: M, k: u8, from: Place) {
    let wide = !matches!(k, b'I' | b'F');
    match from {
        Place::Int(r) => {
            if !wide {
                a.mov32(r, r);
            }
            a.store(to, r);
        }
        Place::Float(x) if wide => a.store_sd(to, x),
        Place::Float(x) => {
            a.movd_from(R::Rax, x);
            a.store(to, R::Rax);
        }
        Place::Memory(d) => {
            if wide {
                a.load(R::Rax, M(R::Rbp, d));
            } else {
                a.load32(R::Rax, M(R::Rbp, d));
            }
            a.store(to, R::Rax);
        }
    }
}

pub(super) fn zero_saved(a: &mut Asm) {
    for r in SAVED {
        a.zero(r);
    }
}

/// Calls a shim that takes the arguments from their slots.
fn call_rust(a: &mut Asm, shim: *const ()) {
    a.lea(R::Rsi, M(JAVA_SP, HEADER));
    a.mov(R::Rdx, R::Rdi);
    a.mov(R::Rdi, R::R15);
    zero_saved(a);
    a.mov_imm(R::Rax, shim as usize);
    a.call(R::Rax);
}

/// Makes `r` a local reference to the object that it names; null stays null.
fn make_handle(a: &mut Asm, r: R) {
    a.store(M(HANDLE, 0), r);
    a.lea(R::Rax, M(HANDLE, 8));
    a.test(r, r);
    a.cmovne(r, HANDLE);
    a.cmovne(HANDLE, R::Rax);
}

/// Makes local references, moves the arguments to where the function expects them, and calls it in
/// state `Native`.
fn call_jni(a: &mut Asm, shape: &Shape, args: &[(u8, Place)]) {
    a.load(HANDLE, M(R::R15, TH_HANDLE_TOP));
    a.shl(HANDLE, 3);
    a.add_mem(HANDLE, M(R::R15, TH_HANDLES));
    if shape.is_static {
        a.load(MIRROR, M(R::Rdi, METHOD_CLASS));
        a.load(MIRROR, M(MIRROR, CLASS_MIRROR));
        make_handle(a, MIRROR);
    }
    for (k, place) in args {
        if let (b'L', Place::Int(r)) = (k, place) {
            make_handle(a, *r);
        }
    }
    push_memory_arguments(a, shape, args);
    // The list of free slots begins anew in the frame of references that begins here.
    a.store(M(R::R15, TH_HANDLE_FREE), ZERO);
    a.sub_mem(HANDLE, M(R::R15, TH_HANDLES));
    a.shr(HANDLE, 3);
    a.store(M(R::R15, TH_HANDLE_TOP), HANDLE);
    if shape.is_static {
        for i in (1..INTEGERS.len()).rev() {
            a.mov(INTEGERS[i], INTEGERS[i - 1]);
        }
        a.mov(INTEGERS[0], MIRROR);
    }
    a.mov(R::Rdi, R::R15);
    zero_saved(a);
    // The registers that the function may save, as the collector scans them: rbp and r15 name no
    // object, the others are zero.
    for i in 0..6 {
        a.store(M(R::R15, TH_SAVED + 8 * i), ZERO);
    }
    a.store(M(R::R15, TH_NATIVE_SP), R::Rsp);
    a.store_imm32(M(R::R15, TH_STATE), ThreadState::Native as u32);
    a.mov_imm32(R::Rax, 8);
    a.call(FUNCTION);
    come_back(a, shape.ret);
    for (at, word) in [(HANDLE_TOP, TH_HANDLE_TOP), (HANDLE_FREE, TH_HANDLE_FREE)] {
        a.load(R::Rcx, M(R::Rbp, at));
        a.store(M(R::R15, word), R::Rcx);
    }
}

/// The arguments that are in memory for a C function: those that are for compiled code, and the
/// fifth integer of a static method, as the class takes a register.
fn push_memory_arguments(a: &mut Asm, shape: &Shape, args: &[(u8, Place)]) {
    let last = INTEGERS[INTEGERS.len() - 1];
    let pushed: Vec<_> = args
        .iter()
        .filter(|(_, p)| match p {
            Place::Memory(_) => true,
            Place::Int(r) => shape.is_static && *r == last,
            Place::Float(_) => false,
        })
        .collect();
    if pushed.len() % 2 != 0 {
        a.push(ZERO);
    }
    for (k, place) in pushed.into_iter().rev() {
        match place {
            Place::Memory(d) if *k == b'L' => {
                a.load(SCRATCH, M(R::Rbp, *d));
                make_handle(a, SCRATCH);
                a.push(SCRATCH);
            }
            Place::Memory(d) => a.push_mem(M(R::Rbp, *d)),
            _ => a.push(last),
        }
    }
}

/// From `Native` back into the VM, as `concord_safepoint::to_vm`: the exchange, then the look whether
/// to stop. A reference that the function gave becomes an object's address in rax.
fn come_back(a: &mut Asm, ret: u8) {
    a.mov_imm32(R::Rcx, ThreadState::InVm as u32);
    a.xchg32(M(R::R15, TH_STATE), R::Rcx);
    a.test_mem32(M(R::R15, offset::TH_POLL), poll::SAFEPOINT | poll::SUSPEND);
    let quiet = a.je();
    a.mov(R::Rdi, R::R15);
    a.mov(R::Rsi, R::Rax);
    let float = matches!(ret, b'F' | b'D');
    if float {
        a.store_sd(M(R::Rbp, RESULT), 0);
    }
    let shim = match ret {
        b'L' => shims::come_back_with_reference as *const (),
        _ => shims::come_back as *const (),
    };
    a.mov_imm(R::Rax, shim as usize);
    a.call(R::Rax);
    if float {
        a.load_sd(0, M(R::Rbp, RESULT));
    }
    if ret != b'L' {
        return a.bind(quiet);
    }
    let done = a.jmp_forward();
    a.bind(quiet);
    a.test(R::Rax, R::Rax);
    let null = a.je();
    // Bit 0 of a reference says that it is weak, bit 0 of its word that there is no object.
    a.and_imm(R::Rax, -2);
    a.load(R::Rax, M(R::Rax, 0));
    a.test_imm(R::Rax, 1);
    let live = a.je();
    a.zero(R::Rax);
    a.bind(null);
    a.bind(live);
    a.bind(done);
}

/// Restores the anchors, gives the result as compiled code expects it, and returns.
fn close(a: &mut Asm, shape: &Shape) {
    a.load(JAVA_SP, M(R::Rbp, OLD_SP));
    a.store(M(R::R15, TH_SP), JAVA_SP);
    for (down, to) in [(java::CALLER_FP, TH_FP), (java::CALLER_LP, TH_LP), (java::RETURN_PC, TH_PC)] {
        a.load(R::Rcx, M(JAVA_SP, HEADER - 8 * down as i32));
        a.store(M(R::R15, to), R::Rcx);
    }
    let vm = matches!(shape.function, Function::Vm | Function::Synchronized);
    match shape.ret {
        // A shim gives a number: narrowed, not compared with zero.
        b'Z' if vm => a.and_imm(R::Rax, 1),
        b'Z' => a.al_to_bool(),
        b'B' => a.sign_extend_byte(),
        b'C' => a.zero_extend_char(),
        b'S' => a.sign_extend_short(),
        b'I' => a.mov32(R::Rax, R::Rax),
        b'F' | b'D' if vm => a.movq_to(0, R::Rax),
        _ => {}
    }
    if !vm {
        a.cmp_mem_zero(M(R::R15, offset::TH_EXCEPTION));
        let none = a.je();
        a.store_zero(M(R::R15, offset::TH_WATERMARK));
        a.zero(R::Rax);
        if matches!(shape.ret, b'F' | b'D') {
            a.movq_to(0, R::Rax);
        }
        a.bind(none);
    }
    for (i, r) in SAVED.into_iter().enumerate() {
        a.load(r, M(R::Rbp, -16 - 8 * i as i32));
    }
    a.mov(R::Rsp, R::Rbp);
    a.pop(R::Rbp);
    a.ret();
}
