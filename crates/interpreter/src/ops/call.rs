//! Calls and returns.
//!
//! Rows 300-309 are returns that have more to do: narrow the result, give back monitors, register
//! a finalizable object. The translator chooses them, so ordinary returns test nothing. The operand
//! of `return_locked` is the return without locks that goes on.
use crate::dispatch::{Context, Next, Next::As, Next::Invoke, Next::InvokeOn, Next::Return, Next::Slow};
use crate::slow::Kind;
use crate::stack::Stack;
use crate::value::{Ref, Value};
use crate::{heap, locks};
use concord_contract::class::flags;
use concord_contract::frame;
use concord_contract::method::{CallSite, Method};
use std::sync::atomic::Ordering;

/// The row that calls through an adapter.
pub const CALL_HANDLE: usize = 284;
/// As well, of a handle that must not be null.
pub const CALL_ON_HANDLE: usize = 294;

/// The resolved record of the call.
#[inline(always)]
unsafe fn site(c: &Context) -> *const CallSite {
    c.entry().a.load(Ordering::Acquire) as *const CallSite
}
/// The receiver of a call whose arguments are in memory.
#[inline(always)]
unsafe fn receiver(k: &Stack, s: *const CallSite) -> u64 {
    // SAFETY: verified code: the arguments are on the stack.
    unsafe { *((k.sp as *const u8).sub((*s).nargs_bytes as usize) as *const u64) }
}
/// Calls an adapter with what is on the stack and the appendix, if it takes one.
#[inline(always)]
unsafe fn invoke_adapter(k: &mut Stack, s: *const CallSite) -> Next {
    // SAFETY: the translator counted the appendix's slot in the frame; its root is a word that lives as long as the site.
    unsafe {
        if !(*s).appendix.is_null() {
            *k.sp = (*(*s).appendix).0.load(Ordering::Relaxed);
            k.sp = k.sp.add(1);
        }
        Invoke((*s).method)
    }
}
#[inline(always)]
unsafe fn ret<T: Value>(k: &mut Stack, c: &Context, f: impl Fn(T) -> T) -> Next {
    // SAFETY: verified code: the result is on top; the frame is popped by moving to its locals.
    unsafe {
        let v = f(k.pop::<T>());
        k.flush(0);
        k.sp = c.lp;
        k.push(v);
    }
    Return
}

