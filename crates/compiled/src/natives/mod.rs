//! Native methods as compiled code calls them.
//!
//! Invariant: a wrapper leaves on the Java stack, in the thread block and among the local references
//! exactly what `entry::call_native_with` and `native::call_native` leave there, so nobody can tell by
//! which of the two a native method was called. What it does not do itself it finds out before it
//! has changed anything, and goes to [`crate::stubs::to_interpreter`] with all arguments in place:
//!
//! * the function is not linked (the word is read at each call: RegisterNatives may replace it), or a
//!   critical function is not found any more,
//! * no room on one of the stacks or among the local references,
//! * a poll is pending (`limit` and `native_guard` say so).
//!
//! Under `-Xcheck:jni` or a switch that makes calls from compiled code leave it there are no wrappers.
//! There is one for all methods of a shape, made when the first of them is called by compiled code. That
//! of a synchronized method makes the frames; lock, call and unlock are the interpreter's
//! (`entry::run_synchronized_native`), whose stack of locks names the frame.
mod critical;
mod shims;
mod wrapper;

use crate::install;
use concord_base::options;
use concord_contract::code_table::Adapter;
use concord_contract::compiled::to_interpreter;
use concord_contract::method::MhIntrinsic;
use concord_contract::{BasicType, Method};
use concord_runtime::MethodExt;
use concord_runtime::native::critical as twin;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a wrapper depends on.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    function: Function,
    is_static: bool,
    /// As in descriptors but for references, which are all `L`, and arrays of critical functions; the
    /// receiver is the first.
    args: Box<[u8]>,
    ret: u8,
}

/// What a wrapper calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Function {
    Jni,
    /// The VM's own.
    Vm,
    /// See `concord_runtime::native::critical`.
    Critical,
    /// Either of the first two, under its monitor.
    Synchronized,
}

static WRAPPERS: Mutex<Option<HashMap<Shape, usize>>> = Mutex::new(None);
/// The code area had no room for a wrapper.
static FULL: AtomicBool = AtomicBool::new(false);

fn kind(t: BasicType) -> u8 {
    match t {
        BasicType::Boolean => b'Z',
        BasicType::Byte => b'B',
        BasicType::Char => b'C',
        BasicType::Short => b'S',
        BasicType::Int => b'I',
        BasicType::Long => b'J',
        BasicType::Float => b'F',
        BasicType::Double => b'D',
        BasicType::Object => b'L',
        BasicType::Void => b'V',
    }
}

impl Shape {
    fn of(m: &Method) -> Shape {
        let receiver = (!m.is_static()).then_some(b'L');
        // Narrow arguments come as ints.
        let params = MethodExt::info(m).params.iter().map(|t| match kind(*t) {
            b'Z' | b'B' | b'C' | b'S' => b'I',
            k => k,
        });
        let (is_static, ret) = (m.is_static(), kind(m.ret));
        let args = || receiver.into_iter().chain(params).collect();
        if m.is_synchronized() {
            return Shape { function: Function::Synchronized, is_static, args: args(), ret };
        }
        if m.vm_native().is_some() {
            return Shape { function: Function::Vm, is_static, args: args(), ret };
        }
        match twin::arguments(m).filter(|_| twin::link(m)) {
            Some(args) => Shape { function: Function::Critical, is_static, args, ret },
            None => Shape { function: Function::Jni, is_static, args: args(), ret },
        }
    }
    fn slots(&self) -> i32 {
        self.args.iter().map(|k| if matches!(k, b'J' | b'D') { 2 } else { 1 }).sum()
    }
    /// The name for tools.
    fn name(&self) -> String {
        let of = match self.function {
            Function::Jni => "",
            Function::Vm => "VM ",
            Function::Critical => "critical ",
            Function::Synchronized => "synchronized ",
        };
        let is_static = if self.is_static { "static " } else { "" };
        let args = String::from_utf8_lossy(&self.args);
        format!("native wrapper {of}{is_static}({args}){}", self.ret as char)
    }
}

/// Whether a call of `m` by compiled code may go through a wrapper.
fn may_have_wrapper(m: &Method) -> bool {
    m.is_native()
        && m.mh_intrinsic == MhIntrinsic::None
        && !crate::rows::is_zealous()
        && !concord_runtime::native::check::is_on()
}

/// Compiled code has called the native method `m` through the VM: the next call need not.
pub fn called(m: &Method) {
    let has_one = m.compiled.load(Ordering::Relaxed) != to_interpreter();
    // The wrapper of a critical function is of no use after RegisterNatives.
    if (has_one && !options::get().flags.critical_jni_natives) || FULL.load(Ordering::Relaxed) || !may_have_wrapper(m) {
        return;
    }
    let shape = Shape::of(m);
    let mut all = WRAPPERS.lock().expect("native wrappers");
    let all = all.get_or_insert_default();
    let wrapper = match all.get(&shape) {
        Some(w) => *w,
        None => {
            let Some(w) = publish(&shape, &wrapper::make(&shape)) else {
                FULL.store(true, Ordering::Relaxed);
                return;
            };
            all.insert(shape, w);
            w
        }
    };
    m.compiled.store(wrapper as *mut (), Ordering::Release);
}

fn publish(shape: &Shape, code: &[u8]) -> Option<usize> {
    // No compiled code returns into a wrapper, so what the table says beyond "adapter" is not read.
    install::install_adapter(shape.name(), Adapter { saved: 0, replaces: false }, code)
}
