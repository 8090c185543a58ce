//! Throwable's backtrace and StackTraceElements.
//!
//! Invariant: `Throwable.backtrace` is null or a `long[]` whose first `depth` words are frames,
//! innermost first: the method's address in bits 0-47, the bytecode index in bits 48-63; or, if
//! classes in it can be unloaded, an `Object[]` of that array and those classes' mirrors. A word [`TOP_LEFT_OUT`]
//! behind the frames says that the innermost one is hidden and none of them.
use super::{Site, sites};
use crate::info::{ClassExt, MethodExt};
use crate::{arrays, handles, known, modules, object, strings};
use concord_contract::class::flags;
use concord_contract::{BasicType, ClassRef, JResult, Method, MethodRef, Obj, Thread};

/// `-XX:MaxJavaStackTraceDepth`; 0 means no limit.
fn max_depth() -> usize {
    match concord_base::options::get().flags.max_java_stack_trace_depth {
        0 => usize::MAX,
        n => n as usize,
    }
}
/// `-XX:+ShowHiddenFrames`.
pub fn show_hidden_frames() -> bool {
    concord_base::options::get().flags.show_hidden_frames
}

const BCI_SHIFT: u32 = 48;
/// No frame: that of a method has an address.
const TOP_LEFT_OUT: u64 = 1;

fn pack(s: Site) -> u64 {
    let addr = std::ptr::from_ref(s.method) as u64;
    debug_assert!(addr >> BCI_SHIFT == 0, "a method beyond 48 bits of address");
    addr | u64::from(s.bci) << BCI_SHIFT
}
fn unpack(word: u64) -> Site {
    let p = (word & ((1 << BCI_SHIFT) - 1)) as *const Method;
    // SAFETY: only `pack` made the word; the backtrace keeps the method's class.
    Site { method: unsafe { &*p }, bci: (word >> BCI_SHIFT) as u16 }
}

/// Whether traces leave the frame out.
fn hidden(m: MethodRef) -> bool {
    m.is_hidden_frame() && !show_hidden_frames()
}

/// Records the current thread's stack in `throwable`, without the frames that make the throwable
/// itself: fillInStackTrace and the constructors of its classes. Records nothing if there is no
/// memory for it.
pub fn fill_in_stack_trace(th: &Thread, throwable: Obj) {
    let class = throwable.class();
    let max = max_depth();
    let mut words = Vec::with_capacity(32);
    let (mut in_fill, mut in_init, mut top_left_out) = (true, true, false);
    for (m, f) in concord_contract::frame::java_frames(th) {
        if words.len() >= max {
            break;
        }
        if in_fill && m.name == "fillInStackTrace" && class.is_subclass_of(m.class) {
            continue;
        }
        in_fill = false;
        if in_init && m.is_init() && class.is_subclass_of(m.class) {
            continue;
        }
        in_init = false;
        if hidden(m) {
            top_left_out |= words.is_empty();
        } else {
            words.push(pack(Site { method: m, bci: super::bci_of(m, &f) }));
        }
    }
    let depth = words.len();
    if top_left_out {
        words.push(TOP_LEFT_OUT);
    }
    let scope = handles::Scope::new(th);
    let throwable = scope.handle(throwable);
    let Ok(recorded) = record(th, &words) else {
        // An exception without a trace says more than an OutOfMemoryError in its place.
        th.take_exception();
        return;
    };
    let o = known::offsets();
    concord_heap::store_ref(throwable.get(), o.throwable_backtrace, recorded);
    throwable.get().put_i32(o.throwable_depth, depth as i32);
}

/// What goes into `Throwable.backtrace`. The frames still stand, so their classes live.
fn record(th: &Thread, words: &[u64]) -> JResult<Obj> {
    let scope = handles::Scope::new(th);
    let array = scope.handle(arrays::new_prim_array(th, BasicType::Long, words.len())?);
    let mut kept: Vec<ClassRef> = Vec::new();
    for (i, w) in words.iter().enumerate() {
        array.get().put_u64(Obj::elem_offset(i, 3), *w);
        if *w == TOP_LEFT_OUT {
            continue;
        }
        let c = unpack(*w).method.class;
        if c.has_flag(flags::UNLOADABLE) && !kept.contains(&c) {
            kept.push(c);
        }
    }
    if kept.is_empty() {
        return Ok(array.get());
    }
    let both = scope.handle(arrays::new_ref_array(th, known::classes().object, 1 + kept.len())?);
    arrays::set_ref(both.get(), 0, array.get());
    for (i, c) in kept.iter().enumerate() {
        arrays::set_ref(both.get(), 1 + i, c.mirror.get());
    }
    Ok(both.get())
}

/// The words of a backtrace.
fn words_of(throwable: Obj) -> Obj {
    let b = throwable.get_ref(known::offsets().throwable_backtrace);
    if !b.is_null() && b.class().component.is_some_and(|c| !c.is_primitive()) { b.array_ref(0) } else { b }
}

