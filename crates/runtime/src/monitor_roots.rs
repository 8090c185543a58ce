//! Monitors as the collector sees them (monitors sheet 3.3).
//!
//! Invariant: a record that somebody owns, enters or waits on keeps its object alive; any other is
//! weak, is taken off its object at each collection, and is freed with a dead one; the memory of
//! idle records goes back to the system then (C31). Records hold plain addresses, so they are told
//! where their objects have moved.
use crate::sync;
use concord_base::vm_log;
use concord_contract::Obj;
use concord_monitors::{AtomicU32, MonitorThread, Verdict};
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// Copies of the addresses in strong records: the words that the collector takes for roots. They
/// live until the next collection refills them.
static STRONG: Mutex<Vec<u64>> = Mutex::new(Vec::new());

/// Visits the objects of monitors in use; the world is stopped.
pub fn strong_slots(slots: &mut dyn FnMut(*mut u64)) {
    let mut words = STRONG.lock().expect("monitor roots");
    words.clear();
    // SAFETY: the collector calls this while the world is stopped.
    let stop = unsafe { sync::table().at_stop() };
    stop.for_each_attached(|a| {
        if a.is_strong() {
            words.push(a.object());
        }
    });
    words.iter_mut().for_each(|w| slots(w));
}

/// Tells every record where its object is now, deflates the idle, frees those of dead objects.
pub fn weak_slots(visit: &mut dyn FnMut(*mut u64) -> bool) {
    // SAFETY: the collector calls this while the world is stopped; `word_of` is asked only for
    // addresses that `judge` has given, which are those of live objects. A thread fetches records only
    // while it is registered.
    let given_back = unsafe {
        let stop = sync::table().at_stop();
        stop.sweep(
            |a| {
                let mut word = a.object();
                if visit(&mut word) { Verdict::Alive(word) } else { Verdict::Dead }
            },
            |address| {
                let lock: *const AtomicU32 = Obj::from_addr(address as usize).lock_word();
                lock
            },
        );
        stop.trim(states)
    };
    if given_back > 0 {
        let left = sync::table().bytes_in_use();
        vm_log!(MonitorInflation, Debug, "gave back {}K of monitor records, {}K in use", given_back >> 10, left >> 10);
    }
}

/// What threads have in the monitors room; valid while the world is stopped.
fn states() -> Vec<&'static MonitorThread> {
    let mut all = Vec::new();
    concord_safepoint::for_each_thread(|t| {
        let p = t.monitor.load(Ordering::Acquire) as *const MonitorThread;
        // SAFETY: null or the thread's own, which it frees before it leaves the registry and not while the
        // world is stopped.
        all.extend(unsafe { p.as_ref() });
    });
    all
}
