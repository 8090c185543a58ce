//! The heap: objects come from here, and references are stored here.
//!
//! Invariant: between two safepoints every object that a thread can name stays where it is; at a
//! safepoint an object lives on if a root names it, and stays where it is if a native frame names
//! it. Deliberately absent: what a class is, who the roots are ([`RootProvider`] says), and which
//! fences a store needs.
//!
//! | module | what it owns |
//! |---|---|
//! | [`options`], [`binding`] | set-up, the MMTk instance, attach and detach |
//! | [`space_table`] | a table of MMTk's that would be large |
//! | `object_model`, `slot`, `scanning`, `active_plan` | the collector's view of objects, references, threads |
//! | [`alloc`], [`copy`], [`store`] | what the VM calls: allocate, clone, store references |
//! | `allocated`, `watched` | bytes allocated, by thread; telling of each allocation |
//! | `eden`, `nursery` | where objects are born; how much of it is used |
//! | `young`, `scavenge` | when eden is collected; how |
//! | `promoter` | room for what grows old at a stop |
//! | `conservative` | native frames: lazy valid-object bits, pinning |
//! | [`publish`] | LOCAL objects become SHARED before others can reach them |
//! | `remembered`, `cards` | stores into old objects; into large old arrays |
//! | [`roots`], `references` | roots and weak tables; java.lang.ref |
//! | `worker` | what a collector thread keeps between two objects: slots whose targets are being fetched |
//! | `in_place` | full collections that move nothing: marks, gaps |
//! | [`relayout`] | instances get another layout at a stop |
//! | `evacuation` | which objects a full collection moves, and when it is to be repeated |
//! | `collection`, `trigger`, `gc_log`, `live`, `uncommit` | pauses, System.gc(), logs, figures, memory given back |
//! | [`generations`] | what monitoring tools call young and old |
//! | `large`, `huge_pages` | addresses of large objects; who gets huge pages |
//! | [`walk`], `verify`, `verify_local` | heap walk, text, verification |
//!
//! Order of set-up: `contract::layout::init`, [`init`], [`set_root_provider`], [`attach`] of the
//! first thread, [`start_workers`].
mod active_plan;
pub mod alloc;
mod allocated;
mod arch;
pub mod binding;
pub mod births;
mod cards;
mod collection;
mod conservative;
pub mod copy;
mod eden;
mod evacuation;
mod fill;
mod gc_detail;
mod gc_log;
pub mod generations;
mod huge_pages;
mod in_place;
mod large;
mod live;
mod nursery;
mod object_model;
pub mod options;
mod promoter;
pub mod publish;
mod references;
pub mod relayout;
mod remembered;
pub mod roots;
mod scanning;
mod scavenge;
mod slot;
pub mod space_table;
pub mod store;
mod trigger;
mod uncommit;
mod verify;
mod verify_local;
pub mod walk;
mod watched;
mod worker;
mod young;

pub use alloc::{
    AllocError, MAX_ARRAY_LENGTH, MAX_SMALL, alloc_array, alloc_array_local, alloc_instance, alloc_instance_local,
    alloc_slow, alloc_with_layout, array_bytes,
};
pub use allocated::{allocated_by, allocated_by_all};
pub use binding::{attach, detach, init, is_set_up, start_workers};
pub use collection::{full_collections, metadata_gc, metadata_threshold_gc, system_gc};
pub use copy::{clone_object, copy_payload};
pub use eden::{contains as is_young, is_on as has_eden, places as eden_places};
pub use fill::fill_payload;
pub use gc_detail::exit as log_exit;
pub use gc_log::{
    Record, Totals, collection_totals, free_memory, live_after_full, max_memory, nursery_size, total_memory, totals,
    used_memory, worker_count,
};
pub use huge_pages::HugePages;
pub use options::{HeapOptions, Plan, Zeal, default_max};
pub use publish::{publish, publish_at_stop, publish_elements, publish_value, publish_without_poll};
pub use roots::{GcInfo, ReferenceKind, ReferenceLayout, RootProvider, set_root_provider};
pub use store::{array_copy_refs, barrier_slow, barrier_slow_at, cas_ref, store_ref, store_ref_array_range, swap_ref};
pub use walk::{describe, for_each_object};
pub use watched::{is_on as allocations_are_watched, watch_allocations};
