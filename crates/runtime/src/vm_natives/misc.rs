//! Small classes: CDS, Perf, raw bits, switches.
//!
//! Invariant: what says "no" here (CDS, vector units) says so because Concord has no such thing;
//! the class library then takes its ordinary path.
use super::args::{Args, boolean, int, long, obj, void};
use super::{Row, object, rows};
use crate::info::ClassExt;
use crate::{exceptions, init, loader, perf, stackwalk, strings};
use concord_contract::{JResult, Thread};

/// Reached through reflection only: a call instruction links to an adapter of its type.
pub static METHOD_HANDLE: &[Row] = rows! {
    "invoke" "([Ljava/lang/Object;)Ljava/lang/Object;" = invoke_reflectively;
    "invokeExact" "([Ljava/lang/Object;)Ljava/lang/Object;" = invoke_exact_reflectively;
};

fn not_reflectively(th: &Thread, name: &str) -> JResult<u64> {
    let text = format!("MethodHandle.{name} cannot be invoked reflectively");
    exceptions::throw(th, "java/lang/UnsupportedOperationException", &text)
}
fn invoke_reflectively(th: &Thread, _: Args) -> JResult<u64> {
    not_reflectively(th, "invoke")
}
fn invoke_exact_reflectively(th: &Thread, _: Args) -> JResult<u64> {
    not_reflectively(th, "invokeExact")
}

pub static FLOAT: &[Row] = rows! {
    "floatToRawIntBits" "(F)I" = same_int;
    "intBitsToFloat" "(I)F" = same_int;
};
pub static DOUBLE: &[Row] = rows! {
    "doubleToRawLongBits" "(D)J" = same_long;
    "longBitsToDouble" "(J)D" = same_long;
};
pub static STRING_UTF16: &[Row] = rows! {
    "isBigEndian" "()Z" = no;
};
pub static ATOMIC_LONG: &[Row] = rows! {
    "VMSupportsCS8" "()Z" = yes;
};
pub static CDS: &[Row] = rows! {
    "isDumpingClassList0" "()Z" = no;
    "isDumpingArchive0" "()Z" = no;
    "isSharingEnabled0" "()Z" = no;
    "initializeFromArchive" "(Ljava/lang/Class;)V" = nothing;
    "getRandomSeedForDumping" "()J" = zero;
};
pub static VM: &[Row] = rows! {
    "getNanoTimeAdjustment" "(J)J" = nano_time_adjustment;
    "latestUserDefinedLoader0" "()Ljava/lang/ClassLoader;" = latest_user_loader;
};
pub static PERF: &[Row] = rows! {
    "registerNatives" "()V" = nothing;
    "createLong" "(Ljava/lang/String;IIJ)Ljava/nio/ByteBuffer;" = perf_create_long;
    "createByteArray" "(Ljava/lang/String;II[BI)Ljava/nio/ByteBuffer;" = perf_create_bytes;
    "attach" "(Ljava/lang/String;II)Ljava/nio/ByteBuffer;" = perf_attach;
    "detach" "(Ljava/nio/ByteBuffer;)V" = perf_detach;
    "highResCounter" "()J" = counter;
    "highResFrequency" "()J" = frequency;
};
pub static SCOPED_MEMORY: &[Row] = rows! {
    "registerNatives" "()V" = nothing;
    "closeScope0" "(Ljdk/internal/misc/ScopedMemoryAccess$Scope;Ljdk/internal/misc/ScopedMemoryAccess$Scope$ScopedAccessError;)Z" = close_scope;
};
pub static IMAGE_BUFFER: &[Row] = rows! {
    "getNativeMap" "(Ljava/lang/String;)Ljava/nio/ByteBuffer;" = native_map;
};
pub static VECTOR_SUPPORT: &[Row] = rows! {
    "registerNatives" "()I" = zero;
    "getMaxLaneCount" "(Ljava/lang/Class;)I" = minus_one;
};
pub static NATIVE_ENTRY_POINT: &[Row] = rows! {
    "registerNatives" "()V" = nothing;
    "vmStorageToVMReg" "(II)J" = vm_storage_to_register;
};
pub static ACCESS_CONTROLLER: &[Row] = rows! {
    "ensureMaterializedForStackWalk" "(Ljava/lang/Object;)V" = nothing;
    "getStackAccessControlContext" "()Ljava/security/AccessControlContext;" = stack_context;
    "getInheritedAccessControlContext" "()Ljava/security/AccessControlContext;" = inherited_context;
};
pub static CLASS_LOADER: &[Row] = rows! {
    "findBootstrapClass" "(Ljava/lang/String;)Ljava/lang/Class;" = find_bootstrap_class;
    "findLoadedClass0" "(Ljava/lang/String;)Ljava/lang/Class;" = find_loaded_class;
};
fn nothing(_: &Thread, _: Args) -> JResult<u64> {
    void()
}
fn no(_: &Thread, _: Args) -> JResult<u64> {
    boolean(false)
}
fn yes(_: &Thread, _: Args) -> JResult<u64> {
    boolean(true)
}
fn zero(_: &Thread, _: Args) -> JResult<u64> {
    int(0)
}
/// No vector registers to speak of: jdk.incubator.vector computes in Java.
fn minus_one(_: &Thread, _: Args) -> JResult<u64> {
    int(-1)
}
/// A name for a register that only the VM reads; no engine of this VM does, they call a NativeEntryPoint's fallback.
fn vm_storage_to_register(_: &Thread, a: Args) -> JResult<u64> {
    long((a.int(0) as i64) << 32 | a.int(1) as u32 as i64)
}
fn same_int(_: &Thread, a: Args) -> JResult<u64> {
    int(a.int(0))
}
fn same_long(_: &Thread, a: Args) -> JResult<u64> {
    long(a.long(0))
}
fn nano_time_adjustment(_: &Thread, a: Args) -> JResult<u64> {
    long(object::nano_time_adjustment(a.long(0)))
}
fn latest_user_loader(th: &Thread, _: Args) -> JResult<u64> {
    obj(stackwalk::latest_user_loader(th))
}
fn counter(_: &Thread, _: Args) -> JResult<u64> {
    long(object::nano_time())
}
fn frequency(_: &Thread, _: Args) -> JResult<u64> {
    long(1_000_000_000)
}

