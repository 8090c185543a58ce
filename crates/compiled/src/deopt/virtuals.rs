//! Objects that compiled code held as the values of their fields, made when it is left.
//!
//! Invariant: they are made before the first interpreter frame stands, while the compiled frame is one that holds
//! nothing (a husk): all that it left behind is held by handles as long as a collection may happen, a pending exception too.
//! Nobody is told of them: the program made them before.
use super::Values;
use concord_contract::compiled::{FrameState, Value, ValueType};
use concord_contract::{BasicType, Obj, Thread, entries};
use concord_runtime::allocations;

/// There is no memory left for one of them.
pub struct NoRoom;

/// Makes the virtual objects of `s` and puts them into `values`, whose slots hold what has moved meanwhile.
///
/// # Errors
/// When the heap is full.
pub fn make(th: &Thread, s: &FrameState, values: &mut Values) -> Result<(), NoRoom> {
    let saved = th.push_handles();
    // Their code goes on in the interpreter, or they get an instance.
    for class in s.frames.iter().map(|f| f.method.class).chain(s.objects.iter().map(|o| o.class)) {
        th.new_handle(class.mirror.get());
    }
    let mut held: Vec<(*mut u64, *mut u64)> = Vec::new();
    for v in s.values() {
        if let Value::Slot(at, ValueType::Ref) = v
            && values.get(*v) != 0
            && held.iter().all(|(slot, _)| *slot != values.slot(*at))
        {
            // SAFETY: a reference that the code left behind.
            let handle = th.new_handle(unsafe { Obj::from_addr(values.get(*v) as usize) });
            held.push((values.slot(*at), handle));
        }
    }
    let exception = th.has_exception().then(|| th.new_handle(th.take_exception()));
    let made = make_all(th, s, values, &held);
    // SAFETY: handles of this thread; slots of the frame that is left.
    unsafe {
        held.iter().for_each(|(slot, handle)| **slot = **handle);
        if let Some(e) = exception {
            th.exception.set(Obj::from_addr(*e as usize));
        }
    }
    th.pop_handles(saved);
    made
}

/// The same, with the values that are references behind handles: slot and handle of those that are not null.
fn make_all(th: &Thread, s: &FrameState, values: &mut Values, held: &[(*mut u64, *mut u64)]) -> Result<(), NoRoom> {
    let mut objects = Vec::with_capacity(s.objects.len());
    for o in &s.objects {
        let made = allocations::untold(th, || concord_heap::alloc_instance_local(th, o.class)).ok_or(NoRoom)?;
        objects.push(th.new_handle(made));
    }
    // SAFETY: a handle of this thread.
    let at = |handle: *mut u64| unsafe { Obj::from_addr(*handle as usize) };
    for (o, object) in s.objects.iter().zip(&objects) {
        for (offset, ty, v) in &o.fields {
            let offset = *offset as usize;
            let referent = match v {
                Value::Virtual(n) => Some(objects[*n as usize]),
                Value::Slot(at, ValueType::Ref) => held.iter().find(|h| h.0 == values.slot(*at)).map(|h| h.1),
                _ => None,
            };
            match (ty, referent) {
                // It may make other objects SHARED, and stop for that.
                (BasicType::Object, Some(r)) => entries::store_ref(th, at(*object), offset, at(r)),
                (BasicType::Object, None) => {}
                // SAFETY: a field of a new object that nobody else has seen.
                _ => unsafe { store(at(*object), offset, *ty, values.get(*v)) },
            }
        }
    }
    // SAFETY: handles of this thread.
    values.objects = objects.into_iter().map(|h| unsafe { *h }).collect();
    Ok(())
}

/// # Safety
/// The object has a field of that type there, and is nobody else's.
unsafe fn store(o: Obj, offset: usize, ty: BasicType, bits: u64) {
    let at = o.addr() + offset;
    // SAFETY: by the caller's word; fields are aligned to their size.
    unsafe {
        match ty.heap_shift() {
            0 => *(at as *mut u8) = bits as u8,
            1 => *(at as *mut u16) = bits as u16,
            2 => *(at as *mut u32) = bits as u32,
            _ => *(at as *mut u64) = bits,
        }
    }
}
