//! From the interpreter into compiled code.
//!
//! Invariant: an adapter is entered with the interpreter's convention for method entries, keeps the
//! interpreter's registers in its frame, and leaves by dispatch: with the result as cached top of
//! stack, or, when an exception is pending or frames were rebuilt, from the anchors. It calls
//! compiled code of the method and nothing else: behind a call of [`crate::stubs::to_interpreter`]
//! stands compiled code. Where the code was closed since the method's entry was read, the adapter
//! goes to the entry of now.
//!
//! Its frame keeps all callee-saved registers, too, and compiled code is entered with zeros in
//! them: frames of compiled code are not scanned conservatively, so what the VM below still needs
//! must not end up in them.
//! ```text
//!  rbp -> rbp | rbx r12 r13 r14 r15 | pc | sp | lp | fp | method <- rbp - 80
//!         stack arguments <- rsp at the call
//! ```
use crate::asm::{Asm, M, R};
use crate::{install, slow};
use concord_contract::code_table::Adapter;
use concord_contract::compiled::{offset, to_interpreter};
use concord_contract::entries::OsrEntry;
use concord_contract::{BasicType, MethodRef, Thread};
use concord_interpreter::dispatch::TABLE;
use concord_interpreter::entry::continue_at_anchors;
use concord_interpreter::stack;
use concord_runtime::MethodExt;
use std::collections::HashMap;
use std::mem::offset_of;
use std::sync::Mutex;

/// What an adapter depends on: the kinds of the arguments, and of the result at the end.
type Shape = Box<[u8]>;

/// Adapters by shape.
static ADAPTERS: Mutex<Option<HashMap<Shape, usize>>> = Mutex::new(None);
/// OSR adapters by the kind of the result.
static OSR: Mutex<Option<HashMap<u8, usize>>> = Mutex::new(None);

const INTEGERS: [R; 5] = [R::Rsi, R::Rdx, R::Rcx, R::R8, R::R9];
const SAVED: [R; 5] = [R::Rbx, R::R12, R::R13, R::R14, R::R15];
const PC: i32 = -48;
const SP: i32 = -56;
const LP: i32 = -64;
const FP: i32 = -72;
const METHOD: i32 = -80;

const TH_PC: i32 = offset_of!(Thread, pc) as i32;
const TH_SP: i32 = offset_of!(Thread, sp) as i32;
const TH_LP: i32 = offset_of!(Thread, lp) as i32;
const TH_FP: i32 = offset_of!(Thread, fp) as i32;

/// Kinds of arguments and results as adapters treat them.
fn kind(t: BasicType) -> u8 {
    match t {
        BasicType::Void => b'v',
        BasicType::Float => b'f',
        BasicType::Double => b'd',
        BasicType::Long => b'l',
        BasicType::Object => b'a',
        _ => b'i',
    }
}

fn shape_of(m: MethodRef) -> Shape {
    let receiver = (!m.is_static()).then_some(b'a');
    let params = MethodExt::info(m).params.iter().map(|t| kind(*t));
    receiver.into_iter().chain(params).chain([kind(m.ret)]).collect()
}

/// The entry from the interpreter for a method with compiled code; None when the area is full.
pub fn entry(m: MethodRef) -> Option<*mut ()> {
    let shape = shape_of(m);
    let mut all = ADAPTERS.lock().expect("adapters");
    let all = all.get_or_insert_default();
    if let Some(a) = all.get(&shape) {
        return Some(*a as *mut ());
    }
    let (args, ret) = shape.split_at(shape.len() - 1);
    let a = make(args, ret[0])?;
    all.insert(shape, a);
    Some(a as *mut ())
}

/// The handler through which compiled code replaces an interpreter frame of `m`.
pub fn osr_entry(m: MethodRef, code: *const ()) -> Option<OsrEntry> {
    let ret = kind(m.ret);
    let mut all = OSR.lock().expect("adapters");
    let all = all.get_or_insert_default();
    let stub = match all.get(&ret) {
        Some(s) => *s,
        None => {
            let s = make_osr(ret)?;
            all.insert(ret, s);
            s
        }
    };
    Some(OsrEntry { stub: stub as *const (), code })
}

