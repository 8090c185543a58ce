//! Superinstructions, laid over words that stay valid instructions of their own.
//!
//! Invariant: only the opcode of the first word changes; the others are what they were. So branch
//! targets, return addresses, deoptimisation and exception ranges inside a superinstruction need
//! no care. Every component but the last is pure (it reads locals, constants, the stack or an
//! array), so a slow case starts again with the plain first component. The one exception, `iinc`,
//! stands only before `goto`, which has no slow case: a poll goes on at the jump's target.
//!
//! Picture: `iload_1 iload_2 if_icmplt L` is three words; the first word's opcode becomes
//! `iload_iload_if_icmplt`, whose handler reads all three operands and jumps by the third.
//! Instructions that differ only in a fixed index or constant are one class here: their words
//! carry the operand, too.
use crate::code::{Code, OPCODES, TRACED};
use crate::dispatch::{Context, Next, Next::Fall, Op, Row, install};
use crate::ops::arith::*;
use crate::ops::array::*;
use crate::ops::branch::*;
use crate::ops::call::{AReturn, IReturn};
use crate::ops::field::*;
use crate::ops::local::*;
use crate::raw::instructions;
use crate::stack::Stack;
use concord_contract::method::Method;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU32, Ordering};

/// Two components.
pub struct Two<A, B, const CODE: u16, const TOP: u8>(PhantomData<(A, B)>);
/// Three components.
pub struct Three<A, B, C, const CODE: u16, const TOP: u8>(PhantomData<(A, B, C)>);

/// Whether a component may stand before the last one, which is `last`.
const fn may_precede(op: u16, last: u16) -> bool {
    // Reads of locals, constants, arrays and the stack; arithmetic that cannot fail.
    matches!(op, 17 | 21 | 22 | 24 | 25 | 46 | 51 | 89 | 96 | 100 | 107 | 126)
        || (op == IInc::CODE && last == GotoOp::CODE)
        // A store to a local before a load from one: no slow case behind it.
        || (matches!(op, 54 | 58) && matches!(last, 21 | 25))
}

impl<A: Op, B: Op, const CODE: u16, const TOP: u8> Op for Two<A, B, CODE, TOP> {
    const CODE: u16 = {
        assert!(may_precede(A::CODE, B::CODE));
        CODE
    };
    const WORDS: usize = A::WORDS + B::WORDS;
    const TOP: u8 = TOP;
    const NAME: &'static str = A::NAME;
    const REPLAY: Option<u16> = Some(A::CODE);
    #[inline(always)]
    unsafe fn run(k: &mut Stack, c: &Context) -> Next {
        // SAFETY: the words behind the first hold the components' operands.
        unsafe {
            match A::run(k, c) {
                Fall => {}
                n => return n,
            }
            B::run(k, &c.at(A::WORDS)).rebase(A::WORDS)
        }
    }
}
impl<A: Op, B: Op, C: Op, const CODE: u16, const TOP: u8> Op for Three<A, B, C, CODE, TOP> {
    const CODE: u16 = {
        assert!(may_precede(A::CODE, C::CODE) && may_precede(B::CODE, C::CODE));
        CODE
    };
    const WORDS: usize = A::WORDS + B::WORDS + C::WORDS;
    const TOP: u8 = TOP;
    const NAME: &'static str = A::NAME;
    const REPLAY: Option<u16> = Some(A::CODE);
    #[inline(always)]
    unsafe fn run(k: &mut Stack, c: &Context) -> Next {
        // SAFETY: as for two components.
        unsafe {
            match A::run(k, c) {
                Fall => {}
                n => return n,
            }
            match B::run(k, &c.at(A::WORDS)) {
                Fall => {}
                n => return n,
            }
            C::run(k, &c.at(A::WORDS + B::WORDS)).rebase(A::WORDS + B::WORDS)
        }
    }
}

macro_rules! supers {
    (@type $code:literal $top:ident $a:ident $b:ident) => { Two<$a, $b, $code, { crate::stack::$top }> };
    (@type $code:literal $top:ident $a:ident $b:ident $c:ident) => { Three<$a, $b, $c, $code, { crate::stack::$top }> };
    ($( $code:literal $top:ident [$($part:ident)+] )*) => {
        /// Opcode and the opcodes of the components.
        pub const SUPERS: &[(u16, &[u16])] = &[$( ($code, &[$($part::CODE),+]) ),*];
        pub const fn fill<const S: u8>(row: &mut Row) {
            $( install::<supers!(@type $code $top $($part)+), S>(row); )*
        }
    };
}

