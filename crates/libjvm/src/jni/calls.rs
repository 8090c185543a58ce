//! Calling methods: the `V` and `A` forms of Call*, CallNonvirtual*, CallStatic*, NewObject.
use super::args::{Args, VaList};
use crate::env::{InVm, MethodId, Ref, enter};
use concord_contract::{ClassRef, JResult, MethodRef, Obj, Thread};
use concord_runtime::handles::Handle;
use concord_runtime::{MethodExt, call, object};

/// How the target is found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dispatch {
    Virtual,
    Nonvirtual,
    Static,
}

fn call(vm: &InVm<'_>, how: Dispatch, receiver: Ref, m: MethodRef, args: &mut Args<'_>) -> JResult<u64> {
    vm.aside(|| call_clear(vm, how, receiver, m, args))
}

/// A call while no exception is pending.
fn call_clear(vm: &InVm<'_>, how: Dispatch, receiver: Ref, m: MethodRef, args: &mut Args<'_>) -> JResult<u64> {
    match how {
        Dispatch::Static => {
            vm.initialize(m.class)?;
            run(vm.th, m, None, args)
        }
        Dispatch::Nonvirtual => run(vm.th, m, Some(vm.non_null(receiver.get())?), args),
        Dispatch::Virtual => {
            let o = vm.non_null(receiver.get())?;
            run(vm.th, call::select(o.class(), m), Some(o), args)
        }
    }
}

fn run(th: &Thread, m: MethodRef, receiver: Option<Obj>, args: &mut Args<'_>) -> JResult<u64> {
    // An id outlives its method.
    let m = if m.is_deleted() { MethodExt::info(m).last.unwrap_or(m) } else { m };
    // 255 is the class file's limit (JVMS 4.11). Recursion through native code should not pay for
    // it in stack.
    if m.nargs() <= 16 { run_with::<16>(th, m, receiver, args) } else { run_with::<256>(th, m, receiver, args) }
}
#[inline(never)]
fn run_with<const SLOTS: usize>(th: &Thread, m: MethodRef, receiver: Option<Obj>, args: &mut Args<'_>) -> JResult<u64> {
    let mut slots = [0u64; SLOTS];
    let n = args.marshal(receiver, &MethodExt::info(m).params, &mut slots);
    call::invoke(th, m, &slots[..n])
}

