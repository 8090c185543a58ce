//! Counters for `-Xlog:coverage`: which opcodes, VM entry points and JNI functions a run reached.
//!
//! Invariant: while the tag set is off nothing is counted, and asking costs one relaxed load.
use crate::log::{self, Level, Tag};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Whether this run counts.
#[inline(always)]
pub fn on() -> bool {
    log::enabled(Tag::Coverage, Level::Info)
}

/// One counted place; a static of the function that it counts.
pub struct Site {
    name: &'static str,
    count: AtomicU64,
}
static SITES: Mutex<Vec<&'static Site>> = Mutex::new(Vec::new());

impl Site {
    pub const fn new(name: &'static str) -> Site {
        Site { name, count: AtomicU64::new(0) }
    }
    /// Counts; call it when [`on`].
    #[cold]
    pub fn hit(&'static self) {
        if self.count.fetch_add(1, Ordering::Relaxed) == 0 {
            SITES.lock().expect("coverage sites").push(self);
        }
    }
}

/// How often each opcode stood in a method when that method ran for the first time.
static OPCODES: [AtomicU64; 256] = [const { AtomicU64::new(0) }; 256];

/// Counts an instruction of a method that is about to run for the first time; call it when [`on`].
#[cold]
pub fn opcode(op: u8) {
    OPCODES[op as usize].fetch_add(1, Ordering::Relaxed);
}

/// Prints what was counted, `kind NAME COUNT` per line; `opcode_name` is the class-file room's.
pub fn report(opcode_name: impl Fn(u8) -> Option<&'static str>) {
    if !on() {
        return;
    }
    for (op, count) in (0..=u8::MAX).zip(&OPCODES) {
        let n = count.load(Ordering::Relaxed);
        if let (Some(name), true) = (opcode_name(op), n != 0) {
            row("opcode", name, n);
        }
    }
    let mut sites: Vec<&Site> = SITES.lock().expect("coverage sites").clone();
    sites.sort_by_key(|s| s.name);
    sites.iter().for_each(|s| row("symbol", s.name, s.count.load(Ordering::Relaxed)));
}

/// One line of the report.
pub fn row(kind: &str, name: &str, count: u64) {
    crate::vm_log!(Coverage, Info, "{kind} {name} {count}");
}

/// Counts a call of an exported function by its name.
#[macro_export]
macro_rules! count_symbol {
    ($name:expr) => {
        if $crate::coverage::on() {
            static SITE: $crate::coverage::Site = $crate::coverage::Site::new($name);
            SITE.hit();
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn a_site_is_listed_once() {
        static SITE: Site = Site::new("a_site_is_listed_once");
        SITE.hit();
        SITE.hit();
        let listed = SITES.lock().unwrap().iter().filter(|s| s.name == SITE.name).count();
        assert_eq!((listed, SITE.count.load(Ordering::Relaxed)), (1, 2));
    }
}
