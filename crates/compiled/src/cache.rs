//! What is in the code area, in HotSpot's words: `-XX:+PrintCodeCache`, and the answers of
//! `jcmd PID Compiler.codecache`, `Compiler.codelist` and `Compiler.queue`.
//!
//! Invariant: the caller is a thread in the VM, so no stop takes code away while it is listed.
//! There is one segment, as with HotSpot's `-XX:-SegmentedCodeCache`, and everything in it is code
//! of a method or an adapter; the VM's own stubs are part of its library.
use crate::{area, print, table, tiers};
use concord_base::options::{self, Mode};
use concord_contract::compiling;
use std::fmt::Write;

/// Bytes of the code area, for `MemoryPoolMXBean`.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    pub initial: usize,
    pub used: usize,
    /// Most that were in use since the start or [`reset_peak`].
    pub peak: usize,
    /// Address space that has been used, or was asked for at the start.
    pub committed: usize,
    pub size: usize,
}

/// None if nothing is ever compiled.
pub fn usage() -> Option<Usage> {
    let a = area::get()?;
    let initial = (options::get().flags.initial_code_cache_size as usize).min(a.size());
    let committed = a.high().next_multiple_of(1 << 16).max(initial);
    Some(Usage { initial, used: a.used(), peak: a.peak(), committed, size: a.size() })
}

/// The peak begins again at what is in use.
pub fn reset_peak() {
    if let Some(a) = area::get() {
        a.reset_peak();
    }
}

/// Layout and bounds.
pub fn summary() -> String {
    let Some(u) = usage() else { return "compilation: disabled (interpreter mode)\n".into() };
    let (mut methods, mut adapters) = (0, 0);
    table::methods(|_| methods += 1);
    table::stubs(|_| adapters += 1);
    let most = area::get().map_or(0, area::Area::most_used);
    let [size, used, most, free] = [u.size, u.used, most, u.size - u.used].map(|n| n >> 10);
    let low = area::get().map_or(0, |a| a.address_of(0));
    let state = match (tiers::enabled(), options::get().mode) {
        (true, _) => "enabled",
        (false, Mode::Interpreted) => "disabled (interpreter mode)",
        (false, _) => "disabled",
    };
    format!(
        "CodeCache: size={size}Kb used={used}Kb max_used={most}Kb free={free}Kb\n \
         bounds [0x{low:016x}, 0x{:016x}, 0x{:016x}]\n \
         total_blobs={} nmethods={methods} adapters={adapters}\n \
         compilation: {state}\n              \
         stopped_count=0, restarted_count=0\n \
         full_count={}\n",
        low + u.committed,
        low + u.size,
        methods + adapters,
        tiers::full_count(),
    )
}

/// All code of methods, by ascending address: number, tier, state (0 in use, 2 not entered any
/// more), method, begin of the piece and of its code, end.
pub fn list() -> String {
    let mut s = String::new();
    table::methods(|c| {
        let m = c.method;
        let class = m.class.name.as_str().replace('/', ".");
        let state = if c.is_valid() { 0 } else { 2 };
        let _infallible = writeln!(
            s,
            "{} 1 {state} {class}.{}{} [0x{:016x}, 0x{:016x} - 0x{:016x}]",
            c.id,
            m.name.as_str(),
            m.descriptor.as_str(),
            c.start,
            c.start,
            c.end
        );
    });
    s
}

/// What is being compiled, and what waits.
pub fn queue() -> String {
    let mut s = String::from("Current compiles: \n");
    for c in compiling::all() {
        s.push_str(&print::task(c.method, c.osr_bci, c.id));
    }
    s.push_str("\nC1 compile queue:\n");
    let waiting = tiers::waiting();
    if waiting.is_empty() {
        s.push_str("Empty\n");
    }
    for (m, osr, id) in waiting {
        s.push_str(&print::task(m, osr, id));
    }
    s.push('\n');
    s
}
