//! Off-heap memory, and bulk operations on heap and off-heap memory alike.
//!
//! Invariant: copying and filling move the largest unit that addresses and size allow, so that
//! elements are not torn where Java may look at them meanwhile.
use super::access::check_fault;
use super::address;
use crate::exceptions;
use crate::vm_natives::args::{Args, long, void};
use concord_contract::{JResult, Thread};
use concord_memory_model::emit;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

pub fn allocate(_: &Thread, a: Args) -> JResult<u64> {
    // SAFETY: any size is allowed; null becomes OutOfMemoryError in Java.
    long(unsafe { libc::malloc(a.long(1) as usize) } as i64)
}
pub fn reallocate(_: &Thread, a: Args) -> JResult<u64> {
    // SAFETY: Unsafe's own contract: the address came from here.
    long(unsafe { libc::realloc(a.long(1) as usize as *mut libc::c_void, a.long(3) as usize) } as i64)
}
pub fn free(_: &Thread, a: Args) -> JResult<u64> {
    // SAFETY: Unsafe's own contract: the address came from here.
    unsafe { libc::free(a.long(1) as usize as *mut libc::c_void) };
    void()
}

/// log2 of the unit in which a range can be moved.
fn unit(bits: usize) -> u32 {
    bits.trailing_zeros().min(3)
}

macro_rules! by_unit {
    ($shift:expr, $f:ident($($arg:expr),*)) => {
        match $shift {
            0 => $f::<AtomicU8>($($arg),*),
            1 => $f::<AtomicU16>($($arg),*),
            2 => $f::<AtomicU32>($($arg),*),
            _ => $f::<AtomicU64>($($arg),*),
        }
    };
}

/// A cell of one width.
trait Cell: Sized {
    fn copy_from(&self, from: &Self);
    fn fill(&self, byte: u8);
    fn copy_swapped(&self, from: &Self);
}
macro_rules! cells {
    ($($atomic:ty, $raw:ty;)*) => { $(
        impl Cell for $atomic {
            #[inline(always)]
            fn copy_from(&self, from: &Self) {
                self.store(from.load(Relaxed), Relaxed)
            }
            #[inline(always)]
            fn fill(&self, byte: u8) {
                self.store(<$raw>::from_ne_bytes([byte; size_of::<$raw>()]), Relaxed)
            }
            #[inline(always)]
            fn copy_swapped(&self, from: &Self) {
                self.store(from.load(Relaxed).swap_bytes(), Relaxed)
            }
        }
    )* };
}
cells! { AtomicU8, u8; AtomicU16, u16; AtomicU32, u32; AtomicU64, u64; }

/// # Safety
/// Both ranges are live memory, aligned for `C`; they may overlap.
unsafe fn move_cells<C: Cell>(from: usize, to: usize, bytes: usize) {
    let n = bytes / size_of::<C>();
    let (f, t) = (from as *const C, to as *const C);
    // SAFETY: by the caller's promise; the direction makes overlap harmless.
    unsafe {
        if to <= from || to >= from + bytes {
            for i in 0..n {
                (*t.add(i)).copy_from(&*f.add(i));
            }
        } else {
            for i in (0..n).rev() {
                (*t.add(i)).copy_from(&*f.add(i));
            }
        }
    }
}
/// # Safety
/// The range is live memory, aligned for `C`.
unsafe fn fill_cells<C: Cell>(at: usize, bytes: usize, value: u8) {
    for i in 0..bytes / size_of::<C>() {
        // SAFETY: by the caller's promise.
        unsafe { (*(at as *const C).add(i)).fill(value) };
    }
}

