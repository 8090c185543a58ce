//! Taking back what was quickened.
//!
//! Invariant: after [`flush`], no word of any translated method holds a field offset, nor skips a
//! test of a class's initialization; the next execution resolves again. Runs while all threads are
//! stopped, so single words may be changed.
use crate::code::{Code, TRACED, word};
use crate::raw::{instructions, u16_at};
use crate::{profile, supers};
use concord_contract::class::flags;
use concord_contract::layout;
use concord_contract::method::{Method, MethodRef};
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

static TRANSLATED: Mutex<Vec<MethodRef>> = Mutex::new(Vec::new());

/// Remembers a method that has code, or will have.
pub fn register(m: MethodRef) {
    TRANSLATED.lock().expect("list of translated methods poisoned").push(m);
}

/// Whether no method has code yet.
pub fn is_empty() -> bool {
    TRANSLATED.lock().expect("list of translated methods poisoned").is_empty()
}
/// Visits the methods that have code.
pub fn for_each(mut f: impl FnMut(MethodRef, &'static Code)) {
    let methods = TRANSLATED.lock().expect("list of translated methods poisoned").clone();
    for m in methods {
        if let Some(code) = Code::of(m) {
            f(m, code);
        }
    }
}
/// Drops the code of methods that no thread runs or will call, and what profiles say of classes that
/// go with them.
pub fn forget(methods: &[MethodRef]) {
    let gone: HashSet<usize> = methods.iter().map(|m| *m as *const Method as usize).collect();
    TRANSLATED
        .lock()
        .expect("list of translated methods poisoned")
        .retain(|m| !gone.contains(&(*m as *const Method as usize)));
    profile::forget(|m| gone.contains(&(std::ptr::from_ref(m) as usize)));
    profile::purge(|id| layout::class_of(id).has_flag(flags::UNLOADED));
    for m in methods {
        Code::discard(m);
    }
}

/// Unquickens field accesses, static accesses, static calls and allocations everywhere. Which
/// class they belong to is not in the words, and flushing is rare.
pub fn flush() {
    let mut methods = TRANSLATED.lock().expect("list of translated methods poisoned");
    methods.sort_by_key(|m| *m as *const Method as usize);
    methods.dedup();
    for m in methods.iter() {
        if let Some(code) = Code::of(m) {
            flush_method(m, code);
        }
    }
}

fn flush_method(m: &Method, code: &Code) {
    for (bci, w) in instructions(m.bytecode) {
        let old = code.words()[w].load(Ordering::Relaxed);
        let traced = old as u16 & TRACED;
        let raw = m.bytecode[bci] as u16;
        let stale = match old as u16 & (TRACED - 1) {
            210..=269 | 280 | 290 => Some(word(raw | traced, u16_at(m.bytecode, bci + 1))),
            op if supers::has_field(op) => Some(supers::head(op) as u32 | (old & 0xffff_0000)),
            _ => None,
        };
        if let Some(v) = stale {
            code.words()[w].store(v, Ordering::Release);
        }
    }
}
