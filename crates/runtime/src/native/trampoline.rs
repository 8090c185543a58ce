//! Calling a C function whose signature is known at run time only (System V ABI, x86-64).
//!
//! Invariant: arguments are distributed by the descriptor into 6 integer registers, 8 vector
//! registers and the stack, in that order; nothing of the callee's is preserved but what the ABI
//! says.
use crate::handles;
use crate::info::MethodExt;
use concord_contract::{BasicType, JResult, MethodRef, Thread, Thrown};
use std::arch::naked_asm;

const GP: usize = 6;
const FP: usize = 8;
/// 255 parameters (JVMS 4.11), environment and class.
const MAX_STACK: usize = 258;
/// Enough for nearly all natives: recursion through native code should not pay for the limit.
const SMALL_STACK: usize = 12;

/// Calls `function` with the registers and the stack given; `out` gets rax and xmm0.
///
/// # Safety
/// `gp` has 6, `fp` 8, `stack` `n` words that are the arguments `function` expects.
#[unsafe(naked)]
unsafe extern "C" fn enter(
    function: *mut (),
    gp: *const u64,
    fp: *const u64,
    stack: *const u64,
    n: usize,
    out: *mut [u64; 2],
) {
    naked_asm!(
        // Unwinders (crash reports, profilers) walk through native calls by these notes.
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        "push rbx",
        "push r12",
        ".cfi_offset rbx, -24",
        ".cfi_offset r12, -32",
        "mov rbx, r9",
        "mov r11, rdi",
        "mov r10, rsi",
        // An odd number of stack words would leave the stack misaligned at the call.
        "test r8, 1",
        "je 2f",
        "sub rsp, 8",
        "2:",
        "test r8, r8",
        "je 4f",
        "3:",
        "push qword ptr [rcx + 8*r8 - 8]",
        "dec r8",
        "jne 3b",
        "4:",
        "movsd xmm0, qword ptr [rdx]",
        "movsd xmm1, qword ptr [rdx + 8]",
        "movsd xmm2, qword ptr [rdx + 16]",
        "movsd xmm3, qword ptr [rdx + 24]",
        "movsd xmm4, qword ptr [rdx + 32]",
        "movsd xmm5, qword ptr [rdx + 40]",
        "movsd xmm6, qword ptr [rdx + 48]",
        "movsd xmm7, qword ptr [rdx + 56]",
        "mov rdi, [r10]",
        "mov rsi, [r10 + 8]",
        "mov rdx, [r10 + 16]",
        "mov rcx, [r10 + 24]",
        "mov r8, [r10 + 32]",
        "mov r9, [r10 + 40]",
        "mov eax, 8",
        "call r11",
        "mov [rbx], rax",
        "movsd qword ptr [rbx + 8], xmm0",
        "lea rsp, [rbp - 16]",
        "pop r12",
        "pop rbx",
        "pop rbp",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
    )
}

struct Registers<const STACK: usize> {
    gp: [u64; GP],
    fp: [u64; FP],
    stack: [u64; STACK],
    n_gp: usize,
    n_fp: usize,
    n_stack: usize,
}

impl<const STACK: usize> Registers<STACK> {
    fn new() -> Self {
        Registers { gp: [0; GP], fp: [0; FP], stack: [0; STACK], n_gp: 0, n_fp: 0, n_stack: 0 }
    }
    #[inline]
    fn int(&mut self, v: u64) {
        if self.n_gp < GP {
            self.gp[self.n_gp] = v;
            self.n_gp += 1;
        } else {
            self.push(v);
        }
    }
    #[inline]
    fn float(&mut self, v: u64) {
        if self.n_fp < FP {
            self.fp[self.n_fp] = v;
            self.n_fp += 1;
        } else {
            self.push(v);
        }
    }
    fn push(&mut self, v: u64) {
        self.stack[self.n_stack] = v;
        self.n_stack += 1;
    }
}

/// A value of type `t` as a slot, from an integer and from a vector register, of which C defines as many bits as `t` has.
pub(crate) fn normalise(t: BasicType, out: [u64; 2]) -> u64 {
    let raw = out[0];
    match t {
        BasicType::Boolean => (raw as u8 != 0) as u64,
        BasicType::Byte => raw as i8 as i32 as u32 as u64,
        BasicType::Char => raw as u16 as u64,
        BasicType::Short => raw as i16 as i32 as u32 as u64,
        BasicType::Int => raw as u32 as u64,
        BasicType::Long | BasicType::Object => raw,
        BasicType::Float => out[1] as u32 as u64,
        BasicType::Double => out[1],
        BasicType::Void => 0,
    }
}

/// Distributes the slots at `args` by parameter types; references become what `handle` makes.
///
/// # Safety
/// `args` has the slots that `params` describe.
unsafe fn distribute<const STACK: usize>(
    r: &mut Registers<STACK>,
    params: &[BasicType],
    mut args: *const u64,
    handle: impl Fn(u64) -> u64,
) {
    for t in params {
        // SAFETY: the caller vouches for the slots.
        let v = unsafe { *args };
        match t {
            BasicType::Object => r.int(handle(v)),
            BasicType::Float | BasicType::Double => r.float(v),
            _ => r.int(v),
        }
        // SAFETY: as above; at most one past the end.
        args = unsafe { args.add(t.slots()) };
    }
}