// `TOP` is the kind that may be cached when the first component runs: what it pops, or what a later
// one pops from below it.
supers! {
    320 NONE [ILoad ILoad]
    321 NONE [ILoad ILoad IAdd]
    322 NONE [ILoad ILoad ISub]
    323 NONE [ILoad ILoad IfICmpEq]
    324 NONE [ILoad ILoad IfICmpNe]
    325 NONE [ILoad ILoad IfICmpLt]
    326 NONE [ILoad ILoad IfICmpGe]
    327 NONE [ILoad ILoad IfICmpGt]
    328 NONE [ILoad ILoad IfICmpLe]
    329 ONE [ILoad IfICmpEq]
    330 ONE [ILoad IfICmpNe]
    331 ONE [ILoad IfICmpLt]
    332 ONE [ILoad IfICmpGe]
    333 ONE [ILoad IfICmpGt]
    334 ONE [ILoad IfICmpLe]
    335 NONE [ILoad IfEq]
    336 NONE [ILoad IfNe]
    337 NONE [ILoad IfLt]
    338 NONE [ILoad IfGe]
    339 NONE [ILoad IfGt]
    340 NONE [ILoad IfLe]
    341 NONE [ILoad SiPush]
    342 NONE [ILoad SiPush IAdd]
    343 NONE [ILoad SiPush ISub]
    344 NONE [ILoad SiPush IAnd]
    345 NONE [ILoad SiPush IfICmpEq]
    346 NONE [ILoad SiPush IfICmpNe]
    347 NONE [ILoad SiPush IfICmpLt]
    348 NONE [ILoad SiPush IfICmpGe]
    349 NONE [ILoad SiPush IfICmpGt]
    350 NONE [ILoad SiPush IfICmpLe]
    351 ONE [ILoad IAdd]
    352 ONE [ILoad ISub]
    353 ONE [ILoad IAnd]
    354 NONE [ILoad IStore]
    355 NONE [ILoad IReturn]
    356 ONE [IAdd IStore]
    357 ONE [ISub IStore]
    358 NONE [IInc GotoOp]
    359 NONE [SiPush IStore]
    360 NONE [SiPush IReturn]
    361 ONE [SiPush IAdd]
    362 ONE [SiPush IAnd]
    363 ONE [SiPush ISub]
    364 NONE [ALoad ILoad]
    365 NONE [ALoad ILoad IALoad]
    366 NONE [ALoad ILoad BALoad]
    367 NONE [ALoad ILoad CALoad]
    368 NONE [ALoad ILoad AALoad]
    369 NONE [ALoad ArrayLength]
    370 NONE [ALoad ALoad]
    371 NONE [ALoad DLoad]
    372 NONE [ALoad AReturn]
    373 NONE [ALoad IfNull]
    374 NONE [ALoad IfNonNull]
    375 NONE [DLoad DLoad]
    376 NONE [DLoad DLoad DMul]
    377 DOUBLE [DLoad DMul]
    378 DOUBLE [DLoad DAdd]
    379 DOUBLE [DMul DAdd]
    380 ONE [Dup ILoad]
    381 ONE [IStore ILoad]
    382 ONE [AStore ALoad]
    383 NONE [LLoad LLoad]
    384 NONE [LLoad LLoad LAdd]
    385 LONG [LLoad LAdd]

    400 NONE [ALoad GetFieldB]
    401 NONE [ALoad GetFieldC]
    402 NONE [ALoad GetFieldI]
    403 NONE [ALoad GetFieldL]
    404 NONE [ALoad GetFieldD]
    405 NONE [ALoad GetFieldA]
}
/// The rows above from here contain a quickened field access.
const FIRST_FIELD: u16 = 400;

/// The class of instructions that `op` belongs to, named by the one with an operand.
const fn class(op: u16) -> u16 {
    match op {
        2..=8 => 17,
        26..=45 => 21 + (op - 26) / 4,
        59..=78 => 54 + (op - 59) / 4,
        op => op,
    }
}