pub fn set(th: &Thread, a: Args) -> JResult<u64> {
    let (at, bytes, value) = (address(a.obj(1), a.long(2)), a.long(4) as usize, a.int(6) as u8);
    // SAFETY: Unsafe's own contract: live memory of that size.
    unsafe { by_unit!(unit(at | bytes), fill_cells(at, bytes, value)) };
    emit::after_plain_store();
    check_fault(th)?;
    void()
}
pub fn copy(th: &Thread, a: Args) -> JResult<u64> {
    let (from, to) = (address(a.obj(1), a.long(2)), address(a.obj(4), a.long(5)));
    let bytes = a.long(7) as usize;
    // SAFETY: Unsafe's own contract: two live ranges of that size without references.
    unsafe {
        if (from | to | bytes).trailing_zeros() == 0 && (from ^ to) & 7 == 0 && bytes >= 32 {
            // Bytes at equal misalignment: a few to the next word, words, a few more.
            let head = from.wrapping_neg() & 7;
            let words = (bytes - head) & !7;
            let tail = bytes - head - words;
            if to <= from || to >= from + bytes {
                move_cells::<AtomicU8>(from, to, head);
                move_cells::<AtomicU64>(from + head, to + head, words);
                move_cells::<AtomicU8>(from + head + words, to + head + words, tail);
            } else {
                move_cells::<AtomicU8>(from + head + words, to + head + words, tail);
                move_cells::<AtomicU64>(from + head, to + head, words);
                move_cells::<AtomicU8>(from, to, head);
            }
        } else {
            by_unit!(unit(from | to | bytes), move_cells(from, to, bytes));
        }
    }
    emit::after_plain_store();
    check_fault(th)?;
    void()
}

/// # Safety
/// Both ranges are live memory, aligned for `C`; they may overlap.
unsafe fn swap_cells<C: Cell>(from: usize, to: usize, bytes: usize) {
    let n = bytes / size_of::<C>();
    let (f, t) = (from as *const C, to as *const C);
    let forward = to <= from || to >= from + bytes;
    for k in 0..n {
        let i = if forward { k } else { n - 1 - k };
        // SAFETY: by the caller's promise.
        unsafe { (*t.add(i)).copy_swapped(&*f.add(i)) };
    }
}
/// # Safety
/// Both ranges are live memory.
unsafe fn swap_unaligned(from: usize, to: usize, bytes: usize, size: usize) {
    let n = bytes / size;
    let forward = to <= from || to >= from + bytes;
    let mut buf = [0u8; 8];
    for k in 0..n {
        let i = (if forward { k } else { n - 1 - k }) * size;
        // SAFETY: by the caller's promise.
        unsafe {
            std::ptr::copy((from + i) as *const u8, buf.as_mut_ptr(), size);
            buf[..size].reverse();
            std::ptr::copy(buf.as_ptr(), (to + i) as *mut u8, size);
        }
    }
}
pub fn copy_swap(th: &Thread, a: Args) -> JResult<u64> {
    let (from, to) = (address(a.obj(1), a.long(2)), address(a.obj(4), a.long(5)));
    let (bytes, size) = (a.long(7) as usize, a.long(9) as usize);
    // SAFETY: Unsafe's own contract: two live ranges of that size without references.
    unsafe {
        match size {
            2 | 4 | 8 if !(from | to).is_multiple_of(size) => swap_unaligned(from, to, bytes, size),
            2 => swap_cells::<AtomicU16>(from, to, bytes),
            4 => swap_cells::<AtomicU32>(from, to, bytes),
            8 => swap_cells::<AtomicU64>(from, to, bytes),
            _ => return exceptions::throw(th, "java/lang/IllegalArgumentException", &format!("element size {size}")),
        }
    }
    emit::after_plain_store();
    check_fault(th)?;
    void()
}

