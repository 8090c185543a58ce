//! Cards: what has been stored into large, old reference arrays.
//!
//! Invariant: a slot of an old large array that may hold a reference to a young object lies on a
//! dirty card, and every dirty card is on the list.
//!
//! The collector's own barrier remembers objects: one store into an array of a million slots would
//! have them all scanned in the next young collection. Large objects do not move, so their slots
//! can be remembered by place instead: one byte per 512 bytes of address space. The array's unlog
//! bit stays set, hence every store into it takes the slow path, which is a test of one byte when
//! the card is dirty already. A full collection needs no cards and forgets them.
use crate::alloc::MAX_SMALL;
use concord_base::bug;
use concord_contract::Obj;
use concord_contract::layout::{self, LayoutKind};
use concord_contract::object::array_base;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, AtomicU8, Ordering::Acquire, Ordering::Relaxed, Ordering::Release};

const LOG_CARD: usize = 9;
/// References of 32 bits reach so far.
const REACH: usize = 32 << 30;

static TABLE: AtomicPtr<AtomicU8> = AtomicPtr::new(std::ptr::null_mut());
/// Numbers of the dirty cards. A lock per newly dirty card is rare enough: a card is dirtied once
/// between two collections, by 128 slots.
static DIRTY: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Reserves the table; pages appear as cards are dirtied.
pub fn init() -> Result<(), String> {
    // SAFETY: an anonymous private mapping at an address of the kernel's choice.
    let p = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            REACH >> LOG_CARD,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    if p == libc::MAP_FAILED {
        return Err("cannot reserve address space for the card table".into());
    }
    TABLE.store(p.cast(), Release);
    Ok(())
}

fn card(index: usize) -> &'static AtomicU8 {
    // SAFETY: `index` is that of an address below the reach of references.
    unsafe { &*TABLE.load(Acquire).add(index) }
}

fn dirty() -> std::sync::MutexGuard<'static, Vec<u32>> {
    match DIRTY.lock() {
        Ok(d) => d,
        Err(_) => bug!("a thread died while it marked a card"),
    }
}

/// Whether stores into `o` are remembered by cards.
#[inline]
pub fn has_cards(o: Obj) -> bool {
    let l = layout::get(o.layout_id());
    l.kind == LayoutKind::RefArray && crate::alloc::array_bytes(o.array_len(), 2) > MAX_SMALL
}

/// Marks the cards of elements `from .. from + len` of an array with cards.
pub fn mark_elements(array: Obj, from: usize, len: usize) {
    let base = array.addr() + array_base(2);
    mark(base + 4 * from, base + 4 * (from + len));
}

/// Marks the cards of the bytes `start .. end`.
pub fn mark(start: usize, end: usize) {
    for index in start >> LOG_CARD..=(end - 1) >> LOG_CARD {
        // Only the thread that dirties the card puts it on the list.
        if card(index).load(Relaxed) == 0 && card(index).swap(1, Relaxed) == 0 {
            dirty().push(index as u32);
        }
    }
}

/// Whether the card of `address` is dirty.
pub fn is_dirty(address: usize) -> bool {
    card(address >> LOG_CARD).load(Relaxed) != 0
}

/// Cleans all cards and visits the address range of the slots on each; called with the world
/// stopped.
pub fn clean(mut visit: impl FnMut(usize, usize)) {
    for index in dirty().drain(..) {
        card(index as usize).store(0, Relaxed);
        let start = (index as usize) << LOG_CARD;
        // Large objects begin on pages of their own, and what lies behind their end is zero.
        let header = if crate::conservative::is_large_object(start) { array_base(2) } else { 0 };
        visit(start + header, start + (1 << LOG_CARD));
    }
}
