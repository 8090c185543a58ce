//! -XX flags as the HotSpotDiagnostic bean sees them.
//!
//! Invariant: a flag is writeable if the table says that it is manageable.
use super::entry;
use crate::env::Ref;
use concord_base::options::{self, ManageError, Origin};
use concord_contract::{JResult, Obj, Thread};
use concord_runtime::handles::{Handle, Scope};
use concord_runtime::{arrays, exceptions, known, strings};

/// One flag as the interface describes it.
#[repr(C)]
pub struct FlagInfo {
    name: Handle,
    value: u64,
    kind: i32,
    origin: i32,
    /// Bit 0: writeable; bit 1: external.
    bits: u32,
    reserved: [usize; 2],
}

fn origin_number(o: Origin) -> i32 {
    match o {
        Origin::Default => 1,
        Origin::CommandLine => 2,
        Origin::Management => 3,
        Origin::Environment => 4,
        Origin::ConfigFile => 5,
        Origin::Ergonomic => 6,
        Origin::Attach => 7,
        Origin::Image => 99,
    }
}

/// A jvalue as text, by the flag's type.
fn text_of(ty: &str, value: u64) -> String {
    match ty {
        "bool" => (value as u8 != 0).to_string(),
        "double" => f64::from_bits(value).to_string(),
        "ccstr" | "ccstrlist" => match Ref::new(value as Handle).get() {
            Obj::NULL => String::new(),
            s => strings::to_string(s),
        },
        _ => (value as i64).to_string(),
    }
}

entry! {
    flag_names(th) -> obj {
        let scope = Scope::new(th);
        let rows = options::flags::TABLE;
        let a = scope.handle(arrays::new_ref_array(th, known::classes().string, rows.len())?);
        for (i, r) in rows.iter().enumerate() {
            let s = strings::new_str(th, r.name)?;
            arrays::set_ref(a.get(), i, s);
        }
        Ok(a.get())
    }
    set_flag(th, name: Ref, value: u64) -> void {
        let name = strings::to_string(name.get());
        let wrong = |m: String| exceptions::throw(th, "java/lang/IllegalArgumentException", &m);
        let Some(i) = options::flags::find(&name) else { return wrong(format!("Flag does not exist: {name}")) };
        match options::manage(&name, &text_of(options::flags::TABLE[i].ty, value), Origin::Management) {
            Ok(()) => Ok(()),
            Err(ManageError::Unknown) => wrong(format!("Flag does not exist: {name}")),
            Err(ManageError::NotWriteable) => wrong("This flag is not writeable.".into()),
            Err(e) => wrong(e.text(&name)),
        }
    }
}

/// # Safety
/// `out` has room for `count` flags.
pub unsafe extern "C" fn flags(th: &Thread, names: Ref, out: *mut FlagInfo, count: i32) -> i32 {
    let vm = crate::env::enter(th);
    let rows = options::flags::TABLE;
    let list: Vec<String> = if names.get().is_null() {
        rows.iter().map(|r| r.name.to_string()).collect()
    } else {
        let a = names.get();
        (0..a.array_len()).map(|i| strings::to_string(a.array_ref(i))).collect()
    };
    let mut n = 0;
    for (i, name) in list.into_iter().take(count.max(0) as usize).enumerate() {
        let filled: JResult<FlagInfo> = describe(vm.th, &name);
        let Ok(info) = filled else { return 0 };
        n += i32::from(!info.name.is_null());
        // SAFETY: by the caller's promise.
        unsafe { out.add(i).write(info) };
    }
    n
}

/// A flag by its name, also one of HotSpot's that has no effect here; nothing for another.
fn describe(th: &Thread, name: &str) -> JResult<FlagInfo> {
    let mut f = FlagInfo { name: std::ptr::null_mut(), value: 0, kind: 0, origin: 1, bits: 0, reserved: [0; 2] };
    let o = options::get();
    let (ty, text, origin, manageable) = match options::flags::find(name) {
        Some(i) => {
            let r = &options::flags::TABLE[i];
            (r.ty, (r.show)(&o.flags), o.origin(i), r.kind == options::flags::Kind::Manageable)
        }
        None => match options::inert(o, name) {
            Some((ty, text, origin)) => (ty, text, origin, false),
            None => return Ok(f),
        },
    };
    f.name = th.new_handle(strings::new_str(th, name)?);
    (f.kind, f.value) = match ty {
        "bool" => (1, u64::from(text == "true")),
        "double" => (4, text.parse::<f64>().unwrap_or(0.0).to_bits()),
        "ccstr" | "ccstrlist" => (2, th.new_handle(strings::new_str(th, &text)?) as u64),
        _ => (3, text.parse::<i64>().map(|n| n as u64).or_else(|_| text.parse()).unwrap_or(0)),
    };
    f.origin = origin_number(origin);
    f.bits = u32::from(manageable) | 1 << 1;
    Ok(f)
}
