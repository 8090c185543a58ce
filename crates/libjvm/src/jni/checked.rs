//! `-Xcheck:jni`: the JNI function table that looks at its arguments first.
//!
//! Invariant: a function of this table does what the plain one does, if native code keeps to the
//! rules; else it warns, or ends the VM, with HotSpot's words. The checks come before the function
//! and see its first four arguments, as they are in registers.
//!
//! As on HotSpot a check looks, in this order, at the thread, at critical regions, at exceptions
//! that are pending or were not asked for, at the number of local references (HotSpot does that
//! behind the function, so a warning may come one call later here), and at what the function's
//! [`Rule`] says. Not checked: that native code keeps within the copies that
//! `Get<Type>ArrayElements` and `GetStringChars` return, and method numbers that never were any.
use super::checked_rules::{Rule, functions};
use super::exceptions::{die, print_stack};
use super::stubs::{self, RESERVED};
use crate::env::{FieldId, MethodId, Ref, enter};
use concord_contract::{BasicType, ClassRef, Obj, Thread};
use concord_runtime::handles::{self, Handle, HandleKind};
use concord_runtime::native::check;
use concord_runtime::{FieldInfo, known, mirror};
use std::arch::naked_asm;
use std::ffi::{CStr, c_char};

fn warn(th: &Thread, what: &str) {
    concord_base::outln!("WARNING in native method: {what}");
    print_stack(th);
}

/// Whether a reference is null or one that is in use.
fn is_reference(th: &Thread, h: Handle) -> bool {
    if h.is_null() {
        return true;
    }
    // SAFETY: what has a kind lies in a table of references; a free slot holds an odd word.
    handles::kind(th, h) != HandleKind::Invalid && unsafe { *((h as usize & !1) as *const u64) } & 1 == 0
}

/// The arguments of one call.
struct Arguments<'a> {
    th: &'a Thread,
    words: &'a [u64; 6],
}

