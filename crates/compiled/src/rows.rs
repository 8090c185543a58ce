//! What compiled code calls in the VM: the Rust side of the rows.
//!
//! Invariant: a function here is entered with the anchor set and leaves with the watermark at 0 if
//! an exception is pending. References that come as arguments are in registers of this frame, so
//! they stay where they are; compiled code reads its own again from its slots.
use concord_contract::class::flags;
use concord_contract::entries::{self, Implicit};
use concord_contract::rows::class_kind;
use concord_contract::{BasicType, Class, JResult, Method, MethodRef, Obj, Thread};
use concord_memory_model::statistics::{self, Site};
use concord_runtime::{ClassExt, allocations, known};
use std::sync::atomic::{AtomicU64, Ordering};

/// The result for compiled code; an exception shows in the watermark.
fn give<T>(th: &Thread, r: JResult<T>, bits: impl FnOnce(T) -> u64) -> u64 {
    match r {
        Ok(v) => {
            zeal(th);
            bits(v)
        }
        Err(_) => {
            th.watermark.store(0, Ordering::Relaxed);
            0
        }
    }
}
/// The same of an object that was made for the code. What the code believes of new objects does not hold for one that an
/// agent has seen, nor over the agent's callback, which may run any code: it is left then.
fn give_new(th: &Thread, make: impl FnOnce() -> JResult<Obj>) -> u64 {
    let told = allocations::times_told(th);
    let r = make();
    if allocations::times_told(th) != told {
        th.watermark.store(0, Ordering::Relaxed);
    }
    give(th, r, address)
}
/// Calls between those that make compiled code leave (`-XX:ConcordZealDeopt`); 0 = none does.
static ZEAL: AtomicU64 = AtomicU64::new(0);
static CALLS: AtomicU64 = AtomicU64::new(0);

pub fn set_zeal(n: u64) {
    ZEAL.store(n, Ordering::Relaxed);
}
/// Whether calls leave compiled code for no reason.
pub fn is_zealous() -> bool {
    ZEAL.load(Ordering::Relaxed) != 0
}
/// Makes the compare behind every Nth call find something.
pub fn zeal(th: &Thread) {
    let n = ZEAL.load(Ordering::Relaxed);
    if n != 0 && CALLS.fetch_add(1, Ordering::Relaxed).is_multiple_of(n) {
        th.watermark.store(0, Ordering::Relaxed);
    }
}

fn nothing(th: &Thread, r: JResult<()>) {
    give(th, r, |()| 0);
}
fn address(o: Obj) -> u64 {
    o.addr() as u64
}
/// A reference that compiled code passes.
fn obj(a: u64) -> Obj {
    // SAFETY: compiled code passes null or the address of a live object.
    unsafe { Obj::from_addr(a as usize) }
}

