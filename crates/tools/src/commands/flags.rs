//! Flags: VM.flags, VM.set_flag, and jinfo's `printflag` and `setflag`.
use super::{Arguments, Reply};
use concord_base::options::{self, ManageError, Origin};
use concord_contract::Thread;

pub fn command(_th: &Thread, a: &Arguments) -> Reply {
    let o = options::get();
    let text = if a.flag("-all") { options::flags_text(o) } else { format!("{} \n", o.vm_flags().join(" ")) };
    Ok(text.into_bytes())
}

pub fn set_command(_th: &Thread, a: &Arguments) -> Reply {
    let name = a.text("flag name").unwrap_or("");
    let Some(value) = a.text("string value") else { return Ok(b"flag value is missing\n".to_vec()) };
    match options::manage(name, value, Origin::Management) {
        Ok(()) => Ok(Vec::new()),
        Err(e) => Ok(format!("{}\n", e.text(name)).into_bytes()),
    }
}

/// `-XX:+Name`, `-XX:Name=value`.
pub fn print(name: &str) -> Reply {
    let o = options::get();
    let found = match options::flags::find(name) {
        Some(i) => {
            let row = &options::flags::TABLE[i];
            Some((row.ty, (row.show)(&o.flags)))
        }
        None => options::inert(o, name).map(|(ty, value, _)| (ty, value)),
    };
    let Some((ty, value)) = found else { return Ok(format!("no such flag '{name}'\n").into_bytes()) };
    let text = match (value.as_str(), ty) {
        ("true", "bool") => format!("-XX:+{name}\n"),
        ("false", "bool") => format!("-XX:-{name}\n"),
        (v, _) => format!("-XX:{name}={v}\n"),
    };
    Ok(text.into_bytes())
}

/// As jinfo sets: `1` and `0` for switches.
pub fn set(name: &str, value: &str) -> Reply {
    match options::manage(name, value, Origin::Attach) {
        Ok(()) => Ok(Vec::new()),
        Err(ManageError::Unknown) => Err(format!("flag '{name}' does not exist\n").into()),
        Err(ManageError::NotWriteable) => Err(format!("flag '{name}' cannot be changed\n").into()),
        Err(e) => Err(format!("{}\n", e.text(name)).into()),
    }
}