impl Arguments<'_> {
    fn word(&self, i: usize) -> u64 {
        self.words[i + 1]
    }
    fn object(&self, i: usize) -> Obj {
        let h = self.word(i) as Handle;
        if !is_reference(self.th, h) {
            die(self.th, "Bad global or local ref passed to JNI");
        }
        Ref::new(h).get()
    }
    fn class(&self, i: usize, primitive: bool) -> ClassRef {
        let o = self.object(i);
        if o.is_null() {
            die(self.th, "Bad global or local ref passed to JNI");
        }
        let is_class = std::ptr::eq(o.class(), known::classes().class);
        if !is_class || !primitive && mirror::primitive_of(o).is_some() {
            die(self.th, "JNI received a class argument that is not a class");
        }
        mirror::class_of(o)
    }
    fn throwable(&self, class: ClassRef) {
        if !class.is_subclass_of(known::classes().throwable) {
            die(
                self.th,
                "JNI Throw or ThrowNew received a class argument that is not a Throwable or Throwable subclass",
            );
        }
    }
    fn method(&self, i: usize, class: Option<ClassRef>, object: Option<Obj>) {
        let wrong = || die(self.th, "Wrong object class or methodID passed to JNI call");
        if self.word(i) == 0 {
            wrong();
        }
        // SAFETY: a number of a method, as the caller vouches: `MethodId` is that word.
        let m = unsafe { std::mem::transmute::<u64, MethodId>(self.word(i)) }.get();
        let object = object.filter(|o| !o.is_null()).map(|o| o.class());
        if class.into_iter().chain(object).any(|c| !c.is_subclass_of(m.class)) {
            wrong();
        }
    }
    fn field(&self, i: usize) -> &'static FieldInfo {
        // SAFETY: a number of a field, as the caller vouches: `FieldId` is that word.
        unsafe { std::mem::transmute::<u64, FieldId>(self.word(i)) }.get()
    }
    fn array(&self, wanted: Option<Option<BasicType>>) {
        let o = self.object(0);
        if o.is_null() || !o.class().is_array() {
            die(self.th, "Non-array passed to JNI array operations");
        }
        let element = o.class().name.as_bytes()[1];
        let is = BasicType::from_descriptor_char(element).filter(|t| *t != BasicType::Object);
        match (wanted, is) {
            (Some(Some(BasicType::Object)), Some(_)) => {
                die(self.th, "Object array expected but not received for JNI array operation")
            }
            (Some(Some(BasicType::Object)), None) | (None, _) | (Some(None), Some(_)) => {}
            (Some(_), None) => die(self.th, "Primitive type array expected but not received for JNI array operation"),
            (Some(Some(t)), Some(is)) if t != is => die(self.th, "Array element type mismatch in JNI"),
            _ => {}
        }
    }

    fn check(&self, rule: Rule) {
        let th = self.th;
        match rule {
            Rule::Nothing => {}
            Rule::Objects(all) => all.iter().for_each(|i| {
                self.object(*i);
            }),
            Rule::Class(primitive) => {
                self.class(0, primitive);
            }
            Rule::TwoClasses => [0, 1].into_iter().for_each(|i| {
                self.class(i, true);
            }),
            Rule::ObjectAndClass => {
                self.class(1, true);
            }
            Rule::FindClass => self.class_name(),
            Rule::Call => self.method(1, None, Some(self.object(0))),
            Rule::CallNonvirtual => self.method(2, Some(self.class(1, false)), Some(self.object(0))),
            Rule::CallStatic => self.method(1, Some(self.class(0, false)), None),
            Rule::Field(t) => {
                let (o, f) = (self.object(0), self.field(1));
                if o.is_null() {
                    die(th, "Null object passed to JNI");
                } else if f.is_static() {
                    die(th, "Static field ID passed to JNI");
                } else if !o.class().is_subclass_of(f.class) {
                    die(th, "Wrong instance field ID passed to JNI");
                } else if f.ty != t {
                    die(th, "Field type (instance) mismatch in JNI get/set field operations");
                }
            }
            Rule::StaticField(t) => {
                let (c, f) = (self.class(0, false), self.field(1));
                if !f.is_static() {
                    die(th, "Non-static field ID passed to JNI");
                } else if !c.is_subclass_of(f.class) {
                    die(th, "Wrong static field ID passed to JNI");
                } else if f.ty != t {
                    die(th, "Field type (static) mismatch in JNI get/set field operations");
                }
            }
            Rule::String => {
                let o = self.object(0);
                if o.is_null() || !std::ptr::eq(o.class(), known::classes().string) {
                    die(th, "JNI string operation received a non-string");
                }
            }
            Rule::Array => self.array(None),
            Rule::ObjectArray => self.array(Some(Some(BasicType::Object))),
            Rule::PrimitiveArray => self.array(Some(None)),
            Rule::ArrayOf(t) => self.array(Some(Some(t))),
            Rule::Throw => {
                let o = self.object(0);
                if o.is_null() {
                    die(th, "Null object passed to JNI");
                }
                self.throwable(o.class());
            }
            Rule::ThrowNew => self.throwable(self.class(0, false)),
            Rule::Delete(kind) => self.deleted(kind),
            Rule::Capacity => {
                if (self.word(0) as i32) < 0 {
                    die(th, "negative capacity");
                }
            }
        }
    }
    fn deleted(&self, kind: HandleKind) {
        let h = self.word(0) as Handle;
        if !h.is_null() && (!is_reference(self.th, h) || handles::kind(self.th, h) != kind) {
            let (word, function) = match kind {
                HandleKind::Local => ("local", "DeleteLocalRef"),
                HandleKind::Global => ("global", "DeleteGlobalRef"),
                _ => ("weak global", "DeleteWeakGlobalRef"),
            };
            die(self.th, &format!("Invalid {word} JNI handle passed to {function}"));
        }
    }
    fn class_name(&self) {
        let p = self.word(0) as *const c_char;
        if p.is_null() {
            return;
        }
        // SAFETY: JNI: callers pass null or a NUL-terminated string.
        let name = unsafe { CStr::from_ptr(p) }.to_bytes();
        if name.len() >= 2 && name[0] == b'L' && name[name.len() - 1] == b';' {
            warn(
                self.th,
                &format!(
                    "JNI FindClass received a bad class descriptor \"{}\".  A correct class descriptor has no leading \
                     \"L\" or trailing \";\".  Incorrect descriptors will not be accepted in future releases.",
                    concord_base::symbol::text(name)
                ),
            );
        }
    }
}

/// Local references in use from slot `first` on.
fn live_references(th: &Thread, first: usize) -> usize {
    let base = th.handles.get();
    // SAFETY: the slots in use of this thread; a free one holds an odd word.
    (first..th.handle_top.get()).filter(|i| unsafe { *base.add(*i) } & 1 == 0).count()
}

