//! Handles: references held where the collector does not look by itself.
//!
//! A handle is null or the address of a word that holds an object's address; the collector
//! updates the word. Local handles live in the thread's reserved slots, global ones in a table
//! here, weak ones in another, their pointers tagged in bit 0.
//!
//! Invariant: every slot of the two tables holds the address of a live object, 0 (cleared or
//! never used) or, when free, an odd link.
use concord_contract::{Obj, Thread};
use std::sync::Mutex;

/// A JNI reference.
pub type Handle = *mut u64;

const WEAK_TAG: usize = 1;
const CHUNK: usize = 1024;

struct Table {
    chunks: Vec<Box<[u64; CHUNK]>>,
    free: Vec<usize>,
    next: usize,
}
static GLOBALS: Mutex<Table> = Mutex::new(Table { chunks: Vec::new(), free: Vec::new(), next: 0 });
static WEAKS: Mutex<Table> = Mutex::new(Table { chunks: Vec::new(), free: Vec::new(), next: 0 });

impl Table {
    fn add(&mut self, o: Obj) -> *mut u64 {
        let p = match self.free.pop() {
            Some(p) => p as *mut u64,
            None => {
                if self.next == self.chunks.len() * CHUNK {
                    self.chunks.push(Box::new([0; CHUNK]));
                }
                let i = self.next;
                self.next += 1;
                &mut self.chunks[i / CHUNK][i % CHUNK] as *mut u64
            }
        };
        // SAFETY: a slot of a chunk, which never moves.
        unsafe { *p = o.addr() as u64 };
        p
    }
    fn remove(&mut self, p: *mut u64) {
        // SAFETY: a slot handed out by `add`.
        unsafe { *p = WEAK_TAG as u64 };
        self.free.push(p as usize);
    }
    fn slots(&mut self, f: &mut dyn FnMut(*mut u64)) {
        for i in 0..self.next {
            let p = &mut self.chunks[i / CHUNK][i % CHUNK];
            if *p != 0 && *p & 1 == 0 {
                f(p);
            }
        }
    }
    fn contains(&self, p: *mut u64) -> bool {
        self.chunks.iter().any(|c| c.as_ptr_range().contains(&(p as *const u64)))
    }
}

/// The object behind any handle; null for null, freed and cleared ones.
///
/// # Safety
/// `h` is null or a handle that was not freed.
#[inline]
pub unsafe fn resolve(h: Handle) -> Obj {
    if h.is_null() {
        return Obj::NULL;
    }
    let p = (h as usize & !WEAK_TAG) as *const u64;
    // SAFETY: the caller vouches for the handle; slots hold addresses of live objects.
    unsafe {
        let v = std::ptr::read_volatile(p);
        if v & 1 != 0 { Obj::NULL } else { Obj::from_addr(v as usize) }
    }
}
pub fn local(th: &Thread, o: Obj) -> Handle {
    th.new_handle(o)
}
pub fn new_global(o: Obj) -> Handle {
    if o.is_null() {
        return std::ptr::null_mut();
    }
    // The handle may be used by any thread.
    crate::roots::share(o);
    GLOBALS.lock().expect("global handles").add(o)
}
/// # Safety
/// `h` came from `new_global` and is not used again.
pub unsafe fn delete_global(h: Handle) {
    if !h.is_null() {
        GLOBALS.lock().expect("global handles").remove(h);
    }
}
pub fn new_weak_global(o: Obj) -> Handle {
    if o.is_null() {
        return std::ptr::null_mut();
    }
    crate::roots::share(o);
    (WEAKS.lock().expect("weak handles").add(o) as usize | WEAK_TAG) as Handle
}
/// # Safety
/// `h` came from `new_weak_global` and is not used again.
pub unsafe fn delete_weak_global(h: Handle) {
    if !h.is_null() {
        WEAKS.lock().expect("weak handles").remove((h as usize & !WEAK_TAG) as *mut u64);
    }
}

/// JNI's jobjectRefType.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum HandleKind {
    Invalid = 0,
    Local = 1,
    Global = 2,
    Weak = 3,
}
pub fn kind(th: &Thread, h: Handle) -> HandleKind {
    if h.is_null() {
        return HandleKind::Invalid;
    }
    if h as usize & WEAK_TAG != 0 {
        let p = (h as usize & !WEAK_TAG) as *mut u64;
        let t = WEAKS.lock().expect("weak handles");
        return if t.contains(p) { HandleKind::Weak } else { HandleKind::Invalid };
    }
    let base = th.handles.get() as usize;
    let a = h as usize;
    if a >= base && a < base + 8 * th.handle_top.get() {
        return HandleKind::Local;
    }
    if GLOBALS.lock().expect("global handles").contains(h) { HandleKind::Global } else { HandleKind::Invalid }
}

/// Numbers of global and of weak handles.
pub fn global_counts() -> (usize, usize) {
    let used = |t: &Mutex<Table>| {
        let t = t.lock().expect("handles");
        t.next - t.free.len()
    };
    (used(&GLOBALS), used(&WEAKS))
}

/// Visits the strong slots; the world is stopped.
pub fn global_slots(f: &mut dyn FnMut(*mut u64)) {
    GLOBALS.lock().expect("global handles").slots(f);
}
/// Visits the weak slots; the world is stopped.
pub fn weak_slots(f: &mut dyn FnMut(*mut u64)) {
    WEAKS.lock().expect("weak handles").slots(f);
}

/// A scope of local handles for VM code that runs Java or blocks.
pub struct Scope<'t> {
    th: &'t Thread,
    saved: (usize, usize),
}
impl<'t> Scope<'t> {
    pub fn new(th: &'t Thread) -> Scope<'t> {
        Scope { th, saved: th.push_handles() }
    }
    pub fn handle(&self, o: Obj) -> Local<'_> {
        Local { slot: self.th.new_handle(o), _scope: std::marker::PhantomData }
    }
}
impl Drop for Scope<'_> {
    fn drop(&mut self) {
        self.th.pop_handles(self.saved);
    }
}
/// A reference that survives safepoints, in a [`Scope`].
#[derive(Clone, Copy)]
pub struct Local<'s> {
    slot: Handle,
    _scope: std::marker::PhantomData<&'s ()>,
}
impl Local<'_> {
    #[inline]
    pub fn get(&self) -> Obj {
        // SAFETY: the scope is open, so the slot is in use.
        unsafe { resolve(self.slot) }
    }
    pub fn set(&self, o: Obj) {
        assert!(!self.slot.is_null(), "a null handle cannot be set");
        // SAFETY: as above.
        unsafe { *self.slot = o.addr() as u64 }
    }
    pub fn raw(&self) -> Handle {
        self.slot
    }
}
