//! Array elements and lengths.
//!
//! Rows 79-86 are stores of relaxed code; 270-275 the same, sequentially consistent; 276 `aastore`
//! of relaxed code under `+VBD`, which publishes.
use crate::dispatch::{Context, Next, Next::Fall, Next::Slow, Next::Tested};
use crate::heap;
use crate::slow::Kind;
use crate::stack::Stack;
use crate::value::{Byte, Cell, Char, Double, Int, Long, Ref, Reference, Short};
use concord_contract::BasicType;
use concord_contract::barrier;
use concord_contract::object::Obj;
use concord_memory_model::emit;

#[inline(always)]
unsafe fn load<C: Cell>(k: &mut Stack) -> Next {
    // SAFETY: verified code: an index on top of an array of C or null.
    unsafe {
        let i: i32 = k.pop();
        let Ref(a) = k.pop();
        if a == 0 || i as u32 >= heap::length(a) {
            return Slow(Kind::ArrayLoad);
        }
        k.push(C::load(heap::element::<C>(a, i)));
    }
    Fall
}

/// The fence of a store into `a`.
///
/// # Safety
/// `a` is a live array.
#[inline(always)]
unsafe fn fence_into<const SC: bool>(a: u64) {
    // SAFETY: by the caller's word.
    emit::after_code_store_into::<SC>(SC && unsafe { heap::is_local(a) });
}

#[inline(always)]
unsafe fn store<C: Cell, const SC: bool>(k: &mut Stack) -> Next {
    // SAFETY: verified code: a value on top of an index on top of an array of C or null.
    unsafe {
        let v: C::V = k.pop();
        let i: i32 = k.pop();
        let Ref(a) = k.pop();
        if a == 0 || i as u32 >= heap::length(a) {
            return Slow(Kind::ArrayStore);
        }
        C::store(heap::element::<C>(a, i), v);
        fence_into::<SC>(a);
    }
    Fall
}

/// bastore serves byte and boolean arrays; the latter keep one bit.
#[inline(always)]
unsafe fn store_byte<const SC: bool>(k: &mut Stack) -> Next {
    // SAFETY: as `store`.
    unsafe {
        let v: i32 = k.pop();
        let i: i32 = k.pop();
        let Ref(a) = k.pop();
        if a == 0 || i as u32 >= heap::length(a) {
            return Slow(Kind::ArrayStore);
        }
        let boolean = (*heap::class_of(a)).basic as u8 == BasicType::Boolean as u8;
        let v = if boolean { v & 1 } else { v };
        Byte::store(heap::element::<Byte>(a, i), v);
        fence_into::<SC>(a);
    }
    Fall
}

/// Inline when the element type fits by the display and the collector need not know.
#[inline(always)]
unsafe fn store_ref<const SC: bool, const VBD: bool>(k: &mut Stack, _c: &Context) -> Next {
    // SAFETY: as `store`; the element class of a reference array exists.
    unsafe {
        let v: Ref = k.pop();
        let i: i32 = k.pop();
        let Ref(a) = k.pop();
        if a == 0 || i as u32 >= heap::length(a) {
            return Slow(Kind::ArrayStore);
        }
        let mut id = 0;
        if v.0 != 0 {
            id = heap::layout_of(v.0);
            let Some(component) = (*heap::class_of(a)).component else { return Slow(Kind::AAStore) };
            if heap::subtype(heap::class_at(id), component) != Some(true) {
                return Slow(Kind::AAStore);
            }
        }
        if barrier::must_log(Obj::from_addr(a as usize)) {
            return Slow(Kind::AAStore);
        }
        if VBD && heap::must_publish(a, v.0) {
            return Slow(Kind::AAStore);
        }
        Reference::store(heap::element::<Reference>(a, i), v);
        fence_into::<SC>(a);
        Tested(id)
    }
}

bytecodes! {
    46 iaload IALoad 1 ONE |k, c| { load::<Int>(k) }
    47 laload LALoad 1 ONE |k, c| { load::<Long>(k) }
    49 daload DALoad 1 ONE |k, c| { load::<Double>(k) }
    50 aaload AALoad 1 ONE |k, c| { load::<Reference>(k) }
    51 baload BALoad 1 ONE |k, c| { load::<Byte>(k) }
    52 caload CALoad 1 ONE |k, c| { load::<Char>(k) }
    53 saload SALoad 1 ONE |k, c| { load::<Short>(k) }

    79 iastore IAStore 1 ONE |k, c| { store::<Int, false>(k) }
    80 lastore LAStore 1 LONG |k, c| { store::<Long, false>(k) }
    82 dastore DAStore 1 DOUBLE |k, c| { store::<Double, false>(k) }
    83 aastore AAStore 1 ONE |k, c| { store_ref::<false, false>(k, c) }
    84 bastore BAStore 1 ONE |k, c| { store_byte::<false>(k) }
    85 castore CAStore 1 ONE |k, c| { store::<Char, false>(k) }

    270 iastore_sc IAStoreSc 1 ONE |k, c| { store::<Int, true>(k) }
    271 lastore_sc LAStoreSc 1 LONG |k, c| { store::<Long, true>(k) }
    272 dastore_sc DAStoreSc 1 DOUBLE |k, c| { store::<Double, true>(k) }
    273 aastore_sc AAStoreSc 1 ONE |k, c| { store_ref::<true, true>(k, c) }
    274 bastore_sc BAStoreSc 1 ONE |k, c| { store_byte::<true>(k) }
    275 castore_sc CAStoreSc 1 ONE |k, c| { store::<Char, true>(k) }
    276 aastore_vbd AAStoreVbd 1 ONE |k, c| { store_ref::<false, true>(k, c) }

    190 arraylength ArrayLength 1 ONE |k, c| {
        let Ref(a) = k.pop();
        if a == 0 {
            return Slow(Kind::NullPointer);
        }
        k.push(heap::length(a) as i32); Fall
    }
}
