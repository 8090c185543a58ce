//! The bytecode table: one row per opcode, by topic.
//!
//! Invariant: opcodes 0-201 are those of the class file, with plain (Java memory model) stores;
//! what the translator or quickening makes of them stands above. A row names the words of the
//! instruction, the kind that may be cached on top of the stack (`NONE`: any), and the body.
//! Bodies follow the rules of [`crate::dispatch`]: no calls, no panics, no locals with `Drop`.
use crate::code::OPCODES;
use crate::dispatch::{Context, Handler, Op, Row, bad};
use crate::stack::{NONE, Stack};
use concord_contract::Thread;

/// Declares rows: `code name Type words TOP |stack, context| { body }`.
macro_rules! bytecodes {
    ($( $code:literal $name:ident $op:ident $words:literal $top:ident |$k:ident, $c:ident| $body:block )*) => {
        $(
            pub struct $op;
            impl $crate::dispatch::Op for $op {
                const CODE: u16 = $code;
                const WORDS: usize = $words;
                const TOP: u8 = $crate::stack::$top;
                const NAME: &'static str = stringify!($name);
                #[inline(always)]
                #[allow(unused_variables, unused_unsafe)]
                unsafe fn run($k: &mut $crate::stack::Stack, $c: &$crate::dispatch::Context) -> $crate::dispatch::Next {
                    // SAFETY: the caller runs this instruction in verified code, so the operand
                    // stack and the locals hold what the row says, and heap cells that resolved
                    // operands name exist.
                    unsafe { $body }
                }
            }
        )*
        /// Puts the rows of this file into the dispatch row of state `S`.
        pub const fn fill<const S: u8>(row: &mut $crate::dispatch::Row) {
            $( $crate::dispatch::install::<$op, S>(row); )*
        }
        /// Opcode, name and length in words of the rows of this file.
        pub const NAMES: &[(u16, &str, u8)] = &[$( ($code, stringify!($name), $words) ),*];
    };
}

pub mod arith;
pub mod array;
pub mod branch;
pub mod call;
pub mod field;
pub mod local;
pub mod object;

/// The dispatch row of cache state `S`.
pub const fn row<const S: u8>() -> Row {
    let mut r: Row = [bad as Handler; OPCODES];
    arith::fill::<S>(&mut r);
    array::fill::<S>(&mut r);
    branch::fill::<S>(&mut r);
    call::fill::<S>(&mut r);
    field::fill::<S>(&mut r);
    local::fill::<S>(&mut r);
    object::fill::<S>(&mut r);
    crate::supers::fill::<S>(&mut r);
    r
}

/// All rows: opcode, name, length in words.
pub fn names() -> impl Iterator<Item = (u16, &'static str, u8)> {
    [arith::NAMES, array::NAMES, branch::NAMES, call::NAMES, field::NAMES, local::NAMES, object::NAMES]
        .into_iter()
        .flatten()
        .copied()
}

/// Stands in the table for every opcode of traced code: reports the instruction, then runs it.
///
/// # Safety
/// As every handler.
#[cold]
#[unsafe(link_section = "interp_cold")]
pub unsafe extern "sysv64" fn trace<const S: u8>(
    th: *const Thread,
    pc: *const u32,
    sp: *mut u64,
    lp: *mut u64,
    fp: *mut u64,
    tos: u64,
    ftos: f64,
) {
    // SAFETY: as for the traced handler; the anchors are set before the runtime is called.
    unsafe {
        let mut k = Stack::new(S, sp, tos, ftos);
        k.flush(0);
        if crate::slow::trace(&*th, pc, k.sp, lp, fp) {
            return crate::dispatch::resume(th);
        }
        let c = Context { th, pc, lp, fp };
        crate::dispatch::run_untraced(&c, &Stack::new(NONE, k.sp, 0, 0.0))
    }
}

const _: () = assert!(<object::Exit as Op>::CODE < crate::code::TRACED);