/// A direct buffer over a counter's memory, which lives as long as the VM.
fn perf_buffer(th: &Thread, address: usize, bytes: usize) -> JResult<u64> {
    let class = loader::find_class(th, "java/nio/DirectByteBuffer".into(), loader::boot())?;
    obj(crate::object::new_with(th, class, "(JI)V", &[address as u64, 0, bytes as u64])?)
}
fn perf_create_long(th: &Thread, a: Args) -> JResult<u64> {
    if a.obj(1).is_null() {
        return exceptions::throw_no_msg(th, "java/lang/NullPointerException");
    }
    let counter = perf::raw_long(&strings::to_string(a.obj(1)), a.int(3) as u8, a.int(2) as u8, a.long(4));
    perf_buffer(th, counter.address(), 8)
}
fn perf_create_bytes(th: &Thread, a: Args) -> JResult<u64> {
    let (name, value, max) = (a.obj(1), a.obj(4), a.int(5));
    if name.is_null() || value.is_null() {
        return exceptions::throw_no_msg(th, "java/lang/NullPointerException");
    }
    // SAFETY: copied at once; no safepoint is reached while the slice lives.
    let mut bytes = unsafe { value.bytes() }.to_vec();
    let capacity = max.max(0) as usize + 1;
    bytes.truncate(capacity - 1);
    let text = perf::raw_text(&strings::to_string(name), a.int(2) as u8, a.int(3) as u8, &bytes, capacity);
    perf_buffer(th, text.address(), capacity)
}
/// `Perf.attach(String user, int lvmid, int mode)`: only reading is possible.
fn perf_attach(th: &Thread, a: Args) -> JResult<u64> {
    let user = (!a.obj(1).is_null()).then(|| strings::to_string(a.obj(1)));
    match perf::attach(user.as_deref(), a.int(2)) {
        Ok((address, size)) => perf_buffer(th, address, size),
        Err(e) => {
            let class = if e.kind() == std::io::ErrorKind::PermissionDenied || e.raw_os_error().is_some() {
                "java/io/IOException"
            } else {
                "java/lang/IllegalArgumentException"
            };
            exceptions::throw(th, class, &e.to_string())
        }
    }
}
fn perf_detach(th: &Thread, a: Args) -> JResult<u64> {
    let buffer = a.obj(1);
    if buffer.is_null() {
        return exceptions::throw_no_msg(th, "java/lang/NullPointerException");
    }
    let field = |name: &str, d: &str| buffer.class().find_field(name.into(), d.into()).map(|f| f.offset() as usize);
    if let (Some(address), Some(capacity)) = (field("address", "J"), field("capacity", "I")) {
        perf::detach(buffer.get_u64(address) as usize, buffer.get_i32(capacity) as usize);
    }
    void()
}

/// `ScopedMemoryAccess.closeScope0`: whether no thread is inside an access to the scope.
fn close_scope(th: &Thread, a: Args) -> JResult<u64> {
    boolean(stackwalk::close_scope(th, a.obj(1)))
}
fn stack_context(th: &Thread, _: Args) -> JResult<u64> {
    obj(stackwalk::stack_access_context(th)?)
}
fn inherited_context(th: &Thread, _: Args) -> JResult<u64> {
    let t = th.java_thread.get();
    obj(if t.is_null() { t } else { t.get_ref(crate::known::offsets().thread_access_context) })
}

fn find_bootstrap_class(th: &Thread, a: Args) -> JResult<u64> {
    if a.obj(0).is_null() {
        return void();
    }
    let Some(name) = class_name(&strings::to_mutf8(a.obj(0))) else { return void() };
    match loader::find_boot(th, name)? {
        Some(c) => obj(c.mirror.get()),
        None => void(),
    }
}
fn find_loaded_class(_: &Thread, a: Args) -> JResult<u64> {
    if a.obj(1).is_null() {
        return void();
    }
    let l = loader::of_object(a.obj(0));
    let Some(name) = class_name(&strings::to_mutf8(a.obj(1))) else { return void() };
    match l.find_loaded(name) {
        Some(c) => obj(c.mirror.get()),
        None => void(),
    }
}
/// A class's internal name from what Java calls it; None for what cannot be one.
pub fn class_name(dotted: &[u8]) -> Option<concord_base::Symbol> {
    if dotted.len() > u16::MAX as usize || dotted.contains(&b'/') {
        return None;
    }
    let name: Vec<u8> = dotted.iter().map(|b| if *b == b'.' { b'/' } else { *b }).collect();
    Some(concord_base::Symbol::intern(&name))
}

/// The VM's own mapping of the run-time image, which it is unless another file is asked for: the class library then maps
/// none by itself, and no pool of mapped buffers has it.
fn native_map(th: &Thread, a: Args) -> JResult<u64> {
    let (path, bytes) = loader::image().mapping();
    match i32::try_from(bytes.len()) {
        Ok(len) if strings::to_string(a.obj(0)) == path => {
            let class = loader::find_class(th, "java/nio/DirectByteBuffer".into(), loader::boot())?;
            init::initialize(th, class)?;
            let args = [bytes.as_ptr() as u64, 0, len as u64];
            obj(crate::object::new_with(th, class, "(JI)V", &args)?)
        }
        _ => void(),
    }
}
