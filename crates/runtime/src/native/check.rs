//! What `-Xcheck:jni` remembers of each running native method.
//!
//! Invariant: while it is on, each call of a native method has a frame of its own here, opened after
//! its arguments have become references and closed when it returns, on the thread that calls;
//! PushLocalFrame and PopLocalFrame open and close more between the two.
use concord_contract::Thread;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};

/// Local references that a native method may have without having asked (HotSpot's number; the
/// specification promises 16).
pub const GRANTED: usize = 32;

/// One frame of local references, as checked.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The first slot of the thread's local references that belongs to it.
    pub base: usize,
    /// References beyond this number are worth a warning.
    pub planned: usize,
    /// The function after which the exception must be asked for.
    pub unchecked: Option<&'static str>,
}

static ON: AtomicBool = AtomicBool::new(false);
thread_local! {
    static FRAMES: RefCell<Vec<Frame>> = const { RefCell::new(Vec::new()) };
}

/// Switches checking on, before the first native method runs.
pub fn switch_on() {
    ON.store(true, Ordering::Relaxed);
}

/// Whether native methods are checked.
pub fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// The call of a native method, until dropped.
pub struct Call(Option<usize>);

impl Call {
    /// The arguments are references of `th` already.
    #[inline]
    pub fn begin(th: &Thread) -> Call {
        if !ON.load(Ordering::Relaxed) {
            return Call(None);
        }
        let frame = Frame { base: th.handle_top.get(), planned: GRANTED, unchecked: None };
        let depth = FRAMES.with_borrow_mut(|f| {
            f.push(frame);
            f.len() - 1
        });
        Call(Some(depth))
    }
}
impl Drop for Call {
    fn drop(&mut self) {
        if let Some(depth) = self.0 {
            FRAMES.with_borrow_mut(|f| f.truncate(depth));
        }
    }
}

/// Opens a frame within the innermost one, whose references count on, for `planned` ones in all.
pub fn open(planned: usize) {
    let outer = innermost(|f| *f);
    FRAMES.with_borrow_mut(|f| f.push(Frame { planned, ..outer }));
}
/// Closes the innermost frame.
pub fn close() {
    FRAMES.with_borrow_mut(|f| f.pop());
}
/// Looks at the innermost frame and changes it; that of an attached thread begins with nothing.
pub fn innermost<T>(f: impl FnOnce(&mut Frame) -> T) -> T {
    FRAMES.with_borrow_mut(|all| {
        if all.is_empty() {
            all.push(Frame { base: 0, planned: GRANTED, unchecked: None });
        }
        let last = all.len() - 1;
        f(&mut all[last])
    })
}
