//! Arrays: length, elements, regions, critical access.
//!
//! Invariant: elements are copied one by one or in aligned 8-byte pieces that hold whole elements,
//! so no element is ever torn (decision O3). A critical region keeps the thread in the VM state:
//! until its end no collection starts, and the array is accessed in place.
use crate::env::{InVm, Out, Ref, enter};
use concord_contract::object::array_base;
use concord_contract::{BasicType, JResult, Obj, Thread};
use concord_memory_model::emit;
use concord_runtime::handles::Handle;
use concord_runtime::{ClassExt, arrays};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Copies `bytes` between a heap array and native memory. `size` is the element's; one of the two
/// sides is the heap.
///
/// # Safety
/// Both ranges are valid; they do not overlap.
unsafe fn copy_untorn(from: *const u8, to: *mut u8, bytes: usize, size: usize, heap_is_source: bool) {
    let element = |i: usize| {
        macro_rules! move_as {
            ($t:ty, $a:ty) => {
                // SAFETY: within the ranges that the caller vouches for; the heap side is accessed
                // by atomics of the element's size at addresses aligned to it, the native side,
                // which may be unaligned, by plain accesses.
                unsafe {
                    if heap_is_source {
                        to.add(i).cast::<$t>().write_unaligned(<$a>::from_ptr(from.add(i) as *mut $t).load(Relaxed))
                    } else {
                        <$a>::from_ptr(to.add(i).cast()).store(from.add(i).cast::<$t>().read_unaligned(), Relaxed)
                    }
                }
            };
        }
        match size {
            1 => move_as!(u8, AtomicU8),
            2 => move_as!(u16, AtomicU16),
            4 => move_as!(u32, AtomicU32),
            _ => move_as!(u64, AtomicU64),
        }
    };
    let heap = if heap_is_source { from as usize } else { to as usize };
    let mut i = 0;
    while i < bytes && (heap + i) % 8 != 0 {
        element(i);
        i += size;
    }
    while i + 8 <= bytes {
        // SAFETY: as above; the heap address is a multiple of 8.
        unsafe {
            if heap_is_source {
                let v = AtomicU64::from_ptr(from.add(i) as *mut u64).load(Relaxed);
                to.add(i).cast::<u64>().write_unaligned(v);
            } else {
                let v = from.add(i).cast::<u64>().read_unaligned();
                AtomicU64::from_ptr(to.add(i).cast()).store(v, Relaxed);
            }
        }
        i += 8;
    }
    while i < bytes {
        element(i);
        i += size;
    }
}

/// Copies elements of a primitive array out.
///
/// # Safety
/// The range is within the array, `to` has room for it.
pub unsafe fn copy_out(a: Obj, start: usize, len: usize, shift: u32, to: *mut u8) {
    // SAFETY: the caller vouches for the range.
    unsafe { copy_untorn(a.at::<u8>(Obj::elem_offset(start, shift)), to, len << shift, 1 << shift, true) }
}
/// Copies elements into a primitive array.
///
/// # Safety
/// As for [`copy_out`].
pub unsafe fn copy_in(a: Obj, start: usize, len: usize, shift: u32, from: *const u8) {
    // SAFETY: the caller vouches for the range.
    unsafe { copy_untorn(from, a.at::<u8>(Obj::elem_offset(start, shift)), len << shift, 1 << shift, false) }
    emit::after_plain_store();
}

fn check_region(vm: &InVm<'_>, a: Obj, start: i32, len: i32) -> JResult<Obj> {
    let a = vm.non_null(a)?;
    let n = a.array_len() as i64;
    let message = if len < 0 {
        format!("Length {len} is negative")
    } else if start < 0 || start as i64 > n - len as i64 {
        format!("Array region {start}..{} out of bounds for length {n}", start as i64 + len as i64)
    } else {
        return Ok(a);
    };
    vm.throw("java/lang/ArrayIndexOutOfBoundsException", &message)
}

/// Memory for a copy that foreign code gives back; never null.
fn buffer(bytes: usize) -> *mut u8 {
    // SAFETY: malloc has no preconditions.
    let p = unsafe { libc::malloc(bytes.max(1)) };
    if p.is_null() {
        concord_base::bug!("out of native memory: {bytes} bytes for a JNI copy");
    }
    p.cast()
}
pub fn buffer_of(bytes: usize) -> *mut u8 {
    buffer(bytes)
}
/// Frees what [`buffer_of`] gave.
pub fn free_buffer(p: *mut u8) {
    // SAFETY: foreign code passes back what it got from us, once (JNI).
    unsafe { libc::free(p.cast()) }
}

