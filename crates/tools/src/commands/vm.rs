//! The VM itself: version, uptime, command line, libraries, logs.
use super::{Arguments, Reply};
use concord_base::{log as vm_log, options};
use concord_contract::Thread;
use concord_runtime::{strings, threads};
use std::fmt::Write as _;

/// Name and version, as the first line of VM.version and of dumps has them.
fn version_line() -> String {
    format!("{} version {}", options::VM_NAME, options::VM_VERSION)
}

pub fn version(_th: &Thread, _a: &Arguments) -> Reply {
    let jdk = concord_runtime::threads::print::jdk_version();
    Ok(format!("{}\nJDK {jdk}\n", version_line()).into_bytes())
}

pub fn uptime(_th: &Thread, a: &Arguments) -> Reply {
    let seconds = vm_log::uptime().as_secs_f64();
    let date = if a.flag("-date") { format!("{}: ", threads::print::local_time()) } else { String::new() };
    Ok(format!("{date}{seconds:.3} s\n").into_bytes())
}

pub fn command_line(_th: &Thread, _a: &Arguments) -> Reply {
    let o = options::get();
    let p = |name: &str| o.property(name).unwrap_or("");
    let mut s = String::from("VM Arguments:\n");
    if !o.vm_arguments.is_empty() {
        s.push_str("jvm_args: ");
        o.vm_arguments.iter().for_each(|a| {
            s.push_str(a);
            s.push(' ');
        });
        s.push('\n');
    }
    let unknown = |t: &str, or: &str| if t.is_empty() { or.to_string() } else { t.to_string() };
    let rest = format!(
        "java_command: {}\njava_class_path (initial): {}\nLauncher Type: {}\n",
        unknown(p("sun.java.command"), "<unknown>"),
        unknown(p("java.class.path"), "<not set>"),
        unknown(p("sun.java.launcher"), "generic"),
    );
    s.push_str(&rest);
    Ok(s.into_bytes())
}

pub fn libraries(_th: &Thread, _a: &Arguments) -> Reply {
    let maps = std::fs::read("/proc/self/maps").map_err(|e| format!("/proc/self/maps: {e}"))?;
    let mut out = b"Dynamic libraries:\n".to_vec();
    out.extend(maps);
    Ok(out)
}

pub fn info(th: &Thread, a: &Arguments) -> Reply {
    let mut out = format!("#\n# JRE version: {}\n# Java VM: {}\n#\n\n", threads::print::jdk_version(), version_line())
        .into_bytes();
    let section = |name: &str, text: Reply| -> Reply {
        let mut t = format!("\n---------------  {name}  ---------------\n\n").into_bytes();
        t.extend(text?);
        Ok(t)
    };
    out.extend(section("S U M M A R Y", command_line(th, a))?);
    out.extend(section("P R O C E S S", super::heap::info(th, a))?);
    out.extend(section("T H R E A D S", super::threads::dump(th, false))?);
    out.extend(section("S Y S T E M", libraries(th, a))?);
    out.extend(b"\nEND.\n");
    Ok(out)
}

pub fn log(_th: &Thread, a: &Arguments) -> Reply {
    if a.flag("list") {
        return Ok(vm_log::describe().into_bytes());
    }
    if a.flag("disable") {
        return vm_log::configure("disable").map(|()| Vec::new()).map_err(super::Failure::from);
    }
    let (output, what) = (a.text("output").unwrap_or(""), a.text("what").unwrap_or(""));
    if output.is_empty() && what.is_empty() && a.text("decorators").is_none() {
        return Ok(b"No log operation was requested\n".to_vec());
    }
    let text = match a.text("decorators") {
        Some(d) => format!("{what}:{output}:{d}"),
        None => format!("{what}:{output}"),
    };
    vm_log::configure(&text).map(|()| Vec::new()).map_err(super::Failure::from)
}

pub fn string_table(_th: &Thread, a: &Arguments) -> Reply {
    let mut count = 0usize;
    let mut bytes = 0usize;
    let mut list = String::new();
    concord_safepoint::stop_the_world("DumpHashtable", |_stopped| {
        strings::intern_slots(&mut |slot| {
            // SAFETY: a slot of the table: 0 or the address of a live string.
            let s = unsafe { concord_contract::Obj::from_addr(*slot as usize) };
            if !s.is_null() {
                let text = strings::to_string(s);
                count += 1;
                bytes += text.len();
                if a.flag("-verbose") {
                    writeln!(list, "{}: {}", text.len(), text.escape_debug()).expect("writing to a string");
                }
            }
        });
    });
    Ok(format!("StringTable statistics:\nNumber of entries       : {count:>9} = {bytes:>9} bytes of text\n{list}")
        .into_bytes())
}
