//! Which code an address belongs to.
//!
//! Invariant: one 32-bit word per 32 bytes of the code area names the piece of code there, 0 none.
//! A piece is in the list before its words are set, and its words are cleared before it is freed,
//! so a lookup needs no lock.
use crate::area::{self, ALIGN};
use concord_contract::code_table::{Adapter, CodeTable, Installed, Place};
use concord_runtime::events::Stub;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};

/// A piece of code.
enum Piece {
    Method(&'static Installed),
    /// The code of an adapter; only the return address of its call is ever looked up.
    Adapter(Adapter, Stub),
}

/// Pieces come in chunks that never move.
const CHUNK: usize = 1 << 12;
const CHUNKS: usize = 1 << 12;

struct Table {
    words: Box<[AtomicU32]>,
    chunks: Box<[AtomicPtr<AtomicPtr<Piece>>]>,
    /// Free ids; the next new id.
    ids: Mutex<(Vec<u32>, u32)>,
}

static TABLE: OnceLock<Table> = OnceLock::new();

struct Lookup;
static LOOKUP: Lookup = Lookup;

/// Makes the table for an area of `size` bytes, and tells the walkers of it; once.
pub fn init(size: usize) {
    let words = zeroed(size / ALIGN);
    let chunks = (0..CHUNKS).map(|_| AtomicPtr::default()).collect();
    if TABLE.set(Table { words, chunks, ids: Mutex::new((Vec::new(), 1)) }).is_err() {
        concord_base::bug!("the code table is made twice");
    }
    concord_contract::code_table::set_code_table(&LOOKUP);
}

/// Zero words whose pages are touched when they are written.
fn zeroed(n: usize) -> Box<[AtomicU32]> {
    // SAFETY: zero bytes are valid counters.
    unsafe { Box::new_zeroed_slice(n).assume_init() }
}

impl Table {
    fn piece(&self, id: u32) -> Option<&'static Piece> {
        let (c, i) = (id as usize / CHUNK, id as usize % CHUNK);
        let chunk = self.chunks[c].load(Ordering::Acquire);
        if chunk.is_null() {
            return None;
        }
        // SAFETY: chunks have `CHUNK` entries and are never freed; a piece found through the words
        // of a live address is alive.
        unsafe { (*chunk.add(i)).load(Ordering::Acquire).as_ref() }
    }
    fn add(&self, piece: Piece) -> u32 {
        let mut ids = self.ids.lock().expect("code table");
        let id = ids.0.pop().unwrap_or_else(|| {
            ids.1 += 1;
            ids.1 - 1
        });
        let (c, i) = (id as usize / CHUNK, id as usize % CHUNK);
        assert!(c < CHUNKS, "more than {} pieces of code", CHUNK * CHUNKS);
        let mut chunk = self.chunks[c].load(Ordering::Acquire);
        if chunk.is_null() {
            let fresh: Box<[AtomicPtr<Piece>]> = (0..CHUNK).map(|_| AtomicPtr::default()).collect();
            chunk = Box::leak(fresh).as_mut_ptr();
            self.chunks[c].store(chunk, Ordering::Release);
        }
        // SAFETY: within the chunk, which is never freed.
        unsafe { (*chunk.add(i)).store(Box::into_raw(Box::new(piece)), Ordering::Release) };
        id
    }
    fn mark(&self, offset: usize, bytes: usize, id: u32) {
        for w in &self.words[offset / ALIGN..(offset + bytes).div_ceil(ALIGN)] {
            w.store(id, Ordering::Release);
        }
    }
}

fn table() -> &'static Table {
    match TABLE.get() {
        Some(t) => t,
        None => concord_base::bug!("code is installed before the code table exists"),
    }
}

/// Makes the code of a method known, at `offset` of the area.
pub fn add_method(code: &'static Installed, offset: usize) {
    let t = table();
    let id = t.add(Piece::Method(code));
    t.mark(offset, code.end - code.start, id);
}
/// Makes an adapter known.
pub fn add_adapter(adapter: Adapter, stub: Stub, offset: usize) {
    let t = table();
    let bytes = stub.bytes;
    let id = t.add(Piece::Adapter(adapter, stub));
    t.mark(offset, bytes, id);
}
/// Forgets what is at `offset`: nothing returns there, and no walk is under way (a stop).
pub fn remove(offset: usize, bytes: usize) {
    let t = table();
    let id = t.words[offset / ALIGN].load(Ordering::Acquire);
    t.mark(offset, bytes, 0);
    let (c, i) = (id as usize / CHUNK, id as usize % CHUNK);
    let chunk = t.chunks[c].load(Ordering::Acquire);
    // SAFETY: the id came from `add`; nobody looks the piece up any more.
    unsafe {
        let p = (*chunk.add(i)).swap(std::ptr::null_mut(), Ordering::AcqRel);
        drop(Box::from_raw(p));
    }
    t.ids.lock().expect("code table").0.push(id);
}

/// Calls `f` for every piece, by ascending address. No piece may go meanwhile: the caller is a thread in the VM, so
/// there is no stop.
fn pieces(mut f: impl FnMut(&'static Piece)) {
    let (Some(t), Some(area)) = (TABLE.get(), area::get()) else { return };
    let words = &t.words[..area.high().div_ceil(ALIGN)];
    let mut last = 0;
    for w in words {
        let id = w.load(Ordering::Acquire);
        if id != last
            && id != 0
            && let Some(piece) = t.piece(id)
        {
            f(piece);
        }
        last = id;
    }
}
/// All compiled code of methods, by ascending address; called by a thread in the VM.
pub fn methods(mut f: impl FnMut(&'static Installed)) {
    pieces(|p| {
        if let Piece::Method(m) = p {
            f(m);
        }
    });
}
/// All code that is no method's, by ascending address; called by a thread in the VM.
pub fn stubs(mut f: impl FnMut(&'static Stub)) {
    pieces(|p| {
        if let Piece::Adapter(_, s) = p {
            f(s);
        }
    });
}

impl CodeTable for Lookup {
    fn find(&self, pc: usize) -> Option<Place> {
        let offset = area::get()?.offset_of(pc)?;
        let t = TABLE.get()?;
        let id = t.words[offset / ALIGN].load(Ordering::Acquire);
        if id == 0 {
            return None;
        }
        match t.piece(id)? {
            Piece::Method(m) => Some(Place::Method(m)),
            Piece::Adapter(a, _) => Some(Place::Adapter(*a)),
        }
    }
}