const COMMIT: i32 = 1;
const ABORT: i32 = 2;

fn elements(th: &Thread, a: Ref, shift: u32, is_copy: Out<u8>) -> *mut u8 {
    let vm = enter(th);
    let Ok(a) = vm.non_null(a.get()) else { return std::ptr::null_mut() };
    let n = a.array_len();
    let p = buffer(n << shift);
    // SAFETY: the whole array; the buffer was made for it.
    unsafe { copy_out(a, 0, n, shift, p) };
    is_copy.set(1);
    p
}
fn release_elements(th: &Thread, a: Ref, shift: u32, p: *mut u8, mode: i32) {
    let vm = enter(th);
    if mode != ABORT
        && let Ok(a) = vm.non_null(a.get())
    {
        // SAFETY: the buffer was made for the whole array.
        unsafe { copy_in(a, 0, a.array_len(), shift, p) };
    }
    if mode != COMMIT {
        free_buffer(p);
    }
}
fn get_region(th: &Thread, a: Ref, shift: u32, start: i32, len: i32, to: *mut u8) {
    let vm = enter(th);
    if let Ok(a) = check_region(&vm, a.get(), start, len) {
        // SAFETY: the range was checked; JNI: the caller's buffer has room for it.
        unsafe { copy_out(a, start as usize, len as usize, shift, to) }
    }
}
fn set_region(th: &Thread, a: Ref, shift: u32, start: i32, len: i32, from: *const u8) {
    let vm = enter(th);
    if let Ok(a) = check_region(&vm, a.get(), start, len) {
        // SAFETY: the range was checked; JNI: the caller's buffer has as many elements.
        unsafe { copy_in(a, start as usize, len as usize, shift, from) }
    }
}
fn new_array(th: &Thread, t: BasicType, len: i32) -> Handle {
    let vm = enter(th);
    let r = vm.aside(|| arrays::new_array(th, arrays::primitive_array(t), len));
    vm.local(r)
}

macro_rules! primitive_arrays {
    ($($t:ident $shift:literal $new:ident $get:ident $release:ident $get_region:ident $set_region:ident;)*) => { $(
        pub extern "C" fn $new(th: &Thread, len: i32) -> Handle {
            new_array(th, BasicType::$t, len)
        }
        pub extern "C" fn $get(th: &Thread, a: Ref, is_copy: Out<u8>) -> *mut u8 {
            elements(th, a, $shift, is_copy)
        }
        pub extern "C" fn $release(th: &Thread, a: Ref, p: *mut u8, mode: i32) {
            release_elements(th, a, $shift, p, mode)
        }
        pub extern "C" fn $get_region(th: &Thread, a: Ref, start: i32, len: i32, to: *mut u8) {
            get_region(th, a, $shift, start, len, to)
        }
        pub extern "C" fn $set_region(th: &Thread, a: Ref, start: i32, len: i32, from: *const u8) {
            set_region(th, a, $shift, start, len, from)
        }
    )* };
}

primitive_arrays! {
    Boolean 0 NewBooleanArray GetBooleanArrayElements ReleaseBooleanArrayElements GetBooleanArrayRegion SetBooleanArrayRegion;
    Byte 0 NewByteArray GetByteArrayElements ReleaseByteArrayElements GetByteArrayRegion SetByteArrayRegion;
    Char 1 NewCharArray GetCharArrayElements ReleaseCharArrayElements GetCharArrayRegion SetCharArrayRegion;
    Short 1 NewShortArray GetShortArrayElements ReleaseShortArrayElements GetShortArrayRegion SetShortArrayRegion;
    Int 2 NewIntArray GetIntArrayElements ReleaseIntArrayElements GetIntArrayRegion SetIntArrayRegion;
    Long 3 NewLongArray GetLongArrayElements ReleaseLongArrayElements GetLongArrayRegion SetLongArrayRegion;
    Float 2 NewFloatArray GetFloatArrayElements ReleaseFloatArrayElements GetFloatArrayRegion SetFloatArrayRegion;
    Double 3 NewDoubleArray GetDoubleArrayElements ReleaseDoubleArrayElements GetDoubleArrayRegion SetDoubleArrayRegion;
}

pub extern "C" fn GetArrayLength(th: &Thread, a: Ref) -> i32 {
    let vm = enter(th);
    vm.non_null(a.get()).map_or(0, |a| a.array_len() as i32)
}

