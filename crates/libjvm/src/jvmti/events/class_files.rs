//! Agents that change class files.
//!
//! Invariant: each agent gets what the one before it made; those that can be asked again come last,
//! and what the first of them got is kept for the next time.
use super::super::capabilities::can;
use super::super::environment::{Env, all};
use super::super::general::{life, phase_of};
use super::{Jni, function, outside};
use concord_contract::{Obj, Thread};
use concord_runtime::events::{ClassFileLoad, Event, Transformed};
use concord_runtime::handles::{Handle, Scope};
use std::ffi::{c_char, c_void};

type LoadHook = extern "C" fn(&Env, Jni, Handle, Handle, *const c_char, Handle, i32, *const u8, *mut i32, *mut *mut u8);

/// Which agents are asked about a class file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    All,
    /// Those only that can be asked again.
    Retransformable,
}

/// Asks the agents: first those that see a class once, then those that can be asked again.
pub fn ask(th: &Thread, what: ClassFileLoad<'_>, asked: Asked) -> Transformed {
    let scope = Scope::new(th);
    let domain = scope.handle(what.protection_domain);
    let mut t = Transformed::default();
    let mut now: &[u8] = what.bytes;
    let mut before: Option<&'static [u8]> = None;
    for again in [false, true] {
        if !again && asked == Asked::Retransformable {
            continue;
        }
        for e in all().into_iter().filter(|e| e.has(can::RETRANSFORM) == again) {
            if phase_of(e) == life::PRIMORDIAL && !e.has(can::EARLY_CLASS_HOOK) {
                continue;
            }
            let Some(f) = e.callback(Event::ClassFileLoad as u32, Some(th)) else { continue };
            let new = outside(th, || call_hook(e, f, th, &what, domain.get(), now));
            if let Some(new) = new {
                if again && before.is_none() {
                    before = Some(Box::leak(now.to_vec().into_boxed_slice()));
                }
                now = new;
                t.bytes = Some(new);
            }
        }
    }
    t.before_retransformable = before;
    t
}

fn call_hook(
    e: &'static Env,
    f: usize,
    th: &Thread,
    what: &ClassFileLoad<'_>,
    domain: Obj,
    bytes: &[u8],
) -> Option<&'static [u8]> {
    let class = what.class.map_or(std::ptr::null_mut(), |c| th.new_handle(c.mirror.get()));
    let loader = th.new_handle(what.loader.java.get());
    let domain = th.new_handle(domain);
    let mut name = what.name.map_or(Vec::new(), |n| n.as_bytes().to_vec());
    name.push(0);
    let name_pointer = if what.name.is_some() { name.as_ptr().cast() } else { std::ptr::null() };
    let (mut size, mut new) = (0i32, std::ptr::null_mut::<u8>());
    function!(LoadHook, f)(
        e,
        th,
        class,
        loader,
        name_pointer,
        domain,
        bytes.len() as i32,
        bytes.as_ptr(),
        &mut size,
        &mut new,
    );
    if new.is_null() {
        return None;
    }
    // SAFETY: the specification: memory of Allocate with that many bytes, ours from now on.
    let copy = unsafe {
        let c = std::slice::from_raw_parts(new, size.max(0) as usize).to_vec();
        libc::free(new.cast::<c_void>());
        c
    };
    Some(Box::leak(copy.into_boxed_slice()))
}
