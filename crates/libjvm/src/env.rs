//! What every function that foreign code calls begins with.
//!
//! Invariant: the VM's own code runs in state `InVm` between [`enter`] and the end of the returned
//! scope; object addresses do not leave that scope, handles do. The types here that stand for
//! pointers from foreign code ([`Ref`], [`Text`], [`MethodId`], [`FieldId`], [`Out`]) are made by
//! foreign code only, and JNI makes it responsible for their validity: that contract is the reason
//! why using them is sound, and it is stated once, at each type's accessor.
use concord_contract::class::flags;
use concord_contract::thread::ThreadState;
use concord_contract::{ClassRef, JResult, Method, MethodRef, Obj, Thread};
use concord_runtime::handles::{self, Handle};
use concord_runtime::{FieldInfo, exceptions, init, mirror};
use std::ffi::{CStr, c_char};
use std::sync::atomic::Ordering;

/// A reference that foreign code passes.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Ref(Handle);

impl Ref {
    pub const NULL: Ref = Ref(std::ptr::null_mut());
    pub fn new(h: Handle) -> Ref {
        Ref(h)
    }
    /// The object, or null.
    #[inline]
    pub fn get(self) -> Obj {
        // SAFETY: JNI: callers pass null or a reference that was not deleted.
        unsafe { handles::resolve(self.0) }
    }
    pub fn raw(self) -> Handle {
        self.0
    }
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }
    /// The class that a java.lang.Class reference stands for.
    #[inline]
    pub fn class(self) -> ClassRef {
        mirror::class_of(self.get())
    }
}

/// A NUL-terminated string in modified UTF-8.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Text(*const c_char);

impl Text {
    pub fn of(s: &'static CStr) -> Text {
        Text(s.as_ptr())
    }
    pub fn bytes<'a>(self) -> Option<&'a [u8]> {
        // SAFETY: JNI: callers pass null or a NUL-terminated string that outlives the call.
        (!self.0.is_null()).then(|| unsafe { CStr::from_ptr(self.0) }.to_bytes())
    }
    pub fn lossy(self) -> String {
        self.bytes().map(|b| concord_base::symbol::text(b).into_owned()).unwrap_or_default()
    }
}

/// jmethodID: a method's address; the memory of methods with an id is never given back.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct MethodId(*const Method);

impl MethodId {
    pub const NULL: MethodId = MethodId(std::ptr::null());
    /// The id of `m`, or of the method that `m`, an old version, stands for.
    pub fn of(m: MethodRef) -> MethodId {
        let m = concord_runtime::redefine::current(m);
        if !m.class.has_flag(flags::IDS_OUT) {
            m.class.flags.fetch_or(flags::IDS_OUT, Ordering::Relaxed);
        }
        MethodId(m)
    }
    /// The id as a number.
    pub fn address(self) -> usize {
        self.0 as usize
    }
    /// Whether a number is an id of a class that is still there.
    pub fn is_valid(address: usize) -> bool {
        // SAFETY: null, or an id that a function returned; `of` has seen to it that the method's memory lasts.
        address != 0 && !unsafe { &*(address as *const Method) }.class.has_flag(flags::UNLOADED)
    }
    #[inline]
    pub fn get(self) -> MethodRef {
        if self.0.is_null() {
            fatal_misuse("a null jmethodID was used");
        }
        // SAFETY: JNI: an id comes from a function that returned one; `of` has seen to it that the
        // method's memory lasts.
        let m = unsafe { &*self.0 };
        if m.class.has_flag(flags::UNLOADED) {
            fatal_misuse("a jmethodID of an unloaded class was used");
        }
        m
    }
}

/// jfieldID: a field record's address; records with an id are never given back.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct FieldId(*const FieldInfo);

