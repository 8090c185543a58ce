//! Version, monitors, direct buffers, the invocation interface.
use super::{JNI_ERR, JNI_OK, JNI_VERSION};
use crate::env::{InVm, Out, Ref, enter};
use crate::invocation::{self, JavaVm};
use concord_base::Symbol;
use concord_contract::{JResult, Obj, Thread, entries};
use concord_runtime::handles::Handle;
use concord_runtime::{ClassExt, loader, object};

pub extern "C" fn GetVersion(_th: &Thread) -> i32 {
    JNI_VERSION
}
pub extern "C" fn GetJavaVM(_th: &Thread, vm: Out<*const JavaVm>) -> i32 {
    vm.set(invocation::java_vm());
    JNI_OK
}

pub extern "C" fn MonitorEnter(th: &Thread, o: Ref) -> i32 {
    let vm = enter(th);
    match vm.non_null(o.get()).and_then(|o| entries::monitor_enter(th, o)) {
        Ok(()) => JNI_OK,
        Err(_thrown) => JNI_ERR,
    }
}
pub extern "C" fn MonitorExit(th: &Thread, o: Ref) -> i32 {
    let vm = enter(th);
    match vm.non_null(o.get()).and_then(|o| entries::monitor_exit(th, o)) {
        Ok(()) => JNI_OK,
        Err(_thrown) => JNI_ERR,
    }
}

fn new_buffer(vm: &InVm<'_>, address: u64, capacity: i64) -> JResult<Obj> {
    let class = loader::find_class(vm.th, Symbol::from("java/nio/DirectByteBuffer"), loader::boot())?;
    vm.initialize(class)?;
    // A long takes two slots, its value in the lower one.
    object::new_with(vm.th, class, "(JI)V", &[address, 0, capacity as i32 as u32 as u64])
}
pub extern "C" fn NewDirectByteBuffer(th: &Thread, address: u64, capacity: i64) -> Handle {
    let vm = enter(th);
    let r = vm.aside(|| new_buffer(&vm, address, capacity));
    vm.local(r)
}

/// Offset of a field of java.nio.Buffer if `o` is a direct buffer.
fn buffer_field(o: Obj, name: &str, desc: &str) -> Option<usize> {
    if o.is_null() {
        return None;
    }
    let direct = loader::find_loaded(Symbol::from("sun/nio/ch/DirectBuffer"), loader::boot())?;
    if !o.is_instance_of(direct) {
        return None;
    }
    o.class().find_field(Symbol::from(name), Symbol::from(desc)).map(|f| f.offset() as usize)
}
pub extern "C" fn GetDirectBufferAddress(th: &Thread, buffer: Ref) -> u64 {
    let _vm = enter(th);
    let o = buffer.get();
    buffer_field(o, "address", "J").map_or(0, |off| o.get_u64(off))
}
pub extern "C" fn GetDirectBufferCapacity(th: &Thread, buffer: Ref) -> i64 {
    let _vm = enter(th);
    let o = buffer.get();
    buffer_field(o, "capacity", "I").map_or(-1, |off| o.get_i32(off) as i64)
}