fn publish(a: Asm, adapter: Adapter) -> Option<usize> {
    let name = if adapter.replaces { "OSR adapter" } else { "I2C/C2I adapters" };
    install::install_adapter(name.into(), adapter, &a.code)
}

/// Opens the frame; the Java stack pointer is in r11 afterwards. rdi = thread, rsi = pc,
/// rdx = sp, rcx = lp, r8 = fp.
fn open(a: &mut Asm) {
    a.push(R::Rbp);
    a.mov(R::Rbp, R::Rsp);
    for r in SAVED {
        a.push(r);
    }
    for r in [R::Rsi, R::Rdx, R::Rcx, R::R8] {
        a.push(r);
    }
    a.mov(R::R15, R::Rdi);
    a.mov(R::R11, R::Rdx);
    for (at, r) in [(TH_PC, R::Rsi), (TH_SP, R::Rdx), (TH_LP, R::Rcx), (TH_FP, R::R8)] {
        a.store(M(R::R15, at), r);
    }
    for r in [R::Rbx, R::R12, R::R13, R::R14] {
        a.zero(r);
    }
}

/// Closes the frame.
fn close(a: &mut Asm) {
    for (i, r) in SAVED.into_iter().enumerate() {
        a.load(r, M(R::Rbp, -8 * (i as i32 + 1)));
    }
    a.mov(R::Rsp, R::Rbp);
    a.pop(R::Rbp);
}

/// Behind the call: jumps to the slow end if the watermark asks for it.
fn check(a: &mut Asm) -> crate::asm::Jump {
    a.cmp_mem(R::Rsp, M(R::R15, offset::TH_WATERMARK));
    let slow = a.jae();
    a.store_zero(M(R::R15, offset::TH_ANCHOR_SP));
    slow
}

/// The result as top of stack, then the instruction at rsi; the other registers are set.
fn leave(a: &mut Asm, ret: u8) {
    let state = match ret {
        b'v' => stack::NONE,
        b'l' => stack::LONG,
        b'd' => stack::DOUBLE,
        _ => stack::ONE,
    };
    match ret {
        b'i' => a.mov32(R::R9, R::Rax),
        b'a' | b'l' => a.mov(R::R9, R::Rax),
        b'f' => a.movd_from(R::R9, 0),
        _ => {}
    }
    a.mov(R::Rdi, R::R15);
    close(a);
    a.load16(R::Rax, M(R::Rsi, 0));
    a.mov_imm(R::R10, (&raw const TABLE[state as usize]) as usize);
    a.jmp_table(R::R10, R::Rax);
}

/// The slow end: the VM finds out how the interpreter goes on.
fn slow_end(a: &mut Asm, replaces: bool) {
    a.mov(R::Rdi, R::R15);
    a.lea(R::Rsi, M(R::Rbp, METHOD));
    a.mov(R::Rdx, R::Rax);
    a.movq_from(R::Rcx, 0);
    a.mov_imm(R::R8, replaces as usize);
    a.mov_imm(R::Rax, slow::after_compiled as *const () as usize);
    a.call(R::Rax);
    a.mov(R::Rdi, R::R15);
    close(a);
    a.mov_imm(R::Rax, continue_at_anchors as *const () as usize);
    a.jmp(R::Rax);
}

