//! Upcall stubs: C functions that call a method handle. `ProgrammableUpcallHandler`, `UpcallStubs`.
//!
//! Invariant: a [`Stub`] lives from its allocation until `freeUpcallStub0`, which the scope of the upcall calls. C code that
//! calls a stub later, or that races with the freeing, breaks the contract of CLinker; a later call ends the process.
use super::abi::{self, Register};
use super::thunks::Pool;
use super::upcall;
use crate::handles::{self, Handle};
use crate::vm_natives::args::{Args, boolean, long, void};
use crate::vm_natives::{Row, rows};
use crate::{ClassExt, exceptions, known, loader, mirror};
use concord_base::{Symbol, bug};
use concord_contract::{BasicType, JResult, MethodRef, Obj, Thread};

pub static PROGRAMMABLE_UPCALL_HANDLER: &[Row] = rows! {
    "registerNatives" "()V" = register_natives;
    "supportsOptimizedUpcalls" "()Z" = supports_optimized_upcalls;
    "allocateUpcallStub" "(Ljava/lang/invoke/MethodHandle;Ljdk/internal/foreign/abi/ABIDescriptor;Ljdk/internal/foreign/abi/BufferLayout;)J" = allocate_stub;
    "allocateOptimizedUpcallStub" "(Ljava/lang/invoke/MethodHandle;Ljdk/internal/foreign/abi/ABIDescriptor;Ljdk/internal/foreign/abi/ProgrammableUpcallHandler$CallRegs;)J" = allocate_optimized_stub;
};
pub static UPCALL_STUBS: &[Row] = rows! {
    "registerNatives" "()V" = register_natives;
    "freeUpcallStub0" "(J)Z" = free_stub;
};

/// What a thunk calls.
pub struct Stub {
    /// The method handle, a global reference.
    pub handle: Handle,
    pub way: Way,
}

/// How the method handle gets at its arguments.
pub enum Way {
    /// This method, `ProgrammableUpcallHandler.invoke(handle, buffer)`, hands it the buffer.
    Buffer(MethodRef),
    /// They are in these registers, and it returns a value of this type.
    Registers(Box<[(Register, BasicType)]>, BasicType),
}

static THUNKS: Pool = Pool::new(upcall::enter);

fn register_natives(_: &Thread, _: Args) -> JResult<u64> {
    void()
}
fn supports_optimized_upcalls(_: &Thread, _: Args) -> JResult<u64> {
    boolean(true)
}

fn allocate(th: &Thread, handle: Obj, way: Way) -> JResult<u64> {
    let handle = handles::new_global(handle);
    let stub = Box::into_raw(Box::new(Stub { handle, way }));
    if let Some(address) = THUNKS.take(stub.cast()) {
        return long(address as i64);
    }
    // SAFETY: made above, and nobody else has it.
    unsafe { destroy(stub) };
    exceptions::throw(th, "java/lang/OutOfMemoryError", "no memory for an upcall stub")
}

/// # Safety
/// `stub` came from `allocate` and is not used again.
unsafe fn destroy(stub: *mut Stub) {
    // SAFETY: by the caller's word.
    unsafe {
        let stub = Box::from_raw(stub);
        handles::delete_global(stub.handle);
    }
}

fn allocate_stub(th: &Thread, a: Args) -> JResult<u64> {
    abi::check(th, a.obj(1), Some(a.obj(2)))?;
    let class = loader::find_class(th, "jdk/internal/foreign/abi/ProgrammableUpcallHandler".into(), loader::boot())?;
    let descriptor = "(Ljava/lang/invoke/MethodHandle;J)V";
    match class.declared_method(Symbol::from("invoke"), Symbol::from(descriptor)) {
        Some(m) => allocate(th, a.obj(0), Way::Buffer(m)),
        None => bug!("{} has no method invoke{descriptor}", class.name),
    }
}

fn allocate_optimized_stub(th: &Thread, a: Args) -> JResult<u64> {
    abi::check(th, a.obj(1), None)?;
    let registers = abi::argument_registers(th, a.obj(2))?;
    let o = known::offsets();
    let ty = a.obj(0).get_ref(o.mh_type);
    let parameters = ty.get_ref(o.mt_ptypes);
    let types = (0..parameters.array_len()).map(|i| mirror::primitive_of(parameters.array_ref(i)));
    let (types, result) = (types.collect::<Option<Vec<_>>>(), mirror::primitive_of(ty.get_ref(o.mt_rtype)));
    match (types, result) {
        (Some(types), Some(result)) if types.len() == registers.len() => {
            let arguments = registers.into_iter().zip(types).collect();
            allocate(th, a.obj(0), Way::Registers(arguments, result))
        }
        _ => bug!("an upcall's method handle does not fit its registers"),
    }
}

fn free_stub(_: &Thread, a: Args) -> JResult<u64> {
    let Some(stub) = THUNKS.free(a.long(0) as usize) else { return boolean(false) };
    // SAFETY: the pool hands out a value once.
    unsafe { destroy(stub.cast()) };
    boolean(true)
}
