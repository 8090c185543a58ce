//! Random delays in the protocol's windows, for the torture run. Invariant owned here: only a
//! build with the feature `delay` has them; see `delay_disabled.rs` for all others.

use std::cell::Cell;

thread_local! {
    static RANDOM: Cell<u64> = const { Cell::new(0) };
}

/// Wait for a random, mostly very short time.
pub(crate) fn point() {
    let x = random();
    if x & 0x7f == 0 {
        for _ in 0..x >> 8 & 0xfff {
            std::hint::spin_loop();
        }
        if x & 0xf80 == 0 {
            std::thread::yield_now();
        }
    }
}

/// The same in a window that is rarely reached: half of the time long enough for the threads that made it
/// so to run, even where there are many more of them than processors.
pub(crate) fn rare_point() {
    let x = random();
    if x & 1 == 0 {
        std::thread::sleep(std::time::Duration::from_micros(x >> 8 & 0x3ff));
    }
}

fn random() -> u64 {
    RANDOM.with(|cell| {
        let mut x = cell.get();
        if x == 0 {
            x = std::ptr::from_ref(cell) as u64 | 1;
        }
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        cell.set(x);
        x
    })
}