/// Records the current thread's stack in the array that `throwable` has for it; takes no memory.
pub fn fill_preallocated(th: &Thread, throwable: Obj) {
    let o = known::offsets();
    let array = throwable.get_ref(o.throwable_backtrace);
    // There is no room for what would keep classes that can be unloaded: their frames are left out.
    let stays = |s: &Site| !hidden(s.method) && !s.method.class.has_flag(flags::UNLOADABLE);
    let frames = sites(th).filter(stays).take(array.array_len());
    let mut depth = 0;
    for s in frames {
        array.put_u64(Obj::elem_offset(depth, 3), pack(s));
        depth += 1;
    }
    throwable.put_i32(o.throwable_depth, depth as i32);
}

/// The frames recorded in a throwable, innermost first.
pub fn stack_of(throwable: Obj) -> Vec<Site> {
    let b = words_of(throwable);
    if b.is_null() {
        return Vec::new();
    }
    let depth = throwable.get_i32(known::offsets().throwable_depth) as usize;
    (0..depth.min(b.array_len())).map(|i| unpack(b.get_u64(Obj::elem_offset(i, 3)))).collect()
}

/// The innermost frame recorded in a throwable; None if a hidden one was within it.
pub(super) fn top_of(throwable: Obj) -> Option<Site> {
    let b = words_of(throwable);
    let depth = throwable.get_i32(known::offsets().throwable_depth) as usize;
    let word = |i: usize| b.get_u64(Obj::elem_offset(i, 3));
    if b.is_null() || depth == 0 || depth < b.array_len() && word(depth) == TOP_LEFT_OUT {
        return None;
    }
    Some(unpack(word(0)))
}

/// `\tat java.lang.String.length(String.java:1)` lines, without running Java code.
pub fn stack_trace_text(throwable: Obj) -> String {
    use std::fmt::Write;
    let mut out = String::new();
    for s in stack_of(throwable) {
        let m = s.method;
        let place = match (line(s), m.class.info().source_file()) {
            (-2, _) => "Native Method".to_string(),
            (n, Some(f)) if n >= 0 => format!("{f}:{n}"),
            (_, Some(f)) => f.to_string(),
            (_, None) => "Unknown Source".to_string(),
        };
        let written = writeln!(out, "\tat {}.{}({place})", m.class.external_name(), m.name);
        debug_assert!(written.is_ok(), "writing to a String cannot fail");
    }
    out
}

/// The line number as StackTraceElement has it: -2 in natives, -1 if unknown.
fn line(s: Site) -> i32 {
    if s.method.is_native() { -2 } else { s.method.line_at(s.bci) }
}

/// The interned `Class.getName()` of a class, kept in its mirror.
fn class_name(th: &Thread, c: ClassRef) -> JResult<Obj> {
    crate::reflection::queries::init_class_name(th, c.mirror.get())
}

/// Fills one StackTraceElement.
///
/// # Errors
/// OutOfMemoryError.
pub fn element_of(th: &Thread, element: Obj, s: Site) -> JResult<()> {
    let scope = handles::Scope::new(th);
    let element = scope.handle(element);
    let o = known::offsets();
    let put = |at: usize, v: Obj| concord_heap::store_ref(element.get(), at, v);
    let class = s.method.class;
    put(o.ste_class_object, class.mirror.get());
    put(o.ste_class, class_name(th, class)?);
    let loader = class.loader().java.get();
    if !loader.is_null() {
        put(o.ste_loader_name, loader.get_ref(o.loader_name));
    }
    if let Some(m) = modules::of(class)
        && let Some(name) = m.name
    {
        put(o.ste_module_name, strings::intern_mutf8(th, name.as_bytes())?);
        if let Some(v) = &m.version {
            put(o.ste_module_version, strings::intern_mutf8(th, v.as_bytes())?);
        }
    }
    put(o.ste_method, strings::intern_mutf8(th, s.method.name.as_bytes())?);
    if let Some(f) = class.info().source_file() {
        put(o.ste_file, strings::intern_mutf8(th, f.as_bytes())?);
    }
    element.get().put_i32(o.ste_line, line(s));
    Ok(())
}

/// Fills the elements of `array` (StackTraceElement[]) from a throwable's backtrace.
///
/// # Errors
/// OutOfMemoryError; IndexOutOfBoundsException if the lengths differ.
pub fn fill_stack_trace_elements(th: &Thread, array: Obj, throwable: Obj) -> JResult<()> {
    let sites = stack_of(throwable);
    if array.array_len() != sites.len() {
        return crate::exceptions::throw_no_msg(th, "java/lang/IndexOutOfBoundsException");
    }
    let scope = handles::Scope::new(th);
    let array = scope.handle(array);
    for (i, s) in sites.into_iter().enumerate() {
        let e = array.get().array_ref(i);
        if e.is_null() {
            return crate::exceptions::throw_no_msg(th, "java/lang/NullPointerException");
        }
        element_of(th, e, s)?;
    }
    Ok(())
}

/// A new StackTraceElement[] for frames that were recorded elsewhere.
///
/// # Errors
/// OutOfMemoryError.
pub fn elements_of(th: &Thread, sites: &[Site]) -> JResult<Obj> {
    let scope = handles::Scope::new(th);
    let class = known::classes().stack_trace_element;
    let array = scope.handle(arrays::new_ref_array(th, class, sites.len())?);
    for (i, s) in sites.iter().enumerate() {
        let e = scope.handle(object::new_object(th, class)?);
        element_of(th, e.get(), *s)?;
        arrays::set_ref(array.get(), i, e.get());
    }
    Ok(array.get())
}
