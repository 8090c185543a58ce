//! Java monitors on Relaxed-Locks: one header word per object, one atomic instruction per
//! lock and unlock.
//!
//! Invariant owned by the room: at most one thread is inside an object's monitor; whoever wants to
//! enter and sleeps is woken; and the identity hash survives it all. The room knows a 32-bit
//! [lock word](word), a pool of 64-byte [records](record) and two traits through which the VM is
//! called back ([`Park`], [`ObjectRef`]). It deliberately knows no object, class, handle, frame or
//! collector.
//!
//! ```text
//!  lock word  EMPTY/HASH --CAS--> MONITOR(m) --exit: plain store--> HASH
//!                                    |   ^
//!               contention, wait:    v   | m is owned, given up, won again by its owner word
//! ```
//!
//! The protocol is Relaxed-Lock (D. Dice, "Implementing Fast Java Monitors with Relaxed-Locks",
//! JVM 2001) with the deviations D1.. that `docs/papers/monitors.md` numbers; there are also the
//! laws I1..I11 and where each is proven. The models in `tests/models` are the gate: stress does
//! not find a missing barrier.
//!
//! Modules, each seeing only those above it:
//! `check`, `word`, `sync`, `counters`, `park`, `barrier`, `queue`
//! and `record` (one thing in two files), `pool`, `table`, `thread`,
//! `spin`, then the operations `exit`, `enter`, `wait`, `hash`, and `stop` for the stopped world.

mod barrier;
mod check;
mod counters;
#[cfg_attr(not(feature = "delay"), path = "delay_disabled.rs")]
mod delay;
mod enter;
mod exit;
mod hash;
mod park;
mod pool;
mod queue;
pub mod record;
mod spin;
mod stop;
mod sync;
mod table;
pub mod thread;
mod wait;
pub mod word;

pub use barrier::Release;
pub use counters::Totals;
pub use enter::enter;
pub use exit::IllegalMonitorState;
pub use park::{Block, ObjectRef, Park, Parker};
pub use stop::{AtStop, Attached, BlockedOn, Verdict};
pub use sync::AtomicU32;
pub use table::{MonitorTable, Options};
pub use thread::MonitorThread;
pub use wait::{WaitOutcome, wait};
pub use word::LockWord;
