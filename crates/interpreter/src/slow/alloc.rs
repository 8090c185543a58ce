//! Allocation that does not fit the bump area, or needs a class first.
use super::Activation;
use concord_contract::class::Class;
use concord_contract::method::CpEntry;
use concord_contract::{BasicType, JResult, entries};
use std::sync::atomic::{AtomicPtr, Ordering};

/// Array classes by the code of `newarray`; filled at the first use of each.
static PRIMITIVE_ARRAYS: [AtomicPtr<Class>; 16] = [const { AtomicPtr::new(std::ptr::null_mut()) }; 16];

/// The array class of a `newarray` code, or null before its first use.
#[inline(always)]
pub fn primitive_array(code: usize) -> *const Class {
    PRIMITIVE_ARRAYS[code & 15].load(Ordering::Acquire)
}

pub(super) fn new(f: &Activation) -> JResult<()> {
    let e: &CpEntry = f.entry(f.instruction().1);
    let o = entries::new_instance(f.0, f.class(e.a.load(Ordering::Relaxed)))?;
    f.push(o.addr() as u64, 1);
    f.advance(1);
    Ok(())
}

pub(super) fn new_array(f: &Activation) -> JResult<()> {
    let code = f.instruction().1;
    let Some(ty) = BasicType::from_newarray(code as u8) else {
        concord_base::bug!("newarray of type {code} passed verification")
    };
    let class = entries::primitive_array_class(f.0, ty);
    PRIMITIVE_ARRAYS[code as usize & 15].store(class as *const Class as *mut Class, Ordering::Release);
    array_of(f, class)
}

pub(super) fn anew_array(f: &Activation) -> JResult<()> {
    let e: &CpEntry = f.entry(f.instruction().1);
    array_of(f, f.class(e.b.load(Ordering::Relaxed)))
}

fn array_of(f: &Activation, class: &'static Class) -> JResult<()> {
    let a = entries::new_array(f.0, class, f.peek(1) as u32 as i32)?;
    f.drop(1);
    f.push(a.addr() as u64, 1);
    f.advance(1);
    Ok(())
}

pub(super) fn multi(f: &Activation, class: &'static Class, dims: usize) -> JResult<()> {
    let lens: Vec<i32> = (1..=dims).rev().map(|n| f.peek(n) as u32 as i32).collect();
    let a = entries::multi_new_array(f.0, class, &lens)?;
    f.drop(dims);
    f.push(a.addr() as u64, 1);
    f.advance(2);
    Ok(())
}
