//! Entries of methods that need no frame: empty ones and getters.
//!
//! Invariant: such an entry does what the method's words do, and checks at each call that they
//! still are what it was chosen for; otherwise it goes to the normal entry. It counts no heat: a
//! compiler inlines these methods into callers that do.
use crate::dispatch::{Context, Handler, dispatch};
use crate::entry::normal;
use crate::heap;
use crate::stack::{NONE, Stack};
use crate::value::{Byte, Cell, Char, Double, Int, Long, Reference, Short};
use concord_contract::class::flags;
use concord_contract::method::{Method, mflags};
use concord_contract::{BasicType, Thread};
use std::sync::atomic::{AtomicU32, Ordering};

/// The entry for a translated method without instructions but `return`.
pub fn empty_entry(m: &Method) -> Option<Handler> {
    if m.bytecode != [177] || m.is_synchronized() || crate::tracing() {
        return None;
    }
    Some(if m.has(mflags::OBJECT_INIT) { object_init } else { empty })
}

/// Gives `m` a getter's entry if it is one whose field access, of type `ty`, was just quickened.
pub fn install_getter(m: &Method, ty: BasicType) {
    // aload_0 getfield xreturn
    let [42, 180, _, _, 172..=176] = m.bytecode else { return };
    if m.is_static() || m.is_synchronized() || m.ret != ty || m.nargs_bytes != 8 {
        return;
    }
    let entry: Handler = match ty {
        BasicType::Boolean | BasicType::Byte => getter::<Byte, 210>,
        BasicType::Char => getter::<Char, 211>,
        BasicType::Short => getter::<Short, 212>,
        BasicType::Int | BasicType::Float => getter::<Int, 213>,
        BasicType::Long => getter::<Long, 214>,
        BasicType::Double => getter::<Double, 215>,
        BasicType::Object => getter::<Reference, 216>,
        BasicType::Void => return,
    };
    // Compiled code, once installed, stays.
    let _lost = m.entry.compare_exchange(
        normal as *const () as *mut (),
        entry as *const () as *mut (),
        Ordering::AcqRel,
        Ordering::Relaxed,
    );
}

/// # Safety
/// As every entry.
#[unsafe(link_section = "interp_text")]
unsafe extern "sysv64" fn getter<C: Cell, const OP: u16>(
    th: *const Thread,
    pc: *const u32,
    sp: *mut u64,
    lp: *mut u64,
    fp: *mut u64,
    method: u64,
    ftos: f64,
) {
    // SAFETY: the method has code; its only argument is below `sp`; a quickened field access that
    // is in place holds the offset in every instance that the verifier lets through.
    unsafe {
        let access = (*method_code(method).add(1)).load(Ordering::Relaxed);
        let receiver = *sp.sub(1);
        if access as u16 != OP || receiver == 0 {
            return normal(th, pc, sp, lp, fp, method, ftos);
        }
        let mut k = Stack::new(NONE, sp.sub(1), 0, 0.0);
        k.push(C::load(receiver + (access >> 16) as u64));
        dispatch(&Context { th, pc, lp, fp }, pc, &k, method, ftos)
    }
}

/// # Safety
/// `method` is a translated method.
#[inline(always)]
unsafe fn method_code(method: u64) -> *const AtomicU32 {
    // SAFETY: by the caller's word.
    unsafe { (*(method as *const Method)).code.load(Ordering::Relaxed) as *const AtomicU32 }
}

/// # Safety
/// As every entry.
#[unsafe(link_section = "interp_text")]
unsafe extern "sysv64" fn empty(
    th: *const Thread,
    pc: *const u32,
    sp: *mut u64,
    lp: *mut u64,
    fp: *mut u64,
    method: u64,
    ftos: f64,
) {
    // SAFETY: the arguments are below `sp`; dropping them is all that the method does.
    unsafe {
        let sp = (sp as *mut u8).sub((*(method as *const Method)).nargs_bytes as usize) as *mut u64;
        dispatch(&Context { th, pc, lp, fp }, pc, &Stack::new(NONE, sp, 0, 0.0), method, ftos)
    }
}

/// `Object.<init>`: empty, but for objects with a finalizer.
///
/// # Safety
/// As every entry.
#[unsafe(link_section = "interp_text")]
unsafe extern "sysv64" fn object_init(
    th: *const Thread,
    pc: *const u32,
    sp: *mut u64,
    lp: *mut u64,
    fp: *mut u64,
    method: u64,
    ftos: f64,
) {
    // SAFETY: the only argument is the new object.
    unsafe {
        let class = heap::class_of(*sp.sub(1));
        if (*class).flags.load(Ordering::Relaxed) & flags::FINALIZER != 0 {
            return normal(th, pc, sp, lp, fp, method, ftos);
        }
        dispatch(&Context { th, pc, lp, fp }, pc, &Stack::new(NONE, sp.sub(1), 0, 0.0), method, ftos)
    }
}
