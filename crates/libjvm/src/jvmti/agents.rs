//! Agents: libraries with Agent_OnLoad or Agent_OnAttach.
//!
//! Invariant: agents of the command line are loaded in its order, before the VM makes its first thread;
//! one that refuses ends the start. `-javaagent:x` is the JDK's library `instrument` with `x` as its options.
use concord_base::options::{self, Agent};
use concord_contract::Thread;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::Mutex;

type Start = unsafe extern "C" fn(*const c_void, *mut c_char, *mut c_void) -> c_int;
type Unload = unsafe extern "C" fn(*const c_void);

/// Libraries that were loaded, for Agent_OnUnload.
static LOADED: Mutex<Vec<usize>> = Mutex::new(Vec::new());

fn open(path: &str) -> Result<*mut c_void, String> {
    let c = CString::new(path).map_err(|e| e.to_string())?;
    // SAFETY: a path; the library's initializers are its business.
    let h = unsafe { libc::dlopen(c.as_ptr(), libc::RTLD_LAZY) };
    if !h.is_null() {
        return Ok(h);
    }
    // SAFETY: dlerror gives null or a NUL-terminated string of this thread's last failure.
    let why = unsafe {
        let e = libc::dlerror();
        if e.is_null() { "unknown reason".into() } else { CStr::from_ptr(e).to_string_lossy().into_owned() }
    };
    Err(why)
}

/// Opens the library of an agent: a path, or a name looked for beside the VM, then as the system does.
fn find(name: &str, absolute: bool) -> Result<*mut c_void, String> {
    if absolute {
        return open(name);
    }
    let own = format!("{}/lib/lib{name}.so", options::get().java_home);
    if std::path::Path::new(&own).exists() {
        return open(&own);
    }
    open(&format!("lib{name}.so"))
}

fn symbol(library: *mut c_void, name: &CStr) -> Option<*mut c_void> {
    // SAFETY: an open library and a NUL-terminated name.
    let p = unsafe { libc::dlsym(library, name.as_ptr()) };
    (!p.is_null()).then_some(p)
}

/// Calls Agent_OnLoad or Agent_OnAttach, with null for no arguments.
fn start(f: *mut c_void, arguments: Option<&str>) -> Result<i32, String> {
    let text = arguments.map(CString::new).transpose().map_err(|e| e.to_string())?;
    let vm = crate::invocation::java_vm();
    // SAFETY: the library exports a function of this type under that name; the text outlives the
    // call and may be changed by it.
    Ok(unsafe {
        let f = std::mem::transmute::<*mut c_void, Start>(f);
        f(std::ptr::from_ref(vm).cast(), text.map_or(std::ptr::null_mut(), CString::into_raw), std::ptr::null_mut())
    })
}

/// Loads the agents of the command line.
///
/// # Errors
/// What the user is told; the VM does not start.
pub fn load_all() -> Result<(), String> {
    for Agent { name, absolute, options: arguments } in &options::get().agents {
        let place = if *absolute { "in absolute path" } else { "on the library path" };
        let library = find(name, *absolute)
            .map_err(|why| format!("Could not find agent library {name} {place}, with error: {why}"))?;
        let Some(f) = symbol(library, c"Agent_OnLoad") else {
            return Err(format!("Could not find Agent_OnLoad function in the agent library: {name}"));
        };
        concord_runtime::native::add_agent(library);
        if start(f, arguments.as_deref())? != 0 {
            return Err(format!("agent library failed to init: {name}"));
        }
        LOADED.lock().expect("agents").push(library as usize);
    }
    Ok(())
}

/// Tells the agents that the VM has ended.
pub fn unload_all() {
    let all = std::mem::take(&mut *LOADED.lock().expect("agents"));
    for library in all {
        if let Some(f) = symbol(library as *mut c_void, c"Agent_OnUnload") {
            // SAFETY: the library exports a function of this type under that name.
            unsafe {
                std::mem::transmute::<*mut c_void, Unload>(f)(std::ptr::from_ref(crate::invocation::java_vm()).cast())
            };
        }
    }
}

/// Loads an agent into the running VM (attach protocol).
///
/// # Errors
/// Why the library was not loaded, as HotSpot words it.
pub fn attach(th: &Thread, name: &str, absolute: bool, arguments: &str) -> Result<i32, String> {
    if name == "instrument" {
        load_instrument_module(th)?;
    }
    let opened = concord_runtime::blocking(th, || find(name, absolute).map(|l| l as usize));
    let library = opened.map_err(|why| format!("{name} was not loaded.\n{why}"))? as *mut c_void;
    let Some(f) = symbol(library, c"Agent_OnAttach") else {
        return Err(format!("Agent_OnAttach is not available in {name}"));
    };
    let r = concord_safepoint::in_native(|| start(f, Some(arguments)));
    if th.has_exception() {
        let e = th.take_exception();
        concord_base::errln!(
            "{}\n{}",
            concord_runtime::exceptions::describe(e),
            concord_runtime::stackwalk::stack_trace_text(e)
        );
    }
    if r == Ok(0) {
        concord_runtime::native::add_agent(library);
        LOADED.lock().expect("agents").push(library as usize);
    }
    r
}

/// java.instrument need not be among the modules that the program started with.
fn load_instrument_module(th: &Thread) -> Result<(), String> {
    let load = || -> concord_contract::JResult<()> {
        let name = concord_runtime::strings::new_str(th, "java.instrument")?;
        let desc = "(Ljava/lang/String;)Ljava/lang/Module;";
        concord_runtime::call::call_static(th, "jdk/internal/module/Modules", "loadModule", desc, &[name.addr() as u64])
            .map(|_| ())
    };
    load().map_err(|_| {
        let e = th.take_exception();
        concord_runtime::exceptions::describe(e)
    })
}
