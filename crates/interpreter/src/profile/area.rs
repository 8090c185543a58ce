//! The memory of translated code and of its counters.
//!
//! Invariant: every word of code in the area has a counter cell of 8 bytes in each stripe, at an
//! address that is a linear function of the word's: `bias(stripe) + 2 * word`. So a cell exists from
//! the moment that code exists, is never moved or unmapped, and a frame needs nothing to find it. A
//! thread is told the bias of one stripe when it attaches; there are twice as many stripes as
//! processors, and a thread gets the one with the fewest threads. Pages appear when touched: what is
//! not counted costs address space only.
//!
//! ```text
//!   base       code: blocks of 16 bytes, handed out first fit
//!   + CODE     side: one u32 per word of code, see `super`
//!   + 2 CODE   cells of stripe 0
//!   + 4 CODE   cells of stripe 1 ...
//! ```
//! Deliberately absent: merging of free neighbours. Blocks come back when classes are unloaded, and
//! the classes that follow are of the same kinds.
use concord_contract::Thread;
use concord_contract::profile::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

/// Bytes of code that can be profiled: eight million words.
const CODE: usize = 32 << 20;
/// Bytes from a word of code to its side word.
pub const SIDE: usize = CODE;
/// Bytes of a block are a multiple of this.
const UNIT: usize = 16;
const STRIPE: usize = 2 * CODE;
// Compiled code adds it to a register as a signed number of 32 bits.
const _: () = assert!(STRIPE <= i32::MAX as usize);

pub struct Area {
    base: usize,
    blocks: Mutex<Blocks>,
    stripes: Mutex<Stripes>,
}

#[derive(Default)]
struct Stripes {
    all: Vec<Stripe>,
    /// The one that was given last: threads that start together get neighbours.
    last: usize,
}

#[derive(Clone, Default)]
struct Stripe {
    threads: usize,
    used: bool,
}

#[derive(Default)]
struct Blocks {
    /// Bytes handed out so far, from the start.
    top: usize,
    /// Offsets of free blocks by their size.
    free: BTreeMap<usize, Vec<usize>>,
}

impl Blocks {
    fn take(&mut self, bytes: usize) -> Option<usize> {
        if let Some((&size, _)) = self.free.range(bytes..).next() {
            let same = self.free.get_mut(&size)?;
            let at = same.pop()?;
            if same.is_empty() {
                self.free.remove(&size);
            }
            if size > bytes {
                self.free.entry(size - bytes).or_default().push(at + bytes);
            }
            return Some(at);
        }
        let at = self.top;
        (at + bytes <= CODE).then(|| {
            self.top += bytes;
            at
        })
    }
}

static AREA: OnceLock<Area> = OnceLock::new();

/// The area, if profiles are kept.
#[inline]
pub fn get() -> Option<&'static Area> {
    AREA.get()
}

/// Reserves the area; the first call counts.
///
/// # Errors
/// The system's error if it has no address space.
pub fn init(stripes: usize) -> std::io::Result<()> {
    if AREA.get().is_none() {
        // Of two areas the second goes back.
        let _second = AREA.set(Area::reserve(stripes)?);
    }
    Ok(())
}

impl Area {
    fn bytes(stripes: usize) -> usize {
        2 * CODE + stripes * STRIPE
    }
    fn reserve(stripes: usize) -> std::io::Result<Area> {
        let bytes = Area::bytes(stripes);
        // SAFETY: an anonymous private mapping at an address of the kernel's choice.
        let p = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if p == libc::MAP_FAILED {
            return Err(std::io::Error::last_os_error());
        }
        // Touching one counter must not bring in a huge page. A kernel without huge pages refuses.
        // SAFETY: the mapping just made.
        let _refused = unsafe { libc::madvise(p, bytes, libc::MADV_NOHUGEPAGE) };
        let stripes = Stripes { all: vec![Stripe::default(); stripes], last: stripes - 1 };
        Ok(Area { base: p as usize, blocks: Mutex::default(), stripes: Mutex::new(stripes) })
    }
    /// Memory for `bytes` of code or rows, aligned to 16; None if the area is full.
    pub fn take(&self, bytes: usize) -> Option<*mut u8> {
        let bytes = bytes.next_multiple_of(UNIT);
        let at = self.blocks.lock().expect("blocks of code").take(bytes)?;
        Some((self.base + at) as *mut u8)
    }
    /// Takes back what `take` gave for `bytes`. `counted`: its cells may have been written; they are
    /// zero for the next holder.
    ///
    /// # Safety
    /// Nobody runs the code or reads its cells.
    pub unsafe fn give_back(&self, p: *mut u8, bytes: usize, counted: bool) {
        let bytes = bytes.next_multiple_of(UNIT);
        if counted {
            for bias in self.used() {
                // SAFETY: the cells of the block's words.
                unsafe { std::ptr::write_bytes(cell(bias, p.cast()) as *mut u8, 0, 2 * bytes) };
            }
        }
        // SAFETY: the block's side words.
        unsafe { std::ptr::write_bytes(p.add(SIDE), 0, bytes) };
        let at = p as usize - self.base;
        self.blocks.lock().expect("blocks of code").free.entry(bytes).or_default().push(at);
    }
    pub fn contains(&self, p: *const u32) -> bool {
        (self.base..self.base + CODE).contains(&(p as usize))
    }
    pub(super) fn bias(&self, stripe: usize) -> usize {
        (self.base + 2 * CODE + stripe * STRIPE).wrapping_sub(2 * self.base)
    }
    /// From the start of a stripe to the cell of the word at `pc`, in bytes.
    pub(super) fn distance(&self, pc: *const u32) -> Cell {
        (2 * (pc as usize - self.base)) as Cell
    }
    /// The biases of all stripes that a thread ever had.
    pub fn used(&self) -> Vec<usize> {
        let s = self.stripes.lock().expect("stripes");
        s.all.iter().enumerate().filter(|s| s.1.used).map(|(i, _)| self.bias(i)).collect()
    }
    /// Gives the thread a stripe.
    pub fn attach(&self, th: &Thread) {
        let mut s = self.stripes.lock().expect("stripes");
        let n = s.all.len();
        let behind = |i: &usize| (i + n - s.last - 1) % n;
        // One more thread, which may be idle, is better than the stripe of the thread that came just before, which is not.
        let most = s.all.iter().map(|s| s.threads + 1).min();
        let next = (0..n).filter(|i| Some(s.all[*i].threads) <= most).min_by_key(behind);
        let Some(i) = next else { return };
        s.last = i;
        s.all[i] = Stripe { threads: s.all[i].threads + 1, used: true };
        let bias = self.bias(i);
        th.profile_bias.set(bias);
        th.stripe.set(cell(bias, self.base as *const u32));
    }
    /// Takes the thread's stripe back; its counts stay.
    pub fn detach(&self, th: &Thread) {
        let i = th.profile_bias.get().wrapping_sub(self.bias(0)) / STRIPE;
        if let Some(s) = self.stripes.lock().expect("stripes").all.get_mut(i) {
            s.threads -= 1;
        }
    }
}

