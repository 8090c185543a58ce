//! What the room counts. Invariant owned here: a counter is written by one thread only, so
//! counting costs no atomic instruction and shares no cache line.

use crate::sync::Own;

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        /// A thread's counters.
        #[derive(Default)]
        pub(crate) struct Counters {
            $(pub(crate) $name: Counter,)*
        }

        /// Sums of counters at one moment.
        #[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
        pub struct Totals {
            $($(#[$doc])* pub $name: u64,)*
        }

        impl Totals {
            pub(crate) fn add(&mut self, counters: &Counters) {
                $(self.$name += counters.$name.get();)*
            }

            /// The sums of both.
            pub fn plus(&self, other: &Totals) -> Totals {
                Totals { $($name: self.$name + other.$name,)* }
            }

            /// Names and values, in a fixed order.
            pub fn rows(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($name), self.$name)),*]
            }
        }
    };
}

counters! {
    /// Enters that left the fast path.
    slow_enters,
    /// Spins that ended with the monitor free.
    spins_won,
    /// Spins that gave up.
    spins_lost,
    /// Heavy barriers paid by entering threads.
    heavy_barriers,
    /// Sleeps.
    parks,
    /// Threads woken by a leaving owner.
    wakeups,
    /// Deflations that turned out wrong: somebody had come in between.
    misspeculations,
    /// Misspeculations repaired by attaching the record again.
    reinflations,
    /// Misspeculations that lost the record to a new one.
    abandoned,
    /// Abandoned records taken by their last leaver.
    reclaimed,
    /// Records found to belong to another object by now.
    stale,
    /// Sticky marks taken off again after quiet exits.
    unstuck,
    /// Waits that ended by notification.
    notified,
    /// Waits that ended by their deadline.
    timed_out,
    /// Waits that ended by an interrupt.
    interrupted,
    /// Monitors given back because the winner had to suspend.
    given_back,
    /// Batches of records taken from the pool.
    refills,
    /// Batches of records given back to the pool.
    returns,
}

/// One counter of one thread.
pub(crate) struct Counter(Own<u64>);

impl Default for Counter {
    fn default() -> Counter {
        Counter(Own::new(0))
    }
}

impl Counter {
    #[inline(always)]
    pub(crate) fn bump(&self) {
        self.0.set(self.0.get() + 1);
    }

    fn get(&self) -> u64 {
        self.0.get()
    }
}