/// More local references than native code has asked for.
fn check_references(th: &Thread) {
    let over = check::innermost(|f| {
        let live = live_references(th, f.base);
        let planned = f.planned;
        (live > planned).then(|| {
            f.planned = live + check::GRANTED;
            (live, planned)
        })
    });
    if let Some((live, planned)) = over {
        concord_base::outln!("WARNING: JNI local refs: {live}, exceeds capacity: {planned}");
        print_stack(th);
    }
}

/// Checks a call of the function in `slot`; `words` are its arguments, the environment first.
extern "C" fn before(slot: usize, words: &[u64; 6]) {
    let f = &functions()[slot - RESERVED];
    let Some(th) = Thread::current_opt() else {
        concord_base::outln!("FATAL ERROR in native method: Using JNIEnv in non-Java thread");
        crate::crash::end()
    };
    if words[0] != std::ptr::from_ref(th) as u64 {
        die(th, "Using JNIEnv in the wrong thread");
    }
    let critical = th.state() != concord_contract::thread::ThreadState::Native;
    if critical && !f.critical_allowed {
        concord_base::outln!(
            "Warning: Calling other JNI functions in the scope of Get/ReleasePrimitiveArrayCritical or Get/ReleaseStringCritical"
        );
    }
    let _vm = enter(th);
    if f.asks {
        check::innermost(|frame| frame.unchecked = None);
    } else if !f.exception_allowed {
        if th.has_exception() {
            warn(th, "JNI call made with exception pending");
        }
        if let Some(after) = check::innermost(|frame| frame.unchecked.take()) {
            warn(th, &format!("JNI call made without checking exceptions when required to from {after}"));
        }
    }
    check_references(th);
    let arguments = Arguments { th, words };
    arguments.check(f.rule);
    let planned = || live_references(th, check::innermost(|f| f.base)) + check::GRANTED + arguments.word(0) as usize;
    match f.name {
        "PushLocalFrame" => check::open(planned()),
        "PopLocalFrame" => check::close(),
        "EnsureLocalCapacity" => {
            let n = planned();
            check::innermost(|frame| frame.planned = n);
        }
        _ if f.to_be_asked => check::innermost(|frame| frame.unchecked = Some(f.name)),
        _ => {}
    }
}

/// Comes from a stub with the function in `r10` and its slot in `r11`; all registers that can hold
/// an argument are kept.
#[unsafe(naked)]
extern "C" fn checked() {
    naked_asm!(
        "push rbp",
        "mov rbp, rsp",
        "push rax",
        "push r10",
        "push r9",
        "push r8",
        "push rcx",
        "push rdx",
        "push rsi",
        "push rdi",
        "sub rsp, 128",
        "movups [rsp], xmm0",
        "movups [rsp + 16], xmm1",
        "movups [rsp + 32], xmm2",
        "movups [rsp + 48], xmm3",
        "movups [rsp + 64], xmm4",
        "movups [rsp + 80], xmm5",
        "movups [rsp + 96], xmm6",
        "movups [rsp + 112], xmm7",
        "mov rdi, r11",
        "lea rsi, [rsp + 128]",
        "call {before}",
        "movups xmm0, [rsp]",
        "movups xmm1, [rsp + 16]",
        "movups xmm2, [rsp + 32]",
        "movups xmm3, [rsp + 48]",
        "movups xmm4, [rsp + 64]",
        "movups xmm5, [rsp + 80]",
        "movups xmm6, [rsp + 96]",
        "movups xmm7, [rsp + 112]",
        "add rsp, 128",
        "pop rdi",
        "pop rsi",
        "pop rdx",
        "pop rcx",
        "pop r8",
        "pop r9",
        "pop r10",
        "pop rax",
        "pop rbp",
        "jmp [r10]",
        before = sym before,
    )
}

/// The checking table; to be made once.
///
/// # Errors
/// What the system says to a mapping for its code.
pub fn address() -> std::io::Result<*const ()> {
    check::switch_on();
    let stub = |number: usize, slot: u64| {
        let function: &[u8] = &[0x49, 0xba]; // mov r10, slot
        let load: &[u8] = &[0x41, 0xbb]; // mov r11d, number
        let jump: &[u8] = &[0xff, 0x25, 0, 0, 0, 0]; // jmp [rip]
        let common = (checked as *const () as u64).to_le_bytes();
        [function, &slot.to_le_bytes(), load, &(number as u32).to_le_bytes(), jump, &common].concat()
    };
    stubs::table(stub)
}
