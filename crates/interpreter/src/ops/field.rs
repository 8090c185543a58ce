//! Fields, unresolved and quickened.
//!
//! A quickened instance access holds the byte offset; a quickened static access the index of the
//! cache entry with the cell's address. Stores come relaxed and sequentially consistent, which
//! serves volatile fields as well: on the processors that we know both need the same fences. Stores
//! of references come in a third form, `_vbd`: relaxed code under `+VBD`, which publishes without a
//! fence. Under `-VBD` all objects are SHARED and nobody asks.
use crate::dispatch::{Context, Next, Next::Fall, Next::Slow};
use crate::heap;
use crate::slow::Kind;
use crate::stack::Stack;
use crate::value::{Bool, Byte, Cell, Char, Double, Int, Long, Ref, Reference, Short};
use concord_contract::barrier;
use concord_contract::object::Obj;
use concord_memory_model::emit;
use std::sync::atomic::Ordering;

#[inline(always)]
unsafe fn get<C: Cell>(k: &mut Stack, c: &Context) -> Next {
    // SAFETY: verified code: an instance of the field's class or null on top.
    unsafe {
        let Ref(o) = k.pop();
        if o == 0 {
            return Slow(Kind::NullPointer);
        }
        k.push(C::load(o + c.operand() as u64));
    }
    Fall
}
/// The fence of a store into `o`.
///
/// # Safety
/// `o` is a live object.
#[inline(always)]
unsafe fn fence_into<const SC: bool>(o: u64) {
    // SAFETY: by the caller's word.
    emit::after_code_store_into::<SC>(SC && unsafe { heap::is_local(o) });
}
#[inline(always)]
unsafe fn put<C: Cell, const SC: bool>(k: &mut Stack, c: &Context) -> Next {
    // SAFETY: verified code: a value on top of an instance of the field's class or null.
    unsafe {
        let v: C::V = k.pop();
        let Ref(o) = k.pop();
        if o == 0 {
            return Slow(Kind::NullPointer);
        }
        C::store(o + c.operand() as u64, v);
        fence_into::<SC>(o);
    }
    Fall
}
#[inline(always)]
unsafe fn put_ref<const SC: bool, const VBD: bool>(k: &mut Stack, c: &Context) -> Next {
    // SAFETY: as `put`.
    unsafe {
        let v: Ref = k.pop();
        let Ref(o) = k.pop();
        if o == 0 {
            return Slow(Kind::NullPointer);
        }
        if barrier::must_log(Obj::from_addr(o as usize)) {
            return Slow(Kind::PutField);
        }
        if VBD && heap::must_publish(o, v.0) {
            return Slow(Kind::PutField);
        }
        Reference::store(o + c.operand() as u64, v);
        fence_into::<SC>(o);
    }
    Fall
}
#[inline(always)]
unsafe fn get_static<C: Cell>(k: &mut Stack, c: &Context) -> Next {
    // SAFETY: a quickened instruction's entry holds the address of the cell.
    unsafe { k.push(C::load(c.entry().a.load(Ordering::Relaxed))) };
    Fall
}
#[inline(always)]
unsafe fn put_static<C: Cell, const SC: bool>(k: &mut Stack, c: &Context) -> Next {
    // SAFETY: as `get_static`; a value is on top.
    unsafe {
        let v: C::V = k.pop();
        C::store(c.entry().a.load(Ordering::Relaxed), v);
    }
    emit::after_code_store::<SC>();
    Fall
}
#[inline(always)]
unsafe fn put_static_ref<const SC: bool, const VBD: bool>(k: &mut Stack, c: &Context) -> Next {
    // SAFETY: as `put_static`; `b` is the statics object.
    unsafe {
        let v: Ref = k.pop();
        let e = c.entry();
        if barrier::must_log(Obj::from_addr(e.b.load(Ordering::Relaxed) as usize)) {
            return Slow(Kind::PutStatic);
        }
        // The object of the statics is SHARED.
        if VBD && v.0 != 0 && heap::is_local(v.0) {
            return Slow(Kind::PutStatic);
        }
        Reference::store(e.a.load(Ordering::Relaxed), v);
    }
    emit::after_code_store::<SC>();
    Fall
}