/// Writes the cache line at an address back to memory (MappedByteBuffer.force on persistent
/// memory).
pub fn writeback(_: &Thread, a: Args) -> JResult<u64> {
    write_line_back(a.long(1) as usize);
    void()
}
/// Begins to write the cache line at an address back to memory, by the best instruction that the
/// processor has: `clwb` keeps the line, `clflushopt` waits for no other, every x86-64 has `clflush`.
/// The fence behind it ([`writeback_post_sync`]) waits for all three.
pub fn write_line_back(at: usize) {
    #[cfg(target_arch = "x86_64")]
    writeback_instruction().execute(at);
    #[cfg(target_arch = "aarch64")]
    // SAFETY: as above; cleaning a line is allowed to user code.
    unsafe {
        std::arch::asm!("dc cvac, {}", in(reg) at);
    }
}
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Writeback {
    Clwb,
    ClflushOpt,
    Clflush,
}
#[cfg(target_arch = "x86_64")]
impl Writeback {
    /// By ebx of CPUID's leaf 7 (Intel SDM, volume 2, CPUID).
    fn best(features: u32) -> Writeback {
        match features {
            f if f >> 24 & 1 != 0 => Writeback::Clwb,
            f if f >> 23 & 1 != 0 => Writeback::ClflushOpt,
            _ => Writeback::Clflush,
        }
    }
    fn execute(self, at: usize) {
        // SAFETY: Unsafe's own contract: the address is mapped. The processor has the instruction.
        unsafe {
            match self {
                Writeback::Clwb => std::arch::asm!("clwb [{}]", in(reg) at, options(nostack, preserves_flags)),
                Writeback::ClflushOpt => {
                    std::arch::asm!("clflushopt [{}]", in(reg) at, options(nostack, preserves_flags))
                }
                Writeback::Clflush => std::arch::x86_64::_mm_clflush(at as *const u8),
            }
        }
    }
}
#[cfg(target_arch = "x86_64")]
fn writeback_instruction() -> Writeback {
    static FOUND: std::sync::OnceLock<Writeback> = std::sync::OnceLock::new();
    *FOUND.get_or_init(|| {
        use std::arch::x86_64::{__cpuid, __cpuid_count};
        Writeback::best(if __cpuid(0).eax >= 7 { __cpuid_count(7, 0).ebx } else { 0 })
    })
}
pub fn writeback_pre_sync(_: &Thread, _: Args) -> JResult<u64> {
    void()
}
/// Lines written back before are durable before later stores.
pub fn writeback_post_sync(_: &Thread, _: Args) -> JResult<u64> {
    emit::full();
    void()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The system reads the processor's features, too; each instruction that there is leaves memory as
    /// it was.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn lines_are_written_back_by_what_the_processor_has() {
        let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap();
        let flags = cpu.lines().find(|l| l.starts_with("flags")).unwrap();
        let has = |name: &str| flags.split_whitespace().any(|w| w == name);
        let all = [("clwb", Writeback::Clwb), ("clflushopt", Writeback::ClflushOpt), ("clflush", Writeback::Clflush)];
        let there: Vec<Writeback> = all.iter().filter(|(name, _)| has(name)).map(|a| a.1).collect();
        assert_eq!(Some(&writeback_instruction()), there.first());
        let bytes: Vec<u8> = (0..1000u32).map(|i| i as u8).collect();
        for w in there {
            (0..bytes.len()).for_each(|i| w.execute(&raw const bytes[i] as usize));
            assert!(bytes.iter().enumerate().all(|(i, b)| *b == i as u8), "{w:?}");
        }
        let (clwb, opt) = (1 << 24, 1 << 23);
        assert_eq!([clwb | opt, clwb, opt, 0].map(Writeback::best), {
            use Writeback::*;
            [Clwb, Clwb, ClflushOpt, Clflush]
        });
    }

    #[test]
    fn overlapping_moves_behave_like_memmove() {
        for (from, to, len) in [(0usize, 8usize, 64usize), (8, 0, 64), (0, 4, 60), (3, 3, 9), (16, 16, 8)] {
            let mut words = [0u64; 32];
            let base = words.as_mut_ptr() as usize;
            // SAFETY: ranges within `words`.
            unsafe {
                for i in 0..256 {
                    *((base + i) as *mut u8) = i as u8;
                }
                by_unit!(unit((base + from) | (base + to) | len), move_cells(base + from, base + to, len));
                for i in 0..len {
                    assert_eq!(*((base + to + i) as *const u8), (from + i) as u8);
                }
            }
        }
    }
    #[test]
    fn swapping_reverses_each_element() {
        let mut a = [0x0102_0304u32, 0x0506_0708];
        let p = a.as_mut_ptr() as usize;
        // SAFETY: the range is `a`.
        unsafe { swap_cells::<AtomicU32>(p, p, 8) };
        assert_eq!(a, [0x0403_0201, 0x0807_0605]);
        // SAFETY: the range is `a`.
        unsafe { swap_unaligned(p, p, 8, 4) };
        assert_eq!(a, [0x0102_0304, 0x0506_0708]);
    }
}
