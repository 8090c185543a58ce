//! Small classes: CDS, Perf, raw bits, switches.
//!
//! Invariant: what says "no" here (CDS, vector units) says so because Concord has no such thing;
//! the class library then takes its ordinary path.
use super::args::{Args, boolean, int, long, obj, void};
use super::{Row, object, rows};
use crate::{exceptions, loader, stackwalk, strings};
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
    "detach" "(Ljava/nio/ByteBuffer;)V" = nothing;
    "highResCounter" "()J" = counter;
    "highResFrequency" "()J" = frequency;
};
pub static SCOPED_MEMORY: &[Row] = rows! {
    "registerNatives" "()V" = nothing;
    "closeScope0" "(Ljdk/internal/misc/ScopedMemoryAccess$Scope;Ljdk/internal/misc/ScopedMemoryAccess$Scope$ScopedAccessError;)Z" = close_scope;
};
pub static VECTOR_SUPPORT: &[Row] = rows! {
    "registerNatives" "()I" = zero;
    "getMaxLaneCount" "(Ljava/lang/Class;)I" = minus_one;
};
pub static NATIVE_ENTRY_POINT: &[Row] = rows! {
    "registerNatives" "()V" = nothing;
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

/// A direct buffer over `bytes` of memory that lives as long as the VM: counters are named and
/// few, and readers may hold them for ever.
fn perf_buffer(th: &Thread, bytes: Vec<u8>) -> JResult<u64> {
    // Eight-byte aligned, as `LongBuffer` views and atomic readers need.
    let words: Box<[u64]> = bytes
        .chunks(8)
        .map(|c| {
            let mut w = [0u8; 8];
            w[..c.len()].copy_from_slice(c);
            u64::from_le_bytes(w)
        })
        .collect();
    let addr = Box::leak(words).as_ptr() as u64;
    let class = loader::find_class(th, "java/nio/DirectByteBuffer".into(), loader::boot())?;
    obj(crate::object::new_with(th, class, "(JI)V", &[addr, 0, bytes.len() as u64])?)
}
fn perf_create_long(th: &Thread, a: Args) -> JResult<u64> {
    if a.obj(1).is_null() {
        return exceptions::throw_no_msg(th, "java/lang/NullPointerException");
    }
    perf_buffer(th, a.long(4).to_le_bytes().to_vec())
}
fn perf_create_bytes(th: &Thread, a: Args) -> JResult<u64> {
    let (name, value, max) = (a.obj(1), a.obj(4), a.int(5));
    if name.is_null() || value.is_null() {
        return exceptions::throw_no_msg(th, "java/lang/NullPointerException");
    }
    // SAFETY: copied at once; no safepoint is reached while the slice lives.
    let mut bytes = unsafe { value.bytes() }.to_vec();
    bytes.truncate(max.max(0) as usize);
    bytes.resize(max.max(0) as usize + 1, 0);
    perf_buffer(th, bytes)
}
fn perf_attach(th: &Thread, _: Args) -> JResult<u64> {
    exceptions::throw(
        th,
        "java/lang/IllegalArgumentException",
        "Concord keeps no performance data file (hsperfdata) that could be attached to",
    )
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
