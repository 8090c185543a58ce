//! Executes bytecode.
//!
//! Invariant: Java code runs on the thread's Java stack only; a call from interpreted to
//! interpreted code does not recurse on the native stack. Handlers are Rust functions that end in
//! sibling calls with all state in registers; the runtime is entered with the state in the thread
//! block (`contract::frame` describes the frames).
//!
//! Deliberately absent: assembler, run-time code generation, a `loop { match }`.
//!
//! ```text
//!   Engine::invoke -> entry -> handler -> handler -> ... -> EXIT
//!                       |         \-> slow::stub -> runtime rows -> unwind
//!                       \-> first_call: translate
//! ```
//!
//! | module | owns |
//! |---|---|
//! | [`ops`] | the bytecode table |
//! | [`dispatch`], [`jump`] | calling convention, how a handler reaches the next |
//! | [`stack`], [`value`], [`heap`], `locks` | what handlers are made of |
//! | [`translate`], [`raw`], [`code`], [`supers`], [`flush`] | words |
//! | [`entry`], [`accessors`], [`handles`], [`maths`] | method entries |
//! | [`slow`], [`unwind`], [`heat`] | what leaves the handlers |
//! | [`profile`] | what warm methods count |
//! | [`counting`] | stores and fences, when they are counted |
//! | [`debug`] | instructions that report themselves |
pub mod accessors;
pub mod code;
pub mod counting;
pub mod debug;
pub mod dispatch;
pub mod entry;
pub mod flush;
pub mod handles;
pub mod heap;
pub mod heat;
pub mod jump;
mod locks;
pub mod maths;
pub mod ops;
pub mod profile;
pub mod raw;
pub mod slow;
pub mod stack;
pub mod supers;
pub mod text;
pub mod translate;
pub mod unwind;
pub mod value;

#[cfg(test)]
mod tests;

pub use code::{bci_at, word_at};
pub use handles::OFFSETS as MH_OFFSETS;

use concord_base::log::{Level, Tag, enabled};
use concord_contract::entries::{self, Engine};
use concord_contract::method::{Method, MethodRef};
use concord_contract::profile::{Counters, MethodProfile};
use concord_contract::{JResult, Thread};
use std::sync::atomic::{AtomicBool, Ordering};

/// Choices that are fixed before the first method is translated.
pub struct Options {
    pub supers: AtomicBool,
}
pub static OPTIONS: Options = Options { supers: AtomicBool::new(true) };

/// The engine, for `entries::set_engine`.
pub struct Interpreter;
pub static INTERPRETER: Interpreter = Interpreter;

/// Whether methods translated now report every instruction.
pub(crate) fn tracing() -> bool {
    enabled(Tag::Interpreter, Level::Trace)
}

impl Engine for Interpreter {
    fn invoke(&self, th: &Thread, m: &'static Method, args: &[u64]) -> JResult<u64> {
        entry::call(th, m, args)
    }
    fn invoke_on_thread(&self, th: &Thread, m: &'static Method) -> JResult<u64> {
        // SAFETY: the method takes the object alone.
        entry::call_with(th, m, 1, |base| unsafe { *base = th.java_thread.get().addr() as u64 })
    }
    fn install(&self, m: &'static Method) {
        m.entry.store(entry::initial(m) as *mut (), Ordering::Release);
        let compiled = entries::tiers().map_or(std::ptr::null_mut(), |t| t.compiled_entry(m));
        m.compiled.store(compiled, Ordering::Release);
    }
    fn bci_at(&self, m: &'static Method, word: *const u32) -> u16 {
        code::bci_at(m, word)
    }
    fn relaid(&self, ids: &[(u32, u32)]) {
        slow::early::forget();
        flush::flush();
        profile::renumber(ids);
    }
    fn aged(&self, m: &'static Method, old: &'static Method) {
        if debug::aged(m, old) {
            flush::register(old);
        }
    }
    fn replaced(&self, m: &'static Method) {
        slow::early::forget();
        debug::replaced(m);
        m.engine.store(std::ptr::null_mut(), Ordering::Release);
        m.code.store(std::ptr::null_mut(), Ordering::Release);
        m.entry.store(entry::initial(m) as *mut (), Ordering::Release);
    }
    fn set_method_handle_offsets(&self, o: concord_contract::method::MhOffsets) {
        let to = &handles::OFFSETS;
        to.form.store(o.form, Ordering::Relaxed);
        to.vmentry.store(o.vmentry, Ordering::Relaxed);
        to.method.store(o.method, Ordering::Relaxed);
        to.vmtarget.store(o.vmtarget, Ordering::Relaxed);
        to.vmindex.store(o.vmindex, Ordering::Release);
    }
    fn forget(&self, methods: &[&'static Method]) {
        slow::early::forget();
        flush::forget(methods);
    }
    fn attach(&self, th: &Thread) {
        if let Some(a) = profile::area::get() {
            a.attach(th);
        }
    }
    fn detach(&self, th: &Thread) {
        if let Some(a) = profile::area::get() {
            a.detach(th);
        }
    }
    fn profile(&self, m: &Method) -> Option<MethodProfile> {
        profile::snapshot(m)
    }
    fn counters(&self, m: MethodRef) -> Option<Counters> {
        profile::counters(m)
    }
}