/// Makes the adapter for arguments of these kinds.
fn make(args: &[u8], ret: u8) -> Option<usize> {
    let slots: i32 = args.iter().map(|k| if matches!(k, b'l' | b'd') { 2 } else { 1 }).sum();
    let mut a = Asm::default();
    a.load(R::Rax, M(R::R9, offset::METHOD_COMPILED));
    a.mov_imm(R::R10, to_interpreter() as usize);
    a.cmp(R::Rax, R::R10);
    let closed = a.je();
    open(&mut a);
    a.push(R::R9);
    // Where each argument goes; memory arguments in order.
    let (mut ints, mut floats, mut slot) = (0, 0u8, 0);
    let mut loads: Vec<(i32, Result<R, u8>)> = Vec::new();
    let mut memory: Vec<i32> = Vec::new();
    for k in args {
        let at = 8 * (slot - slots);
        slot += if matches!(k, b'l' | b'd') { 2 } else { 1 };
        if matches!(k, b'f' | b'd') {
            if floats < 8 {
                loads.push((at, Err(floats)));
                floats += 1;
                continue;
            }
        } else if ints < INTEGERS.len() {
            loads.push((at, Ok(INTEGERS[ints])));
            ints += 1;
            continue;
        }
        memory.push(at);
    }
    let pad = memory.len() % 2 * 8;
    if pad != 0 {
        a.add(R::Rsp, -8);
    }
    for at in memory.iter().rev() {
        a.push_mem(M(R::R11, *at));
    }
    a.mov(R::Rdi, R::R9);
    for (at, to) in loads {
        match to {
            Ok(r) => a.load(r, M(R::R11, at)),
            Err(x) => a.load_sd(x, M(R::R11, at)),
        }
    }
    a.call(R::Rax);
    let slow = check(&mut a);
    a.load(R::Rsi, M(R::Rbp, PC));
    a.load(R::Rdx, M(R::Rbp, SP));
    a.load(R::Rcx, M(R::Rbp, LP));
    a.load(R::R8, M(R::Rbp, FP));
    if slots != 0 {
        a.add(R::Rdx, -8 * slots);
    }
    leave(&mut a, ret);
    a.bind(slow);
    slow_end(&mut a, false);
    a.bind(closed);
    a.jmp_mem(M(R::R9, offset::METHOD_ENTRY));
    publish(a, Adapter { saved: (8 * memory.len() + pad) as u32, replaces: false })
}

/// Makes the OSR adapter for results of this kind. It is entered like a handler, the code to enter
/// in r9; the objects that the frame has locked are where [`crate::osr`] put them.
fn make_osr(ret: u8) -> Option<usize> {
    let mut a = Asm::default();
    open(&mut a);
    a.load(R::Rax, M(R::R8, -8 * concord_contract::frame::METHOD as i32));
    a.push(R::Rax);
    a.mov(R::Rdi, R::Rax);
    a.mov(R::Rsi, R::Rcx);
    a.load(R::Rdx, M(R::R15, offset_of!(Thread, osr_monitors) as i32));
    a.call(R::R9);
    let slow = check(&mut a);
    // A return from the replaced frame.
    let header = |n: usize| -8 * n as i32;
    a.load(R::Rdx, M(R::Rbp, LP));
    a.load(R::R10, M(R::Rbp, FP));
    a.load(R::Rsi, M(R::R10, header(concord_contract::frame::RETURN_PC)));
    a.load(R::Rcx, M(R::R10, header(concord_contract::frame::CALLER_LP)));
    a.load(R::R8, M(R::R10, header(concord_contract::frame::CALLER_FP)));
    leave(&mut a, ret);
    a.bind(slow);
    slow_end(&mut a, true);
    publish(a, Adapter { saved: 0, replaces: true })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{area, table};
    use concord_contract::Method;
    use concord_contract::compiled::set_to_interpreter;
    use std::mem::MaybeUninit;
    use std::sync::atomic::Ordering;

    extern "sysv64" fn called() {
        panic!("the adapter called the interpreter");
    }
    extern "sysv64" fn entered(th: u64, pc: u64, sp: u64, lp: u64, fp: u64, m: *const Method) -> u64 {
        assert_eq!((th, pc, sp, lp, fp), (1, 2, 3, 4, 5));
        m as u64
    }

    #[test]
    fn a_method_whose_code_was_closed_is_entered_anew() {
        area::init(1 << 16).unwrap();
        table::init(1 << 16);
        set_to_interpreter(called as *mut ());
        let adapter = make(b"ai", b'l').unwrap();
        let mut memory = MaybeUninit::<Method>::zeroed();
        let m = memory.as_mut_ptr();
        // SAFETY: adapters read two words of a method, which are atomics; this one has the convention
        // of `entered`.
        let result = unsafe {
            (*m).entry.store(entered as *mut (), Ordering::Relaxed);
            (*m).compiled.store(to_interpreter(), Ordering::Relaxed);
            let enter: extern "sysv64" fn(u64, u64, u64, u64, u64, *const Method) -> u64 = std::mem::transmute(adapter);
            enter(1, 2, 3, 4, 5, m)
        };
        assert_eq!(result, m as u64);
    }
}
