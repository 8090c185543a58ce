//! java.lang.StackWalker: frames handed to Java in batches.
//!
//! Invariant: a walk lives in the native frame of [`walk`]; Java names it by its address (the
//! anchor) and can do so only while `doStackWalk`, which `walk` calls, has not returned. Frames
//! outside of that call do not change meanwhile.
use super::{Site, bci_of, show_hidden_frames};
use crate::info::MethodExt;
use crate::{call, exceptions, handles, known, methodhandles};
use concord_contract::frame::Frame;
use concord_contract::method::mflags;
use concord_contract::{JResult, MethodRef, Obj, Thread};

/// Bits of the mode that Java passes.
mod mode {
    pub const CLASSES_ONLY: i64 = 0x2;
    pub const GET_CALLER_CLASS: i64 = 0x4;
    pub const SHOW_HIDDEN_FRAMES: i64 = 0x20;
    pub const LIVE_FRAMES: i64 = 0x100;
}

const MAGIC: u64 = 0x5354_4143_4b57_414c;

/// A walk in progress.
struct Walk {
    magic: u64,
    thread: *const Thread,
    /// The next frame with a method.
    next: Option<(MethodRef, Frame)>,
}

impl Walk {
    fn advance(&mut self) {
        let mut f = self.next.and_then(|(_, f)| f.caller());
        while let Some(g) = f {
            if let Some(m) = g.method() {
                self.next = Some((m, g));
                return;
            }
            f = g.caller();
        }
        self.next = None;
    }

    /// Hands up to `count` frames to `buffer` from `start` on; the index behind the last one.
    fn fill(&mut self, th: &Thread, mode: i64, count: i32, start: i32, buffer: handles::Local<'_>) -> JResult<i32> {
        let classes = mode & mode::CLASSES_ONLY != 0;
        let caller = mode & mode::GET_CALLER_CLASS != 0;
        let skip_hidden = !show_hidden_frames() && (caller || mode & mode::SHOW_HIDDEN_FRAMES == 0);
        let mut end = start;
        while end - start < count {
            let Some((m, f)) = self.next else { break };
            self.advance();
            if skip_hidden && m.is_hidden_frame() {
                continue;
            }
            if classes && caller && end == start && m.has(mflags::CALLER_SENSITIVE) {
                let msg = format!(
                    "StackWalker::getCallerClass called from @CallerSensitive '{}' method",
                    crate::names::method(m)
                );
                return exceptions::throw(th, "java/lang/UnsupportedOperationException", &msg);
            }
            let index = end as usize;
            end += 1;
            if index >= buffer.get().array_len() {
                return exceptions::throw(th, "java/lang/InternalError", "stack walk: the buffer is too small");
            }
            if classes {
                crate::arrays::set_ref(buffer.get(), index, m.class.mirror.get());
            } else {
                fill_info(th, buffer.get().array_ref(index), Site { method: m, bci: bci_of(m, &f) })?;
            }
        }
        Ok(end)
    }
}

/// Fills a StackFrameInfo.
fn fill_info(th: &Thread, info: Obj, s: Site) -> JResult<()> {
    let o = known::offsets();
    let scope = handles::Scope::new(th);
    let info = scope.handle(info);
    let name = info.get().get_ref(o.sfi_member_name);
    methodhandles::init_method(th, name, s.method)?;
    info.get().put_i32(o.sfi_bci, i32::from(s.bci));
    Ok(())
}

/// The frames that belong to the walker itself.
fn is_walker(m: MethodRef) -> bool {
    let k = known::classes();
    m.class == k.stack_walker
        || m.class == k.abstract_stack_walker
        || m.class.super_class == Some(k.abstract_stack_walker)
}

/// `AbstractStackWalker.callStackWalk`: fills the first batch and calls `doStackWalk`.
///
/// # Errors
/// UnsupportedOperationException, InternalError, what the walk's function throws.
pub fn walk(th: &Thread, stream: Obj, mode: i64, skip: i32, count: i32, start: i32, buffer: Obj) -> JResult<Obj> {
    if buffer.is_null() {
        return exceptions::throw(th, "java/lang/NullPointerException", "frames_array is NULL");
    }
    if mode & mode::LIVE_FRAMES != 0 {
        return exceptions::throw(
            th,
            "java/lang/UnsupportedOperationException",
            "live stack frames are not supported by this VM",
        );
    }
    if buffer.array_len() < (start + count).max(0) as usize {
        return exceptions::throw(th, "java/lang/IllegalArgumentException", "not enough space in buffers");
    }
    let scope = handles::Scope::new(th);
    let (stream, buffer) = (scope.handle(stream), scope.handle(buffer));
    let mut walk = Walk { magic: MAGIC, thread: th, next: concord_contract::frame::java_frames(th).next() };
    while walk.next.is_some_and(|(m, _)| is_walker(m)) {
        walk.advance();
    }
    for _ in 0..skip {
        walk.advance();
    }
    let mut end = start;
    if count > 0 {
        end = walk.fill(th, mode, count, start, buffer)?;
        if end == start {
            return exceptions::throw(th, "java/lang/InternalError", "stack walk: decode failed");
        }
    }
    let anchor = &raw mut walk;
    let ints = [skip, count, start, end].map(|i| u64::from(i as u32));
    let r = call::invoke_ref(
        th,
        known::methods().do_stack_walk,
        &[stream.get().addr() as u64, anchor as u64, 0, ints[0], ints[1], ints[2], ints[3]],
    );
    // SAFETY: the walk is this frame's; Java cannot name it any more.
    unsafe { (*anchor).magic = 0 };
    r
}

/// `AbstractStackWalker.fetchStackFrames`: the next batch; the index behind its last frame.
///
/// # Errors
/// NullPointerException, InternalError for a walk that is over.
pub fn more(th: &Thread, mode: i64, anchor: i64, count: i32, start: i32, buffer: Obj) -> JResult<i32> {
    if buffer.is_null() {
        return exceptions::throw(th, "java/lang/NullPointerException", "frames_array is NULL");
    }
    let p = anchor as usize as *mut Walk;
    let here = (&raw const p) as usize;
    let on_stack = p.is_aligned() && (p as usize) > here && (p as usize) < th.native_base.get();
    // SAFETY: within this thread's own stack, above this frame: readable; the magic number and the
    // thread tell whether a walk is there.
    let walk = if on_stack { unsafe { &mut *p } } else { return closed(th) };
    if walk.magic != MAGIC || !std::ptr::eq(walk.thread, th) {
        return closed(th);
    }
    if count <= 0 {
        return Ok(start);
    }
    let scope = handles::Scope::new(th);
    walk.fill(th, mode, count, start, scope.handle(buffer))
}
#[cold]
fn closed(th: &Thread) -> JResult<i32> {
    exceptions::throw(th, "java/lang/InternalError", "doStackWalk: corrupted buffers")
}

/// `StackTraceElement.initStackTraceElement`: fills an element from a StackFrameInfo.
///
/// # Errors
/// NullPointerException, OutOfMemoryError.
pub fn element_of_info(th: &Thread, element: Obj, info: Obj) -> JResult<()> {
    let o = known::offsets();
    let target = methodhandles::target(info.get_ref(o.sfi_member_name));
    match target {
        Some(method) => super::element_of(th, element, Site { method, bci: info.get_i32(o.sfi_bci) as u16 }),
        None => exceptions::throw(th, "java/lang/InternalError", "a stack frame without a method"),
    }
}
