//! The collector instance, and what of the thread block belongs to this room.
//!
//! Invariant: [`collector`] is set once by `init` before anything else of this crate runs; a
//! thread's [`HeapThread`] lies in its `mutator` storage from attach to detach.
use crate::active_plan::Mutators;
use crate::collection::Pauses;
use crate::object_model::Model;
use crate::options::HeapOptions;
use crate::references::NoBuiltInReferences;
use crate::scanning::Scanner;
use crate::slot::{RefRange, RefSlot};
use crate::space_table;
use concord_contract::Thread;
use concord_contract::barrier::UNLOG_TABLE;
use concord_contract::thread::MUTATOR_BYTES;
use mmtk::plan::BarrierSelector;
use mmtk::util::Address;
use mmtk::util::alloc::{AllocatorInfo, AllocatorSelector};
use mmtk::util::opaque_pointer::{OpaquePointer, VMMutatorThread, VMThread};
use mmtk::vm::{ObjectModel, VMBinding};
use mmtk::{AllocationSemantics, MMTK, Mutator, memory_manager};
use std::sync::OnceLock;

#[derive(Default)]
pub struct Concord;

impl VMBinding for Concord {
    type VMObjectModel = Model;
    type VMScanning = Scanner;
    type VMCollection = Pauses;
    type VMActivePlan = Mutators;
    type VMReferenceGlue = NoBuiltInReferences;
    type VMSlot = RefSlot;
    type VMMemorySlice = RefRange;
    // Gaps must read as "no object".
    const ALIGNMENT_VALUE: u8 = 0;
    const MIN_ALIGNMENT: usize = 8;
    const MAX_ALIGNMENT: usize = 128;
    const USE_ALLOCATION_OFFSET: bool = true;
}

/// What is fixed at `init`.
pub struct Heap {
    pub mmtk: &'static MMTK<Concord>,
    pub options: HeapOptions,
    /// Offset of the bump pointer in a mutator.
    pub bump_offset: usize,
    /// Objects above this many bytes are large objects.
    pub max_small: usize,
    /// log2 of a space's size in the contiguous layouts.
    pub contiguous_extent: Option<usize>,
    /// Address of the byte with the valid-object bit of address 0.
    pub vo_table: usize,
}

static HEAP: OnceLock<Heap> = OnceLock::new();
static WORKERS: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

/// Whether a collection can happen.
pub fn has_workers() -> bool {
    WORKERS.load(std::sync::atomic::Ordering::Acquire)
}

/// Whether there is a heap.
pub fn is_set_up() -> bool {
    HEAP.get().is_some()
}

/// The heap; `init` must have run.
#[inline(always)]
pub fn heap() -> &'static Heap {
    match HEAP.get() {
        Some(h) => h,
        None => concord_base::bug!("the heap is used before it is set up"),
    }
}
#[inline(always)]
pub fn collector() -> &'static MMTK<Concord> {
    heap().mmtk
}

/// This room's part of the thread block.
#[repr(C)]
pub struct HeapThread {
    pub mutator: Mutator<Concord>,
    /// Runs of bump allocation since the last collection whose objects have no VO bits yet.
    pub runs: Vec<crate::conservative::Run>,
    /// Allocations until the next zeal collection, and collections so far.
    pub zeal_countdown: u32,
    pub zeal_collections: u32,
    /// Objects that the thread is publishing (`publish`). Roots.
    pub walk: crate::publish::Walk,
    /// Old objects that the thread has stored references into (`remembered`).
    pub remembered: crate::remembered::Buffer,
    /// The thread's place in eden.
    pub eden: crate::eden::Buffer,
    /// What the thread has allocated (`allocated`).
    pub account: crate::allocated::Account,
}

const _: () = assert!(size_of::<HeapThread>() <= MUTATOR_BYTES && align_of::<HeapThread>() <= 64);

/// The heap part of an attached thread.
pub fn heap_thread(th: &Thread) -> *mut HeapThread {
    th.mutator.0.get().cast()
}

/// The thread as MMTk passes it around.
pub fn mutator_tls(th: &Thread) -> VMMutatorThread {
    VMMutatorThread(VMThread(OpaquePointer::from_address(Address::from_ref(th))))
}

/// The thread block behind a mutator.
///
/// # Safety
/// `tls` was made by [`mutator_tls`] from a thread that is attached now.
pub unsafe fn thread_of<'a>(tls: VMMutatorThread) -> &'a Thread {
    // SAFETY: by the caller's promise.
    unsafe { &*tls.0.0.to_address().to_ptr::<Thread>() }
}

