//! java.lang.ref: not processed yet; a referent is a strong edge.
//!
//! Invariant: no referent dies while its reference lives.
use crate::binding::Concord;
use crate::roots::provider;
use crate::slot::RefSlot;
use mmtk::scheduler::GCWorker;
use mmtk::util::ObjectReference;
use mmtk::util::opaque_pointer::VMWorkerThread;
use mmtk::vm::{ObjectTracerContext, ReferenceGlue};
use std::sync::Mutex;

/// MMTk's own reference processor is off.
pub struct NoBuiltInReferences;

fn unused() -> ! {
    concord_base::bug!("the collector's own reference processor is switched off")
}

impl ReferenceGlue<Concord> for NoBuiltInReferences {
    type FinalizableType = ObjectReference;
    fn clear_referent(_: ObjectReference) {
        unused()
    }
    fn get_referent(_: ObjectReference) -> Option<ObjectReference> {
        unused()
    }
    fn set_referent(_: ObjectReference, _: ObjectReference) {
        unused()
    }
    fn enqueue_references(_: &[ObjectReference], _: VMWorkerThread) {
        unused()
    }
}

static OFFSETS: Mutex<Option<crate::roots::ReferenceLayout>> = Mutex::new(None);

/// Called once at the beginning of a collection.
pub fn prepare() {
    if let Ok(mut o) = OFFSETS.lock() {
        *o = provider().reference_layout();
    }
}

/// Visits the referent of the reference at `address`.
pub fn discover(address: usize, mut visit: impl FnMut(RefSlot)) {
    let offsets = match OFFSETS.lock() {
        Ok(o) => *o,
        Err(_) => None,
    };
    if let Some(o) = offsets {
        visit(RefSlot::heap(address + o.referent));
    }
}

/// After the closure over strong references: weak words.
pub fn process(_worker: &mut GCWorker<Concord>, _context: impl ObjectTracerContext<Concord>) -> bool {
    provider().weak_slots(crate::collection::is_full(), &mut update_weak);
    false
}

/// Updates a weak word, or clears it when its object is dead.
fn update_weak(word: *mut u64) -> bool {
    use mmtk::vm::slot::Slot;
    let slot = RefSlot::root(word);
    match slot.load() {
        None => true,
        Some(o) if o.is_reachable() => {
            slot.store(o.get_forwarded_object().unwrap_or(o));
            true
        }
        Some(_) => {
            // SAFETY: the provider's word.
            unsafe { *word = 0 };
            false
        }
    }
}
