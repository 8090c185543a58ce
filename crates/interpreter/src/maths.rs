//! Entries of the methods that the VM computes by a function of its own: those of [`concord_base::math`].
//!
//! Invariant: such a method never gets a frame, and its bytecode is neither run nor compiled nor inlined: compiled code, which
//! calls the same function or this entry, and the interpreter cannot disagree. What runs instead of its bytecode is not shown to tools, as on HotSpot.
use crate::dispatch::{Context, Handler, dispatch};
use crate::slow::set_anchors;
use crate::stack::{NONE, Stack};
use concord_base::math;
use concord_contract::Thread;
use concord_contract::method::Method;
use concord_contract::rows::{self, Row};

/// The entry for a method that is one of these.
pub fn entry_for(m: &Method) -> Option<Handler> {
    Some(match rows::math(m)? {
        Row::Sin => sin,
        Row::Cos => cos,
        Row::Tan => tan,
        Row::Exp => exp,
        Row::Log => log,
        Row::Log10 => log10,
        Row::Pow => pow,
        _ => return None,
    })
}

macro_rules! entries {
    ($($name:ident($($arg:ident),*);)*) => { $(
        /// # Safety
        /// As every entry.
        #[unsafe(link_section = "interp_cold")]
        unsafe extern "sysv64" fn $name(
            th: *const Thread,
            pc: *const u32,
            sp: *mut u64,
            lp: *mut u64,
            fp: *mut u64,
            method: u64,
            ftos: f64,
        ) {
            // SAFETY: the arguments, doubles all, are on top of the caller's operand stack; the result takes their place. The
            // function calls nothing of the VM and has no part in the frames of the native stack when the next handler runs.
            unsafe {
                // Who looks at this thread meanwhile sees the call.
                set_anchors(&*th, pc.sub(1), sp, lp, fp);
                let mut k = Stack::new(NONE, sp, 0, 0.0);
                entries!(@pop k $($arg)*);
                k.push(math::$name($($arg),*));
                dispatch(&Context { th, pc, lp, fp }, pc, &k, method, ftos)
            }
        }
    )* };
    (@pop $k:ident $x:ident) => { let $x: f64 = $k.pop(); };
    (@pop $k:ident $x:ident $y:ident) => { let $y: f64 = $k.pop(); let $x: f64 = $k.pop(); };
}
entries! {
    sin(x);
    cos(x);
    tan(x);
    exp(x);
    log(x);
    log10(x);
    pow(x, y);
}