pub extern "C" fn NewObjectArray(th: &Thread, len: i32, element: Ref, initial: Ref) -> Handle {
    let vm = enter(th);
    let make = || {
        let class = arrays::array_class(th, element.class())?;
        let a = arrays::new_array(th, class, len)?;
        let value = initial.get();
        if !value.is_null() {
            (0..len as usize).for_each(|i| arrays::set_ref(a, i, value));
        }
        Ok(a)
    };
    let r = vm.aside(make);
    vm.local(r)
}

fn element_index(vm: &InVm<'_>, a: Ref, i: i32) -> JResult<Obj> {
    let a = vm.non_null(a.get())?;
    let n = a.array_len();
    if (i as u32 as usize) < n {
        return Ok(a);
    }
    let message = format!("Index {i} out of bounds for length {n}");
    vm.throw("java/lang/ArrayIndexOutOfBoundsException", &message)
}
pub extern "C" fn GetObjectArrayElement(th: &Thread, a: Ref, i: i32) -> Handle {
    let vm = enter(th);
    let r = element_index(&vm, a, i).map(|a| a.array_ref(i as usize));
    vm.local(r)
}
pub extern "C" fn SetObjectArrayElement(th: &Thread, a: Ref, i: i32, v: Ref) {
    let vm = enter(th);
    let value = v.get();
    let Ok(array) = element_index(&vm, a, i) else { return };
    let Some(component) = array.class().component else { return };
    if value.is_null() || value.is_instance_of(component) {
        concord_heap::publish_value(th, array, value);
        arrays::set_ref(array, i as usize, value);
        return emit::after_plain_store();
    }
    // The index stands behind the innermost type, before the other dimensions.
    let component = concord_runtime::names::readable(component);
    let (innermost, dimensions) = component.split_at(component.find('[').unwrap_or(component.len()));
    let message =
        format!("type mismatch: can not store {} to {innermost}[{i}]{dimensions}", value.class().external_name());
    let _thrown: JResult<()> = vm.throw("java/lang/ArrayStoreException", &message);
}

pub extern "C" fn GetPrimitiveArrayCritical(th: &Thread, a: Ref, is_copy: Out<u8>) -> *mut u8 {
    let vm = enter(th);
    let Ok(a) = vm.non_null(a.get()) else { return std::ptr::null_mut() };
    is_copy.set(0);
    // Foreign code may let another thread use the address.
    concord_runtime::roots::share(a);
    // Counted before the scope ends: the thread stays in the VM.
    th.no_safepoint.set(th.no_safepoint.get() + 1);
    a.at(array_base(a.class().elem_shift as u32))
}
pub extern "C" fn ReleasePrimitiveArrayCritical(th: &Thread, _a: Ref, _p: *mut u8, _mode: i32) {
    let depth = th.no_safepoint.get();
    if depth == 0 {
        crate::env::fatal_misuse("ReleasePrimitiveArrayCritical without a critical region");
    }
    // What foreign code stored in place counts as one bulk store.
    emit::after_plain_store();
    th.no_safepoint.set(depth - 1);
    if depth == 1 {
        concord_safepoint::to_native(th);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn copies_are_exact_at_every_alignment() {
        let source: Vec<u64> = (0..16).map(|i: u64| i.wrapping_mul(0x0123_4567_89ab_cdef) + 1).collect();
        let bytes: Vec<u8> = source.iter().flat_map(|v| v.to_le_bytes()).collect();
        for (size, step) in [(1, 1), (2, 2), (4, 4), (8, 8)] {
            for start in (0..16).step_by(step) {
                for len in (0..=40).step_by(step) {
                    for native_skew in [0, 3] {
                        let mut native = vec![0u8; 64];
                        // SAFETY: both ranges are inside their vectors.
                        unsafe {
                            let heap = source.as_ptr().cast::<u8>().add(start);
                            copy_untorn(heap, native.as_mut_ptr().add(native_skew), len, size, true);
                        }
                        assert_eq!(native[native_skew..native_skew + len], bytes[start..start + len]);
                        assert!(native[native_skew + len..].iter().all(|b| *b == 0));
                        let mut back = vec![0u64; 16];
                        // SAFETY: as above.
                        unsafe {
                            let heap = back.as_mut_ptr().cast::<u8>().add(start);
                            copy_untorn(native.as_ptr().add(native_skew), heap, len, size, false);
                        }
                        let back: Vec<u8> = back.iter().flat_map(|v| v.to_le_bytes()).collect();
                        assert_eq!(back[start..start + len], bytes[start..start + len]);
                        assert!(back[start + len..].iter().chain(&back[..start]).all(|b| *b == 0));
                    }
                }
            }
        }
    }
}