/// Classes that occur in superinstructions, numbered from 1; 0 for all others.
const NUMBER: [u8; OPCODES] = {
    let mut t = [0u8; OPCODES];
    let mut next = 1;
    let mut i = 0;
    while i < SUPERS.len() {
        let mut j = 0;
        while j < SUPERS[i].1.len() {
            let op = SUPERS[i].1[j] as usize;
            if t[op] == 0 {
                t[op] = next;
                next += 1;
            }
            j += 1;
        }
        i += 1;
    }
    let mut op = 0;
    while op < 320 {
        t[op] = t[class(op as u16) as usize];
        op += 1;
    }
    t
};
const NUMBERS: usize = 64;

/// Superinstruction of a pair of numbers, and the first triple that begins with the pair.
static PAIRS: [[(u16, u16); NUMBERS]; NUMBERS] = {
    let mut t = [[(0u16, 0u16); NUMBERS]; NUMBERS];
    let mut i = SUPERS.len();
    while i > 0 {
        i -= 1;
        let (code, parts) = SUPERS[i];
        let e = &mut t[NUMBER[parts[0] as usize] as usize][NUMBER[parts[1] as usize] as usize];
        if parts.len() == 2 {
            e.0 = code;
        } else {
            e.1 = i as u16 + 1;
        }
    }
    t
};

/// Fuses while instructions are translated one after the other.
#[derive(Default)]
pub struct Fuser {
    /// Number and word of the last instruction.
    last: (u8, usize),
    /// First triple that may complete the last two, and the word of its head.
    triple: (u16, usize),
}

impl Fuser {
    /// Tells that the word at `at` begins the next instruction.
    #[inline(always)]
    pub fn next(&mut self, words: &mut [u32], at: usize) {
        let n = NUMBER[words[at] as u16 as usize & (OPCODES - 1)];
        if n == 0 {
            *self = Fuser::default();
            return;
        }
        if self.triple.0 != 0 {
            self.complete(words, n);
        }
        let (pair, triple) = PAIRS[self.last.0 as usize][n as usize];
        if pair != 0 {
            let w = &mut words[self.last.1];
            *w = *w & 0xffff_0000 | pair as u32;
        }
        self.triple = (triple, self.last.1);
        self.last = (n, at);
    }
    /// Looks for the triple among those that begin with the same pair; they are neighbours or few.
    fn complete(&self, words: &mut [u32], n: u8) {
        let first = self.triple.0 as usize - 1;
        let head = SUPERS[first].1;
        for (code, parts) in &SUPERS[first..] {
            if parts.len() == 3 && parts[..2] == head[..2] && NUMBER[parts[2] as usize] == n {
                let w = &mut words[self.triple.1];
                *w = *w & 0xffff_0000 | *code as u32;
                return;
            }
        }
    }
}

/// Whether the superinstruction `op` contains a quickened field access.
pub fn has_field(op: u16) -> bool {
    (FIRST_FIELD..TRACED).contains(&op)
}

/// The plain first component of the superinstruction `op`; `op` itself if it is none.
pub fn head(op: u16) -> u16 {
    SUPERS.iter().find(|s| s.0 == op).map_or(op, |s| s.1[0])
}

/// Lays a superinstruction over `aload` and the field access at `pc` that was just quickened.
pub fn fuse_field(m: &Method, pc: *const u32) {
    let Some(code) = Code::of(m) else { return };
    let Some(at) = code.index_of(pc).filter(|i| *i > 0) else { return };
    let op = |i: usize| code.words()[i].load(Ordering::Relaxed) as u16;
    let replace =
        |w: &AtomicU32, op: u16| w.store(w.load(Ordering::Relaxed) & 0xffff_0000 | op as u32, Ordering::Release);
    let pair = SUPERS.iter().find(|s| s.0 >= FIRST_FIELD && s.1[1] == op(at));
    let Some((fused, _)) = pair else { return };
    // The word before may also be the last operand word of something else.
    if class(op(at - 1)) != ALoad::CODE || !starts(m, at - 1) {
        return;
    }
    replace(&code.words()[at - 1], *fused);
    // `aload aload` in front would step over the new head.
    if at > 1 && op(at - 2) == 370 && starts(m, at - 2) {
        replace(&code.words()[at - 2], ALoad::CODE);
    }
}

fn starts(m: &Method, word: usize) -> bool {
    instructions(m.bytecode).any(|(_, w)| w == word)
}