impl FieldId {
    pub const NULL: FieldId = FieldId(std::ptr::null());
    pub fn of(f: &'static FieldInfo) -> FieldId {
        f.class.flags.fetch_or(flags::IDS_OUT, Ordering::Relaxed);
        FieldId(f)
    }
    /// Whether a number is an id of a class that is still there.
    pub fn is_valid(address: usize) -> bool {
        // SAFETY: null, or an id that a function returned; `of` has seen to it that the record's memory lasts.
        address != 0 && !unsafe { &*(address as *const FieldInfo) }.class.has_flag(flags::UNLOADED)
    }
    #[inline]
    pub fn get(self) -> &'static FieldInfo {
        if self.0.is_null() {
            fatal_misuse("a null jfieldID was used");
        }
        // SAFETY: JNI: an id comes from a function that returned one; `of` has seen to it that the
        // record's memory lasts.
        let f = unsafe { &*self.0 };
        if f.class.has_flag(flags::UNLOADED) {
            fatal_misuse("a jfieldID of an unloaded class was used");
        }
        f
    }
}

/// Where a function stores a second result, or null.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Out<T>(*mut T);

impl<T> Out<T> {
    pub fn set(self, value: T) {
        if !self.0.is_null() {
            // SAFETY: JNI: callers pass null or a place for one T.
            unsafe { self.0.write(value) }
        }
    }
}

/// Native code broke a rule of JNI so that nothing sensible can follow.
#[cold]
pub fn fatal_misuse(what: &str) -> ! {
    concord_base::bug!("native code misused JNI: {what}")
}

/// The VM state, until dropped.
pub struct InVm<'t> {
    pub th: &'t Thread,
    was_native: bool,
}

/// Enters the VM state. A thread inside a critical region is there already.
#[inline]
pub fn enter(th: &Thread) -> InVm<'_> {
    let was_native = th.state() == ThreadState::Native;
    if was_native {
        concord_safepoint::to_vm(th);
    }
    InVm { th, was_native }
}

impl Drop for InVm<'_> {
    #[inline]
    fn drop(&mut self) {
        // A critical region that began inside this scope keeps the thread in the VM.
        if self.was_native && self.th.no_safepoint.get() == 0 {
            concord_runtime::allocations::tell(self.th);
            concord_safepoint::to_native(self.th);
        }
    }
}

impl InVm<'_> {
    /// A local reference to return, null if an exception is pending.
    pub fn local(&self, r: JResult<Obj>) -> Handle {
        match r {
            Ok(o) => self.th.new_handle(o),
            Err(_thrown) => std::ptr::null_mut(),
        }
    }
    pub fn local_obj(&self, o: Obj) -> Handle {
        self.th.new_handle(o)
    }
    /// Runs `f`, which may run Java code, with a pending exception put aside. It is pending again
    /// afterwards unless `f` throws: the newer exception wins, as in HotSpot.
    pub fn aside<T>(&self, f: impl FnOnce() -> JResult<T>) -> JResult<T> {
        if !self.th.has_exception() {
            return f();
        }
        let scope = handles::Scope::new(self.th);
        let e = scope.handle(self.th.take_exception());
        let r = f();
        if r.is_ok() {
            self.th.exception.set(e.get());
        }
        r
    }
    /// Throws the boot class `class` with `message` in place of whatever is pending.
    #[cold]
    pub fn throw<T>(&self, class: &str, message: &str) -> JResult<T> {
        self.th.take_exception();
        exceptions::throw(self.th, class, message)
    }
    /// Throws NullPointerException if `o` is null.
    pub fn non_null(&self, o: Obj) -> JResult<Obj> {
        if !o.is_null() {
            return Ok(o);
        }
        self.th.take_exception();
        exceptions::throw_no_msg(self.th, "java/lang/NullPointerException")
    }
    /// Initializes a class unless that is done.
    pub fn initialize(&self, c: ClassRef) -> JResult<()> {
        if c.is_initialized() || !c.is_instance_class() { Ok(()) } else { init::initialize(self.th, c) }
    }
}