bytecodes! {
    172 ireturn IReturn 1 ONE |k, c| { ret::<i32>(k, c, |v| v) }
    173 lreturn LReturn 1 LONG |k, c| { ret::<i64>(k, c, |v| v) }
    175 dreturn DReturn 1 DOUBLE |k, c| { ret::<f64>(k, c, |v| v) }
    176 areturn AReturn 1 ONE |k, c| { ret::<Ref>(k, c, |v| v) }
    177 return ReturnVoid 1 NONE |k, c| { k.flush(0); k.sp = c.lp; Return }

    300 ireturn_z IReturnZ 1 ONE |k, c| { ret::<i32>(k, c, |v| v & 1) }
    301 ireturn_b IReturnB 1 ONE |k, c| { ret::<i32>(k, c, |v| v as i8 as i32) }
    302 ireturn_c IReturnC 1 ONE |k, c| { ret::<i32>(k, c, |v| v as u16 as i32) }
    303 ireturn_s IReturnS 1 ONE |k, c| { ret::<i32>(k, c, |v| v as i16 as i32) }
    304 return_locked ReturnLocked 1 NONE |k, c| {
        let plain = c.operand();
        if !locks::leave(c.th, plain & locks::SYNCHRONIZED as usize != 0, c.fp) {
            return Slow(Kind::ReturnLocked);
        }
        As(plain & (locks::SYNCHRONIZED as usize - 1))
    }
    305 return_init ReturnInit 1 NONE |k, c| {
        let class = heap::class_of(*c.local(0));
        if (*class).flags.load(Ordering::Relaxed) & flags::FINALIZER != 0 {
            return Slow(Kind::ReturnInit);
        }
        k.flush(0); k.sp = c.lp; Return
    }

    182 invokevirtual InvokeVirtual 1 NONE |k, c| { Slow(Kind::Resolve) }
    183 invokespecial InvokeSpecial 1 NONE |k, c| { Slow(Kind::Resolve) }
    184 invokestatic InvokeStatic 1 NONE |k, c| { Slow(Kind::Resolve) }
    185 invokeinterface InvokeInterface 1 NONE |k, c| { Slow(Kind::Resolve) }
    186 invokedynamic InvokeDynamic 1 NONE |k, c| { Slow(Kind::Resolve) }

    280 call_static CallStatic 1 NONE |k, c| {
        k.flush(0);
        Invoke(c.entry().b.load(Ordering::Acquire) as *const Method)
    }
    281 call_special CallSpecial 1 NONE |k, c| {
        k.flush(0);
        let s = site(c);
        if receiver(k, s) == 0 {
            return Slow(Kind::NullPointer);
        }
        Invoke((*s).method)
    }
    282 call_virtual CallVirtual 1 NONE |k, c| {
        k.flush(0);
        let s = site(c);
        let r = receiver(k, s);
        if r == 0 {
            return Slow(Kind::NullPointer);
        }
        let id = heap::layout_of(r);
        InvokeOn(heap::vtable_method(heap::class_at(id), (*s).index), id)
    }
    283 call_interface CallInterface 1 NONE |k, c| {
        k.flush(0);
        let s = site(c);
        let r = receiver(k, s);
        if r == 0 {
            return Slow(Kind::NullPointer);
        }
        let id = heap::layout_of(r);
        let m = heap::itable_method(heap::class_at(id), (*s).interface, (*s).index);
        if m.is_null() {
            return Slow(Kind::NotImplemented);
        }
        InvokeOn(m, id)
    }
    284 call_handle CallHandle 1 NONE |k, c| {
        k.flush(0);
        invoke_adapter(k, site(c))
    }
    294 call_on_handle CallOnHandle 1 NONE |k, c| {
        // By MethodHandle or VarHandle: the adapter trusts that it is one.
        k.flush(0);
        let s = site(c);
        if receiver(k, s) == 0 {
            return Slow(Kind::NullPointer);
        }
        invoke_adapter(k, s)
    }
    285 call_special_b CallSpecialB 1 NONE |k, c| {
        // The target is in `b`: no record is read. The same constant may be called virtually, too,
        // through the record in `a`.
        k.flush(0);
        let m = c.entry().b.load(Ordering::Acquire) as *const Method;
        if *((k.sp as *const u8).sub((*m).nargs_bytes as usize) as *const u64) == 0 {
            return Slow(Kind::NullPointer);
        }
        Invoke(m)
    }
    286 call_virtual_near CallVirtualNear 1 NONE |k, c| {
        // Slots of arguments and vtable index are in the word: no record is read.
        k.flush(0);
        let o = c.operand();
        let r = *k.sp.sub(o & 0xff);
        if r == 0 {
            return Slow(Kind::NullPointer);
        }
        let id = heap::layout_of(r);
        InvokeOn(heap::vtable_method(heap::class_at(id), (o >> 8) as u32), id)
    }
    287 call_requested CallRequested 1 NONE |k, c| {
        // The instruction names another interface than the one that declares the method, or a method of Object.
        k.flush(0);
        let s = site(c);
        let r = receiver(k, s);
        if r == 0 {
            return Slow(Kind::NullPointer);
        }
        let id = heap::layout_of(r);
        let class = heap::class_at(id);
        if !heap::implements(class, (*s).requested) {
            return Slow(Kind::NotImplemented);
        }
        if (*s).interface.is_null() {
            return InvokeOn(heap::vtable_method(class, (*s).index), id);
        }
        InvokeOn(heap::itable_method(class, (*s).interface, (*s).index), id)
    }
    288 call_direct_requested CallDirectRequested 1 NONE |k, c| {
        // A private method of an interface, a final one of Object.
        k.flush(0);
        let s = site(c);
        let r = receiver(k, s);
        if r == 0 {
            return Slow(Kind::NullPointer);
        }
        if !heap::implements(heap::class_of(r), (*s).requested) {
            return Slow(Kind::NotImplemented);
        }
        Invoke((*s).method)
    }
    289 call_special_in_interface CallSpecialInInterface 1 NONE |k, c| {
        // Target as in 285; the receiver must implement the interface whose code this is.
        k.flush(0);
        let m = c.entry().b.load(Ordering::Acquire) as *const Method;
        let r = *((k.sp as *const u8).sub((*m).nargs_bytes as usize) as *const u64);
        if r == 0 {
            return Slow(Kind::NullPointer);
        }
        let from = *c.fp.sub(frame::METHOD) as *const Method;
        if !heap::implements(heap::class_of(r), (*from).class) {
            return Slow(Kind::NotImplemented);
        }
        Invoke(m)
    }
}