bytecodes! {
    178 getstatic GetStatic 1 NONE |k, c| { Slow(Kind::Resolve) }
    179 putstatic PutStatic 1 NONE |k, c| { Slow(Kind::Resolve) }
    180 getfield GetField 1 NONE |k, c| { Slow(Kind::Resolve) }
    181 putfield PutField 1 NONE |k, c| { Slow(Kind::Resolve) }

    210 getfield_b GetFieldB 1 ONE |k, c| { get::<Byte>(k, c) }
    211 getfield_c GetFieldC 1 ONE |k, c| { get::<Char>(k, c) }
    212 getfield_s GetFieldS 1 ONE |k, c| { get::<Short>(k, c) }
    213 getfield_i GetFieldI 1 ONE |k, c| { get::<Int>(k, c) }
    214 getfield_l GetFieldL 1 ONE |k, c| { get::<Long>(k, c) }
    215 getfield_d GetFieldD 1 ONE |k, c| { get::<Double>(k, c) }
    216 getfield_a GetFieldA 1 ONE |k, c| { get::<Reference>(k, c) }

    220 putfield_z PutFieldZ 1 ONE |k, c| { put::<Bool, false>(k, c) }
    221 putfield_b PutFieldB 1 ONE |k, c| { put::<Byte, false>(k, c) }
    222 putfield_c PutFieldC 1 ONE |k, c| { put::<Char, false>(k, c) }
    223 putfield_i PutFieldI 1 ONE |k, c| { put::<Int, false>(k, c) }
    224 putfield_l PutFieldL 1 LONG |k, c| { put::<Long, false>(k, c) }
    225 putfield_d PutFieldD 1 DOUBLE |k, c| { put::<Double, false>(k, c) }
    226 putfield_a PutFieldA 1 ONE |k, c| { put_ref::<false, false>(k, c) }

    230 putfield_z_sc PutFieldZSc 1 ONE |k, c| { put::<Bool, true>(k, c) }
    231 putfield_b_sc PutFieldBSc 1 ONE |k, c| { put::<Byte, true>(k, c) }
    232 putfield_c_sc PutFieldCSc 1 ONE |k, c| { put::<Char, true>(k, c) }
    233 putfield_i_sc PutFieldISc 1 ONE |k, c| { put::<Int, true>(k, c) }
    234 putfield_l_sc PutFieldLSc 1 LONG |k, c| { put::<Long, true>(k, c) }
    235 putfield_d_sc PutFieldDSc 1 DOUBLE |k, c| { put::<Double, true>(k, c) }
    236 putfield_a_sc PutFieldASc 1 ONE |k, c| { put_ref::<true, true>(k, c) }
    237 putfield_a_vbd PutFieldAVbd 1 ONE |k, c| { put_ref::<false, true>(k, c) }

    240 getstatic_b GetStaticB 1 NONE |k, c| { get_static::<Byte>(k, c) }
    241 getstatic_c GetStaticC 1 NONE |k, c| { get_static::<Char>(k, c) }
    242 getstatic_s GetStaticS 1 NONE |k, c| { get_static::<Short>(k, c) }
    243 getstatic_i GetStaticI 1 NONE |k, c| { get_static::<Int>(k, c) }
    244 getstatic_l GetStaticL 1 NONE |k, c| { get_static::<Long>(k, c) }
    245 getstatic_d GetStaticD 1 NONE |k, c| { get_static::<Double>(k, c) }
    246 getstatic_a GetStaticA 1 NONE |k, c| { get_static::<Reference>(k, c) }

    250 putstatic_z PutStaticZ 1 ONE |k, c| { put_static::<Bool, false>(k, c) }
    251 putstatic_b PutStaticB 1 ONE |k, c| { put_static::<Byte, false>(k, c) }
    252 putstatic_c PutStaticC 1 ONE |k, c| { put_static::<Char, false>(k, c) }
    253 putstatic_i PutStaticI 1 ONE |k, c| { put_static::<Int, false>(k, c) }
    254 putstatic_l PutStaticL 1 LONG |k, c| { put_static::<Long, false>(k, c) }
    255 putstatic_d PutStaticD 1 DOUBLE |k, c| { put_static::<Double, false>(k, c) }
    256 putstatic_a PutStaticA 1 ONE |k, c| { put_static_ref::<false, false>(k, c) }

    260 putstatic_z_sc PutStaticZSc 1 ONE |k, c| { put_static::<Bool, true>(k, c) }
    261 putstatic_b_sc PutStaticBSc 1 ONE |k, c| { put_static::<Byte, true>(k, c) }
    262 putstatic_c_sc PutStaticCSc 1 ONE |k, c| { put_static::<Char, true>(k, c) }
    263 putstatic_i_sc PutStaticISc 1 ONE |k, c| { put_static::<Int, true>(k, c) }
    264 putstatic_l_sc PutStaticLSc 1 LONG |k, c| { put_static::<Long, true>(k, c) }
    265 putstatic_d_sc PutStaticDSc 1 DOUBLE |k, c| { put_static::<Double, true>(k, c) }
    266 putstatic_a_sc PutStaticASc 1 ONE |k, c| { put_static_ref::<true, true>(k, c) }
    267 putstatic_a_vbd PutStaticAVbd 1 ONE |k, c| { put_static_ref::<false, true>(k, c) }
}
