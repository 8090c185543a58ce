//! Objects as the collector sees them.
//!
//! Invariant: the forwarding bits are header bits 56-57, the forwarding pointer is the whole
//! header word of the dead copy, all other metadata is on the side; a new copy has a zero byte 7.
use crate::binding::Concord;
use crate::slot::reference;
use concord_contract::layout::object_size;
use concord_contract::owner;
use mmtk::util::copy::{CopySemantics, GCWorkerCopyContext};
use mmtk::util::{Address, ObjectReference};
use mmtk::vm::*;

pub struct Model;

/// Size of an object in bytes.
#[inline(always)]
pub fn size(o: ObjectReference) -> usize {
    // SAFETY: the collector passes objects with complete headers.
    unsafe { object_size(o.to_raw_address().as_usize()) }
}

impl ObjectModel<Concord> for Model {
    const GLOBAL_LOG_BIT_SPEC: VMGlobalLogBitSpec = VMGlobalLogBitSpec::side_first();
    const LOCAL_FORWARDING_POINTER_SPEC: VMLocalForwardingPointerSpec = VMLocalForwardingPointerSpec::in_header(0);
    const LOCAL_FORWARDING_BITS_SPEC: VMLocalForwardingBitsSpec = VMLocalForwardingBitsSpec::in_header(56);
    const LOCAL_LOS_MARK_NURSERY_SPEC: VMLocalLOSMarkNurserySpec = VMLocalLOSMarkNurserySpec::side_first();
    const LOCAL_MARK_BIT_SPEC: VMLocalMarkBitSpec =
        VMLocalMarkBitSpec::side_after(Self::LOCAL_LOS_MARK_NURSERY_SPEC.as_spec());
    const LOCAL_PINNING_BIT_SPEC: VMLocalPinningBitSpec =
        VMLocalPinningBitSpec::side_after(Self::LOCAL_MARK_BIT_SPEC.as_spec());
    const UNIFIED_OBJECT_REFERENCE_ADDRESS: bool = true;
    const OBJECT_REF_OFFSET_LOWER_BOUND: isize = 0;

    #[inline(always)]
    fn copy(
        from: ObjectReference,
        semantics: CopySemantics,
        context: &mut GCWorkerCopyContext<Concord>,
    ) -> ObjectReference {
        let bytes = size(from);
        let to = context.alloc_copy(from, bytes, 8, 0, semantics);
        // SAFETY: `to` has `bytes` fresh bytes, and this worker owns the object while its state
        // says that it is being forwarded.
        let new = unsafe {
            let s = from.to_raw_address().to_ptr::<u64>();
            let d = to.to_mut_ptr::<u64>();
            if bytes <= 64 {
                for i in 0..bytes / 8 {
                    *d.add(i) = *s.add(i);
                }
            } else {
                std::ptr::copy_nonoverlapping(s, d, bytes / 8);
            }
            // The state "being forwarded" must not reach the copy.
            *to.to_mut_ptr::<u8>().add(7) = 0;
            reference(to.as_usize())
        };
        if owner::on() {
            owner::moved(from.to_raw_address().as_usize(), to.as_usize());
        }
        context.post_copy(new, bytes, semantics);
        new
    }

    fn copy_to(from: ObjectReference, to: ObjectReference, _region: Address) -> Address {
        let bytes = size(from);
        if from != to {
            // SAFETY: the plan has made room for the object at `to`.
            unsafe {
                std::ptr::copy(from.to_raw_address().to_ptr::<u8>(), to.to_raw_address().to_mut_ptr::<u8>(), bytes)
            }
        }
        to.to_raw_address() + bytes
    }
    fn get_reference_when_copied_to(_from: ObjectReference, to: Address) -> ObjectReference {
        // SAFETY: the plan copies an object to `to`.
        unsafe { reference(to.as_usize()) }
    }
    #[inline(always)]
    fn get_current_size(o: ObjectReference) -> usize {
        size(o)
    }
    fn get_size_when_copied(o: ObjectReference) -> usize {
        size(o)
    }
    fn get_align_when_copied(_o: ObjectReference) -> usize {
        8
    }
    fn get_align_offset_when_copied(_o: ObjectReference) -> usize {
        0
    }
    fn get_type_descriptor(_o: ObjectReference) -> &'static [i8] {
        concord_base::bug!("the collector asked for a type descriptor, which Concord's objects do not have")
    }
    #[inline(always)]
    fn ref_to_object_start(o: ObjectReference) -> Address {
        o.to_raw_address()
    }
    #[inline(always)]
    fn ref_to_header(o: ObjectReference) -> Address {
        o.to_raw_address()
    }
    fn dump_object(o: ObjectReference) {
        // SAFETY: the collector passes an object.
        let o = unsafe { concord_contract::Obj::from_addr(o.to_raw_address().as_usize()) };
        concord_base::errln!("{}", crate::walk::describe(o));
    }
}