/// Calls the JNI function of `m`.
///
/// # Safety
/// `function` is that function; `args` are the slots of this call.
pub(super) unsafe fn call(th: &Thread, m: MethodRef, function: *mut (), args: *const u64) -> JResult<u64> {
    // SAFETY: the caller's contract.
    unsafe {
        if m.nargs() + 2 <= SMALL_STACK {
            call_with::<SMALL_STACK>(th, m, function, args)
        } else {
            call_with::<MAX_STACK>(th, m, function, args)
        }
    }
}

/// # Safety
/// As for [`call`]; the arguments fit `STACK` words.
#[inline(never)]
unsafe fn call_with<const STACK: usize>(
    th: &Thread,
    m: MethodRef,
    function: *mut (),
    mut args: *const u64,
) -> JResult<u64> {
    let saved = th.push_handles();
    let handle = |address: u64| {
        // SAFETY: a reference slot holds null or the address of a live object.
        th.new_handle(unsafe { concord_contract::Obj::from_addr(address as usize) }) as u64
    };
    let mut r = Registers::<STACK>::new();
    r.int(th as *const Thread as u64);
    if m.is_static() {
        r.int(handle(m.class.mirror.get().addr() as u64));
    } else {
        // SAFETY: the receiver is the first slot.
        r.int(handle(unsafe { *args }));
        // SAFETY: as above.
        args = unsafe { args.add(1) };
    }
    // SAFETY: the caller vouches for the slots.
    unsafe { distribute(&mut r, &MethodExt::info(m).params, args, handle) };
    let mut out = [0u64; 2];
    let checked = super::check::Call::begin(th);
    concord_safepoint::to_native(th);
    // SAFETY: registers and stack hold what the descriptor says, which the function was linked for.
    unsafe { enter(function, r.gp.as_ptr(), r.fp.as_ptr(), r.stack.as_ptr(), r.n_stack, &mut out) };
    concord_safepoint::to_vm(th);
    drop(checked);
    let result = match m.ret {
        // SAFETY: JNI: the function returns null or a reference that is valid until it returns.
        BasicType::Object => unsafe { handles::resolve(out[0] as *mut u64) }.addr() as u64,
        t => normalise(t, out),
    };
    th.pop_handles(saved);
    if th.has_exception() { Err(Thrown) } else { Ok(result) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use BasicType::*;

    /// More arguments of both kinds than registers, interleaved, with an odd and an even rest.
    extern "C" fn many(
        a: i64,
        b: f64,
        c: i32,
        d: f32,
        e: i64,
        f: f64,
        g: i64,
        h: f64,
        i: i64,
        j: f64,
        k: i64,
        l: f64,
        m: i64,
        n: f64,
        o: i64,
        p: f64,
        q: f32,
        s: i32,
    ) -> f64 {
        let ints = [a, c as i64, e, g, i, k, m, o, s as i64];
        let floats = [b, d as f64, f, h, j, l, n, p, q as f64];
        let weigh = |v: f64, at: usize| v * (at + 1) as f64;
        ints.iter().enumerate().map(|(at, v)| weigh(*v as f64, at)).sum::<f64>()
            + floats.iter().enumerate().map(|(at, v)| weigh(*v, 100 + at)).sum::<f64>()
    }

    #[test]
    fn registers_and_stack_get_their_arguments() {
        let params = [
            Long, Double, Int, Float, Long, Double, Long, Double, Long, Double, Long, Double, Long, Double, Long,
            Double, Float, Int,
        ];
        let mut slots = Vec::new();
        for (i, t) in params.iter().enumerate() {
            slots.push(match t {
                Float => (i as f32).to_bits() as u64,
                Double => (i as f64).to_bits(),
                _ => (i as i32 - 20) as i64 as u64,
            });
            slots.extend(vec![0; t.slots() - 1]);
        }
        let mut r = Registers::<SMALL_STACK>::new();
        let mut out = [0; 2];
        // SAFETY: slots and registers are those of `many`'s signature.
        unsafe {
            distribute(&mut r, &params, slots.as_ptr(), |_| unreachable!("no references"));
            enter(many as *mut (), r.gp.as_ptr(), r.fp.as_ptr(), r.stack.as_ptr(), r.n_stack, &mut out);
        }
        let want = many(-20, 1.0, -18, 3.0, -16, 5.0, -14, 7.0, -12, 9.0, -10, 11.0, -8, 13.0, -6, 15.0, 16.0, -3);
        assert_eq!(normalise(Double, out), want.to_bits());
        assert_eq!(r.n_stack, 4);
    }

    #[test]
    fn results_are_normalised() {
        assert_eq!(normalise(Boolean, [0xabcd_ef00, 0]), 0);
        assert_eq!(normalise(Boolean, [0x80, 0]), 1);
        assert_eq!(normalise(Byte, [0xff80, 0]), 0xffff_ff80);
        assert_eq!(normalise(Char, [0xdead_ffff, 0]), 0xffff);
        assert_eq!(normalise(Short, [0xdead_8000, 0]), 0xffff_8000);
        assert_eq!(normalise(Int, [u64::MAX, 0]), 0xffff_ffff);
    }
}
