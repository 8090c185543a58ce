//! Who allocates: the safepoint room's registry, as the collector sees it, and the promoter, which has allocators but is
//! no thread.
use crate::binding::{Concord, heap_thread, promoter, thread_of};
use crate::worker;
use mmtk::Mutator;
use mmtk::util::opaque_pointer::{VMMutatorThread, VMThread};
use mmtk::vm::ActivePlan;

pub struct Mutators;

impl ActivePlan<Concord> for Mutators {
    fn is_mutator(tls: VMThread) -> bool {
        !worker::is_worker(tls.0.to_address().as_usize()) && tls != VMThread::UNINITIALIZED
    }
    fn mutator(tls: VMMutatorThread) -> &'static mut Mutator<Concord> {
        // SAFETY: the collector names attached threads only, and uses a mutator on one thread at a
        // time: its own, or a worker's while the world is stopped.
        unsafe { &mut (*heap_thread(thread_of(tls))).mutator }
    }
    fn mutators<'a>() -> Box<dyn Iterator<Item = &'a mut Mutator<Concord>> + 'a> {
        // SAFETY: called while the world is stopped, so the threads stay and do not run.
        let threads = concord_safepoint::threads().into_iter().map(|t| unsafe { &mut (*heap_thread(t.get())).mutator });
        Box::new(threads.chain(std::iter::once(promoter())))
    }
    fn number_of_mutators() -> usize {
        concord_safepoint::number() + 1
    }
}