pub extern "sysv64" fn safepoint(th: &Thread) {
    let r = match th.poll.load(Ordering::Acquire) {
        0 => Ok(()),
        _ => {
            let r = entries::safepoint(th);
            th.settle_entries();
            r
        }
    };
    nothing(th, r)
}
pub extern "sysv64" fn stack_overflow(th: &Thread) {
    nothing(th, concord_interpreter::entry::throw_stack_overflow(th))
}
pub extern "sysv64" fn new_instance(th: &Thread, class: &'static Class) -> u64 {
    entries::on_clean_stack(|| give_new(th, || entries::new_instance(th, class)))
}
pub extern "sysv64" fn new_array(th: &Thread, class: &'static Class, len: i32) -> u64 {
    entries::on_clean_stack(|| give_new(th, || entries::new_array(th, class, len)))
}
/// # Safety
/// `dims` has `n` lengths.
pub unsafe extern "sysv64" fn multi_new_array(th: &Thread, class: &'static Class, dims: *const i32, n: i32) -> u64 {
    // SAFETY: compiled code passes the address of `n` lengths in its frame.
    let dims = unsafe { std::slice::from_raw_parts(dims, n as usize) };
    give_new(th, || entries::multi_new_array(th, class, dims))
}
/// The native method that a row stands for, called where it throws, or where agents are told of its object: its
/// frame is in the trace.
fn native(th: &Thread, m: MethodRef, args: &[u64]) -> u64 {
    // SAFETY: the arguments are the slots of the method.
    let fill = |base: *mut u64| unsafe { std::ptr::copy_nonoverlapping(args.as_ptr(), base, args.len()) };
    give(th, concord_interpreter::entry::call_native_with(th, m, fill), |v| v)
}
pub extern "sysv64" fn allocate_instance(th: &Thread, mirror: u64) -> u64 {
    let has_instances = !obj(mirror).is_null() && {
        let class = concord_runtime::mirror::class_of(obj(mirror));
        class.is_instance_class() && !class.is_abstract() && !class.is_interface() && class.is_initialized()
    };
    if !has_instances || concord_heap::allocations_are_watched() {
        // Whose receiver nobody looks at.
        return native(th, known::methods().unsafe_allocate_instance, &[0, mirror]);
    }
    give(th, concord_runtime::object::allocate_for_mirror(th, obj(mirror)), address)
}
/// An exception that arrives while the thread waits is left for the next poll: the monitor is
/// acquired in any case, unless there is no memory for it.
pub extern "sysv64" fn monitor_enter(th: &Thread, o: u64) {
    nothing(th, entries::monitor_enter(th, obj(o)))
}
pub extern "sysv64" fn monitor_exit(th: &Thread, o: u64) {
    nothing(th, entries::monitor_exit(th, obj(o)))
}
pub extern "sysv64" fn register_finalizer(th: &Thread, o: u64) {
    nothing(th, entries::register_finalizer(th, obj(o)))
}
pub extern "sysv64" fn store_ref(th: &Thread, target: u64, offset: u64, value: u64) {
    entries::store_ref(th, obj(target), offset as usize, obj(value))
}

/// Steps of a walk without stops behind which its code is made with stops: some tenths of a millisecond.
const FAR: usize = 10_000;
pub extern "sysv64" fn publish(th: &Thread, value: u64) {
    if concord_heap::publish::walk_from(th, obj(value), false) > FAR {
        crate::tiers::published_far(th);
    }
}
pub extern "sysv64" fn publish_far(th: &Thread, value: u64) {
    concord_heap::publish::walk_from(th, obj(value), true);
    // It polls, so the code may be invalid behind it.
    zeal(th);
}
pub extern "sysv64" fn count_store(_th: &Thread, m: &'static Method, bci: u32, strong: u32, target: u64) {
    concord_interpreter::counting::count_compiled(m, bci as u16, strong != 0, obj(target));
}
pub extern "sysv64" fn count_fenced(_th: &Thread, m: &'static Method, bci: u32) {
    statistics::fenced(Site { method: std::ptr::from_ref(m) as usize, bci: bci as u16 });
}
pub extern "sysv64" fn barrier(_th: &Thread, target: u64, offset: u64) {
    concord_heap::barrier_slow_at(obj(target), offset as usize, 0)
}
pub extern "sysv64" fn clone_object(th: &Thread, o: u64) -> u64 {
    let class = obj(o).class();
    let watched = concord_heap::allocations_are_watched();
    if watched || !class.has_flag(flags::CLONEABLE) || class.has_flag(flags::REFERENCE) {
        return native(th, known::methods().object_clone, &[o]);
    }
    give(th, concord_runtime::vm_natives::object::clone(th, obj(o)), address)
}
pub extern "sysv64" fn identity_hash(th: &Thread, o: u64) -> u32 {
    let o = obj(o);
    if o.is_null() { 0 } else { concord_runtime::sync::identity_hash(th, o) }
}
pub extern "sysv64" fn new_array_of(th: &Thread, element: u64, len: i32) -> u64 {
    let watched = concord_heap::allocations_are_watched();
    if watched || element == 0 || len < 0 || concord_runtime::mirror::class_of(obj(element)).basic == BasicType::Void {
        return native(th, known::methods().array_new_array, &[element, u64::from(len as u32)]);
    }
    give(th, concord_runtime::vm_natives::array::new_array(th, obj(element), len), address)
}
pub extern "sysv64" fn nano_time() -> i64 {
    concord_runtime::vm_natives::object::nano_time()
}
pub extern "sysv64" fn current_millis() -> i64 {
    concord_runtime::vm_natives::object::current_millis()
}
pub extern "sysv64" fn writeback(at: usize) {
    concord_runtime::unsafe_natives::write_line_back(at)
}
pub extern "sysv64" fn writeback_sync() {
    concord_memory_model::emit::full();
}
pub extern "sysv64" fn fma_float(x: f32, y: f32, z: f32) -> f32 {
    x.mul_add(y, z)
}
pub extern "sysv64" fn fma_double(x: f64, y: f64, z: f64) -> f64 {
    x.mul_add(y, z)
}

