//! Gaps: memory of objects that a collection in place has found dead.
//!
//! Invariant: a gap holds no live object, lies in one of the collector's blocks, and the collector gives nothing of it to
//! anybody before its own next collection: only lines in which there is or was an object since then are looked at, since
//! it has handed them out, or keeps them for what lived in its own last one; and no allocator has a place in a gap, as all of them
//! lose theirs ([`sweep`]'s caller sees to that). A gap is handed out once (`filler`).
//!
//! ```text
//!  line (256 bytes):   | obj | dead | obj | dead  dead |       | obj |
//!  valid objects:        1     1      1     1     1              1
//!  marks, all bytes:     111          111                        111
//!  gap:                      111111       11111111111111   (a line where nothing was is the collector's)
//! ```
//! The lines in which an object begins are known from the valid-object bits, the others of an object that is longer than a
//! line from when it grew old or was found alive.
use super::filler;
use super::marks::{REACH, SPAN, marks};
use crate::binding::heap;
use crate::in_place;
use concord_base::bug;
use mmtk::util::Address;
use mmtk::util::heap::vm_layout::LOG_BYTES_IN_CHUNK;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};

const CHUNK: usize = 1 << LOG_BYTES_IN_CHUNK;
/// The collector's block and line.
pub const BLOCK: usize = 32 << 10;
pub const LINE: usize = 256;
/// Blocks with less in gaps are left alone.
const LEAST: usize = BLOCK / 32;
/// The collector's number of the space of its blocks, in the contiguous layouts.
const SPACE: usize = 1;

/// Two bits for each word of the marks: the lines in which there is or was an object.
static LINES: [AtomicU8; REACH / SPAN / 4] = [const { AtomicU8::new(0) }; REACH / SPAN / 4];
/// Bytes of gaps that have not been looked at.
static LEFT: AtomicUsize = AtomicUsize::new(0);
/// Bytes of objects that have grown old into gaps since the last collection of the full heap.
static FILLED: AtomicUsize = AtomicUsize::new(0);
/// Bytes of all gaps that the last sweep found.
static FOUND: AtomicUsize = AtomicUsize::new(0);
/// Eighths of the gaps that were filled, of those that were looked at between the last two sweeps.
static EIGHTHS: AtomicUsize = AtomicUsize::new(4);

/// Bytes of gaps that have not been looked at.
pub fn left() -> usize {
    LEFT.load(Relaxed)
}
/// Bytes of them that will probably be filled: objects do not fit exactly.
pub fn usable() -> usize {
    left() / 8 * EIGHTHS.load(Relaxed)
}
/// Bytes that have grown old into gaps since the last collection of the full heap.
pub fn filled() -> usize {
    FILLED.load(Relaxed)
}
/// A block with so many bytes in gaps is being looked at.
pub fn looking_at(bytes: usize) {
    LEFT.fetch_sub(bytes, Relaxed);
}
/// So many bytes have grown old into gaps.
pub fn fill(bytes: usize) {
    FILLED.fetch_add(bytes, Relaxed);
}

/// The mapped chunks of the collector's blocks; none in the discontiguous layout.
pub fn chunks() -> impl Iterator<Item = usize> {
    let space = heap().contiguous_extent.map_or(0..0, |e| SPACE << e..(SPACE + 1) << e);
    // SAFETY: only asks whether the chunk is mapped.
    space.step_by(CHUNK).filter(|c| unsafe { Address::from_usize(*c) }.is_mapped())
}

/// The two bits of a word of 512 bytes, by their byte and place.
fn lines_of(address: usize) -> (&'static AtomicU8, u32) {
    let word = address / SPAN;
    (&LINES[word / 4], (word % 4) as u32 * 2)
}

/// The bits of a word's lines from two bits for them.
fn spread(two: u8) -> u64 {
    let half = |on: u8| if on != 0 { u64::from(u32::MAX) } else { 0 };
    half(two & 1) | half(two & 2) << 32
}

/// Objects longer than a line that have grown old since the last sweep, outside gaps: address and bytes. Their lines count from
/// the next one on: before it there are no marks of them, nor of what lies beside them in the last line.
static GROWN_OLD: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

fn grown_old() -> std::sync::MutexGuard<'static, Vec<(usize, usize)>> {
    match GROWN_OLD.lock() {
        Ok(g) => g,
        Err(_) => bug!("a thread died while it collected"),
    }
}

/// Objects that are longer than a line have grown old outside gaps.
pub fn have_grown_old(objects: &[(usize, usize)]) {
    if in_place::is_possible() {
        grown_old().extend_from_slice(objects);
    }
}

/// An object that is longer than a line has been found alive at `address`.
pub fn note_long(address: usize, bytes: usize) {
    for at in (address..address + bytes).step_by(LINE).chain([address + bytes - 1]) {
        let (byte, shift) = lines_of(at);
        byte.fetch_or(1 << (shift + (at / LINE % 2) as u32), Relaxed);
    }
}

/// Forgets all gaps: the collector's own collection begins.
pub fn forget() {
    LEFT.store(0, Relaxed);
    FILLED.store(0, Relaxed);
    filler::renew(Vec::new());
    *grown_old() = Vec::new();
    for c in chunks() {
        LINES[c / SPAN / 4..(c + CHUNK) / SPAN / 4].iter().for_each(|b| b.store(0, Relaxed));
    }
}

/// Takes the valid-object bits of all that is not marked, and finds the gaps. The world is stopped, no allocator
/// has memory of the collector's, and marks are complete. The bytes of all gaps.
pub fn sweep() -> usize {
    learn();
    std::mem::take(&mut *grown_old()).into_iter().for_each(|(at, bytes)| note_long(at, bytes));
    let mut found = Vec::new();
    let mut all = 0;
    for block in chunks().flat_map(|c| (c..c + CHUNK).step_by(BLOCK)) {
        let bits: u32 = (block..block + BLOCK).step_by(SPAN).map(|at| sweep_word(at).count_ones()).sum();
        let bytes = bits as usize * 8;
        if bytes >= LEAST {
            found.push((block, bytes));
            all += bytes;
        }
    }
    found.reverse();
    filler::renew(found);
    LEFT.store(all, Relaxed);
    FOUND.store(all, Relaxed);
    FILLED.store(0, Relaxed);
    all
}

/// Learns from what has become of the gaps of the last sweep, if enough of them were looked at.
fn learn() {
    let looked_at = FOUND.swap(0, Relaxed).saturating_sub(left());
    if looked_at >= 8 * BLOCK {
        EIGHTHS.store((filled() / (looked_at / 8)).clamp(1, 8), Relaxed);
    }
}

/// The gaps of 512 bytes, by bits.
fn sweep_word(address: usize) -> u64 {
    let marked = marks().word(address);
    // SAFETY: the collector maps its tables for the chunks that it has mapped; the world is stopped.
    let valid = unsafe { &mut *((heap().vo_table + (address >> 6)) as *mut u64) };
    let (byte, shift) = lines_of(address);
    let two = u8::from(*valid as u32 != 0) | u8::from(*valid >> 32 != 0) << 1;
    byte.fetch_or(two << shift, Relaxed);
    *valid &= marked;
    of_word(address)
}

/// The gaps of the 512 bytes around `address`, by bits.
pub fn of_word(address: usize) -> u64 {
    let (byte, shift) = lines_of(address);
    spread(byte.load(Relaxed) >> shift & 3) & !marks().word(address)
}
