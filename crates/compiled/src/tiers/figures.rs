//! What compilations have taken and given.
use crate::{area, deopt, install};
use concord_base::options;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Microseconds of compilation, bytes of bytecode compiled, bailouts.
pub(super) static TIME: AtomicU64 = AtomicU64::new(0);
pub(super) static BYTECODE: AtomicU64 = AtomicU64::new(0);
pub(super) static BAILOUTS: AtomicU64 = AtomicU64::new(0);
/// What the last compilation was of, and the last one that failed.
pub(super) static LAST: Mutex<[Option<Subject>; 2]> = Mutex::new([const { None }; 2]);
/// Compilations whose code found no room.
static FULL: AtomicU64 = AtomicU64::new(0);

/// What a compilation was of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// `java/lang/Object hashCode`.
    pub method: String,
    /// Bytes of bytecode.
    pub size: usize,
    pub osr: bool,
}

/// A compilation has found no room for its code.
pub(super) fn full() {
    FULL.fetch_add(1, Ordering::Relaxed);
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let size = area::get().map_or(0, |a| a.size()) >> 10;
        concord_base::errln!("{} warning: CodeCache is full. Compiler has been disabled.", options::VM_NAME);
        concord_base::errln!(
            "{} warning: Try increasing the code cache size using -XX:ReservedCodeCacheSize= ({size}k)",
            options::VM_NAME
        );
    });
}

/// How often the code area had no room.
pub fn full_count() -> u64 {
    FULL.load(Ordering::Relaxed)
}

/// Time that compilations have taken so far.
pub fn compile_time() -> std::time::Duration {
    std::time::Duration::from_micros(TIME.load(Ordering::Relaxed))
}

/// What was compiled last, and the last of which the compilation failed.
pub fn last() -> [Option<Subject>; 2] {
    LAST.lock().expect("last compilations").clone()
}
/// Compilations that ended without code.
pub fn failures() -> u64 {
    BAILOUTS.load(Ordering::Relaxed)
}

/// One line per figure, for statistics at exit.
pub fn report() -> String {
    let us = TIME.load(Ordering::Relaxed);
    let bytes = BYTECODE.load(Ordering::Relaxed);
    let c = &install::COUNTERS;
    let load = |a: &AtomicU64| a.load(Ordering::Relaxed);
    format!(
        "compiled {} ({} OSR), {} bytes of bytecode in {:.1} ms, {} bytes of code, of which {} in use and {} at most, {} bailouts, {} refused, {} invalidated, {} freed, {} exceptions caught; {}",
        load(&c.installed),
        load(&c.installed_osr),
        bytes,
        us as f64 / 1000.0,
        load(&c.bytes),
        area::get().map_or(0, area::Area::used),
        area::get().map_or(0, area::Area::most_used),
        BAILOUTS.load(Ordering::Relaxed),
        load(&c.refused),
        load(&c.invalidated),
        load(&c.freed),
        load(&crate::rows::CAUGHT),
        deopt::counts(),
    )
}
