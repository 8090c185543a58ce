//! Diagnostic commands for the DiagnosticCommand bean.
//!
//! Invariant: names and descriptions are those of `concord_tools`' table; texts handed to the class
//! library live as long as the VM.
use super::entry;
use crate::env::Ref;
use concord_contract::{JResult, Thread};
use concord_runtime::handles::Scope;
use concord_runtime::{arrays, exceptions, known, strings};
use concord_tools::commands::{Command, Source, TABLE, execute as run, find};
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char};
use std::sync::{Mutex, OnceLock};

/// A command as the interface describes it.
#[repr(C)]
pub struct CommandInfo {
    name: *const c_char,
    description: *const c_char,
    impact: *const c_char,
    permission_class: *const c_char,
    permission_name: *const c_char,
    permission_action: *const c_char,
    arguments: i32,
    enabled: u8,
}
/// One option or argument.
#[repr(C)]
pub struct ArgumentInfo {
    name: *const c_char,
    description: *const c_char,
    kind: *const c_char,
    default: *const c_char,
    mandatory: u8,
    option: u8,
    multiple: u8,
    position: i32,
}

/// A NUL-terminated copy that lives for ever; one per text.
fn text(s: &'static str) -> *const c_char {
    static COPIES: OnceLock<Mutex<HashMap<&'static str, &'static CStr>>> = OnceLock::new();
    let mut all = COPIES.get_or_init(Mutex::default).lock().expect("texts of commands");
    let copy = all.entry(s).or_insert_with(|| {
        let owned = CString::new(s).unwrap_or_default();
        Box::leak(owned.into_boxed_c_str())
    });
    copy.as_ptr()
}
fn optional(s: Option<&'static str>) -> *const c_char {
    s.map_or(std::ptr::null(), text)
}

fn unknown<T>(th: &Thread) -> JResult<T> {
    exceptions::throw(th, "java/lang/IllegalArgumentException", "Unknown diagnostic command")
}

fn describe(c: &'static Command) -> CommandInfo {
    CommandInfo {
        name: text(c.name),
        description: text(c.help),
        impact: text(c.impact),
        permission_class: optional(c.permission.map(|p| p.0)),
        permission_name: optional(c.permission.map(|p| p.1)),
        permission_action: optional(c.permission.and_then(|p| p.2)),
        arguments: c.parameters.len() as i32,
        enabled: 1,
    }
}

entry! {
    commands(th) -> obj {
        let scope = Scope::new(th);
        let all: Vec<&Command> = TABLE.iter().filter(|c| c.is_for(Source::Bean)).collect();
        let a = scope.handle(arrays::new_ref_array(th, known::classes().string, all.len())?);
        for (i, c) in all.into_iter().enumerate() {
            let s = strings::new_str(th, c.name)?;
            arrays::set_ref(a.get(), i, s);
        }
        Ok(a.get())
    }
    command_info(th, commands: Ref, out: *mut CommandInfo) -> void {
        let a = commands.get();
        if a.is_null() {
            return exceptions::throw_no_msg(th, "java/lang/NullPointerException");
        }
        for i in 0..a.array_len() {
            let name = a.array_ref(i);
            if name.is_null() {
                return exceptions::throw(th, "java/lang/NullPointerException", "Command name cannot be null.");
            }
            let Some(c) = find(&strings::to_string(name)).filter(|c| c.is_for(Source::Bean)) else { return unknown(th) };
            // SAFETY: the caller passes room for as many rows as names.
            unsafe { out.add(i).write(describe(c)) };
        }
        Ok(())
    }
    command_arguments(th, command: Ref, out: *mut ArgumentInfo) -> void {
        if command.get().is_null() {
            return exceptions::throw(th, "java/lang/NullPointerException", "Command line cannot be null.");
        }
        let Some(c) = find(&strings::to_string(command.get())).filter(|c| c.is_for(Source::Bean)) else { return unknown(th) };
        let mut place = 0;
        for (i, p) in c.parameters.iter().enumerate() {
            let position = if p.is_option { -1 } else { place };
            place += i32::from(!p.is_option);
            let row = ArgumentInfo {
                name: text(p.name),
                description: text(p.help),
                kind: text(p.kind.name()),
                default: if p.default.is_empty() { std::ptr::null() } else { text(p.default) },
                mandatory: u8::from(p.mandatory),
                option: u8::from(p.is_option),
                multiple: 0,
                position,
            };
            // SAFETY: the caller passes room for as many rows as the command's description says.
            unsafe { out.add(i).write(row) };
        }
        Ok(())
    }
    execute(th, command: Ref) -> obj {
        if command.get().is_null() {
            return exceptions::throw(th, "java/lang/NullPointerException", "Command line cannot be null.");
        }
        match run(th, &strings::to_string(command.get()), Source::Bean) {
            Ok(t) => strings::new_str(th, &String::from_utf8_lossy(&t)),
            Err(f) => exceptions::throw(th, "java/lang/IllegalArgumentException", &f.text),
        }
    }
}
/// Nothing to notify: the set of commands never changes.
pub extern "C" fn notify_commands(_th: &Thread, _on: u8) {}