/// Reserves and sets up the heap; once, before the first thread attaches.
///
/// # Errors
/// A message for the user when the size is impossible.
pub fn init(options: HeapOptions) -> Result<(), String> {
    // The clock of soft references.
    concord_base::log::start_clock();
    let builder = options.builder()?;
    if options.zeal.owners {
        concord_contract::owner::switch_on();
    }
    crate::cards::init()?;
    crate::in_place::marks::init()?;
    crate::evacuation::init(&options);
    space_table::begin();
    let mmtk: &'static MMTK<Concord> = Box::leak(memory_manager::mmtk_init::<Concord>(&builder));
    space_table::finish();
    let selector = memory_manager::get_allocator_mapping(mmtk, AllocationSemantics::Default);
    let AllocatorInfo::BumpPointer { bump_pointer_offset } = AllocatorInfo::new::<Concord>(selector) else {
        return Err(format!("the plan {:?} does not allocate by bumping a pointer", options.plan));
    };
    let constraints = mmtk.get_plan().constraints();
    match constraints.barrier {
        BarrierSelector::NoBarrier => {}
        BarrierSelector::ObjectBarrier => {
            let table = Model::GLOBAL_LOG_BIT_SPEC.as_spec().extract_side_spec().get_starting_address();
            UNLOG_TABLE.store(table.as_usize(), std::sync::atomic::Ordering::Release);
        }
        other => return Err(format!("the plan {:?} needs a barrier that is not there: {other:?}", options.plan)),
    }
    let heap = Heap {
        mmtk,
        options,
        contiguous_extent: options.contiguous_extent(),
        bump_offset: bump_pointer_offset,
        max_small: constraints.max_non_los_default_alloc_bytes.min(16384),
        vo_table: mmtk::util::metadata::side_metadata::vo_bit_side_metadata_addr().as_usize(),
    };
    let vo_table = heap.vo_table;
    if HEAP.set(heap).is_err() {
        return Err("the heap is set up twice".into());
    }
    let promoter =
        memory_manager::bind_mutator(mmtk, VMMutatorThread(crate::worker::name(crate::worker::MAX_WORKERS - 1).0));
    PROMOTER.store(Box::into_raw(promoter), std::sync::atomic::Ordering::Release);
    if let Some(plan) = mmtk.get_plan().generational() {
        // The first collection is full, too; the others are by what the nursery's size says.
        plan.force_full_heap_collection();
        crate::eden::init(&options, vo_table)?;
    }
    crate::gc_log::announce();
    Ok(())
}

/// The allocators of young collections: a mutator whose thread is none, so that the collector gives it memory in any case.
static PROMOTER: std::sync::atomic::AtomicPtr<Mutator<Concord>> =
    std::sync::atomic::AtomicPtr::new(std::ptr::null_mut());

/// The allocators of young collections. The world is stopped.
pub fn promoter() -> &'static mut Mutator<Concord> {
    // SAFETY: made by `init` and kept for ever; only the one who has stopped the world uses it.
    unsafe { &mut *PROMOTER.load(std::sync::atomic::Ordering::Acquire) }
}

/// Starts the collector's threads; before this no collection can happen.
pub fn start_workers() {
    memory_manager::initialize_collection(collector(), VMThread::UNINITIALIZED);
    WORKERS.store(true, std::sync::atomic::Ordering::Release);
}

/// Makes the calling thread a mutator and registers it with the safepoint room, in one step.
pub fn attach(th: &Thread) {
    concord_safepoint::register_with(th, || {
        let mutator = memory_manager::bind_mutator(collector(), mutator_tls(th));
        let at = heap_thread(th);
        // SAFETY: the storage is this room's, large and aligned enough, and nothing lives there;
        // a mutator may be moved, nobody keeps its address between binding and registration.
        unsafe {
            at.write(HeapThread {
                mutator: *mutator,
                runs: Vec::new(),
                zeal_countdown: 0,
                zeal_collections: 0,
                walk: crate::publish::Walk::default(),
                remembered: Vec::new(),
                eden: crate::eden::Buffer::default(),
                account: crate::allocated::Account::default(),
            });
        }
        th.bump.set(crate::alloc::bump_pointer(th));
    });
}

/// Undoes [`attach`]; the thread must not touch the heap afterwards.
pub fn detach(th: &Thread) {
    concord_safepoint::unregister_with(th, || {
        crate::conservative::adopt_runs(th);
        crate::remembered::adopt(th);
        crate::allocated::close(th);
        th.bump.set(std::ptr::null_mut());
        // SAFETY: the thread is attached, and after this its storage is dead.
        unsafe {
            let at = heap_thread(th);
            memory_manager::destroy_mutator(&mut (*at).mutator);
            drop_allocators(&mut (*at).mutator);
            std::ptr::drop_in_place(at);
        }
    });
}

/// Drops what MMTk leaves out: a mutator keeps its allocators in uninitialized-by-type storage, so
/// dropping it frees none of what they share.
///
/// # Safety
/// The mutator is destroyed and only its own drop follows.
unsafe fn drop_allocators(mutator: &mut Mutator<Concord>) {
    use AllocationSemantics::{Code, Default, Immortal, LargeCode, Los, NonMoving, ReadOnly};
    let mut done = Vec::new();
    for semantics in [Default, Immortal, Los, Code, ReadOnly, LargeCode, NonMoving] {
        let selector = memory_manager::get_allocator_mapping(collector(), semantics);
        if selector == AllocatorSelector::None || done.contains(&selector) {
            continue;
        }
        done.push(selector);
        // SAFETY: the plan made an allocator for every selector it maps to; each is dropped once.
        unsafe { std::ptr::drop_in_place(mutator.allocator_mut(selector)) };
    }
}