/// A result as C sees it.
trait Result: Sized {
    fn of(vm: &InVm<'_>, raw: u64) -> Self;
    fn none() -> Self;
}
macro_rules! results {
    ($($t:ty, $raw:ident => $e:expr;)*) => { $(impl Result for $t {
        fn of(_vm: &InVm<'_>, $raw: u64) -> $t { $e }
        fn none() -> $t { Default::default() }
    })* };
}
results! {
    u8, raw => (raw as u8 != 0) as u8;
    i8, raw => raw as i8;
    u16, raw => raw as u16;
    i16, raw => raw as i16;
    i32, raw => raw as i32;
    i64, raw => raw as i64;
    f32, raw => f32::from_bits(raw as u32);
    f64, raw => f64::from_bits(raw);
    (), _raw => ();
}
impl Result for Handle {
    fn of(vm: &InVm<'_>, raw: u64) -> Handle {
        // SAFETY: the method's descriptor promises a reference, and no safepoint lies between.
        vm.local_obj(unsafe { Obj::from_addr(raw as usize) })
    }
    fn none() -> Handle {
        std::ptr::null_mut()
    }
}

fn finish<R: Result>(vm: &InVm<'_>, r: JResult<u64>) -> R {
    match r {
        Ok(raw) => R::of(vm, raw),
        Err(_thrown) => R::none(),
    }
}

macro_rules! families {
    ($($ret:ty: $call_v:ident $call_a:ident $nonvirtual_v:ident $nonvirtual_a:ident $stat_v:ident $stat_a:ident;)*) => { $(
        pub extern "C" fn $call_v(th: &Thread, o: Ref, m: MethodId, args: &mut VaList) -> $ret {
            let vm = enter(th);
            finish(&vm, call(&vm, Dispatch::Virtual, o, m.get(), &mut Args::List(args)))
        }
        pub extern "C" fn $call_a(th: &Thread, o: Ref, m: MethodId, args: *const u64) -> $ret {
            let vm = enter(th);
            finish(&vm, call(&vm, Dispatch::Virtual, o, m.get(), &mut Args::Array(args)))
        }
        pub extern "C" fn $nonvirtual_v(th: &Thread, o: Ref, _c: Ref, m: MethodId, args: &mut VaList) -> $ret {
            let vm = enter(th);
            finish(&vm, call(&vm, Dispatch::Nonvirtual, o, m.get(), &mut Args::List(args)))
        }
        pub extern "C" fn $nonvirtual_a(th: &Thread, o: Ref, _c: Ref, m: MethodId, args: *const u64) -> $ret {
            let vm = enter(th);
            finish(&vm, call(&vm, Dispatch::Nonvirtual, o, m.get(), &mut Args::Array(args)))
        }
        pub extern "C" fn $stat_v(th: &Thread, _c: Ref, m: MethodId, args: &mut VaList) -> $ret {
            let vm = enter(th);
            finish(&vm, call(&vm, Dispatch::Static, Ref::NULL, m.get(), &mut Args::List(args)))
        }
        pub extern "C" fn $stat_a(th: &Thread, _c: Ref, m: MethodId, args: *const u64) -> $ret {
            let vm = enter(th);
            finish(&vm, call(&vm, Dispatch::Static, Ref::NULL, m.get(), &mut Args::Array(args)))
        }
    )* };
}

families! {
    Handle: CallObjectMethodV CallObjectMethodA CallNonvirtualObjectMethodV CallNonvirtualObjectMethodA CallStaticObjectMethodV CallStaticObjectMethodA;
    u8: CallBooleanMethodV CallBooleanMethodA CallNonvirtualBooleanMethodV CallNonvirtualBooleanMethodA CallStaticBooleanMethodV CallStaticBooleanMethodA;
    i8: CallByteMethodV CallByteMethodA CallNonvirtualByteMethodV CallNonvirtualByteMethodA CallStaticByteMethodV CallStaticByteMethodA;
    u16: CallCharMethodV CallCharMethodA CallNonvirtualCharMethodV CallNonvirtualCharMethodA CallStaticCharMethodV CallStaticCharMethodA;
    i16: CallShortMethodV CallShortMethodA CallNonvirtualShortMethodV CallNonvirtualShortMethodA CallStaticShortMethodV CallStaticShortMethodA;
    i32: CallIntMethodV CallIntMethodA CallNonvirtualIntMethodV CallNonvirtualIntMethodA CallStaticIntMethodV CallStaticIntMethodA;
    i64: CallLongMethodV CallLongMethodA CallNonvirtualLongMethodV CallNonvirtualLongMethodA CallStaticLongMethodV CallStaticLongMethodA;
    f32: CallFloatMethodV CallFloatMethodA CallNonvirtualFloatMethodV CallNonvirtualFloatMethodA CallStaticFloatMethodV CallStaticFloatMethodA;
    f64: CallDoubleMethodV CallDoubleMethodA CallNonvirtualDoubleMethodV CallNonvirtualDoubleMethodA CallStaticDoubleMethodV CallStaticDoubleMethodA;
    (): CallVoidMethodV CallVoidMethodA CallNonvirtualVoidMethodV CallNonvirtualVoidMethodA CallStaticVoidMethodV CallStaticVoidMethodA;
}

/// Allocates an instance for AllocObject and NewObject.
fn allocate(vm: &InVm<'_>, c: ClassRef) -> JResult<Obj> {
    if c.is_abstract() || c.is_interface() || !c.is_instance_class() {
        let name = concord_runtime::ClassExt::external_name(c);
        return vm.throw("java/lang/InstantiationException", &name);
    }
    vm.aside(|| {
        vm.initialize(c)?;
        object::new_object(vm.th, c)
    })
}

fn construct(vm: &InVm<'_>, c: Ref, m: MethodId, args: &mut Args<'_>) -> Handle {
    let Ok(o) = allocate(vm, c.class()) else { return std::ptr::null_mut() };
    let h = vm.local_obj(o);
    match call(vm, Dispatch::Nonvirtual, Ref::new(h), m.get(), args) {
        Ok(_void) => h,
        Err(_thrown) => std::ptr::null_mut(),
    }
}

pub extern "C" fn AllocObject(th: &Thread, c: Ref) -> Handle {
    let vm = enter(th);
    let r = allocate(&vm, c.class());
    vm.local(r)
}
pub extern "C" fn NewObjectV(th: &Thread, c: Ref, m: MethodId, args: &mut VaList) -> Handle {
    construct(&enter(th), c, m, &mut Args::List(args))
}
pub extern "C" fn NewObjectA(th: &Thread, c: Ref, m: MethodId, args: *const u64) -> Handle {
    construct(&enter(th), c, m, &mut Args::Array(args))
}
