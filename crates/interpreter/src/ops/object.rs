//! Allocation, type tests, exceptions, monitors, constants to be resolved, and the way out.
use crate::dispatch::{Next::Exit as Leave, Next::Fall, Next::Slow, Next::Tested};
use crate::slow::{Kind, primitive_array};
use crate::value::Ref;
use crate::{heap, locks};
use concord_contract::class::Class;
use std::sync::atomic::Ordering;

bytecodes! {
    18 ldc Ldc 2 NONE |k, c| { Slow(Kind::Resolve) }
    20 ldc2_w Ldc2 3 NONE |k, c| { Slow(Kind::Resolve) }
    187 new New 1 NONE |k, c| { Slow(Kind::Resolve) }
    188 newarray NewArray 1 ONE |k, c| {
        let n: i32 = k.pop();
        let class = primitive_array(c.operand());
        if class.is_null() {
            return Slow(Kind::NewArray);
        }
        let a = heap::new_array(c.th, class, n);
        if a == 0 {
            return Slow(Kind::NewArray);
        }
        k.push(Ref(a)); Fall
    }
    189 anewarray ANewArray 1 NONE |k, c| { Slow(Kind::Resolve) }
    191 athrow AThrow 1 ONE |k, c| { Slow(Kind::Throw) }
    192 checkcast CheckCast 1 ONE |k, c| {
        let v: Ref = k.pop();
        if v.0 != 0 {
            return Slow(Kind::Resolve);
        }
        k.push(v); Tested(0)
    }
    193 instanceof InstanceOf 1 ONE |k, c| {
        let v: Ref = k.pop();
        if v.0 != 0 {
            return Slow(Kind::Resolve);
        }
        k.push(0i32); Tested(0)
    }
    194 monitorenter MonitorEnter 1 ONE |k, c| {
        let Ref(o) = k.pop();
        if o == 0 || !locks::enter(c.th, o, c.fp) {
            return Slow(Kind::MonitorEnter);
        }
        Fall
    }
    195 monitorexit MonitorExit 1 ONE |k, c| {
        let Ref(o) = k.pop();
        if o == 0 || !locks::exit(c.th, o, c.fp) {
            return Slow(Kind::MonitorExit);
        }
        Fall
    }
    197 multianewarray MultiANewArray 2 NONE |k, c| { Slow(Kind::Resolve) }

    290 new_quick NewQuick 1 NONE |k, c| {
        let class = c.entry().a.load(Ordering::Relaxed) as *const Class;
        let o = heap::new_instance(c.th, class);
        if o == 0 {
            return Slow(Kind::New);
        }
        k.push(Ref(o)); Fall
    }
    291 anewarray_quick ANewArrayQuick 1 ONE |k, c| {
        let n: i32 = k.pop();
        let class = c.entry().b.load(Ordering::Relaxed) as *const Class;
        let a = heap::new_array(c.th, class, n);
        if a == 0 {
            return Slow(Kind::ANewArray);
        }
        k.push(Ref(a)); Fall
    }
    292 checkcast_quick CheckCastQuick 1 ONE |k, c| {
        let v: Ref = k.pop();
        let mut id = 0;
        if v.0 != 0 {
            let class = c.entry().a.load(Ordering::Relaxed) as *const Class;
            id = heap::layout_of(v.0);
            if heap::subtype(heap::class_at(id), class) != Some(true) {
                return Slow(Kind::CheckCast);
            }
        }
        k.push(v); Tested(id)
    }
    293 instanceof_quick InstanceOfQuick 1 ONE |k, c| {
        let v: Ref = k.pop();
        if v.0 == 0 {
            k.push(0i32);
            return Tested(0);
        }
        let class = c.entry().a.load(Ordering::Relaxed) as *const Class;
        let id = heap::layout_of(v.0);
        match heap::subtype(heap::class_at(id), class) {
            Some(yes) => { k.push(yes as i32); Tested(id) }
            None => Slow(Kind::InstanceOf),
        }
    }

    310 exit Exit 1 NONE |k, c| { Leave }
}
