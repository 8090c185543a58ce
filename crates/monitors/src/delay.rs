//! Random delays in the protocol's windows, for the torture run. Invariant owned here: only a
//! build with the feature `delay` has them; see `delay_disabled.rs` for all others.

use std::cell::Cell;

thread_local! {
    static RANDOM: Cell<u64> = const { Cell::new(0) };
}

/// Wait for a random, mostly very short time.
pub(crate) fn point() {
    wait(0x7f, 0xf80);
}

/// The same in a window that is rarely reached: mostly long enough for others to run.
pub(crate) fn rare_point() {
    wait(1, 0x80);
}

/// Wait unless a random number has a bit of `spin`, and let others run unless it has one of `rest`.
fn wait(spin: u64, rest: u64) {
    RANDOM.with(|cell| {
        let mut x = cell.get();
        if x == 0 {
            x = std::ptr::from_ref(cell) as u64 | 1;
        }
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        cell.set(x);
        if x & spin != 0 {
            return;
        }
        for _ in 0..x >> 8 & 0xfff {
            std::hint::spin_loop();
        }
        if x & rest == 0 {
            std::thread::yield_now();
        }
    });
}