impl Drop for Area {
    fn drop(&mut self) {
        let stripes = self.stripes.get_mut().map_or(0, |s| s.all.len());
        // SAFETY: the mapping that `reserve` made; nobody has an address in it.
        unsafe { libc::munmap(self.base as *mut _, Area::bytes(stripes)) };
    }
}

/// Address of the cell of the word at `pc`.
#[inline(always)]
pub fn cell(bias: usize, pc: *const u32) -> usize {
    bias.wrapping_add((pc as usize).wrapping_mul(2))
}

/// A word of counters at an address of the area.
///
/// # Safety
/// `p` is 8-aligned and in a stripe.
#[inline(always)]
pub unsafe fn wide<'a>(p: usize) -> &'a AtomicU64 {
    // SAFETY: by the caller's word; all accesses to cells are atomic.
    unsafe { AtomicU64::from_ptr(p as *mut u64) }
}
/// Half a word of counters.
///
/// # Safety
/// `p` is 4-aligned and in a stripe.
#[inline(always)]
pub unsafe fn half<'a>(p: usize) -> &'a AtomicU32 {
    // SAFETY: by the caller's word.
    unsafe { AtomicU32::from_ptr(p as *mut u32) }
}
/// Adds to a counter. Threads that share a stripe may lose each other's: a locked addition would
/// cost more than the instruction it counts.
#[inline(always)]
pub fn bump(c: &AtomicU32) {
    c.store(c.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn counts_of_code_that_went_are_not_the_next_codes() {
        let a = Area::reserve(3).unwrap();
        let p = a.take(100).unwrap();
        assert!(a.contains(p.cast()) && (p as usize).is_multiple_of(16));
        let th = Thread::new_boxed();
        let mut seen = vec![];
        for _ in 0..4 {
            a.attach(&th);
            seen.push(th.profile_bias.get());
            // SAFETY: the thread's cell of the second word.
            unsafe { bump(half(cell(seen[seen.len() - 1], p.cast::<u32>().wrapping_add(1)))) };
        }
        // Each stripe had its turn, and its cells are its own.
        assert_eq!(seen[0], seen[3]);
        let mut used = a.used();
        used.sort_unstable();
        seen.truncate(3);
        seen.sort_unstable();
        assert_eq!(used, seen);
        // SAFETY: as above.
        let count = |b| unsafe { half(cell(b, p.cast::<u32>().wrapping_add(1))) }.load(Ordering::Relaxed);
        let counts = || a.used().into_iter().map(count);
        assert_eq!(counts().sum::<u32>(), 4);
        assert_eq!(counts().max(), Some(2));
        // SAFETY: nobody uses the block.
        unsafe { a.give_back(p, 100, true) };
        assert_eq!(a.take(112), Some(p));
        assert_eq!(counts().sum::<u32>(), 0);
    }
    #[test]
    fn stripes_with_fewer_threads_are_given_first_but_not_to_two_in_turn() {
        let a = Area::reserve(2).unwrap();
        let ths: [_; 4] = std::array::from_fn(|_| Thread::new_boxed());
        ths.iter().for_each(|t| a.attach(t));
        let of = |t: usize| ths[t].profile_bias.get();
        assert!(of(0) == of(2) && of(1) == of(3) && of(0) != of(1));
        a.detach(&ths[1]);
        a.detach(&ths[3]);
        let free = of(1);
        a.attach(&ths[1]);
        a.attach(&ths[3]);
        assert!(of(1) == free && of(3) != free);
    }
    #[test]
    fn blocks_are_used_again() {
        let mut b = Blocks::default();
        let (x, y, z) = (b.take(64), b.take(32), b.take(16));
        assert_eq!((x, y, z), (Some(0), Some(64), Some(96)));
        b.free.entry(64).or_default().push(0);
        assert_eq!((b.take(48), b.take(16), b.take(16)), (Some(0), Some(48), Some(112)));
        assert!(b.free.is_empty());
        assert_eq!(b.take(CODE), None);
        assert_eq!(b.take(CODE - 128), Some(128));
    }
}