pub extern "sysv64" fn throw(th: &Thread, e: u64) {
    let r = if e == 0 { entries::throw_implicit(th, Implicit::NullPointer) } else { th.throw(obj(e)) };
    nothing(th, r)
}
pub extern "sysv64" fn throw_null_pointer(th: &Thread) {
    nothing(th, entries::throw_implicit(th, Implicit::NullPointer))
}
pub extern "sysv64" fn throw_div_by_zero(th: &Thread) {
    nothing(th, entries::throw_implicit(th, Implicit::DivByZero))
}
pub extern "sysv64" fn throw_array_index(th: &Thread, index: i32, len: u32) {
    nothing(th, entries::throw_array_index(th, index, len))
}
pub extern "sysv64" fn throw_class_cast(th: &Thread, o: u64, class: &'static Class) {
    nothing(th, entries::throw_class_cast(th, obj(o), class))
}
pub extern "sysv64" fn throw_array_store(th: &Thread, array: u64, value: u64) {
    nothing(th, entries::throw_array_store(th, obj(array), obj(value)))
}

/// Frames of invalid code, and tools that watch exceptions, are the slow way's business.
pub extern "sysv64" fn catch_exception(th: &Thread, sp: usize) -> u32 {
    let mark = th.invalid_mark.load(Ordering::Relaxed);
    if mark <= sp || concord_contract::frame::EVENTS.load(Ordering::Acquire) {
        return 0;
    }
    th.take_exception();
    th.watermark.store(mark, Ordering::Relaxed);
    CAUGHT.fetch_add(1, Ordering::Relaxed);
    1
}
/// Exceptions that went to handlers in compiled code.
pub static CAUGHT: AtomicU64 = AtomicU64::new(0);
pub extern "sysv64" fn is_subtype(_th: &Thread, s: &Class, t: &Class) -> u32 {
    u32::from(s.is_subclass_of(t))
}
pub extern "sysv64" fn statics_of(_th: &Thread, o: u64) -> u64 {
    concord_runtime::unsafe_natives::statics_behind(obj(o)).addr() as u64
}
pub extern "sysv64" fn itable_method(_th: &Thread, class: &Class, interface: &Class, index: u32) -> *const Method {
    // SAFETY: the class has instances, so it is linked.
    unsafe { concord_interpreter::heap::itable_method(class, interface, index) }
}
pub extern "sysv64" fn is_instance(mirror: u64, o: u64) -> u32 {
    let o = obj(o);
    u32::from(!o.is_null() && o.class().is_subclass_of(concord_runtime::mirror::class_of(obj(mirror))))
}
pub extern "sysv64" fn is_assignable_from(mirror: u64, other: u64) -> u32 {
    let class_of = concord_runtime::mirror::class_of;
    u32::from(class_of(obj(other)).is_subclass_of(class_of(obj(mirror))))
}
pub extern "sysv64" fn class_kind(mirror: u64) -> u32 {
    let c = concord_runtime::mirror::class_of(obj(mirror));
    let bit = |is: bool, n: u32| u32::from(is) << n;
    bit(c.is_array(), class_kind::ARRAY)
        | bit(c.is_interface(), class_kind::INTERFACE)
        | bit(c.is_primitive(), class_kind::PRIMITIVE)
        | bit(c.is_hidden(), class_kind::HIDDEN)
}
pub extern "sysv64" fn modifiers(mirror: u64) -> i32 {
    concord_runtime::reflection::queries::modifiers(concord_runtime::mirror::class_of(obj(mirror)))
}
pub extern "sysv64" fn frem(x: f32, y: f32) -> f32 {
    x % y
}
pub extern "sysv64" fn drem(x: f64, y: f64) -> f64 {
    x % y
}
