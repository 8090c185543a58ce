//! The laws of the room, by name. Invariant owned here: a debug build that breaks one of them
//! stops with the law's name. The models assert the same ones under the same names.
//!
//! | law | says | asserted |
//! |---|---|---|
//! | I1 | an object has at most one owner | torture and models; `AtStop::verify` |
//! | I2 | a record is attached to at most one object, which it names | `AtStop::verify` |
//! | I3 | owner `UNOWNED` implies attached | `AtStop::verify`, inflation |
//! | I4 | nesting is at least 1, and 1 while free | enter, exit, inflation |
//! | I5 | E counts the threads on their way in, W the wait set | every decrement; `AtStop::verify` |
//! | I6 | a blocked thread is queued, or successor, or holds a permit | models; torture (nobody stranded) |
//! | I7 | a free record has an empty queue and an empty wait set | every queueing, `AtStop::verify` |
//! | I8 | an object's hash never changes | exit, `AtStop::verify`; torture |
//! | I9 | a record is free on one list, or attached, or abandoned with E > 0 | `AtStop::verify` |
//! | I10 | `wait` returns only as owner, nesting restored, having consumed a notification exactly if it says so | `wait` |
//! | I11 | the depth of re-entry is exact | enter, exit, wait |

/// Assert one of the laws in debug builds.
macro_rules! invariant {
    ($law:ident, $holds:expr, $says:literal $(, $arg:expr)*) => {
        debug_assert!($holds, concat!("monitor law ", stringify!($law), " broken: ", $says) $(, $arg)*)
    };
}
pub(crate) use invariant;
